package io.headgate.testbed.traffic;

import static io.headgate.testbed.traffic.HandDriven.NS;
import static io.headgate.testbed.traffic.HandDriven.US;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.dataplane.counter.NoticeCounter;
import io.headgate.dataplane.frame.Bth;
import io.headgate.dataplane.frame.Cnp;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Icrc;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.hostagent.rate.Dcqcn;
import io.headgate.hostagent.rate.DcqcnConfig;
import io.headgate.hostagent.rate.RateControl;
import io.headgate.hostagent.rate.RoccReactionConfig;
import io.headgate.hostagent.rate.RoccReactionMechanism;
import io.headgate.hostagent.rdma.Verb;
import io.headgate.testbed.traffic.HandDriven.Copy;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.SendPattern;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Hosts that report marked frames by packets of their own, and hosts that receive the reports. */
class CongestionNotificationTest {
    private static final int BTH = 42;
    private static final int UNDETERMINED = 2;
    private static final int CONGESTED = 3;
    private static final FrameShape SHAPE = FrameShape.udp(1000).withEcn(FrameShape.ECT_1);
    private static final SendPattern DCQCN =
            new SendPattern.Controlled(
                    new Dcqcn().use(DcqcnConfig.of(Map.of("cnp", "end-of-interval"))));

    private final HandDriven bed = new HandDriven(3, 64);
    private final List<Copy> frames = new ArrayList<>();

    private Flow start(SendPattern pattern, FrameShape shape) {
        return bed.traffic.start(
                FlowSpec.greedy("f", 0, 1, shape).withSizeBytes(20 * 958).withPattern(pattern));
    }

    private void send() {
        for (int call = 0; call < 40; call++) {
            bed.receive(0, call * US);
            frames.addAll(bed.takeAllSent(0));
        }
        assertThat(frames).hasSizeGreaterThanOrEqualTo(20);
    }

    private void arrives(int ecn, long atPs) {
        Copy frame = frames.removeFirst();
        frame.bytes[15] = (byte) ((frame.bytes[15] & ~3) | ecn);
        bed.deliver(frame, 1, atPs);
    }

    /** What the receiver sends at a time: the bits of one notification's marks; 0: nothing. */
    private int told(Flow flow, long atPs) {
        bed.receive(1, atPs);
        List<Copy> sent = bed.takeAllSent(1);
        if (sent.isEmpty()) {
            return 0;
        }
        assertThat(sent).hasSize(1);
        byte[] bytes = sent.getFirst().bytes;
        assertThat(bytes[BTH] & 0xFF).isEqualTo(0x81);
        assertThat(sent.getFirst().u32(BTH + 4) & 0xFF_FFFF).isEqualTo(flow.number());
        MemorySegment packet = Arena.ofAuto().allocate(Cnp.IPV4_BYTES, 8);
        MemorySegment.copy(MemorySegment.ofArray(bytes), 14, packet, 0, Cnp.IPV4_BYTES);
        assertThat(Icrc.verify(packet, 0, Cnp.IPV4_BYTES)).isTrue();
        return bytes[BTH + 4] & 0xFF;
    }

    @Test
    void aNotificationCarriesTheStrongestMarkOfItsInterval() {
        Flow flow = start(DCQCN, SHAPE);
        send();
        arrives(FrameShape.ECT_1, 100 * US);
        assertThat(told(flow, 100 * US)).as("unmarked").isZero();
        arrives(UNDETERMINED, 101 * US);
        assertThat(told(flow, 101 * US)).isEqualTo(Cnp.UNDETERMINED);
        arrives(UNDETERMINED, 110 * US);
        arrives(CONGESTED, 120 * US);
        arrives(UNDETERMINED, 130 * US);
        assertThat(told(flow, 130 * US)).isZero();
        assertThat(bed.host(1).device.deadlineNs()).isEqualTo(151 * US / NS);
        assertThat(told(flow, 151 * US)).isEqualTo(Cnp.CONGESTED);
        arrives(UNDETERMINED, 160 * US);
        assertThat(told(flow, 200 * US)).isZero();
        assertThat(told(flow, 201 * US)).isEqualTo(Cnp.UNDETERMINED);
        assertThat(told(flow, 251 * US)).as("nothing marked since").isZero();
        assertThat(flow.statistics().framesCe()).isEqualTo(1);
        assertThat(flow.statistics().framesUe()).isEqualTo(4);
    }

    @Test
    void theIntervalOfOneThatWaitsForTheCardBeginsWhenItLeaves() {
        Flow flow = start(DCQCN, SHAPE);
        send();
        arrives(UNDETERMINED, 100 * US);
        arrives(CONGESTED, 120 * US);
        assertThat(told(flow, 200 * US)).isEqualTo(Cnp.UNDETERMINED);
        assertThat(told(flow, 249 * US)).isZero();
        assertThat(told(flow, 250 * US)).isEqualTo(Cnp.CONGESTED);
        assertThat(told(flow, 300 * US)).isZero();
    }

    /** InfiniBand's marks: FECN of the packet that came, BECN of the answer about it. */
    @Test
    void fecnOfAPacketComesBackAsBecnOfItsAcknowledgement() {
        SendPattern control =
                new SendPattern.Controlled(
                        new Erratic().use(new Erratic.Configuration(1, 1, false, false)));
        FrameShape shape =
                FrameShape.messages(
                                1000,
                                new FrameShape.Messages(
                                        Verb.SEND, FrameShape.Messages.DEFAULT_BYTES, false, 0))
                        .withEcn(FrameShape.ECT_1);
        Flow flow =
                bed.traffic.start(
                        new FlowSpec(
                                "f",
                                0,
                                1,
                                0,
                                Long.MAX_VALUE,
                                20_000,
                                control,
                                32,
                                shape,
                                List.of()));
        send();
        for (int marked = 0; marked < 2; marked++) {
            Copy frame = frames.removeFirst();
            frame.bytes[BTH + 4] |= (byte) (marked * Bth.FECN);
            bed.deliver(frame, 1, 100 * US);
            bed.receive(1, 100 * US);
            Copy answer = bed.takeSent(1);
            assertThat(answer.bytes[BTH + 4] & 0xFF).isEqualTo(marked * Bth.BECN);
            bed.deliver(answer, 0, 101 * US);
            assertThat(flow.statistics().acknowledgedCe()).isEqualTo(marked);
        }
    }

    private NoticeCounter congested(int from, int to, int queuePair, int marks) {
        MemorySegment packet = Arena.ofAuto().allocate(Cnp.IPV4_BYTES, 8);
        Cnp.writeIpv4(
                FrameRegion.MEMORY,
                packet.address(),
                0x0A00_0001 + from,
                0x0A00_0001 + to,
                0,
                queuePair,
                Cnp.CONGESTED,
                0);
        return bed.host(0)
                .device
                .notified()
                .congested(
                        bed.nowPs / NS,
                        EtherType.IPV4,
                        packet.address(),
                        queuePair,
                        0x0A00_0001L + from,
                        marks);
    }

    @Test
    void aHostObeysThoseOfAFlowsReceiverAboutThatFlowTwiceInAnInterval() {
        Flow flow = start(DCQCN, SHAPE);
        bed.receive(0, 0);
        assertThat(congested(2, 0, 0, RateControl.MARKED_CE)).isEqualTo(NoticeCounter.UNKNOWN_FLOW);
        assertThat(congested(1, 2, 0, RateControl.MARKED_CE)).isEqualTo(NoticeCounter.UNKNOWN_FLOW);
        assertThat(congested(1, 0, 1, RateControl.MARKED_CE)).isEqualTo(NoticeCounter.UNKNOWN_FLOW);
        assertThat(congested(1, 0, 0xFF_FFFF, RateControl.MARKED_CE))
                .isEqualTo(NoticeCounter.UNKNOWN_FLOW);
        assertThat(congested(1, 0, 0, 0)).isEqualTo(NoticeCounter.IGNORED);
        assertThat(flow.control).isNotNull();
        assertThat(flow.control.rateBps()).isEqualTo(400_000_000_000L);
        assertThat(congested(1, 0, 0, RateControl.MARKED_CE)).isEqualTo(NoticeCounter.OBEYED);
        assertThat(flow.control.rateBps()).isEqualTo(200_000_000_000L);
        assertThat(congested(1, 0, 0, RateControl.MARKED_CE)).isEqualTo(NoticeCounter.EXCESS);
    }

    @Test
    void aFlowThatFollowsFairRatesIgnoresThem() {
        SendPattern rocc =
                new SendPattern.Controlled(
                        new RoccReactionMechanism().use(new RoccReactionConfig(0, 40_000, 55_000)));
        start(rocc, SHAPE);
        bed.receive(0, 0);
        assertThat(congested(1, 0, 0, RateControl.MARKED_CE)).isEqualTo(NoticeCounter.IGNORED);
    }

    @Test
    void flowsThatNoSwitchMayMarkAreRefused() {
        assertThatThrownBy(() -> start(DCQCN, FrameShape.udp(1000)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("dcqcn obeys marks; it needs frames that switches may mark");
    }
}
