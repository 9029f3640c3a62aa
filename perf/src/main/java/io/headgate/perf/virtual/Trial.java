package io.headgate.perf.virtual;

import java.util.Map;

/**
 * One run of one case in one simulator.
 *
 * @param position in its round, from 0
 * @param hops frames put on a link, each counted for each link
 * @param delivered frames that arrived at their host
 * @param dropped frames for which a switch's queue had no room
 * @param setUpSeconds until the first event
 * @param runSeconds from the first event to the last; ours: of the last run in its JVM
 * @param firstRunSeconds of the first run in its process
 * @param wallSeconds from the start of the process to the end of the first run
 * @param peakBytes most memory that the process had
 */
public record Trial(
        String network,
        String simulator,
        int round,
        int position,
        long hops,
        long delivered,
        long dropped,
        double setUpSeconds,
        double runSeconds,
        double firstRunSeconds,
        double wallSeconds,
        long peakBytes) {

    static Trial of(
            NetworkCase network,
            String simulator,
            int round,
            int position,
            Map<String, String> found) {
        String runSeconds = value(found, "runSeconds");
        return new Trial(
                network.word(),
                simulator,
                round,
                position,
                Long.parseLong(value(found, "hops")),
                Long.parseLong(value(found, "delivered")),
                Long.parseLong(value(found, "dropped")),
                Double.parseDouble(value(found, "setUpSeconds")),
                Double.parseDouble(runSeconds),
                Double.parseDouble(found.getOrDefault("coldRunSeconds", runSeconds)),
                Double.parseDouble(value(found, "wallSeconds")),
                Long.parseLong(value(found, "peakBytes")));
    }

    private static String value(Map<String, String> found, String name) {
        String value = found.get(name);
        if (value == null) {
            throw new IllegalArgumentException("the program did not print " + name + ": " + found);
        }
        return value;
    }

    /** Frame-hops a second while it runs. */
    public double hopsPerSec() {
        return hops / runSeconds;
    }

    /** Frame-hops a second in the first run, compiler included. */
    public double firstHopsPerSec() {
        return hops / firstRunSeconds;
    }
}
