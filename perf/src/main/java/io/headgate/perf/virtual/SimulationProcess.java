package io.headgate.perf.virtual;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The program of a measurement: runs a case several times in one JVM. The first run shows the time
 * that a user waits, including the start of the JVM and its compiler; the last shows the compiled
 * engine.
 */
public final class SimulationProcess {
    private static final double MS_PER_S = 1e3;

    private SimulationProcess() {}

    /**
     * @param args words of the case and its queues, its duration in ns, the seed, how many runs, by
     *     how many threads
     */
    public static void main(String[] args) throws IOException {
        PrintStream out = System.out;
        if (args[0].equals(IdleHosts.WORD)) {
            out.println("bytesPerHost=" + IdleHosts.bytesPerHost());
            return;
        }
        NetworkCase network = NetworkCase.of(args[0]).orElseThrow();
        Queues queues = Queues.of(args[1]).orElseThrow();
        long durationNs = Long.parseLong(args[2]);
        long seed = Long.parseLong(args[3]);
        int runs = Integer.parseInt(args[4]);
        int threads = Integer.parseInt(args[5]);
        Simulation.Outcome last = Simulation.run(network, queues, durationNs, seed, threads);
        long startedMs = ManagementFactory.getRuntimeMXBean().getStartTime();
        double wallSeconds = (System.currentTimeMillis() - startedMs) / MS_PER_S;
        out.println("coldSetUpSeconds=" + last.setUpSeconds());
        out.println("coldRunSeconds=" + last.runSeconds());
        out.println("wallSeconds=" + wallSeconds);
        for (int run = 1; run < runs; run++) {
            System.gc();
            last = Simulation.run(network, queues, durationNs, seed, threads);
        }
        out.printf(
                Locale.ROOT,
                "setUpSeconds=%f%nrunSeconds=%f%nhops=%d%ndelivered=%d%ndropped=%d%n"
                        + "instants=%d%ndutyCalls=%d%npeakBytes=%d%n",
                last.setUpSeconds(),
                last.runSeconds(),
                last.hops(),
                last.delivered(),
                last.dropped(),
                last.instants(),
                last.dutyCalls(),
                peakBytes());
    }

    /** Most memory that this process had at a time. */
    private static long peakBytes() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmHWM:")) {
                return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
            }
        }
        return -1;
    }
}
