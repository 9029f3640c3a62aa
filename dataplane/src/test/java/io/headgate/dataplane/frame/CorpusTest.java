package io.headgate.dataplane.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Our views compared with scapy and tshark. */
final class CorpusTest {

    static List<Corpus.Entry> corpus() {
        return Corpus.read();
    }

    @ParameterizedTest
    @MethodSource("corpus")
    void viewsSeeWhatTsharkSees(Corpus.Entry entry) {
        FrameRegion region = Frames.regionWith(entry.bytes());
        Frame frame = region.frame(0);
        assertThat(HeaderParser.parse(region.segment(), frame)).isNull();
        SortedMap<String, String> expected = new TreeMap<>(entry.fields());
        SortedMap<String, String> observed = TsharkFields.of(region.segment(), frame);
        if ("0x88a8".equals(expected.get("eth.type"))) {
            // tshark looks behind a provider's tag, this switch does not.
            expected.keySet().removeIf(field -> !field.startsWith("eth."));
        }
        if (expected.containsKey("infiniband.bth.opcode")) {
            // tshark takes the ends of some payloads for protocols of its own and shows no ICRC.
            expected.putIfAbsent(
                    "infiniband.invariant.crc", observed.get("infiniband.invariant.crc"));
        }
        assertThat(observed).isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("corpus")
    void icrcsAreRightAndCoverEveryByteThatDoesNotChangeOnTheWay(Corpus.Entry entry) {
        FrameRegion region = Frames.regionWith(entry.bytes());
        Frame frame = region.frame(0);
        MemorySegment segment = region.segment();
        assertThat(HeaderParser.parse(segment, frame)).isNull();
        boolean isRoce = entry.fields().containsKey("infiniband.bth.opcode");
        if (!isRoce) {
            return;
        }
        long ip = frame.dataOffset + frame.ipOffset;
        int available = frame.lengthBytes - frame.ipOffset;
        assertThat(Icrc.verify(segment, ip, available)).isTrue();
        int icrc = Icrc.locate(segment, ip, available);
        boolean isIpv4 = frame.etherType == EtherType.IPV4;
        int bth = frame.transportOffset - frame.ipOffset + Udp.HEADER_BYTES;
        List<Integer> variant =
                isIpv4
                        ? List.of(1, 8, 10, 11, bth - 2, bth - 1, bth + 4)
                        : List.of(1, 2, 3, 7, bth - 2, bth - 1, bth + 4);
        int right = Icrc.compute(segment, ip, icrc);
        for (int offset = 1; offset < icrc; offset++) {
            int before = Wire.u8(segment, ip + offset);
            Wire.put8(segment, ip + offset, before ^ 0x5A);
            boolean unchanged = Icrc.compute(segment, ip, icrc) == right;
            assertThat(unchanged).as("byte %d", offset).isEqualTo(variant.contains(offset));
            Wire.put8(segment, ip + offset, before);
        }
        Wire.put32(segment, ip + icrc, 0);
        assertThat(Icrc.verify(segment, ip, available)).isFalse();
        Icrc.write(segment, ip, icrc);
        assertThat(Icrc.verify(segment, ip, available)).isTrue();
    }

    @Test
    void corpusHasEveryHeader() {
        SortedMap<String, String> seen = new TreeMap<>();
        corpus().forEach(entry -> seen.putAll(entry.fields()));
        assertThat(seen.keySet())
                .contains("vlan.id", "arp.opcode", "ip.src", "ipv6.src", "udp.length")
                .contains("tcp.flags", "icmp.ident", "icmpv6.nd.ns.target_address")
                .contains("icmpv6.opt.linkaddr", "macc.pause_time", "macc.cbfc.enbv")
                .contains("infiniband.invariant.crc");
    }
}
