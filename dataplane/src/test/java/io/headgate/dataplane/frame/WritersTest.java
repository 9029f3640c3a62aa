package io.headgate.dataplane.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What we write is, byte for byte, what scapy wrote. */
final class WritersTest {
    private static final long US = 0x0200_0000_0BBBL;
    private static final long THEM = 0x0200_0000_00AAL;

    @Test
    void writesThePauseAndPfcFramesOfTheCorpus() {
        for (Corpus.Entry entry : Corpus.read()) {
            Map<String, String> fields = entry.fields();
            if (fields.containsKey("macc.pause_time")) {
                int quanta = Integer.parseInt(fields.get("macc.pause_time"));
                PauseFrame frame = new PauseFrame(US, quanta);
                assertThat(HexFormat.of().formatHex(frame.encode())).isEqualTo(entry.hex());
                assertThat(PauseFrame.parse(entry.bytes())).isEqualTo(frame);
            } else if (fields.containsKey("macc.cbfc.enbv")) {
                PfcFrame frame = PfcFrame.parse(entry.bytes());
                assertThat(HexFormat.of().formatHex(frame.encode())).isEqualTo(entry.hex());
                assertThat(frame.enabled()).isEqualTo(Integer.decode(fields.get("macc.cbfc.enbv")));
            }
        }
    }

    @Test
    void givesEveryEnabledPriorityTheSameQuantaOverStaleBytes() {
        byte[] bytes = new byte[MacControl.FRAME_BYTES];
        Arrays.fill(bytes, (byte) 0xEE);
        MacControl.writePfc(MemorySegment.ofArray(bytes), 0, US, 0x88, 77);
        assertThat(PfcFrame.parse(bytes))
                .isEqualTo(new PfcFrame(US, 0x88, List.of(0, 0, 0, 77, 0, 0, 0, 77)));
        assertThat(bytes).endsWith(new byte[26]);
    }

    @Test
    void refusesWhatIsNoPauseOrPfcFrameInOneSentence() {
        byte[] short17 = new byte[17];
        assertThatThrownBy(() -> PauseFrame.parse(short17))
                .hasMessageStartingWith("These 17 bytes are not a PAUSE frame: ");
        byte[] pause = new PauseFrame(US, 1).encode();
        assertThatThrownBy(() -> PfcFrame.parse(pause))
                .hasMessageStartingWith("These 60 bytes are not a PFC frame: ");
        assertThatThrownBy(() -> new PauseFrame(US, 65536))
                .hasMessage("A pause of 65536 quanta cannot be sent; 0 to 65535 are allowed.");
        List<Integer> quanta = List.of(0, 5, 0, 0, 0, 0, 0, 0);
        assertThatThrownBy(() -> new PfcFrame(US, 1, quanta))
                .hasMessage("Priority 1 cannot have 5 quanta; 0 to 0 are allowed.");
        assertThatThrownBy(() -> new PfcFrame(US, 256, quanta)).hasMessageContaining("0 to 255");
    }

    @Test
    void writesTheArpReplyOfTheCorpus() {
        Corpus.Entry entry = entry("arp-reply");
        byte[] bytes = new byte[Ethernet.HEADER_BYTES + Arp.MESSAGE_BYTES];
        MemorySegment segment = MemorySegment.ofArray(bytes);
        Ethernet.destination(segment, 0, THEM);
        Ethernet.source(segment, 0, US);
        Ethernet.etherType(segment, 0, EtherType.ARP);
        Arp.write(segment, 14, Arp.REPLY, US, 0xAC10_FF01, THEM, 0xE000_00FF);
        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(entry.hex());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ipv6-ns", "ipv6-na-0", "ipv6-na-5"})
    void writesTheNeighbourMessagesOfTheCorpus(String name) {
        MemorySegment theirs = MemorySegment.ofArray(entry(name).bytes());
        byte[] bytes = entry(name).bytes();
        MemorySegment ours = MemorySegment.ofArray(bytes);
        long ip = 14;
        long icmp = ip + Ipv6.HEADER_BYTES;
        int length = NeighborDiscovery.WITH_OPTION_BYTES;
        ours.asSlice(ip).fill((byte) 0);
        Ipv6.write(ours, ip, Ipv6.trafficClass(theirs, ip), length, 58, Ipv6.hopLimit(theirs, ip));
        Wire.put32(ours, ip, Wire.i32(ours, ip) | Ipv6.flowLabel(theirs, ip));
        Ipv6.source(ours, ip, Ipv6.sourceHigh(theirs, ip), Ipv6.sourceLow(theirs, ip));
        Ipv6.destination(
                ours, ip, Ipv6.destinationHigh(theirs, ip), Ipv6.destinationLow(theirs, ip));
        int type = Icmp.type(theirs, icmp);
        boolean solicits = type == NeighborDiscovery.SOLICITATION;
        NeighborDiscovery.write(
                ours,
                icmp,
                type,
                NeighborDiscovery.flags(theirs, icmp),
                NeighborDiscovery.targetHigh(theirs, icmp),
                NeighborDiscovery.targetLow(theirs, icmp),
                solicits ? US : THEM);
        Icmp.writeChecksumIpv6(ours, ip, icmp, length);
        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(entry(name).hex());
    }

    @Test
    void turnsAnEchoRequestIntoAReplyWithARightChecksum() {
        MemorySegment segment = MemorySegment.ofArray(entry("ipv4-icmp-8-56").bytes());
        Icmp.type(segment, 34, Icmp.V4_ECHO_REPLY);
        assertThat(Icmp.isChecksumRightIpv4(segment, 34, 64)).isTrue();
        int updated = Icmp.checksum(segment, 34);
        Icmp.writeChecksumIpv4(segment, 34, 64);
        assertThat(Icmp.checksum(segment, 34)).isEqualTo(updated);
    }

    @Test
    void marksCongestionWithoutTouchingIcrcAndWithARightUdpChecksum() {
        MemorySegment segment = MemorySegment.ofArray(entry("ipv4-roce-send-64").bytes());
        int available = (int) segment.byteSize() - 14;
        assertThat(Udp.checksum(segment, 34)).isNotZero();
        Bth.congestion(segment, 34, 42, Bth.FECN | Bth.BECN);
        Ipv4.ecn(segment, 14, 3);
        assertThat(Bth.congestion(segment, 42)).isEqualTo(Bth.FECN | Bth.BECN);
        assertThat(UdpChecksums.isChecksumRightIpv4(segment, 14, 34)).isTrue();
        assertThat(Ipv4.isChecksumRight(segment, 14)).isTrue();
        assertThat(Icrc.verify(segment, 14, available)).isTrue();
    }

    @Test
    void writesTheCongestionNotificationThatAConnectxSent() {
        byte[] theirs = entry("roce-connectx-cnp").bytes();
        byte[] bytes = new byte[theirs.length];
        MemorySegment segment = MemorySegment.ofArray(bytes);
        Ethernet.destination(segment, 0, 0xE41D_2DAB_2BC2L);
        Ethernet.source(segment, 0, 0x7CFE_9064_3B32L);
        Ethernet.etherType(segment, 0, EtherType.IPV4);
        Ipv4.write(segment, 14, 0xC2, 60, 64, IpProtocol.UDP, 0x0A00_1101, 0x0A00_1201);
        Ipv4.identification(segment, 14, 0x718C);
        Ipv4.writeChecksum(segment, 14);
        Udp.write(segment, 34, 0, Bth.UDP_PORT, 40);
        Bth.write(segment, 42, Bth.CONGESTION_NOTIFICATION, 0, 0xFFFF, 0x118, false, 0);
        Bth.congestion(segment, 34, 42, Bth.BECN);
        Icrc.write(segment, 14, Icrc.locate(segment, 14, 60));
        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(HexFormat.of().formatHex(theirs));
    }

    @Test
    void findsTheIcrcOfAPaddedFrameByItsLengths() {
        byte[] bytes = Arrays.copyOf(entry("ipv4-roce-send-0").bytes(), 60);
        MemorySegment segment = MemorySegment.ofArray(bytes);
        assertThat(Icrc.locate(segment, 14, 46)).isEqualTo(40);
        assertThat(Icrc.verify(segment, 14, 46)).isTrue();
    }

    @Test
    void pushesAndPopsTags() {
        byte[] original = entry("ipv4-udp-18").bytes();
        byte[] bytes = new byte[original.length + 4];
        System.arraycopy(original, 0, bytes, 4, original.length);
        MemorySegment segment = MemorySegment.ofArray(bytes);
        long pushed = Vlan.push(segment, 4, EtherType.VLAN, Vlan.tci(5, true, 0xABC));
        assertThat(pushed).isZero();
        assertThat(HexFormat.of().formatHex(bytes))
                .isEqualTo(
                        entry("ipv4-udp-18").hex().substring(0, 24)
                                + "8100babc"
                                + entry("ipv4-udp-18").hex().substring(24));
        assertThat(Vlan.dropEligible(Vlan.tci(segment, 12))).isTrue();
        assertThat(Vlan.pop(segment, 0)).isEqualTo(4);
        assertThat(Arrays.copyOfRange(bytes, 4, bytes.length)).isEqualTo(original);
    }

    private static Corpus.Entry entry(String name) {
        return Corpus.read().stream().filter(e -> e.name().equals(name)).findAny().orElseThrow();
    }
}
