package io.headgate.dataplane.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.ConfigException;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.dataplane.congestion.CongestionPoint;
import io.headgate.dataplane.congestion.CongestionSetup;
import io.headgate.dataplane.congestion.Notices;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.RcOpcode;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.HopRecord;
import io.headgate.dataplane.memory.HopRecords;
import io.headgate.dataplane.memory.sync.PortBoard;
import io.headgate.dataplane.policy.StopView;
import io.headgate.dataplane.queue.PriorityQueues;
import io.headgate.dataplane.random.NamedRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What ports and cards make of the packets that leave by them; links of 100 Gb/s. */
class TelemetryPointTest {
    private static final int PORT = 3;
    private static final int PRIORITY = 2;
    private static final int PAYLOAD = 1024;
    private static final int MTU = PAYLOAD + 20;
    private static final long RATE_BPS = 100_000_000_000L;

    private static final int BEGUN = 0;
    private static final int WRITTEN = 1;
    private static final int LIMITED = 2;
    private static final int OVERSIZE = 3;
    private static final int MALFORMED = 4;
    private static final int STRIPPED = 5;
    private static final int NODE = 6;

    private final FrameRegion region = new FrameRegion(4, 4096);
    private final PriorityQueues queues = new PriorityQueues(1_000_000);
    private final HopRecords read = new HopRecords();

    static TelemetryConfig config(String rate, String keys) {
        return Objects.requireNonNull(
                SwitchConfigReader.read(
                                """
                                name: s1
                                ports:
                                  - name: p1
                                    device: {tap: t1}
                                    rate: %s
                                    congestion: {telemetry: {%s}}
                                """
                                        .formatted(rate, keys),
                                "test.yaml")
                        .ports()
                        .getFirst()
                        .mechanisms()
                        .get(TelemetryConfig.class));
    }

    private TelemetryPoint point(boolean isCard, String keys) {
        TelemetryPoint point =
                new TelemetryPoint(
                        config("100Gbps", keys),
                        new CongestionSetup(
                                new CongestionSetup.Node("s1", isCard),
                                PORT,
                                RATE_BPS,
                                MTU,
                                queues,
                                StopView.NEVER,
                                Notices.NONE,
                                PortBoard.NONE,
                                NamedRandom.of(1, "p4", "telemetry")));
        assertThat(point.queues()).isEqualTo(0xFF);
        return point;
    }

    private TelemetryPoint port(String keys) {
        return point(false, keys);
    }

    private TelemetryPoint card(String keys) {
        return point(true, keys);
    }

    private Frame packet(int slot) {
        Frame frame = RocePackets.data(region.frame(slot), false, PAYLOAD);
        frame.priority = PRIORITY;
        frame.ingressPort = 1;
        return frame;
    }

    /** Comes, waits for 700 ns, and starts. */
    private static void pass(CongestionPoint point, long nowNs, Frame... frames) {
        for (Frame frame : frames) {
            point.prepare(nowNs, frame);
            frame.priority = PRIORITY;
        }
        point.started(nowNs + 700, frames, 0, frames.length);
    }

    private List<HopRecord> takenOff(Frame frame) {
        read.clear();
        assertThat(new TelemetrySink(new IntMd()).takes(frame)).isTrue();
        assertThat(new TelemetrySink(new IntMd()).take(frame, read)).isTrue();
        List<HopRecord> hops = new ArrayList<>();
        for (int hop = 0; hop < read.hops(); hop++) {
            hops.add(read.hop(hop));
        }
        return hops;
    }

    @Test
    void aCardBeginsAndPortsWriteWhatTheyKnow() {
        Frame frame = packet(0);
        byte[] sent = RocePackets.bytes(frame);
        TelemetryPoint card = card("");
        pass(card, 10, frame);
        TelemetryPoint first = port("node: 77");
        Frame waits = packet(3);
        queues.enqueue(waits);
        pass(first, 1_000, packet(1), frame);
        pass(port("node: 78"), 3_000, frame);
        assertThat(card.counted(BEGUN, PRIORITY)).isEqualTo(1);
        assertThat(card.counted(WRITTEN, PRIORITY)).isZero();
        assertThat(first.counted(WRITTEN, PRIORITY)).as("the other was not begun").isEqualTo(1);
        List<HopRecord> hops = takenOff(frame);
        assertThat(RocePackets.bytes(frame)).isEqualTo(sent);
        assertThat(hops).hasSize(2);
        HopRecord hop = hops.getFirst();
        assertThat(hop.node).isEqualTo(77);
        assertThat(hop.ingressPort).isEqualTo(2);
        assertThat(hop.egressPort).isEqualTo(PORT + 1);
        assertThat(hop.queue).isEqualTo(PRIORITY);
        assertThat(hop.queueBytes).isEqualTo(waits.lengthBytes);
        assertThat(hop.timeNs).isEqualTo(1_700);
        assertThat(hop.latencyNs).isEqualTo(700);
        assertThat(hop.sentBytes)
                .as("the frame before, in units of 128 bytes")
                .isEqualTo((sent.length + Ethernet.WIRE_OVERHEAD_BYTES) / 128 * 128L);
        assertThat(hop.rateBps).isEqualTo(RATE_BPS);
        assertThat(hops.getLast().node).isEqualTo(78);
    }

    @Test
    void behindTheFirstOfABurstTheOthersWait() {
        Frame first = packet(0);
        Frame second = packet(1);
        pass(port("source: switch"), 0, first, second);
        assertThat(takenOff(first).getFirst().queueBytes).isEqualTo(second.lengthBytes);
        assertThat(takenOff(second).getFirst().queueBytes).isZero();
    }

    @Test
    void theFirstPortBeginsWhereTheSourceIsTheSwitch() {
        Frame frame = packet(0);
        TelemetryPoint card = card("source: switch");
        pass(card, 0, frame);
        assertThat(card.counted(BEGUN, PRIORITY)).isZero();
        TelemetryPoint port = port("source: switch");
        pass(port, 0, frame);
        pass(port, 0, frame);
        assertThat(port.counted(BEGUN, PRIORITY)).isEqualTo(1);
        List<HopRecord> hops = takenOff(frame);
        assertThat(hops).hasSize(2);
        // Without a number of the switch each port has its own.
        assertThat(hops.getFirst().node).isEqualTo((int) port.counted(NODE, 0)).isPositive();
    }

    @Test
    void answersGetItOnlyWhereAllPacketsDo() {
        Frame answer = packet(0);
        RocePackets.write(answer, false, RcOpcode.ACKNOWLEDGE, 48);
        pass(card(""), 0, answer);
        assertThat(new IntMd().isIn(answer)).isFalse();
        pass(card("packets: all"), 0, answer);
        assertThat(new IntMd().isIn(answer)).isTrue();
    }

    @Test
    void theLastPortTakesItOff() {
        Frame frame = packet(0);
        byte[] sent = RocePackets.bytes(frame);
        pass(card(""), 0, frame);
        pass(port(""), 0, frame);
        TelemetryPoint last = port("last: true");
        pass(last, 0, frame);
        assertThat(RocePackets.bytes(frame)).isEqualTo(sent);
        assertThat(last.counted(STRIPPED, PRIORITY)).isEqualTo(1);
        assertThat(new Telemetry().sink(config("100Gbps", "last: true"))).isNull();
    }

    /** A frame of eight hops of which five may write, one of them a switch that has none of it. */
    @Test
    void portsBeyondTheHopLimitCountAndLeaveTheFrame() {
        Frame frame = packet(0);
        pass(card(""), 0, frame);
        TelemetryPoint port = port("");
        for (int hop = 0; hop < 7; hop++) {
            pass(port, hop, frame);
        }
        assertThat(port.counted(WRITTEN, PRIORITY)).isEqualTo(5);
        assertThat(port.counted(LIMITED, PRIORITY)).isEqualTo(2);
        assertThat(takenOff(frame)).hasSize(5);
    }

    @Test
    void aPacketOfExactlyTheMtuMayGrowByWhatIsDeclaredOrNotAtAll() {
        assertThat(new Telemetry().growsBytes(config("100Gbps", ""))).isEqualTo(16 + 5 * 32);
        assertThat(new Telemetry().growsBytes(config("100Gbps", "within-mtu: true"))).isZero();
        Frame frame = packet(0);
        assertThat(frame.lengthBytes).isEqualTo(Ethernet.HEADER_BYTES + MTU);
        TelemetryPoint within = port("source: switch, within-mtu: true");
        pass(within, 0, frame);
        assertThat(new IntMd().isIn(frame)).isFalse();
        assertThat(within.counted(OVERSIZE, PRIORITY)).isEqualTo(1);
        pass(card(""), 0, frame);
        // Begun at a card that allows for it, and too long here: the packet says so itself.
        pass(within, 0, frame);
        assertThat(RocePackets.bytes(frame)[frame.transportOffset + 12]).isEqualTo((byte) 0x22);
        assertThat(takenOff(frame)).isEmpty();
    }

    @Test
    void whatIsDamagedIsCountedAtPortsAndLostAtTheSink() {
        Frame frame = packet(0);
        TelemetryPoint port = port("");
        pass(card(""), 0, frame);
        pass(port, 0, frame);
        RocePackets.flip(frame, frame.transportOffset + 9, 1); // its length
        byte[] came = RocePackets.bytes(frame);
        pass(port, 0, frame);
        assertThat(RocePackets.bytes(frame)).isEqualTo(came);
        assertThat(port.counted(MALFORMED, PRIORITY)).isEqualTo(1);
        assertThat(port.counted(WRITTEN, PRIORITY)).isEqualTo(1);
        TelemetrySink sink = new TelemetrySink(new IntMd());
        assertThat(sink.takes(frame)).isTrue();
        assertThat(sink.take(frame, read)).isFalse();
        pass(port("last: true"), 0, frame);
        assertThat(RocePackets.bytes(frame)).isEqualTo(came);
    }

    /** Turned on while frames wait that it has not prepared: their slots had others before. */
    @Test
    void whatWaitedBeforeItWasTurnedOnIsNotWrittenInto() {
        TelemetryPoint port = port("source: switch");
        Frame frame = packet(0);
        port.prepare(0, frame);
        assertThat(frame.recordAt).isPositive();
        // It left, the port was turned off, and another frame came into the slot.
        Frame other = packet(0);
        long left = frame.recordAt;
        RocePackets.data(region.frame(0), false, PAYLOAD);
        other.priority = PRIORITY;
        byte[] came = RocePackets.bytes(other);
        Wire.put64(FrameRegion.MEMORY, left + 16, -1);
        byte[] waits = RocePackets.bytes(other);
        port.reset(1);
        port.started(2, new Frame[] {other}, 0, 1);
        assertThat(RocePackets.bytes(other)).isEqualTo(waits).hasSameSizeAs(came);
        assertThat(port.counted(WRITTEN, PRIORITY)).isZero();
    }

    @Test
    void ofABurstOfSeveralPrioritiesEachHasItsOwnBehindIt() {
        TelemetryPoint port = port("source: switch");
        Frame[] frames = {packet(0), packet(1), packet(2)};
        for (int i = 0; i < 3; i++) {
            port.prepare(0, frames[i]);
            frames[i].priority = i == 1 ? PRIORITY + 1 : PRIORITY;
        }
        int bytes = frames[0].lengthBytes;
        port.started(700, frames, 0, 3);
        long waiting = queues.bytes(PRIORITY);
        assertThat(takenOff(frames[0]).getFirst().queueBytes).isEqualTo(waiting + bytes);
        assertThat(takenOff(frames[1]).getFirst().queueBytes).isEqualTo(queues.bytes(PRIORITY + 1));
        HopRecord last = takenOff(frames[2]).getFirst();
        assertThat(last.queueBytes).isEqualTo(waiting);
        assertThat(last.sentBytes / 128).isEqualTo(2L * (bytes + 24) / 128);
    }

    @Test
    void aSwitchHasOneNumberThatFollowsFromItsName() {
        assertThat(port("").counted(NODE, 0)).isEqualTo(port("hops: 3").counted(NODE, 0));
        assertThat(port("").counted(NODE, 0)).isEqualTo(TelemetryPoint.number("s1")).isPositive();
        assertThat(IntStream.rangeClosed(1, 500).mapToObj(i -> TelemetryPoint.number("s" + i)))
                .doesNotHaveDuplicates()
                .allMatch(number -> number > 0 && number < 1 << 24);
    }

    @Test
    void anotherInItsPlaceHasItsNumberAndGoesOnCounting() {
        TelemetryPoint before = port("source: switch");
        pass(before, 0, packet(0), packet(1));
        TelemetryPoint after = port("source: switch, hops: 3");
        after.goOnFrom(before);
        Frame frame = packet(2);
        pass(after, 0, frame);
        HopRecord hop = takenOff(frame).getFirst();
        assertThat(hop.node).isEqualTo((int) before.counted(NODE, 0));
        assertThat(hop.sentBytes).isGreaterThan(2L * PAYLOAD);
    }

    @Test
    void whatAnEncodingCannotSayIsRefused() {
        assertThatThrownBy(() -> config("10Gbps", "encoding: hpcc"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("congestion.telemetry.encoding: found hpcc at 10Gbps")
                .hasMessageContaining("allowed: hpcc at 25, 50, 100, 200 or 400 Gb/s");
        assertThatThrownBy(() -> config("100Gbps", "encoding: ioam, hops: 8"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("telemetry.hops: found 8; allowed: at most 7");
        assertThat(config("100Gbps", "encoding: ioam, hops: 5").growsBytes()).isEqualTo(176);
    }
}
