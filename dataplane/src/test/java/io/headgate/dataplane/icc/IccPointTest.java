package io.headgate.dataplane.icc;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.MechanismRegistry;
import io.headgate.dataplane.congestion.CongestionSetup;
import io.headgate.dataplane.congestion.Notices;
import io.headgate.dataplane.frame.Bth;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.HeaderParser;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.RcOpcode;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.HopRecord;
import io.headgate.dataplane.memory.HopRecords;
import io.headgate.dataplane.memory.sync.PortBoards;
import io.headgate.dataplane.policy.StopView;
import io.headgate.dataplane.queue.PriorityQueues;
import io.headgate.dataplane.random.NamedRandom;
import io.headgate.dataplane.telemetry.Dissected;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Acknowledgements that leave by one port report the port by which they came. */
class IccPointTest {
    private static final MemorySegment MEMORY = FrameRegion.MEMORY;
    private static final long RATE_BPS = 100_000_000_000L;
    private static final int STAMPED = 4;
    private static final int ACK_BYTES = 62;

    @TempDir private Path directory;

    private final PortBoards boards = new PortBoards(2);
    private final IccPoint sender = point(boards, 0, "s1/p1");
    private final IccPoint receiver = point(boards, 1, "s1/p2");
    private final FrameRegion region = new FrameRegion(4, 2048);
    private final IccSink sink = new IccSink();
    private final HopRecords hops = new HopRecords();
    private final Frame[] one = new Frame[1];

    private static IccConfig config() {
        return new IccConfig(5_000, 15_000, 0.7, 50_000, IntStream.range(0, 8).boxed().toList());
    }

    private static IccPoint point(PortBoards boards, int port, String name) {
        Icc icc = new Icc();
        IccPoint point =
                (IccPoint)
                        icc.point(
                                config(),
                                new CongestionSetup(
                                        new CongestionSetup.Node("s1", false),
                                        port,
                                        RATE_BPS,
                                        1_500,
                                        new PriorityQueues(1_000_000),
                                        StopView.NEVER,
                                        Notices.NONE,
                                        boards.of("icc", icc.boardWords(), port),
                                        NamedRandom.of(1, name, "icc")));
        point.reset(0);
        return point;
    }

    /** A packet of RoCEv2 that came by the second port. */
    private Frame packet(int slot, int opcode, int bytes) {
        Frame frame = region.frame(slot);
        frame.dataOffset = frame.slotOffset + FrameRegion.HEADROOM_BYTES;
        long ip = frame.dataOffset + Ethernet.HEADER_BYTES;
        int ipBytes = bytes - Ethernet.HEADER_BYTES;
        Ethernet.etherType(MEMORY, frame.dataOffset, EtherType.IPV4);
        Ipv4.write(MEMORY, ip, 0, ipBytes, 64, IpProtocol.UDP, 0x0A00_0001, 0x0A00_0002);
        Ipv4.writeChecksum(MEMORY, ip);
        long udp = ip + Ipv4.MIN_HEADER_BYTES;
        Udp.write(MEMORY, udp, 50_000 + slot, Bth.UDP_PORT, ipBytes - Ipv4.MIN_HEADER_BYTES);
        Bth.write(MEMORY, udp + Udp.HEADER_BYTES, opcode, 0, 0xFFFF, 5, false, 9);
        frame.lengthBytes = bytes;
        frame.storedBytes = bytes;
        frame.ingressPort = 1;
        frame.flowHash = slot * 1_003;
        parse(frame);
        return frame;
    }

    private static void parse(Frame frame) {
        assertThat(HeaderParser.parse(MEMORY, frame)).isNull();
        frame.priority = 3;
    }

    private static byte[] bytes(Frame frame) {
        return MEMORY.asSlice(frame.dataOffset, frame.lengthBytes).toArray(ValueLayout.JAVA_BYTE);
    }

    private void join(IccPoint port, long nowNs, Frame frame) {
        port.prepare(nowNs, frame);
        one[0] = frame;
        port.enqueued(nowNs, frame.priority, one, 0, 1);
    }

    /** Two flows leave by the second port, one frame of 1,000 bytes waits there at 16 us. */
    private void load() {
        join(receiver, 1_000, packet(0, RcOpcode.SEND_ONLY, 1_000));
        receiver.started(1_000, one, 0, 1);
        join(receiver, 1_100, packet(1, RcOpcode.SEND_ONLY, 1_000));
        assertThat(receiver.deadlineNs()).isEqualTo(16_000);
        assertThat(receiver.tick(15_999)).isZero();
        assertThat(receiver.tick(16_000)).isEqualTo(1);
    }

    private HopRecord taken(Frame frame) {
        parse(frame);
        assertThat(sink.takes(frame)).isTrue();
        hops.clear();
        assertThat(sink.take(frame, hops)).isTrue();
        assertThat(hops.hops()).isEqualTo(1);
        return hops.hop(0);
    }

    @Test
    void anAcknowledgementTellsOfThePortByWhichItCameAndIsThenAsItWasSent() {
        load();
        Frame ack = packet(2, RcOpcode.ACKNOWLEDGE, ACK_BYTES);
        byte[] sent = bytes(ack);
        sender.prepare(17_000, ack);
        assertThat(ack.lengthBytes).isEqualTo(ACK_BYTES + new Icc().growsBytes(config()));
        assertThat(Ipv4.isChecksumRight(MEMORY, ack.dataOffset + ack.ipOffset)).isTrue();
        assertThat(Udp.destinationPort(MEMORY, ack.dataOffset + ack.transportOffset))
                .isEqualTo(IccRecord.UDP_PORT);
        HopRecord hop = taken(ack);
        assertThat(bytes(ack)).isEqualTo(sent);
        assertThat(hop.egressPort).isEqualTo(2);
        assertThat(hop.timeNs).isEqualTo(16_000);
        assertThat(hop.queueBytes).isEqualTo(1_000);
        assertThat(hop.flows).isEqualTo(2);
        assertThat(hop.rateBps).isEqualTo(RATE_BPS);
        // 1,024 bytes on the wire, at 1 us, of the 187,500 that 15 us carry: half a percent.
        assertThat(hop.usePermille).isEqualTo(5);
        assertThat(sender.counted(STAMPED, 3)).isEqualTo(1);
        assertThat(receiver.counted(3, 3)).as("told by the timer").isEqualTo(1);
    }

    @Test
    void ofTwoSwitchesTheMoreCongestedOneIsToldOf() {
        load();
        Frame ack = packet(2, RcOpcode.ACKNOWLEDGE, ACK_BYTES);
        sender.prepare(17_000, ack);
        int grown = ack.lengthBytes;
        // The same switch's queue is longer by now: it stands for the next one's.
        join(receiver, 17_000, packet(3, RcOpcode.SEND_ONLY, 1_000));
        receiver.tick(31_000);
        parse(ack);
        sender.prepare(31_000, ack);
        assertThat(ack.lengthBytes).isEqualTo(grown);
        assertThat(taken(ack).queueBytes).isEqualTo(2_000);
        sender.prepare(31_000, ack);
        // Now it reports 2,000 bytes, and the port has 1,000.
        receiver.removed(32_000, packet(3, RcOpcode.SEND_ONLY, 1_000));
        receiver.tick(46_000);
        parse(ack);
        sender.prepare(46_000, ack);
        assertThat(taken(ack).queueBytes).isEqualTo(2_000);
        assertThat(sender.counted(STAMPED, 3)).isEqualTo(3);
    }

    @Test
    void whatIsNoAcknowledgementOrHasNothingToTellOfStaysAsItIs() {
        Frame early = packet(2, RcOpcode.ACKNOWLEDGE, ACK_BYTES);
        sender.prepare(500, early);
        assertThat(early.lengthBytes).as("before the port has said anything").isEqualTo(ACK_BYTES);
        load();
        Frame data = packet(2, RcOpcode.SEND_ONLY, 1_000);
        sender.prepare(17_000, data);
        assertThat(data.lengthBytes).isEqualTo(1_000);
        Frame checked = packet(2, RcOpcode.ACKNOWLEDGE, ACK_BYTES);
        Wire.put16(MEMORY, checked.dataOffset + checked.transportOffset + Udp.CHECKSUM_OFFSET, 7);
        sender.prepare(17_000, checked);
        assertThat(checked.lengthBytes).as("with a checksum").isEqualTo(ACK_BYTES);
        receiver.reset(20_000);
        Frame late = packet(2, RcOpcode.ACKNOWLEDGE, ACK_BYTES);
        sender.prepare(21_000, late);
        assertThat(late.lengthBytes).as("its link went down").isEqualTo(ACK_BYTES);
    }

    /**
     * Acknowledgements of other flows that leave by a port do not count among the flows that share
     * it.
     */
    @Test
    void acknowledgementsAreNoFlows() {
        load();
        join(receiver, 17_000, packet(2, RcOpcode.ACKNOWLEDGE, ACK_BYTES));
        receiver.tick(31_000);
        Frame ack = packet(3, RcOpcode.ACKNOWLEDGE, ACK_BYTES);
        sender.prepare(32_000, ack);
        assertThat(taken(ack).flows).isEqualTo(2);
    }

    @Test
    void forgedRecordsAreLostOrWithinTheirRanges() {
        load();
        Frame ack = packet(2, RcOpcode.ACKNOWLEDGE, ACK_BYTES);
        sender.prepare(17_000, ack);
        byte[] stamped = bytes(ack);
        int from = ack.transportOffset + Udp.HEADER_BYTES;
        int lost = 0;
        for (int at = 0; at < IccRecord.BYTES; at++) {
            for (int value : List.of(0, 1, 0x7F, 0x80, 0xFF)) {
                byte[] forged = stamped.clone();
                forged[from + at] = (byte) value;
                Frame frame = packet(2, RcOpcode.ACKNOWLEDGE, stamped.length);
                MemorySegment.copy(
                        forged, 0, MEMORY, ValueLayout.JAVA_BYTE, frame.dataOffset, forged.length);
                parse(frame);
                hops.clear();
                if (sink.take(frame, hops)) {
                    HopRecord hop = hops.hop(0);
                    assertThat(hop.usePermille).isBetween(0, 1_000);
                    assertThat(hop.flows).isPositive();
                    assertThat(hop.rateBps).isPositive();
                    assertThat(hop.queueBytes).isNotNegative();
                } else {
                    lost++;
                }
            }
        }
        assertThat(lost).isPositive();
    }

    @Test
    void tsharkReadsEveryFieldAndTheAcknowledgementBehindThem() throws Exception {
        load();
        Frame ack = packet(2, RcOpcode.ACKNOWLEDGE, ACK_BYTES);
        sender.prepare(17_000, ack);
        byte[] stamped = bytes(ack);
        taken(ack); // takes the pending report
        byte[] forged = stamped.clone();
        forged[Ethernet.HEADER_BYTES + Ipv4.MIN_HEADER_BYTES + Udp.HEADER_BYTES + 2] = 9;
        HopRecord says = hops.hop(0);
        assertThat(
                        Dissected.fields(
                                directory,
                                List.of(stamped, forged),
                                "headgate.icc.udp_port",
                                "headgate.icc.node",
                                "headgate.icc.port",
                                "headgate.icc.time",
                                "headgate.icc.qlen",
                                "headgate.icc.qlenrate",
                                "headgate.icc.load",
                                "headgate.icc.flows",
                                "headgate.icc.rate",
                                "infiniband.bth.opcode",
                                "headgate.icc.malformed"))
                .containsExactly(
                        "4791;%d;2;16000;1000;%d;5;2;100000000000;17;"
                                .formatted(says.node, says.growthBps),
                        ";;;;;;;;;;1");
    }

    @Test
    void atAHostsCardItDoesNothing() {
        IccPoint card = point(PortBoards.NONE, 0, "h1/wire");
        assertThat(card.queues()).isZero();
        assertThat(card.growsFrames()).isFalse();
        assertThat(MechanismRegistry.find(new Icc().kind(), "icc")).isInstanceOf(Icc.class);
    }
}
