package io.headgate.hostagent.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.dataplane.frame.Bth;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.HeaderParser;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Ipv6;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.HopRecord;
import io.headgate.dataplane.memory.HopRecords;
import io.headgate.hostagent.telemetry.FlowPaths.Flow;
import io.headgate.hostagent.telemetry.FlowPaths.Hop;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PathWatchTest {
    private static final MemorySegment MEMORY = FrameRegion.MEMORY;
    private static final long ORIGIN_NS = 1_000_000_000_000L;
    private static final long RATE_BPS = 10_000_000_000L;
    private static final long USE_NS = PathWatch.USE_NS;

    private final MemorySegment shown =
            Arena.ofAuto().allocate(FlowPaths.bytes(PathWatch.FLOWS), Long.BYTES);
    private final PathWatch watch = new PathWatch(new FlowPaths(shown, PathWatch.FLOWS, ORIGIN_NS));
    private final Frame frame = new FrameRegion(1, 2048).frame(0);
    private final HopRecords hops = new HopRecords();

    private Frame packet(boolean isIpv6, int sourcePort) {
        int udpBytes = 64;
        Ethernet.etherType(MEMORY, frame.dataOffset, isIpv6 ? EtherType.IPV6 : EtherType.IPV4);
        long ip = frame.dataOffset + Ethernet.HEADER_BYTES;
        int ipBytes = isIpv6 ? Ipv6.HEADER_BYTES : Ipv4.MIN_HEADER_BYTES;
        if (isIpv6) {
            Ipv6.write(MEMORY, ip, 0, udpBytes, IpProtocol.UDP, 64);
            Ipv6.source(MEMORY, ip, 0xFD00L << 48, 1);
            Ipv6.destination(MEMORY, ip, 0xFD00L << 48, 2);
        } else {
            Ipv4.write(
                    MEMORY,
                    ip,
                    0,
                    ipBytes + udpBytes,
                    64,
                    IpProtocol.UDP,
                    0x0A00_0001,
                    0x0A00_0002);
        }
        Udp.write(MEMORY, ip + ipBytes, sourcePort, Bth.UDP_PORT, udpBytes);
        frame.lengthBytes = Ethernet.HEADER_BYTES + ipBytes + udpBytes;
        frame.storedBytes = frame.lengthBytes;
        assertThat(HeaderParser.parse(MEMORY, frame)).isNull();
        return frame;
    }

    private HopRecord hop(int node, long timeNs, long sentBytes, long queueBytes) {
        HopRecord hop = hops.add();
        assertThat(hop).isNotNull();
        hop.node = node;
        hop.ingressPort = 1;
        hop.egressPort = 2;
        hop.queue = 3;
        hop.timeNs = timeNs;
        hop.sentBytes = sentBytes;
        hop.queueBytes = queueBytes;
        hop.latencyNs = 700;
        hop.rateBps = RATE_BPS;
        return hop;
    }

    private void arrived(long nowNs, int sourcePort, int node) {
        hops.clear();
        hop(node, nowNs, 0, 0);
        watch.arrived(nowNs, packet(false, sourcePort), hops);
    }

    private List<Flow> seen() {
        return FlowPaths.read(shown).flows();
    }

    @Test
    void aFlowHasTheWayOfItsLastFrameAndWhatThePortsSaid() {
        assertThat(seen()).isEmpty();
        for (boolean isIpv6 : new boolean[] {false, true}) {
            hops.clear();
            hop(11, 5_000, 1_000, 300);
            hop(12, 90_000, 2_000, 0);
            watch.arrived(42, packet(isIpv6, 50_000), hops);
        }
        assertThat(seen()).hasSize(2);
        assertThat(seen()).anyMatch(flow -> flow.key().isIpv6() && flow.key().word(4) == 2);
        Flow flow = seen().stream().filter(one -> !one.key().isIpv6()).findFirst().orElseThrow();
        assertThat(flow.key().word(1)).isEqualTo(0x0A00_0001_0A00_0002L);
        assertThat(flow.lastNs()).isEqualTo(ORIGIN_NS + 42);
        assertThat(flow.frames()).isEqualTo(1);
        assertThat(flow.isCut()).isFalse();
        assertThat(flow.hops())
                .containsExactly(
                        new Hop(11, 1, 2, 3, 300, 300, 700, 5_000, RATE_BPS, HopRecord.UNKNOWN),
                        new Hop(12, 1, 2, 3, 0, 0, 700, 90_000, RATE_BPS, HopRecord.UNKNOWN));
        hops.clear();
        hop(13, 1, 0, 0);
        hops.cut();
        watch.arrived(43, packet(false, 50_000), hops);
        flow = seen().stream().filter(one -> !one.key().isIpv6()).findFirst().orElseThrow();
        assertThat(flow.frames()).isEqualTo(2);
        assertThat(flow.isCut()).isTrue();
        assertThat(flow.hops()).extracting(Hop::node).containsExactly(13);
        // One without any record says nothing of the way.
        hops.clear();
        hops.cut();
        watch.arrived(44, packet(false, 50_000), hops);
        flow = seen().stream().filter(one -> !one.key().isIpv6()).findFirst().orElseThrow();
        assertThat(flow.hops()).extracting(Hop::node).containsExactly(13);
        arrived(45, 50_000, 14);
        flow = seen().stream().filter(one -> !one.key().isIpv6()).findFirst().orElseThrow();
        assertThat(flow.frames()).isEqualTo(4);
        assertThat(flow.hops()).extracting(Hop::node).containsExactly(14);
    }

    /** 10 Gb/s carry 125,000 bytes in 100 us. */
    @Test
    void useIsWhatAPortSentBetweenTwoFramesAndTheLongestQueueIsKept() {
        long[][] said = {{0, 0, 10}, {USE_NS / 2, 9_999, 900}, {USE_NS, 50_000, 20}};
        for (long[] one : said) {
            hops.clear();
            hop(11, 7_000 + one[0], one[1], one[2]);
            watch.arrived(one[0], packet(false, 50_000), hops);
        }
        Hop hop = seen().getFirst().hops().getFirst();
        assertThat(hop.usePermille()).isEqualTo(400);
        assertThat(hop.queueBytes()).isEqualTo(20);
        assertThat(hop.mostQueueBytes()).isEqualTo(900);
        // Another port takes the place of it on the way: nothing of the one before is left.
        arrived(3 * USE_NS, 50_000, 12);
        hop = seen().getFirst().hops().getFirst();
        assertThat(hop.usePermille()).isEqualTo(HopRecord.UNKNOWN);
        assertThat(hop.mostQueueBytes()).isZero();
    }

    /** However many flows come, those that go on keep their places, and idle ones lose theirs. */
    @Test
    void theTableDoesNotGrowAndKnownFlowsAreNotDrivenOut() {
        arrived(0, 1, 11);
        for (int port = 2; port < 10_000; port++) {
            arrived(port, port, 12);
        }
        arrived(PathWatch.IDLE_NS / 2, 1, 11);
        assertThat(seen()).hasSize(PathWatch.FLOWS);
        long unnoted = FlowPaths.read(shown).unnotedFrames();
        assertThat(unnoted).isEqualTo(9_999 - PathWatch.FLOWS);
        assertThat(flow(1).frames()).isEqualTo(2);
        long laterNs = PathWatch.IDLE_NS + PathWatch.IDLE_NS / 4;
        for (int port = 10_000; port < 20_000; port++) {
            arrived(laterNs, port, 13);
        }
        assertThat(seen()).hasSize(PathWatch.FLOWS);
        assertThat(flow(1).hops().getFirst().node()).isEqualTo(11);
        assertThat(seen()).filteredOn(flow -> flow.hops().getFirst().node() == 12).isEmpty();
    }

    private Flow flow(int sourcePort) {
        return seen().stream()
                .filter(flow -> ((flow.key().word(0) >>> 16) & 0xFFFF) == sourcePort)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void whateverPortsSayNothingAbsurdIsShown() {
        Random random = new Random(1);
        for (int round = 0; round < 20_000; round++) {
            hops.clear();
            for (int hop = random.nextInt(HopRecords.MOST + 1); hop > 0; hop--) {
                HopRecord said = hop(random.nextInt(3), random.nextLong(), random.nextLong(), 0);
                said.queueBytes = random.nextLong() >>> 32;
                said.rateBps = random.nextBoolean() ? 0 : random.nextLong() >>> 16;
                said.sentBits = random.nextBoolean() ? 39 : HopRecord.ALL_BITS;
                said.egressPort = random.nextInt(1 << 16);
            }
            watch.arrived(round, packet(false, random.nextInt(4)), hops);
        }
        assertThat(seen()).hasSize(4);
        assertThat(seen())
                .flatExtracting(Flow::hops)
                .allMatch(
                        hop -> hop.usePermille() >= HopRecord.UNKNOWN && hop.usePermille() <= 1000);
    }

    @Test
    void whatIsNoSuchMemoryIsRefused() {
        assertThatThrownBy(() -> FlowPaths.read(Arena.ofAuto().allocate(16)))
                .hasMessageContaining("it has no paths of flows");
    }
}
