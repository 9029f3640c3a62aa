package io.headgate.dataplane.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.HeaderParser;
import io.headgate.dataplane.frame.Icrc;
import io.headgate.dataplane.frame.Ipv6;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.HopRecord;
import io.headgate.dataplane.memory.HopRecords;
import io.headgate.dataplane.telemetry.HopEncoding.Room;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each form in which hops stand in frames, over IPv4 and IPv6. */
class HopEncodingTest {
    private static final MemorySegment MEMORY = FrameRegion.MEMORY;
    private static final int PAYLOAD = 1024;
    private static final int ANY_LENGTH = 9000;
    private static final long GIGA = 1_000_000_000;

    private final Frame frame = new FrameRegion(1, 4096).frame(0);
    private final HopRecords read = new HopRecords();

    static Stream<Arguments> forms() {
        return Stream.of(
                Arguments.of(new IntMd(), false),
                Arguments.of(new IntMd(), true),
                Arguments.of(new Ioam(), true),
                Arguments.of(new HpccInt(), false),
                Arguments.of(new HpccInt(), true));
    }

    private static HopRecord hop(int number, long timeNs) {
        HopRecord hop = new HopRecord();
        hop.node = 0x1000 + number;
        hop.ingressPort = number;
        hop.egressPort = number + 1;
        hop.queue = 3;
        hop.queueBytes = 80L * number * 1000;
        hop.timeNs = timeNs;
        hop.sentBytes = 128L * number * 7;
        hop.rateBps = 100 * GIGA;
        return hop;
    }

    /** A port: room as the frame comes, the rest as it starts. */
    private Room pass(HopEncoding form, int number, int most) {
        Room became = form.add(frame, hop(number, 1000L * number), most);
        if (became == Room.MADE) {
            assertThat(form.write(frame, hop(number, 1000L * number + 250))).isTrue();
            assertThat(form.write(frame, hop(number, 9))).as("written once").isFalse();
        }
        RocePackets.parse(frame);
        assertThat(RocePackets.isWhole(frame)).isTrue();
        return became;
    }

    @ParameterizedTest
    @MethodSource("forms")
    void whatEachPortWroteIsReadAndTheFrameIsAsItWasSent(HopEncoding form, boolean isIpv6) {
        RocePackets.data(frame, isIpv6, PAYLOAD);
        byte[] sent = RocePackets.bytes(frame);
        assertThat(form.isIn(frame)).isFalse();
        assertThat(form.begin(frame, 4, ANY_LENGTH)).isEqualTo(Room.MADE);
        for (int number = 1; number <= 3; number++) {
            assertThat(form.isIn(frame)).isTrue();
            assertThat(pass(form, number, ANY_LENGTH)).isEqualTo(Room.MADE);
        }
        assertThat(frame.lengthBytes - sent.length).isLessThanOrEqualTo(form.growsBytes(4));
        assertThat(form.takeOff(frame, read)).isTrue();
        RocePackets.parse(frame);
        assertThat(RocePackets.bytes(frame)).isEqualTo(sent);
        assertThat(
                        Icrc.verify(
                                MEMORY,
                                frame.dataOffset + frame.ipOffset,
                                frame.storedBytes - frame.ipOffset))
                .isTrue();
        assertThat(read.hops()).isEqualTo(3);
        for (int i = 0; i < 3; i++) {
            HopRecord wrote = hop(i + 1, 1000L * (i + 1) + 250);
            assertThat(read.hop(i).queueBytes).isEqualTo(wrote.queueBytes);
            assertThat(read.hop(i).sentBytes).isEqualTo(wrote.sentBytes);
            assertThat(read.hop(i).timeNs).isEqualTo(wrote.timeNs);
            assertThat(read.hop(i).rateBps).isEqualTo(wrote.rateBps);
            if (!(form instanceof HpccInt)) {
                assertThat(read.hop(i).node).isEqualTo(wrote.node);
                assertThat(read.hop(i).ingressPort).isEqualTo(wrote.ingressPort);
                assertThat(read.hop(i).egressPort).isEqualTo(wrote.egressPort);
                assertThat(read.hop(i).latencyNs).isEqualTo(250);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("forms")
    void aRecordThatWasNotWrittenIsLeftOut(HopEncoding form, boolean isIpv6) {
        RocePackets.data(frame, isIpv6, PAYLOAD);
        form.begin(frame, 4, ANY_LENGTH);
        pass(form, 1, ANY_LENGTH);
        assertThat(form.add(frame, hop(2, 2000), ANY_LENGTH)).isEqualTo(Room.MADE);
        pass(form, 3, ANY_LENGTH);
        assertThat(form.takeOff(frame, read)).isTrue();
        assertThat(read.hops()).isEqualTo(2);
        assertThat(read.hop(1).queueBytes).isEqualTo(hop(3, 0).queueBytes);
    }

    /** Eight hops, with room for all and for less, in a slot as small as those of virtual time. */
    @ParameterizedTest
    @MethodSource("forms")
    void aFrameOfEightHopsSaysWhatItHasRoomFor(HopEncoding form, boolean isIpv6) {
        Frame small = new FrameRegion(1, 1024).frame(0);
        RocePackets.data(small, isIpv6, 64);
        byte[] sent = RocePackets.bytes(small);
        int hops = Math.min(8, form.mostHops());
        assertThat(form.begin(small, hops, ANY_LENGTH)).isEqualTo(Room.MADE);
        int made = 0;
        for (int number = 1; number <= 8; number++) {
            Room became = form.add(small, hop(number, number), ANY_LENGTH);
            assertThat(became).isIn(Room.MADE, Room.HOP_LIMIT);
            made += became == Room.MADE ? 1 : 0;
            form.write(small, hop(number, number + 1));
            RocePackets.parse(small);
            assertThat(small.region.holds(small)).isTrue();
        }
        // A slot of 512 bytes has no room for all of it.
        Frame least = new FrameRegion(1, 512).frame(0);
        RocePackets.data(least, isIpv6, 64);
        form.begin(least, hops, ANY_LENGTH);
        for (int number = 1; number <= 8 && form.isIn(least); number++) {
            form.add(least, hop(number, number), ANY_LENGTH);
            assertThat(least.region.holds(least)).isTrue();
        }
        assertThat(least.storedBytes).isLessThanOrEqualTo(least.region.maxFrameBytes());
        assertThat(form.takeOff(small, read)).isTrue();
        assertThat(RocePackets.bytes(small)).isEqualTo(sent);
        // HPCC's form has the last ones, the others the first.
        assertThat(made).isEqualTo(form instanceof HpccInt ? 8 : hops);
        assertThat(read.hops()).isEqualTo(hops);
        int last = form instanceof HpccInt ? 8 : hops;
        assertThat(read.hop(hops - 1).queueBytes).isEqualTo(hop(last, 0).queueBytes);
    }

    @Test
    void theHopLimitAndTheMtuAreSaidInTheHeader() {
        IntMd form = new IntMd();
        RocePackets.data(frame, false, PAYLOAD);
        int flags = frame.transportOffset + 8 + 4;
        form.begin(frame, 1, ANY_LENGTH);
        assertThat(pass(form, 1, ANY_LENGTH)).isEqualTo(Room.MADE);
        assertThat(RocePackets.bytes(frame)[flags]).isEqualTo((byte) 0x20);
        int length = frame.lengthBytes;
        assertThat(pass(form, 2, ANY_LENGTH)).isEqualTo(Room.HOP_LIMIT);
        assertThat(frame.lengthBytes).isEqualTo(length);
        assertThat(RocePackets.bytes(frame)[flags]).isEqualTo((byte) 0x24);
        assertThat(form.takeOff(frame, read)).isTrue();
        RocePackets.data(frame, false, PAYLOAD);
        form.begin(frame, 5, ANY_LENGTH);
        int mtu = frame.lengthBytes - Ethernet.HEADER_BYTES;
        assertThat(pass(form, 1, mtu + IntMd.RECORD_BYTES - 1)).isEqualTo(Room.TOO_LONG);
        assertThat(RocePackets.bytes(frame)[flags]).isEqualTo((byte) 0x22);
        assertThat(pass(form, 1, mtu + IntMd.RECORD_BYTES)).isEqualTo(Room.MADE);
        assertThat(form.takeOff(frame, read)).isTrue();
    }

    @ParameterizedTest
    @MethodSource("forms")
    void aFrameOfExactlyTheMtuGetsRoomOnlyWhereMoreIsAllowed(HopEncoding form, boolean isIpv6) {
        RocePackets.data(frame, isIpv6, PAYLOAD);
        byte[] sent = RocePackets.bytes(frame);
        int mtu = frame.lengthBytes - Ethernet.HEADER_BYTES;
        assertThat(form.begin(frame, 1, mtu)).isEqualTo(Room.TOO_LONG);
        assertThat(RocePackets.bytes(frame)).isEqualTo(sent);
        assertThat(form.begin(frame, 1, mtu + form.growsBytes(1))).isEqualTo(Room.MADE);
        assertThat(pass(form, 1, mtu + form.growsBytes(1))).isEqualTo(Room.MADE);
    }

    /** Each bit of all headers, and random bytes: it holds together or it does not. */
    @ParameterizedTest
    @MethodSource("forms")
    void whateverIsDamagedNothingIsThrownAndNothingBeyondTheFrameIsRead(
            HopEncoding form, boolean isIpv6) {
        Random random = new Random(1);
        int refused = 0;
        for (int round = 0; round < 4000; round++) {
            RocePackets.data(frame, isIpv6, 64);
            form.begin(frame, 3, ANY_LENGTH);
            pass(form, 1, ANY_LENGTH);
            pass(form, 2, ANY_LENGTH);
            if (round < frame.lengthBytes * 8) {
                RocePackets.flip(frame, round / 8, 1 << round % 8);
            } else {
                for (int i = 0; i < 1 + round % 5; i++) {
                    int at = 14 + random.nextInt(frame.lengthBytes - 14);
                    RocePackets.flip(frame, at, 1 + random.nextInt(255));
                }
            }
            frame.storedBytes =
                    round % 7 == 0 ? random.nextInt(14, frame.lengthBytes) : frame.lengthBytes;
            if (HeaderParser.parse(MEMORY, frame) != null || !form.isIn(frame)) {
                continue;
            }
            long data = frame.dataOffset;
            int length = frame.lengthBytes;
            read.clear();
            Room became = form.add(frame, hop(7, 7), ANY_LENGTH);
            form.write(frame, hop(7, 8));
            boolean isTaken = form.takeOff(frame, read);
            // Of HPCC's form one record can be wrong by itself.
            if (!(form instanceof HpccInt)) {
                assertThat(isTaken).isEqualTo(became != Room.DAMAGED);
            }
            if (!isTaken) {
                refused++;
            }
            if (became == Room.DAMAGED) {
                assertThat(frame.dataOffset).isEqualTo(data);
                assertThat(frame.lengthBytes).isEqualTo(length);
            }
            assertThat(read.hops()).isLessThanOrEqualTo(HopRecords.MOST);
        }
        assertThat(refused).isGreaterThan(form instanceof HpccInt ? 1 : 100);
    }

    /** Random bytes where telemetry is, behind headers that say that it is there. */
    @ParameterizedTest
    @MethodSource("forms")
    void ofRandomBytesNothingIsThrownAndTheFrameStaysInItsSlot(HopEncoding form, boolean isIpv6) {
        Random random = new Random(2);
        for (int round = 0; round < 4000; round++) {
            RocePackets.data(frame, isIpv6, 64);
            form.begin(frame, 3, ANY_LENGTH);
            form.add(frame, hop(1, 1), ANY_LENGTH);
            int first =
                    form instanceof Ioam
                            ? frame.ipOffset + Ipv6.HEADER_BYTES
                            : frame.transportOffset + Udp.HEADER_BYTES;
            // From some byte on, so that what is before is often sound.
            for (int at = first + round % 40; at < frame.lengthBytes; at++) {
                Wire.put8(MEMORY, frame.dataOffset + at, random.nextInt(256));
            }
            if (HeaderParser.parse(MEMORY, frame) != null || !form.isIn(frame)) {
                continue;
            }
            int length = frame.lengthBytes;
            read.clear();
            Room became = form.add(frame, hop(7, 7), ANY_LENGTH);
            boolean isWritten = form.write(frame, hop(7, 8));
            assertThat(isWritten).isEqualTo(became == Room.MADE);
            assertThat(frame.region.holds(frame)).isTrue();
            assertThat(frame.lengthBytes).isLessThanOrEqualTo(length + IntMd.RECORD_BYTES);
            if (!form.takeOff(frame, read)) {
                assertThat(became == Room.DAMAGED || form instanceof HpccInt).isTrue();
            }
            assertThat(frame.region.holds(frame)).isTrue();
        }
    }

    @Test
    void otherPacketsAreLeftAsTheyAre() {
        for (HopEncoding form : List.of(new IntMd(), new HpccInt(), new Ioam())) {
            RocePackets.data(frame, false, PAYLOAD);
            // Another UDP port.
            RocePackets.flip(frame, frame.transportOffset + 3, 1);
            byte[] sent = RocePackets.bytes(frame);
            assertThat(form.begin(frame, 5, ANY_LENGTH)).isEqualTo(Room.OTHER);
            assertThat(RocePackets.bytes(frame)).isEqualTo(sent);
        }
        RocePackets.data(frame, false, PAYLOAD);
        assertThat(new Ioam().begin(frame, 5, ANY_LENGTH)).as("IPv4").isEqualTo(Room.OTHER);
        RocePackets.flip(frame, frame.transportOffset + 7, 1);
        assertThat(new IntMd().begin(frame, 5, ANY_LENGTH)).as("checksum").isEqualTo(Room.OTHER);
    }

    /** The published example: 100 Gb/s, 0x123456 ns, 0xABCDE units sent, the longest queue. */
    @Test
    void hpccsWordIsThatOfItsCode() {
        HpccInt form = new HpccInt();
        RocePackets.data(frame, false, PAYLOAD);
        form.begin(frame, 5, ANY_LENGTH);
        HopRecord hop = hop(1, 0x123456);
        hop.sentBytes = 0xABCDEL * 128;
        hop.queueBytes = 1 << 30;
        form.add(frame, hop, ANY_LENGTH);
        form.write(frame, hop);
        byte[] bytes = RocePackets.bytes(frame);
        int at = frame.transportOffset + 8;
        assertThat(HexFormat.of().formatHex(bytes, at, at + 8)).isEqualTo("b2a291f0e6d5ffff");
        assertThat(HexFormat.of().formatHex(bytes, at + 40, at + 42)).isEqualTo("0100");
        assertThat(HpccInt.hasRate(10 * GIGA)).isFalse();
    }

    @Test
    void timesAndCountsThatWrapAreToldApartByTheirBits() {
        HopRecord earlier = hop(1, (1 << 24) - 10);
        HopRecord later = hop(1, 20);
        earlier.timeBits = 24;
        later.timeBits = 24;
        assertThat(later.nsSince(earlier)).isEqualTo(30);
        later.sentBits = 39;
        earlier.sentBytes = (1L << 39) - 128;
        later.sentBytes = 256;
        assertThat(later.bytesSince(earlier)).isEqualTo(384);
        assertThat(later.isOfPort(hop(2, 0))).isFalse();
    }
}
