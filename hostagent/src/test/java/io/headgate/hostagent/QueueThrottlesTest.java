package io.headgate.hostagent;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.hostagent.rate.FlowShaper;
import io.headgate.hostagent.rate.RateControls;
import io.headgate.hostagent.rate.RoccReactionConfig;
import io.headgate.hostagent.rate.RoccReactionMechanism;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Senders of limited flows, which are turned down as their flows' rates change. */
class QueueThrottlesTest {
    private static final int FRAME_BYTES = 1226;
    private static final long LINE_BPS = 1_000_000_000;
    private static final long PERIOD_NS = 1_000_000;
    private static final int QUEUE = 2;

    /** Kind of a notice about priority 3, with rates in kb/s. */
    private static final int KIND = 0x1003;

    private final FrameRegion region = new FrameRegion(128, 2048);
    private final RateControls<RoccReactionConfig> rocc =
            new RateControls<>(
                    new RoccReactionMechanism(),
                    new RoccReactionConfig(0, PERIOD_NS, 10_000_000_000L));
    private final FlowShaper flows =
            new FlowShaper(rocc::control, PERIOD_NS, 4, LINE_BPS, FRAME_BYTES);
    private final List<String> told = new ArrayList<>();
    private final QueueThrottles throttles =
            new QueueThrottles(
                    4,
                    new Throttle() {
                        @Override
                        public void throttle(int queue, long atBps) {
                            told.add(queue + " " + atBps);
                        }

                        @Override
                        public void close() {
                            throw new AssertionError("it is not ours to close");
                        }
                    });
    private final Frame[] batch = new Frame[64];
    private int slot;

    private Frame frame(int port) {
        Frame frame = region.frame(slot++);
        long at = frame.dataOffset;
        Ethernet.etherType(FrameRegion.MEMORY, at, EtherType.IPV4);
        long ip = at + Ethernet.HEADER_BYTES;
        int bytes = FRAME_BYTES - Ethernet.HEADER_BYTES;
        Ipv4.write(FrameRegion.MEMORY, ip, 0, bytes, 64, IpProtocol.UDP, 0x0A00_0001, 0x0A00_0002);
        Udp.write(FrameRegion.MEMORY, ip + Ipv4.MIN_HEADER_BYTES, 1000, port, bytes - 20);
        frame.lengthBytes = FRAME_BYTES;
        frame.storedBytes = FRAME_BYTES;
        return frame;
    }

    private void tell(long nowNs, Frame about, long kbps) {
        long packet = about.dataOffset + Ethernet.HEADER_BYTES;
        flows.notified(nowNs, EtherType.IPV4, packet, 64, KIND, 1, 1L << 32 | kbps);
        throttles.turn(flows, nowNs, QUEUE);
    }

    /** A flow of 10 Mb/s whose list has just become long, at time 0. */
    private Frame long10Mbps() {
        Frame first = frame(5001);
        flows.take(0, QUEUE, first);
        tell(0, first, 10_000);
        assertThat(told).isEmpty();
        for (int i = 0; i < 40; i++) {
            flows.take(0, QUEUE, frame(5001));
        }
        throttles.turn(flows, 0, QUEUE);
        throttles.turn(flows, 0, QUEUE + 1);
        assertThat(told).containsExactly(QUEUE + " 5000000");
        return first;
    }

    @Test
    void sendersFollowTheirFlowsRateDownAndUp() {
        Frame flow = long10Mbps();
        tell(PERIOD_NS, flow, 1_000);
        assertThat(told).as("not before it is time to look").hasSize(1);
        throttles.turn(flows, QueueThrottles.LOOK_NS, QUEUE);
        assertThat(told).last().isEqualTo(QUEUE + " 500000");
        tell(2 * QueueThrottles.LOOK_NS, flow, 50_000);
        assertThat(told).last().isEqualTo(QUEUE + " 25000000");
        assertThat(told).hasSize(3);
    }

    @Test
    void whatIsNearlyRightStays() {
        Frame flow = long10Mbps();
        tell(QueueThrottles.LOOK_NS, flow, 19_000);
        tell(2 * QueueThrottles.LOOK_NS, flow, 5_500);
        assertThat(told).hasSize(1);
    }

    @Test
    void theyAreLetGoOnceTheListIsShort() {
        long10Mbps();
        while (flows.waiting() > 9) {
            flows.release(flows.deadlineNs(), batch, 0, 1);
            throttles.turn(flows, 0, QUEUE);
        }
        assertThat(told).hasSize(1);
        flows.release(flows.deadlineNs(), batch, 0, 1);
        throttles.turn(flows, 0, QUEUE);
        assertThat(told).last().isEqualTo(QUEUE + " " + Throttle.OPEN);
    }
}
