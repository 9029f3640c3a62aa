package io.headgate.hostagent.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.SlotPlace;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

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
            // What lies behind the header of a later one are no ports.
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
