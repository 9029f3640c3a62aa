package io.headgate.dataplane.escape;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.congestion.flows.QueuedFlowsTest;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.FiveTuple;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.dataplane.frame.Ipv6;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What an egress port remembers of flows, and what they weigh. */
final class KnownFlowsTest {
    private static final int PRIORITY = 3;

    private final FrameRegion region = new FrameRegion(1, 2048);
    private final KnownFlows flows = new KnownFlows(2, new TokenPool(1, 1 << PRIORITY, 2));

    private void arrived(int flow, int bytes) {
        Frame frame = QueuedFlowsTest.datagram(region, 0, flow, PRIORITY, 0);
        frame.lengthBytes = bytes;
        flows.arrived(frame);
    }

    private int weight(int flow) {
        FiveTuple tuple = new FiveTuple();
        tuple.read(FrameRegion.MEMORY, QueuedFlowsTest.datagram(region, 0, flow, PRIORITY, 0));
        for (int known = 0; known < flows.size(); known++) {
            if (flows.is(known, tuple, PRIORITY)) {
                return flows.weight(known);
            }
        }
        return KnownFlows.NONE;
    }

    @Test
    void aFlowWeighsTheBytesThatCameOfIt() {
        arrived(1, 200);
        arrived(2, 1000);
        arrived(1, 300);
        assertThat(weight(1)).isEqualTo(500);
        assertThat(weight(2)).isEqualTo(1000);
    }

    @Test
    void whatCameLongAgoWeighsLess() {
        arrived(1, 1000);
        arrived(2, KnownFlows.MOST_BYTES - 200);
        assertThat(weight(1)).isEqualTo(1000);
        arrived(2, 200);
        assertThat(weight(1)).isEqualTo(500);
        assertThat(weight(2)).isEqualTo(KnownFlows.MOST_BYTES / 2);
        for (int more = 0; more < 100; more++) {
            arrived(2, KnownFlows.MOST_BYTES / 8);
            assertThat(weight(2)).isLessThan(KnownFlows.MOST_BYTES);
        }
        assertThat(weight(1)).isZero();
    }

    /** Not even that of a flow which has taken the place of a heavy one. */
    @Test
    void aFlowThatIsNewHasNoWeightButItsOwn() {
        arrived(1, 1500);
        arrived(2, 100);
        arrived(3, 100);
        assertThat(flows.size()).isEqualTo(2);
        assertThat(weight(3)).isEqualTo(100);
        assertThat(weight(2)).isEqualTo(100);
        arrived(1, 60);
        assertThat(weight(1)).isEqualTo(60);
    }

    /** Many more flows than it has room for, of which some share a place in its hash table. */
    @Test
    void theFlowsKnownAreThoseThatCameLast() {
        int most = 13;
        KnownFlows known = new KnownFlows(most, new TokenPool(1, 1 << PRIORITY, most));
        Deque<Integer> expected = new ArrayDeque<>();
        Random random = new Random(1);
        for (int step = 0; step < 20_000; step++) {
            int flow = random.nextInt(3 * most);
            known.arrived(QueuedFlowsTest.datagram(region, 0, flow, PRIORITY, 0));
            if (!expected.contains(flow)) {
                expected.addLast(flow);
                if (expected.size() > most) {
                    expected.removeFirst();
                }
            }
            assertThat(ports(known))
                    .containsExactlyInAnyOrderElementsOf(
                            expected.stream().map(this::sourcePort).toList());
        }
    }

    /** As in a rack in which the n-th flow goes from the n-th port to the n-th address. */
    @Test
    void flowsWhosePortsAndAddressesCountUpTogetherDoNotShareOnePlace() {
        int bits = 11;
        int[] at = new int[1 << bits];
        int most = 0;
        for (int flow = 0; flow < 1000; flow++) {
            long key = ((long) IpProtocol.UDP << 32) | ((1000L + flow) << 16) | (2000 + flow);
            most = Math.max(most, ++at[KnownFlows.place(key, 0x0A00_0001_0A01_0000L + flow, bits)]);
        }
        assertThat(most).isLessThan(8);
    }

    private int sourcePort(int flow) {
        FiveTuple tuple = new FiveTuple();
        tuple.read(FrameRegion.MEMORY, QueuedFlowsTest.datagram(region, 0, flow, PRIORITY, 0));
        return sourcePort(tuple);
    }

    private static int sourcePort(FiveTuple tuple) {
        return (int) tuple.word(0) >>> 16;
    }

    private static List<Integer> ports(KnownFlows known) {
        FiveTuple tuple = new FiveTuple();
        List<Integer> ports = new ArrayList<>();
        for (int flow = 0; flow < known.size(); flow++) {
            known.get(flow, tuple);
            ports.add(sourcePort(tuple));
        }
        return ports;
    }

    /** They wait in other queues where they come from, of which another may be paused. */
    @Test
    void framesThatComeInAnotherPriorityAreAnotherFlow() {
        arrived(1, 100);
        Frame other = QueuedFlowsTest.datagram(region, 0, 1, PRIORITY, 0);
        other.account = PRIORITY + 1;
        flows.arrived(other);
        assertThat(flows.size()).isEqualTo(2);
        FiveTuple tuple = new FiveTuple();
        tuple.read(FrameRegion.MEMORY, other);
        for (int flow = 0; flow < 2; flow++) {
            assertThat(flows.is(flow, tuple, PRIORITY)).isTrue();
            assertThat(flows.is(flow, tuple, PRIORITY + 1)).isFalse();
            FiveTuple known = new FiveTuple();
            flows.get(flow, known);
            assertThat(known.isOf(FrameRegion.MEMORY, other)).isTrue();
        }
        assertThat(flows.ingressPriority(0)).isZero();
        assertThat(flows.ingressPriority(1)).isEqualTo(PRIORITY + 1);
    }

    /** Addresses that differ in one byte, wherever it is. */
    @Test
    void flowsOfIpv6AreToldByAllOfTheirAddresses() {
        KnownFlows known = new KnownFlows(40, new TokenPool(1, 1 << PRIORITY, 40));
        Frame frame = QueuedFlowsTest.datagram(region, 0, 1, PRIORITY, 0);
        frame.etherType = EtherType.IPV6;
        frame.transportOffset = frame.ipOffset + Ipv6.HEADER_BYTES;
        long ip = frame.dataOffset + frame.ipOffset;
        Wire.put8(FrameRegion.MEMORY, ip + Ipv6.NEXT_HEADER_OFFSET, IpProtocol.UDP);
        Wire.put32(FrameRegion.MEMORY, ip + Ipv6.HEADER_BYTES, 1000 << 16 | 7);
        for (int at = 0; at < 32; at++) {
            Wire.put8(FrameRegion.MEMORY, ip + Ipv6.SOURCE_OFFSET + at, 0);
        }
        List<FiveTuple> tuples = new ArrayList<>();
        for (int round = 0; round < 2; round++) {
            for (int at = 0; at < 32; at++) {
                Wire.put8(FrameRegion.MEMORY, ip + Ipv6.SOURCE_OFFSET + at, 1);
                known.arrived(frame);
                FiveTuple tuple = new FiveTuple();
                tuple.read(FrameRegion.MEMORY, frame);
                tuples.add(tuple);
                Wire.put8(FrameRegion.MEMORY, ip + Ipv6.SOURCE_OFFSET + at, 0);
            }
        }
        assertThat(known.size()).isEqualTo(32);
        for (int flow = 0; flow < 32; flow++) {
            assertThat(known.weight(flow)).isEqualTo(2 * frame.lengthBytes);
            FiveTuple values = new FiveTuple();
            known.get(flow, values);
            for (int other = 0; other < 32; other++) {
                assertThat(known.is(other, values, PRIORITY)).isEqualTo(other == flow);
                for (int word = 0; other == flow && word < FiveTuple.WORDS; word++) {
                    assertThat(values.word(word)).isEqualTo(tuples.get(flow).word(word));
                }
            }
        }
    }
}
