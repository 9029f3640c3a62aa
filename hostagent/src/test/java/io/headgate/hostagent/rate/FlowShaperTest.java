package io.headgate.hostagent.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.SlotPlace;
import io.headgate.dataplane.queue.WireFormat;
import io.headgate.dataplane.random.NamedRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FlowShaperTest {
    /** 1,250 bytes on the wire: 10,000 bits, 10 ms at 1 Mb/s. */
    private static final int FRAME_BYTES = 1226;

    private static final long FRAME_NS = 10_000_000;
    private static final long RATE_BPS = 1_000_000;
    private static final int SLOTS = 512;

    private final FrameRegion region = new FrameRegion(SLOTS, 2048);
    private final FlowShaper shaper =
            new FlowShaper(() -> new FixedRate(RATE_BPS), 0, 3, 1_000_000_000, 1514, 256);
    private final Frame[] batch = new Frame[64];
    private int slot;

    private Frame frame(int port) {
        return frame(port, FRAME_BYTES);
    }

    private Frame frame(int port, int lengthBytes) {
        Frame frame = region.frame(slot++ % SLOTS);
        long at = frame.dataOffset;
        Ethernet.etherType(FrameRegion.MEMORY, at, EtherType.IPV4);
        long ip = at + Ethernet.HEADER_BYTES;
        int bytes = lengthBytes - Ethernet.HEADER_BYTES;
        Ipv4.write(FrameRegion.MEMORY, ip, 0, bytes, 64, IpProtocol.UDP, 0x0A00_0001, 0x0A00_0002);
        Udp.write(FrameRegion.MEMORY, ip + Ipv4.MIN_HEADER_BYTES, 1000, port, bytes - 20);
        frame.lengthBytes = lengthBytes;
        frame.storedBytes = lengthBytes;
        return frame;
    }

    private List<Frame> give(int port, int queue, int count) {
        List<Frame> frames = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            frames.add(frame(port));
            shaper.take(0, queue, frames.getLast());
        }
        return frames;
    }

    @Test
    void framesOfAFlowLeaveInOrderOneEachIntervalAndToTheNanosecond() {
        List<Frame> frames = give(5001, 1, 20);
        assertThat(frames).allMatch(frame -> frame.place == SlotPlace.LIMITED);
        for (int i = 0; i < 20; i++) {
            assertThat(shaper.deadlineNs()).isEqualTo(i * FRAME_NS);
            assertThat(shaper.release(i * FRAME_NS - 1, batch, 0, 64)).isZero();
            assertThat(shaper.release(i * FRAME_NS, batch, 0, 64)).isEqualTo(1);
            assertThat(batch[0]).isSameAs(frames.get(i));
        }
        assertThat(shaper.deadlineNs()).isEqualTo(Long.MAX_VALUE);
        assertThat(shaper.waiting()).isZero();
    }

    @Test
    void flowsDoNotWaitForEachOther() {
        give(5001, 1, 3);
        give(5002, 1, 3);
        assertThat(shaper.flows()).isEqualTo(2);
        assertThat(shaper.release(0, batch, 0, 64)).isEqualTo(2);
        assertThat(shaper.release(FRAME_NS, batch, 0, 64)).isEqualTo(2);
        assertThat(shaper.release(2 * FRAME_NS, batch, 0, 64)).isEqualTo(2);
    }

    @Test
    void fragmentsAndPingsBetweenTwoHostsAreAFlowEach() {
        long flags = Ethernet.HEADER_BYTES + 6;
        for (int offset : new int[] {0x2000, 0x2010, 0x0020}) {
            // A later fragment has no ports behind its IP header.
            Frame fragment = frame(5001 + offset);
            Wire.put16(FrameRegion.MEMORY, fragment.dataOffset + flags, offset);
            shaper.take(0, 1, fragment);
        }
        assertThat(shaper.flows()).isEqualTo(1);
        for (int checksum : new int[] {1, 2, 3}) {
            Frame ping = frame(checksum);
            long protocol = ping.dataOffset + Ethernet.HEADER_BYTES + 9;
            Wire.put8(FrameRegion.MEMORY, protocol, IpProtocol.ICMP);
            shaper.take(0, 1, ping);
        }
        assertThat(shaper.flows()).isEqualTo(2);
    }

    @Test
    void aLateCallerGetsTwoFramesAtTheMost() {
        give(5001, 1, 10);
        assertThat(shaper.release(0, batch, 0, 64)).isEqualTo(1);
        // Five would have been due.
        assertThat(shaper.release(5 * FRAME_NS, batch, 0, 64)).isEqualTo(2);
        assertThat(shaper.deadlineNs()).isEqualTo(6 * FRAME_NS);
    }

    @Test
    void aFlowThatWasIdleHasSavedNothingUp() {
        give(5001, 1, 1);
        shaper.release(0, batch, 0, 64);
        for (int i = 0; i < 5; i++) {
            shaper.take(100 * FRAME_NS, 1, frame(5001));
        }
        assertThat(shaper.release(100 * FRAME_NS, batch, 0, 64)).isEqualTo(2);
        assertThat(shaper.release(101 * FRAME_NS - 1, batch, 0, 64)).isZero();
    }

    /** 333,333,333: of no frame's length a whole number of nanoseconds. */
    @ParameterizedTest
    @ValueSource(
            longs = {
                1_000_000,
                7_777_777,
                100_000_000,
                333_333_333,
                1_000_000_000,
                10_000_000_000L,
                40_000_000_000L,
                100_000_000_000L
            })
    void aThousandFramesOfAnyLengthsTakeTheirTimeToAPercent(long rateBps) {
        FlowShaper own =
                new FlowShaper(() -> new FixedRate(rateBps), 0, 3, 100_000_000_000L, 1514, 256);
        NamedRandom random = NamedRandom.of(rateBps, "test", "lengths");
        long startNs = 1_000_000_007;
        long shortestNs = 84 * 8_000_000_000L / rateBps;
        long nowNs = startNs;
        long bits = 0;
        int left = 0;
        for (int i = 0; i < 4; i++) {
            own.take(nowNs, 1, frame(5001, 60 + random.nextInt(1455)));
        }
        while (left < 1000) {
            // It has others to do, and comes later than the frame was due.
            nowNs = Math.max(nowNs, own.deadlineNs()) + random.nextInt((int) shortestNs / 2 + 1);
            int count = own.release(nowNs, batch, 0, 64);
            assertThat(count).isLessThanOrEqualTo(2);
            for (int i = 0; i < count; i++) {
                bits += 8L * WireFormat.ETHERNET.wireBytes(batch[i].lengthBytes);
                left++;
                own.take(nowNs, 1, frame(5001, 60 + random.nextInt(1455)));
            }
        }
        // From the first on to behind the last.
        double tookNs = own.deadlineNs() - startNs;
        assertThat(tookNs).isCloseTo(bits * 1e9 / rateBps, within(0.01 * tookNs));
    }

    @Test
    void inNoSpanOfTimeDoMoreLeaveThanItsShareAndTwo() {
        NamedRandom random = NamedRandom.of(1, "test", "late");
        List<Long> leftNs = new ArrayList<>();
        long nowNs = 0;
        give(5001, 1, 100);
        while (leftNs.size() < 2000) {
            // Sometimes in time, sometimes many frames late.
            long late = random.nextInt(4) == 0 ? random.nextInt(20 * (int) FRAME_NS) : 0;
            nowNs = Math.max(nowNs, shaper.deadlineNs()) + late;
            int count = shaper.release(nowNs, batch, 0, 64);
            for (int i = 0; i < count; i++) {
                leftNs.add(nowNs);
                shaper.take(nowNs, 1, frame(5001));
            }
        }
        for (int first = 0; first < leftNs.size(); first++) {
            for (int last = first; last < Math.min(leftNs.size(), first + 100); last++) {
                long spanNs = leftNs.get(last) - leftNs.get(first);
                assertThat(last - first + 1L).isLessThanOrEqualTo(spanNs / FRAME_NS + 2);
            }
        }
    }

    @Test
    void sendersOfAQueueAreHeldFromALongListOnUntilItIsShort() {
        give(5001, 1, FlowShaper.LONG_FRAMES - 1);
        assertThat(shaper.isHeld(1)).isFalse();
        give(5001, 1, 1);
        assertThat(shaper.isHeld(1)).isTrue();
        assertThat(shaper.isHeld(2)).isFalse();
        assertThat(shaper.throttledRateBps(1)).isEqualTo(RATE_BPS / 2);
        long now = 0;
        while (shaper.waiting() > FlowShaper.SHORT_FRAMES) {
            assertThat(shaper.isHeld(1)).isTrue();
            shaper.release(now, batch, 0, 64);
            now += FRAME_NS;
        }
        assertThat(shaper.isHeld(1)).isFalse();
    }

    /** A rate that notices and its own time change; all of them count how often they are asked. */
    private static final class Changing implements RateControl {
        private final int[] asked;
        private final long tickEveryNs;
        private long rateBps;
        private long tickNs;

        Changing(int[] asked, long rateBps, long tickEveryNs) {
            this.asked = asked;
            this.rateBps = rateBps;
            this.tickEveryNs = tickEveryNs;
        }

        @Override
        public void begin(long nowNs, long lineRateBps, int frameBytes) {
            tickNs = nowNs + tickEveryNs;
        }

        @Override
        public boolean notified(long nowNs, int kind, long origin, long value) {
            rateBps = value;
            return true;
        }

        @Override
        public int tick(long nowNs) {
            rateBps += 1_000;
            tickNs = nowNs + tickEveryNs;
            return 1;
        }

        @Override
        public long deadlineNs() {
            return tickNs;
        }

        @Override
        public long rateBps() {
            asked[0]++;
            return rateBps;
        }
    }

    @Test
    void whatLeavesOfAHeldQueueIsKnownWithoutAskingItsFlows() {
        int[] asked = new int[1];
        List<Changing> controls = new ArrayList<>();
        Supplier<RateControl> makes =
                () -> {
                    controls.add(new Changing(asked, RATE_BPS + controls.size(), 7 * FRAME_NS));
                    return controls.getLast();
                };
        FlowShaper own = new FlowShaper(makes, FRAME_NS, 2, 1_000_000_000, 1514, 256);
        NamedRandom random = NamedRandom.of(1, "test", "rates");
        // By flow, its frames that wait.
        int[] waiting = new int[40];
        for (int flow = 0; flow < waiting.length; flow++) {
            waiting[flow] = 1 + random.nextInt(4);
            for (int i = 0; i < waiting[flow]; i++) {
                own.take(0, flow % 2, frame(5000 + flow));
            }
        }
        for (long nowNs = 0; own.waiting() > 0; nowNs += FRAME_NS / 3) {
            int released = own.release(nowNs, batch, 0, 64);
            for (int i = 0; i < released; i++) {
                waiting[port(batch[i]) - 5000]--;
            }
            own.tick(nowNs);
            Frame noticed = frame(5000 + random.nextInt(waiting.length));
            long ip = noticed.dataOffset + Ethernet.HEADER_BYTES;
            own.notified(nowNs, EtherType.IPV4, ip, 64, 1, 1, 100_000 + random.nextInt(900_000));
            for (int queue = 0; queue < 2; queue++) {
                asked[0] = 0;
                long known = own.throttledRateBps(queue);
                assertThat(asked[0]).isZero();
                long sumBps = 0;
                for (int flow = queue; flow < waiting.length; flow += 2) {
                    sumBps += waiting[flow] > 0 ? controls.get(flow).rateBps() : 0;
                }
                assertThat(known).isEqualTo(Math.max(64_000, sumBps / 2));
            }
        }
    }

    /** Time goes on to what is due next: a time that is missing would hang it. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void controlsThatJumpAtEachCallHoldNoFlowForGoodAndLoseNothing(int seed) {
        NamedRandom random = NamedRandom.of(seed, "test", "frames");
        NamedRandom jumps = NamedRandom.of(seed, "test", "jumps");
        FlowShaper own =
                new FlowShaper(() -> new ErraticControl(jumps), 1_000, 2, 1_000_000_000, 1514, 16);
        List<List<Frame>> given = new ArrayList<>();
        for (int flow = 0; flow < 12; flow++) {
            given.add(new ArrayList<>());
        }
        Deque<Integer> free = new ArrayDeque<>();
        for (int one = 1; one < SLOTS; one++) {
            free.add(one);
        }
        long nowNs = 0;
        int left = 3_000;
        while (left > 0 || own.waiting() > 0) {
            for (int more = random.nextInt(4); more > 0 && left > 0 && !free.isEmpty(); more--) {
                int flow = random.nextInt(given.size());
                slot = free.remove();
                Frame frame = frame(5000 + flow);
                given.get(flow).add(frame);
                own.take(nowNs, flow % 2, frame);
                left--;
            }
            slot = 0;
            long noticed = frame(5000 + random.nextInt(given.size())).dataOffset;
            own.notified(nowNs, EtherType.IPV4, noticed + Ethernet.HEADER_BYTES, 64, 1, 1, 1);
            own.tick(nowNs);
            int count = own.release(nowNs, batch, 0, 64);
            for (int i = 0; i < count; i++) {
                assertThat(batch[i]).isSameAs(given.get(port(batch[i]) - 5000).removeFirst());
                free.add(batch[i].slot);
            }
            long nextNs = Math.min(own.deadlineNs(), own.tickNs());
            assertThat(own.waiting() > 0 && own.deadlineNs() == Long.MAX_VALUE).isFalse();
            nowNs = nextNs == Long.MAX_VALUE ? nowNs + 1 : Math.max(nowNs, nextNs);
            // At 1 Mb/s, the least of which it speaks, a frame takes 10 ms.
            assertThat(nowNs).isLessThan(3_000 * FRAME_NS);
        }
        assertThat(given).allMatch(List::isEmpty);
    }

    private static int port(Frame frame) {
        long ip = frame.dataOffset + Ethernet.HEADER_BYTES;
        return Udp.destinationPort(FrameRegion.MEMORY, ip + Ipv4.MIN_HEADER_BYTES);
    }

    @Test
    void moreFlowsThanItKnowsAtATimeShareListsAndNothingIsLost() {
        for (int flow = 0; flow < 300; flow++) {
            shaper.take(0, 1, frame(6000 + flow));
        }
        assertThat(shaper.flows()).isEqualTo(256);
        assertThat(shaper.sharing()).isEqualTo(44);
        int released = 0;
        for (int i = 0; i < 10; i++) {
            int count = shaper.release(i * FRAME_NS, batch, 0, 64);
            while (count > 0) {
                released += count;
                count = shaper.release(i * FRAME_NS, batch, 0, 64);
            }
        }
        assertThat(released).isEqualTo(300);
        // All may send again: the next flow takes the place of one.
        slot = 0;
        shaper.take(100 * FRAME_NS, 1, frame(9000));
        assertThat(shaper.sharing()).isEqualTo(44);
    }
}
