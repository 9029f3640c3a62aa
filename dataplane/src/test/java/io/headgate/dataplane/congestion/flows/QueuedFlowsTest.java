package io.headgate.dataplane.congestion.flows;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.FiveTuple;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The flows in the queues of a port, against a map of them. */
public final class QueuedFlowsTest {
    private static final int FRAMES = 600;
    private static final int MOST = 48;
    private static final int PRIORITY = 3;
    private static final int UDP_OFFSET = Ethernet.HEADER_BYTES + Ipv4.MIN_HEADER_BYTES;

    private final FrameRegion region = new FrameRegion(FRAMES, 2048);

    /** A datagram; flows of the same hash meet at the same place. */
    public static Frame datagram(FrameRegion region, int slot, int flow, int priority, int hash) {
        Frame frame = region.frame(slot);
        frame.lengthBytes = 200;
        frame.storedBytes = 200;
        frame.priority = priority;
        frame.etherType = EtherType.IPV4;
        frame.ipOffset = Ethernet.HEADER_BYTES;
        frame.transportOffset = UDP_OFFSET;
        frame.flowHash = hash;
        long ip = frame.dataOffset + frame.ipOffset;
        Wire.put8(FrameRegion.MEMORY, ip, 0x45);
        Wire.put16(FrameRegion.MEMORY, ip + 2, 200 - Ethernet.HEADER_BYTES);
        Wire.put8(FrameRegion.MEMORY, ip + Ipv4.PROTOCOL_OFFSET, IpProtocol.UDP);
        Wire.put32(FrameRegion.MEMORY, ip + Ipv4.SOURCE_OFFSET, 0x0A00_0001);
        Wire.put32(FrameRegion.MEMORY, ip + Ipv4.SOURCE_OFFSET + 4, 0x0A00_0002);
        Wire.put32(FrameRegion.MEMORY, frame.dataOffset + UDP_OFFSET, ((1000 + flow) << 16) | 7);
        return frame;
    }

    private Frame datagram(int slot, int flow) {
        return datagram(region, slot, flow, PRIORITY, flow / 3 * 0x0101_0101);
    }

    private static Set<Integer> told(QueuedFlows table) {
        Set<Integer> flows = new HashSet<>();
        for (int place = table.next(0); place != FlowTable.NONE; place = table.next(place + 1)) {
            Frame frame = table.frame(place);
            if (frame != null) {
                flows.add(Wire.u16(FrameRegion.MEMORY, frame.dataOffset + UDP_OFFSET) - 1000);
            }
        }
        return flows;
    }

    @Test
    void itHasTheFlowsThatHaveFramesInTheQueueAndNoOthers() {
        QueuedFlows table = new QueuedFlows(MOST);
        Random random = new Random(1);
        Deque<Frame> queue = new ArrayDeque<>();
        List<Frame> free = new ArrayList<>();
        for (int slot = 0; slot < FRAMES; slot++) {
            free.add(region.frame(slot));
        }
        Map<Integer, Integer> waiting = new HashMap<>();
        Map<Frame, Integer> flows = new HashMap<>();
        for (int step = 0; step < 20_000; step++) {
            // The queue grows, and empties, in turn.
            boolean joins = random.nextInt(100) < (step / 1_000 % 2 == 0 ? 70 : 35);
            if (joins && !free.isEmpty()) {
                int flow = random.nextInt(MOST);
                Frame frame = datagram(free.removeLast().slot, flow);
                flows.put(frame, flow);
                waiting.merge(flow, 1, Integer::sum);
                queue.add(frame);
                table.arrived(0, frame);
            } else if (!queue.isEmpty()) {
                Frame frame = queue.remove();
                waiting.merge(flows.get(frame), -1, Integer::sum);
                waiting.values().removeIf(count -> count == 0);
                table.left(frame);
                free.add(frame);
            }
            assertThat(table.flows(PRIORITY)).isEqualTo(waiting.size());
            if (step % 50 == 0) {
                assertThat(told(table)).as("after step %d", step).isEqualTo(waiting.keySet());
            }
        }
        assertThat(table.refused(PRIORITY)).isZero();
    }

    @Test
    void flowsThatHaveGoneMakeRoomForOthers() {
        int places = 8;
        QueuedFlows table = new QueuedFlows(places);
        Random random = new Random(2);
        Deque<Frame> queue = new ArrayDeque<>();
        Map<Integer, Integer> waiting = new HashMap<>();
        for (int step = 0; step < 20_000; step++) {
            if (queue.size() < places && random.nextBoolean()) {
                int flow = random.nextInt(8 * places);
                Frame frame = datagram(step % FRAMES, flow);
                waiting.merge(flow, 1, Integer::sum);
                queue.add(frame);
                table.arrived(0, frame);
            } else if (!queue.isEmpty()) {
                Frame frame = queue.remove();
                int flow = Wire.u16(FrameRegion.MEMORY, frame.dataOffset + UDP_OFFSET) - 1000;
                waiting.merge(flow, -1, Integer::sum);
                waiting.values().removeIf(count -> count == 0);
                table.left(frame);
            }
            if (random.nextInt(20) == 0) {
                table.period(0);
            }
            assertThat(table.flows()).isEqualTo(waiting.size());
            assertThat(told(table)).as("after step %d", step).isEqualTo(waiting.keySet());
        }
        assertThat(table.refused(PRIORITY)).isZero();
    }

    @Test
    void whatFindsNoRoomIsCountedAndMayComeLater() {
        QueuedFlows table = new QueuedFlows(2);
        Frame first = datagram(0, 0);
        table.arrived(0, first);
        table.arrived(0, datagram(1, 1));
        Frame left = datagram(2, 2);
        table.arrived(0, left);
        assertThat(table.refused(PRIORITY)).isEqualTo(1);
        assertThat(told(table)).containsExactlyInAnyOrder(0, 1);
        table.left(first);
        Frame second = datagram(3, 2);
        table.arrived(0, second);
        assertThat(told(table)).containsExactlyInAnyOrder(1, 2);
        // The frame that was not counted leaves: it is not among those that the flow has.
        table.left(left);
        assertThat(told(table)).containsExactlyInAnyOrder(1, 2);
        table.left(second);
        assertThat(told(table)).containsExactly(1);
        assertThat(table.flows()).isEqualTo(1);
    }

    private static boolean mayWait(QueuedFlows table, Frame frame) {
        FiveTuple flow = new FiveTuple();
        assertThat(flow.read(FrameRegion.MEMORY, frame)).isTrue();
        return table.mayWait(flow, frame.flowHash, frame.priority);
    }

    @Test
    void itSaysThatNoFrameOfAFlowWaitsOnlyWhereItKnowsAll() {
        QueuedFlows table = new QueuedFlows(2);
        Frame first = datagram(0, 0);
        assertThat(mayWait(table, first)).isFalse();
        table.arrived(0, first);
        table.arrived(0, datagram(1, 1));
        assertThat(mayWait(table, first)).isTrue();
        assertThat(mayWait(table, datagram(2, 2))).isFalse();
        assertThat(mayWait(table, datagram(region, 3, 0, PRIORITY + 1, first.flowHash))).isFalse();
        Frame refused = datagram(4, 2);
        table.arrived(0, refused);
        assertThat(mayWait(table, refused)).isTrue();
        assertThat(mayWait(table, datagram(5, 9))).as("it may be of this one").isTrue();
        table.left(refused);
        assertThat(mayWait(table, refused)).isFalse();
        assertThat(mayWait(table, first)).isTrue();
        table.left(first);
        assertThat(mayWait(table, first)).isFalse();
    }

    @Test
    void theLastFrameTakenOutOfTheMiddleIsToldOfNoMore() {
        QueuedFlows table = new QueuedFlows(MOST);
        Frame first = datagram(0, 0);
        Frame last = datagram(1, 0);
        table.arrived(0, first);
        table.arrived(0, last);
        table.left(last);
        assertThat(told(table)).isEmpty();
        assertThat(table.flows()).isEqualTo(1);
        table.arrived(0, datagram(2, 0));
        assertThat(told(table)).containsExactly(0);
    }

    @Test
    void prioritiesAreToldApartAndWhatIsNoIpIsNotThere() {
        QueuedFlows table = new QueuedFlows(MOST);
        table.arrived(0, datagram(region, 0, 5, 3, 1));
        table.arrived(0, datagram(region, 1, 5, 4, 1));
        Frame other = datagram(2, 6);
        other.ipOffset = Frame.ABSENT;
        table.arrived(0, other);
        assertThat(table.flows(3)).isEqualTo(1);
        assertThat(table.flows(4)).isEqualTo(1);
        assertThat(table.flows()).isEqualTo(2);
        table.clear();
        assertThat(table.flows()).isZero();
        assertThat(told(table)).isEmpty();
    }
}
