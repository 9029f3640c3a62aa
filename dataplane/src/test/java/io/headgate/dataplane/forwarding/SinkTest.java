package io.headgate.dataplane.forwarding;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.FrameRoom;
import io.headgate.dataplane.frame.HeaderParser;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Sink;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.frame.UdpChecksums;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.HopRecords;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What switches have added to frames is off behind a host's card. */
class SinkTest {
    private static final MemorySegment MEMORY = FrameRegion.MEMORY;
    private static final int PORT = 5_000;
    private static final int GROWN_PORT = 6_000;
    private static final int GROWN_TWICE_PORT = 7_000;
    private static final int BYTES = 8;
    private static final int DATAGRAM_BYTES = 100;

    private final FrameRegion region = new FrameRegion(2, 2048);
    private final int[] answers = new int[2];

    /** Takes off eight bytes behind UDP's header, a queue's length; 0 makes no sense. */
    private record Taker(int takenPort, int leftPort) implements Sink {
        Taker() {
            this(GROWN_PORT, PORT);
        }

        @Override
        public boolean takes(Frame frame) {
            return FrameRoom.isTo(MEMORY, frame, takenPort, Udp.HEADER_BYTES + BYTES);
        }

        @Override
        public boolean take(Frame frame, HopRecords hops) {
            int headers = frame.transportOffset + Udp.HEADER_BYTES;
            hops.add(Wire.i64(MEMORY, frame.dataOffset + headers), 1, 2, 3);
            FrameRoom.lengthen(MEMORY, frame, -BYTES, takenPort, leftPort);
            FrameRoom.shift(MEMORY, frame, headers, BYTES);
            return hops.hop(0).queueBytes != 0;
        }
    }

    private Frame datagram(int slot) {
        Frame frame = region.frame(slot);
        Ethernet.etherType(MEMORY, frame.dataOffset, EtherType.IPV4);
        long ip = frame.dataOffset + Ethernet.HEADER_BYTES;
        Ipv4.write(MEMORY, ip, 0, DATAGRAM_BYTES, 64, IpProtocol.UDP, 0x0A00_0001, 0x0A00_0002);
        Ipv4.writeChecksum(MEMORY, ip);
        long udp = ip + Ipv4.MIN_HEADER_BYTES;
        Udp.write(MEMORY, udp, 1_000, PORT, DATAGRAM_BYTES - Ipv4.MIN_HEADER_BYTES);
        for (int at = Udp.HEADER_BYTES; at < DATAGRAM_BYTES - Ipv4.MIN_HEADER_BYTES; at++) {
            Wire.put8(MEMORY, udp + at, at);
        }
        UdpChecksums.writeChecksumIpv4(MEMORY, ip, udp);
        frame.lengthBytes = Ethernet.HEADER_BYTES + DATAGRAM_BYTES;
        frame.storedBytes = frame.lengthBytes;
        assertThat(HeaderParser.parse(MEMORY, frame)).isNull();
        return frame;
    }

    private static byte[] bytes(Frame frame) {
        return MEMORY.asSlice(frame.dataOffset, frame.lengthBytes).toArray(ValueLayout.JAVA_BYTE);
    }

    private static void grow(Frame frame, long queueBytes) {
        grow(frame, queueBytes, PORT, GROWN_PORT);
    }

    private static void grow(Frame frame, long queueBytes, int port, int grownPort) {
        FrameRoom.lengthen(MEMORY, frame, BYTES, port, grownPort);
        int headers = frame.transportOffset + Udp.HEADER_BYTES;
        FrameRoom.shift(MEMORY, frame, headers, -BYTES);
        Wire.put64(MEMORY, frame.dataOffset + headers, queueBytes);
    }

    @Test
    void theFrameGoesOnAsItWasSentWithWhatItKnewOfItsWay() {
        Frame grown = datagram(0);
        byte[] sent = bytes(grown);
        grow(grown, 77);
        long ip = grown.dataOffset + grown.ipOffset;
        assertThat(Ipv4.isChecksumRight(MEMORY, ip)).isTrue();
        assertThat(Ipv4.totalBytes(MEMORY, ip)).isEqualTo(DATAGRAM_BYTES + BYTES);
        Frame plain = datagram(1);
        HostForwarding card = new HostForwarding(1, () -> {}, HostForwarding.AS_SENT, new Taker());
        decide(card, grown, plain);
        assertThat(answers).containsExactly(1, 1);
        assertThat(bytes(grown)).isEqualTo(sent);
        HopRecords hops = Objects.requireNonNull(grown.hops);
        assertThat(hops.hops()).isEqualTo(1);
        assertThat(hops.hop(0).queueBytes).isEqualTo(77);
        assertThat(hops.hop(0).timeNs).isEqualTo(2);
        assertThat(Objects.requireNonNull(plain.hops).hops()).isZero();
        // The next frame in the slot knows nothing of the way of the one before.
        decide(card, datagram(0), plain);
        assertThat(hops.hops()).isZero();
        assertThat(grown.hops).as("not made again").isSameAs(hops);
    }

    /** Whichever of them is asked first. */
    @Test
    void whatSeveralMechanismsAddedOneInTheOtherIsOff() {
        Taker inner = new Taker();
        Taker outer = new Taker(GROWN_TWICE_PORT, GROWN_PORT);
        for (Sink[] sinks : new Sink[][] {{inner, outer}, {outer, inner}}) {
            Frame grown = datagram(0);
            byte[] sent = bytes(grown);
            grow(grown, 77);
            grow(grown, 78, GROWN_PORT, GROWN_TWICE_PORT);
            decide(
                    new HostForwarding(1, () -> {}, HostForwarding.AS_SENT, sinks),
                    grown,
                    datagram(1));
            assertThat(answers).containsExactly(1, 1);
            assertThat(bytes(grown)).isEqualTo(sent);
            HopRecords hops = Objects.requireNonNull(grown.hops);
            assertThat(hops.hops()).isEqualTo(2);
        }
    }

    @Test
    void whatMakesNoSenseIsLostForThatReason() {
        Frame grown = datagram(0);
        grow(grown, 0);
        HostForwarding card = new HostForwarding(1, () -> {}, HostForwarding.AS_SENT, new Taker());
        decide(card, grown, datagram(1));
        assertThat(answers).containsExactly(Forwarding.drop(DropReason.MALFORMED_TELEMETRY), 1);
    }

    @Test
    void withoutASinkNothingIsTakenOffOrKept() {
        Frame grown = datagram(0);
        grow(grown, 77);
        byte[] came = bytes(grown);
        decide(new HostForwarding(1, () -> {}, HostForwarding.AS_SENT), grown, datagram(1));
        assertThat(answers).containsExactly(1, 1);
        assertThat(bytes(grown)).isEqualTo(came);
        assertThat(grown.hops).isNull();
    }

    private void decide(HostForwarding card, Frame first, Frame second) {
        answers[0] = Forwarding.UNDECIDED;
        answers[1] = Forwarding.UNDECIDED;
        card.decide(0, new Frame[] {first, second}, answers, 2);
    }
}
