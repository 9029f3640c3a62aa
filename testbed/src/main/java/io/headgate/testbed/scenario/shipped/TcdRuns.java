package io.headgate.testbed.scenario.shipped;

import io.headgate.config.PortTraffic;
import io.headgate.dataplane.congestion.Red;
import io.headgate.dataplane.congestion.Tcd;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.bed.GroupFacts;
import io.headgate.testbed.scenario.bed.Observation;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.ArrivalSpec;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What the scenarios after "Congestion Detection in Lossless Networks" have in common: one lossless
 * priority, senders that declare themselves ECT(1), and the simulated network of the authors'
 * published configuration.
 */
final class TcdRuns {
    static final String VICTIM = "F0";
    static final String CULPRIT = "F1";

    // S0, S1, R0, R1, then the A: as the network numbers its hosts.
    static final int VICTIM_FROM = 0;
    static final int CULPRIT_FROM = 1;
    static final int VICTIM_TO = 2;
    static final int CULPRIT_TO = 3;
    static final int FIRST_BURSTER = 4;

    static final int PRIORITY = Common.PRIORITY;
    static final int MTU = 1000;
    static final int FRAME_BYTES = MTU + 14;
    static final long BUFFER_BYTES = 800_000;

    static final long RATE_BPS = 40_000_000_000L;
    static final long BURST_BYTES = 64_000;

    /** The configuration counts a frame of 1,000 bytes of payload as 1,030 bytes. */
    static final long CELL_BYTES = 1030;

    static final long XOFF_BYTES = 320 * CELL_BYTES;

    private static final long DELAY_NS = 4_000;
    private static final long SWING_CELLS = 2;
    private static final long KMIN_CELLS = 5;
    private static final long KMAX_CELLS = 200;
    private static final double PMAX = 0.01;

    private TcdRuns() {}

    static FrameShape shape() {
        return Common.losslessFrames(FRAME_BYTES).withEcn(FrameShape.ECT_1);
    }

    /**
     * The simulated network.
     *
     * @param sendersBps rate of F0's and F1's links, in bits per second
     * @param xoffBytes where a port pauses; two cells below it no more
     * @param isTernary whether its ports have TCD; else RED with the same thresholds
     */
    static Topology simulated(
            int bursters,
            int switches,
            long sendersBps,
            long xoffBytes,
            boolean isTernary,
            long maxOnNs) {
        Tcd tcd = new Tcd();
        Red red = new Red();
        PortTraffic ports = Common.pauses(xoffBytes, xoffBytes - SWING_CELLS * CELL_BYTES);
        ports =
                isTernary
                        ? ports.with(tcd, "kmin", KMIN_CELLS * CELL_BYTES)
                                .with(tcd, "kmax", KMAX_CELLS * CELL_BYTES)
                                .with(tcd, "pmax", PMAX)
                                .with(tcd, "max-on", maxOnNs)
                        : ports.with(red, "kmin", KMIN_CELLS * CELL_BYTES)
                                .with(red, "kmax", KMAX_CELLS * CELL_BYTES)
                                .with(red, "pmax", PMAX);
        LinkSpec link = LinkSpec.of(RATE_BPS, DELAY_NS);
        return Topologies.congestionTree(bursters, switches, link.withRateBps(sendersBps), link)
                .withSizes(new Topology.Sizes(MTU, BUFFER_BYTES, 0))
                .withPorts(ports);
    }

    /** What share of a group's frames is marked congested, in percent. */
    static Measure congested(String name, GroupFacts group) {
        return new Measure(name, "%", 100.0 * group.framesMarked() / group.framesReceived());
    }

    /** Bursts of all bursters to the culprit's receiver, one after the other. */
    static List<ArrivalSpec> bursts(int bursters, int bursts, long everyPs, long fromPs) {
        List<Integer> senders =
                IntStream.range(FIRST_BURSTER, FIRST_BURSTER + bursters).boxed().toList();
        long untilPs = fromPs + (bursts - 1) * everyPs + 1;
        return ArrivalSpec.incast("A", senders, CULPRIT_TO, BURST_BYTES, everyPs, 0, shape())
                .stream()
                .map(source -> source.during(fromPs, untilPs))
                .toList();
    }

    /**
     * While the way of flows is paused now and then: from an interval behind the first one with a
     * pause to the same behind the last one. Frames that had passed the port before the first pause
     * have arrived by then.
     */
    record Pauses(Observation seen, double fromUs, double toUs) {

        /**
         * @param stopped name of a series of how long a port was stopped from the beginning on
         * @param intervalUs between two of its samples; a real bed may have missed some
         */
        static Pauses of(Observation seen, String stopped, double intervalUs) {
            Series series = seen.seriesOf(stopped);
            double[] values = series.values();
            double fromUs = Double.NaN;
            double toUs = Double.NaN;
            for (int i = 1; i < values.length; i++) {
                if (values[i] > values[i - 1]) {
                    toUs = series.timesUs()[i] + intervalUs;
                    fromUs = Double.isNaN(fromUs) ? toUs : fromUs;
                }
            }
            return new Pauses(seen, fromUs, toUs);
        }

        private IntStream places(Series series) {
            double[] times = series.timesUs();
            return IntStream.range(0, times.length)
                    .filter(i -> times[i] > fromUs && times[i] <= toUs);
        }

        double frames(String group, String what) {
            Series series = seen.seriesOf(what + " " + group);
            return places(series).mapToDouble(i -> series.values()[i]).sum();
        }

        /** What share of a group's frames arrived marked so, in percent. */
        double share(String group, String mark) {
            return 100 * frames(group, mark) / frames(group, "arrived");
        }

        /** Intervals in which frames came and none was marked so. */
        long without(String group, String mark) {
            double[] arrived = seen.seriesOf("arrived " + group).values();
            Series marked = seen.seriesOf(mark + " " + group);
            return places(marked).filter(i -> arrived[i] > 0 && marked.values()[i] == 0).count();
        }

        /** How many intervals of a group's frames that was. */
        long intervals(String group) {
            return places(seen.seriesOf("arrived " + group)).count();
        }
    }
}
