package io.headgate.perf.engine;

import io.headgate.dataplane.congestion.CongestionMechanism;
import io.headgate.dataplane.congestion.CongestionPoint;
import io.headgate.dataplane.congestion.CongestionSetup;
import io.headgate.dataplane.congestion.Fecn;
import io.headgate.dataplane.congestion.FecnConfig;
import io.headgate.dataplane.congestion.Mark;
import io.headgate.dataplane.congestion.Notices;
import io.headgate.dataplane.congestion.Red;
import io.headgate.dataplane.congestion.RedConfig;
import io.headgate.dataplane.congestion.Tcd;
import io.headgate.dataplane.congestion.TcdConfig;
import io.headgate.dataplane.frame.Bth;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.HeaderParser;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Ipv6;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.SlotMemory;
import io.headgate.dataplane.memory.sync.PortBoard;
import io.headgate.dataplane.policy.StopView;
import io.headgate.dataplane.queue.PriorityQueues;
import io.headgate.dataplane.random.NamedRandom;
import io.headgate.dataplane.telemetry.Telemetry;
import io.headgate.dataplane.telemetry.TelemetryConfig;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the cost of a detector per frame that starts: in bursts of 32, and alone. All detectors
 * run in the same JVM first, so that no call site has seen only one class.
 *
 * <p>{@code empty}: next to nothing waits, and nothing is marked. {@code long}: the queue is over
 * its threshold, and every frame carries its mark already, as behind another congested port. RED
 * draws for each frame, between its thresholds; TCD has one threshold, its default.
 *
 * <p>Telemetry is measured in the same way: it writes a record into each frame. The room for the
 * record is made before; erasing it again is part of the measured time.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 3,
        jvmArgsAppend = {"-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders"})
public class DetectorBenchmark {
    static final int BURST = 32;

    /** A point that looks at nothing: what the benchmark itself takes. */
    public static final String NONE = "none";

    /**
     * Makes the packets of telemetry ready to be written again, and writes nothing: what the
     * benchmark itself takes of {@code int-md} and {@code ioam}.
     */
    public static final String UNWRITTEN = "unwritten";

    /** All detectors that can be measured in addition to these. */
    public static final List<String> DETECTORS = List.of("red", "tcd", "fecn", "int-md", "ioam");

    private static final int PRIORITY = 3;
    private static final int FRAME_BYTES = 1014;
    private static final int WAITING_LONG = 256;
    private static final long THRESHOLD_BYTES = 100_000;
    private static final long RATE_BPS = 100_000_000_000L;
    private static final long FRAME_NS = 83;
    private static final int ECT_1 = 1;
    private static final int FIRST_CALLS = 20_000;
    private static final List<Integer> ALL = IntStream.range(0, 8).boxed().toList();

    /** The name of the detector. */
    @Param({NONE, UNWRITTEN, "red", "tcd", "fecn", "int-md", "ioam"})
    public String detector = "red";

    /** The length of its queue. */
    @Param({"empty", "long"})
    public String queue = "empty";

    private CongestionPoint[] points = {};
    private Frame[] frames = {};
    private int measured;
    private long nowNs;

    /** Runs all detectors, and keeps the one that will be measured. */
    @Setup
    public void build() {
        boolean isLong = queue.equals("long");
        FrameRegion region =
                new FrameRegion(BURST + WAITING_LONG + 1, 2048, false, SlotMemory.RESIDENT);
        PriorityQueues queues = new PriorityQueues(Long.MAX_VALUE / 2);
        for (int i = 0; i < (isLong ? WAITING_LONG : 1); i++) {
            queues.enqueue(frame(region.frame(BURST + i)));
        }
        frames = new Frame[BURST];
        Arrays.setAll(frames, i -> frame(region.frame(i)));
        CongestionSetup setup =
                new CongestionSetup(
                        new CongestionSetup.Node("s1", false),
                        0,
                        RATE_BPS,
                        1000,
                        queues,
                        StopView.NEVER,
                        Notices.NONE,
                        PortBoard.NONE,
                        NamedRandom.of(1, "p1", "benchmark"));
        List<String> all = new ArrayList<>(DETECTORS);
        all.addAll(List.of(UNWRITTEN, NONE));
        points = all.stream().map(name -> point(name, setup)).toArray(CongestionPoint[]::new);
        for (int call = 0; call < FIRST_CALLS; call++) {
            for (measured = 0; measured < points.length; measured++) {
                burst();
                alone();
            }
        }
        measured = all.indexOf(detector);
    }

    private static Frame frame(Frame frame) {
        frame.lengthBytes = FRAME_BYTES;
        frame.storedBytes = FRAME_BYTES;
        frame.priority = PRIORITY;
        frame.etherType = EtherType.IPV4;
        frame.ipOffset = Ethernet.HEADER_BYTES;
        frame.transportOffset = Frame.ABSENT;
        Ipv4.ecn(FrameRegion.MEMORY, frame.dataOffset + frame.ipOffset, ECT_1);
        return frame;
    }

    private static CongestionPoint point(String name, CongestionSetup setup) {
        return switch (name) {
            case NONE -> new NoPoint();
            case "red" ->
                    of(
                            new Red(),
                            new RedConfig(THRESHOLD_BYTES, THRESHOLD_BYTES * 4, 0.1, 1, ALL),
                            setup);
            case "tcd" ->
                    of(
                            new Tcd(),
                            new TcdConfig(
                                    THRESHOLD_BYTES,
                                    THRESHOLD_BYTES,
                                    1,
                                    2000,
                                    0.05,
                                    2_000,
                                    27_000,
                                    TcdConfig.Trend.PERIOD,
                                    Mark.Field.ECN,
                                    ALL),
                            setup);
            case UNWRITTEN -> new WrittenAgain(TelemetryConfig.Encoding.INT_MD, setup, false);
            case "int-md" -> new WrittenAgain(TelemetryConfig.Encoding.INT_MD, setup, true);
            case "ioam" -> new WrittenAgain(TelemetryConfig.Encoding.IOAM, setup, true);
            default ->
                    of(
                            new Fecn(),
                            new FecnConfig(THRESHOLD_BYTES, false, Mark.Field.ECN, ALL),
                            setup);
        };
    }

    private static <C extends Record> CongestionPoint of(
            CongestionMechanism<C> mechanism, C configuration, CongestionSetup setup) {
        return mechanism.point(configuration, setup);
    }

    /** Thirty-two frames start at once. */
    @Benchmark
    @OperationsPerInvocation(BURST)
    public void burst() {
        nowNs += BURST * FRAME_NS;
        points[measured].started(nowNs, frames, 0, BURST);
    }

    /** One frame starts. */
    @Benchmark
    public void alone() {
        nowNs += FRAME_NS;
        points[measured].started(nowNs, frames, 0, 1);
    }

    /** What the one that is measured has counted of its queue so far. */
    long counted(int counter) {
        return points[measured].counted(counter, PRIORITY);
    }

    /** Writes repeatedly into its own RoCEv2 packets. */
    private static final class WrittenAgain extends NoPoint {
        // Bytes of a record, and where it says whether it is written.
        private static final int RECORD_BYTES = 32;
        private static final int INT_MD_TIME_AT = 4 + 12 + 16;
        private static final int IOAM_TIME_AT = 16 + 8;
        private static final int HOPS = 5;

        private final CongestionPoint point;
        private final boolean isWritten;
        private final Frame[] packets = new Frame[BURST];
        private final long[] writtenAt = new long[BURST];

        WrittenAgain(TelemetryConfig.Encoding encoding, CongestionSetup setup, boolean isWritten) {
            this.isWritten = isWritten;
            point =
                    of(
                            new Telemetry(),
                            new TelemetryConfig(
                                    encoding,
                                    HOPS,
                                    TelemetryConfig.Source.SWITCH,
                                    TelemetryConfig.Packets.ALL,
                                    0,
                                    false,
                                    false),
                            setup);
            boolean isInt = encoding == TelemetryConfig.Encoding.INT_MD;
            FrameRegion region = new FrameRegion(BURST, 2048, false, SlotMemory.RESIDENT);
            for (int i = 0; i < BURST; i++) {
                Frame packet = packet(region.frame(i), !isInt);
                point.prepare(0, packet);
                packet.priority = PRIORITY;
                packets[i] = packet;
                writtenAt[i] =
                        packet.dataOffset
                                + (isInt
                                        ? packet.transportOffset + Udp.HEADER_BYTES + INT_MD_TIME_AT
                                        : packet.ipOffset
                                                + Ipv6.HEADER_BYTES
                                                + (HOPS - 1) * RECORD_BYTES
                                                + IOAM_TIME_AT);
            }
        }

        private static Frame packet(Frame packet, boolean isIpv6) {
            int udpBytes = FRAME_BYTES - Ethernet.HEADER_BYTES - Ipv6.HEADER_BYTES;
            Ethernet.etherType(
                    FrameRegion.MEMORY,
                    packet.dataOffset,
                    isIpv6 ? EtherType.IPV6 : EtherType.IPV4);
            long ip = packet.dataOffset + Ethernet.HEADER_BYTES;
            int ipBytes = isIpv6 ? Ipv6.HEADER_BYTES : Ipv4.MIN_HEADER_BYTES;
            if (isIpv6) {
                Ipv6.write(FrameRegion.MEMORY, ip, 0, udpBytes, IpProtocol.UDP, 64);
            } else {
                Ipv4.write(FrameRegion.MEMORY, ip, 0, ipBytes + udpBytes, 64, IpProtocol.UDP, 1, 2);
            }
            Udp.write(FrameRegion.MEMORY, ip + ipBytes, 50_000, Bth.UDP_PORT, udpBytes);
            packet.lengthBytes = Ethernet.HEADER_BYTES + ipBytes + udpBytes;
            packet.storedBytes = packet.lengthBytes;
            HeaderParser.parse(FrameRegion.MEMORY, packet);
            return packet;
        }

        @Override
        public void started(long nowNs, Frame[] frames, int from, int to) {
            for (int i = from; i < to; i++) {
                Wire.put64(FrameRegion.MEMORY, writtenAt[i], -1);
            }
            if (isWritten) {
                point.started(nowNs, packets, from, to);
            }
        }

        @Override
        public long counted(int counter, int queue) {
            return point.counted(counter, queue);
        }
    }

    private static class NoPoint implements CongestionPoint {
        @Override
        public int queues() {
            return 0;
        }

        @Override
        public void enqueued(long nowNs, int queue, Frame[] frames, int from, int to) {
            // Nothing is looked at.
        }

        @Override
        public void started(long nowNs, Frame[] frames, int from, int to) {
            // Nothing is looked at.
        }

        @Override
        public void removed(long nowNs, Frame frame) {
            // Nothing is looked at.
        }

        @Override
        public void released(long nowNs, int queues) {
            // Nothing is looked at.
        }

        @Override
        public int tick(long nowNs) {
            return 0;
        }

        @Override
        public long deadlineNs() {
            return Long.MAX_VALUE;
        }

        @Override
        public void reset(long nowNs) {
            // Nothing is looked at.
        }

        @Override
        public long counted(int counter, int queue) {
            return 0;
        }
    }
}
