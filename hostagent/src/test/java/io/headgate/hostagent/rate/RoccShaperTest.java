package io.headgate.hostagent.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.key.Quantity;
import io.headgate.dataplane.counter.NoticeCounter;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Flows of unmodified applications, which follow fair rates before the host's card. */
class RoccShaperTest {
    /** 1,250 bytes on the wire: 10,000 bits. */
    private static final int FRAME_BYTES = 1226;

    private static final long BITS = 10_000;
    private static final long LINE_BPS = 10_000_000_000L;
    private static final long PERIOD_NS = 100_000;
    private static final long RECOVERY_NS = 10_000_000_000L;
    private static final int FRAMES = 1_000;
    private static final int KIND = 0x1003;

    private final FrameRegion region = new FrameRegion(FRAMES + 8, 2048);
    private FlowShaper shaper = shaper(LINE_BPS);
    private final Frame[] batch = new Frame[64];
    private int slot;

    private static FlowShaper shaper(long lineBps) {
        return new FlowShaper(
                () -> new RoccReaction(0, RECOVERY_NS), PERIOD_NS, 2, lineBps, FRAME_BYTES);
    }

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

    /** A switch tells the flow of which a frame is a rate, in kb/s. */
    private NoticeCounter tells(long nowNs, Frame about, long kbps) {
        long packet = about.dataOffset + Ethernet.HEADER_BYTES;
        return shaper.notified(nowNs, EtherType.IPV4, packet, 64, KIND, 1, 1L << 32 | kbps);
    }

    @ParameterizedTest
    @CsvSource({
        "1Gbps, 1000",
        "10Gbps, 2500",
        "10Gbps, 100000",
        "10Gbps, 3333000",
        "10Gbps, 9990000"
    })
    void aThousandFramesLeaveAtTheRateToOnePercent(String line, long kbps) {
        shaper = shaper(Objects.requireNonNull(Quantity.RATE.parse(line)));
        Frame first = frame(5001);
        shaper.take(0, 1, first);
        assertThat(tells(0, first, kbps)).isEqualTo(NoticeCounter.OBEYED);
        for (int i = 1; i < FRAMES; i++) {
            shaper.take(0, 1, frame(5001));
        }
        long lastNs = 0;
        int released = 0;
        while (shaper.waiting() > 0) {
            lastNs = shaper.deadlineNs();
            int count = shaper.release(lastNs, batch, 0, 64);
            assertThat(count).isBetween(1, 2);
            released += count;
        }
        assertThat(released).isEqualTo(FRAMES);
        double bps = (FRAMES - 1) * BITS * 1e9 / lastNs;
        assertThat(bps / 1e3).isBetween(0.99 * kbps, 1.01 * kbps);
    }

    @Test
    void ratesAreSeenByWhoeverMapsThem() {
        MemorySegment seen = Arena.ofAuto().allocate(FlowRates.bytes(1 << 14), 128);
        assertThatThrownBy(() -> FlowRates.read(seen)).hasMessageContaining("no rates of flows");
        shaper.showAt(new FlowRates(seen, 1 << 14, LINE_BPS, 1_000_000));
        assertThat(FlowRates.read(seen)).isEmpty();
        Frame told = frame(5001);
        shaper.take(1_000, 1, told);
        shaper.take(1_000, 1, frame(5002));
        long origin = 0x0A00_00FEL << 32 | 0x0403;
        long packet = told.dataOffset + Ethernet.HEADER_BYTES;
        shaper.notified(5_000, EtherType.IPV4, packet, 64, KIND, origin, 1L << 32 | 100_000);
        assertThat(shaper.publishNs()).isZero();
        shaper.publish(6_000);
        FlowRates.Row first =
                new FlowRates.Row(
                        17,
                        0,
                        0x0A00_0001,
                        1000,
                        0,
                        0x0A00_0002,
                        5001,
                        100_000_000,
                        true,
                        origin,
                        1,
                        1_005_000,
                        1);
        FlowRates.Row second =
                new FlowRates.Row(
                        17,
                        0,
                        0x0A00_0001,
                        1000,
                        0,
                        0x0A00_0002,
                        5002,
                        LINE_BPS,
                        false,
                        0,
                        0,
                        0,
                        1);
        assertThat(FlowRates.read(seen)).containsExactly(first, second);
        assertThat(shaper.publishNs()).as("nothing has changed").isEqualTo(Long.MAX_VALUE);
        shaper.release(6_000, batch, 0, 64);
        assertThat(shaper.publishNs()).as("a tenth of a second later").isEqualTo(100_006_000);
        shaper.publish(100_005_999);
        assertThat(FlowRates.read(seen)).containsExactly(first, second);
        shaper.publish(100_006_000);
        assertThat(FlowRates.read(seen)).allMatch(row -> row.waitingFrames() == 0);
    }

    @Test
    void onlyTheFlowThatANoticeIsAboutIsSlower() {
        Frame told = frame(5001);
        Frame other = frame(5002);
        shaper.take(0, 1, told);
        shaper.take(0, 1, other);
        assertThat(tells(0, told, 100_000)).isEqualTo(NoticeCounter.OBEYED);
        assertThat(shaper.release(0, batch, 0, 64)).isEqualTo(2);
        shaper.take(0, 1, frame(5001));
        shaper.take(0, 1, frame(5002));
        assertThat(shaper.release(BITS * 1_000_000_000L / LINE_BPS, batch, 0, 64)).isEqualTo(1);
        assertThat(shaper.deadlineNs()).isEqualTo(BITS * 1_000_000_000L / 100_000_000);
        assertThat(tells(0, frame(5003), 100_000)).isEqualTo(NoticeCounter.UNKNOWN_FLOW);
    }
}
