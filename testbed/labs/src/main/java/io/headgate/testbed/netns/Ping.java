package io.headgate.testbed.netns;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs ping(8) and reads its output. */
public final class Ping {
    private static final Pattern COUNTS =
            Pattern.compile("(\\d+) packets transmitted, (\\d+) received");
    private static final Pattern TIMES =
            Pattern.compile("rtt min/avg/max/mdev = ([\\d.]+)/([\\d.]+)/([\\d.]+)/([\\d.]+) ms");

    /** The time that a busy machine may take for an answer, in s. */
    private static final String PATIENCE_S = "10";

    private Ping() {}

    /**
     * The replies.
     *
     * @param averageMs of the round trips, the first of which waits for ARP; NaN if none came back
     */
    public record Outcome(
            int from, int to, int sent, int received, double minimumMs, double averageMs) {
        public boolean reachable() {
            return received > 0;
        }
    }

    /**
     * The command: {@code count} requests, a fifth of a second apart. Only if none is answered does
     * it wait for {@link #PATIENCE_S}.
     */
    public static List<String> command(String address, int count) {
        return List.of(
                "ping",
                "-n",
                "-c",
                Integer.toString(count),
                "-i",
                "0.2",
                "-W",
                PATIENCE_S,
                address);
    }

    /** Reads ping's output; replies that it does not report have not been received. */
    public static Outcome parse(int from, int to, int count, String output) {
        Matcher counts = COUNTS.matcher(output);
        if (!counts.find()) {
            return new Outcome(from, to, count, 0, Double.NaN, Double.NaN);
        }
        Matcher times = TIMES.matcher(output);
        boolean timed = times.find();
        return new Outcome(
                from,
                to,
                Integer.parseInt(counts.group(1)),
                Integer.parseInt(counts.group(2)),
                timed ? Double.parseDouble(times.group(1)) : Double.NaN,
                timed ? Double.parseDouble(times.group(2)) : Double.NaN);
    }
}
