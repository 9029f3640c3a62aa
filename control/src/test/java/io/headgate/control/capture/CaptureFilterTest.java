package io.headgate.control.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.dataplane.memory.SlotMemory;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CaptureFilterTest {
    // Frames made by scapy 2.5.0.
    static final String UDP4 =
            "02000000000202000000000108004500002100010000401166c90a0000010a00000203e807d0000d9c47"
                    + "68656c6c6f";
    static final String TCP6 =
            "02000000000202000000000186dd6000000000140640fd000000000000000000000000000001fd000000"
                    + "00000000000000000000000214519c40000000000000000050022000e54c0000";
    static final String ICMP4_IN_VLAN_7 =
            "0200000000020200000000018100600708004500001c00010000400166dd0a0000030a0000010800f7ff"
                    + "00000000";
    static final String ICMP6 =
            "02000000000202000000000186dd6000000000083a40fd000000000000000000000000000001fd000000"
                    + "000000000000000000000002800085b800000000";
    static final String ARP =
            "0200000000020200000000010806000108000604000102fc000000010a0000010000000000000a000009";
    static final String PAUSE =
            "0180c2000001020000000001880800010005000000000000000000000000000000000000000000000000"
                    + "000000000000000000000000000000000000";
    static final String PFC =
            "0180c2000001020000000001880801010008000000000000000900000000000000000000000000000000"
                    + "000000000000000000000000000000000000";

    @ParameterizedTest
    @CsvSource({
        "'', UTIMAPF",
        "host 10.0.0.1, UMA",
        "host 10.0.0.2, U",
        "host 10.0.0.9, A",
        "host fd00::2, TI",
        "port 2000, U",
        "port 1000, U",
        "port 5201, T",
        "port 2048, ''",
        "proto udp, U",
        "proto tcp, T",
        "proto icmp, MI",
        "proto arp, A",
        "proto pause, P",
        "proto pfc, F",
        "vlan 7, M",
        "vlan 0, ''",
        "host 10.0.0.1 and proto icmp, M",
        "host 10.0.0.1 AND proto UDP and port 2000, U",
        "proto tcp and port 2000, ''",
        "udp, U",
        "ip, UM",
        "ip6, TI",
        "arp or pfc, AF",
        "not arp, UTIMPF",
        "! (udp or tcp), IMAPF",
        "src host 10.0.0.1, UA",
        "dst 10.0.0.1, M",
        "src host 10.0.0.1 or dst host 10.0.0.9, UA",
        "net 10.0.0.0/8, UMA",
        "src net fd00::/16, TI",
        "src net fc00::/16, ''",
        "udp dst port 2000, U",
        "udp src port 2000, ''",
        "tcp portrange 5200-5210, T",
        "vlan, M",
        "vlan and icmp, M",
        "ether host 01:80:c2:00:00:01, PF",
        "ether src host 01:80:c2:00:00:01, ''",
        "udp or tcp and port 2000, U",
        "udp or (tcp and port 2000), U",
        "arp or udp and port 2000, U",
        "arp or (udp and port 2000), AU",
        "pfc && ! arp, F",
        "greater 70, T",
        "less 59 and arp, A"
    })
    void keepsWhatAllTermsHoldFor(String text, String kept) throws CaptureException {
        CaptureFilter filter = CaptureFilter.parse(text, SlotMemory.RESIDENT);
        StringBuilder accepted = new StringBuilder();
        String[] frames = {UDP4, TCP6, ICMP6, ICMP4_IN_VLAN_7, ARP, PAUSE, PFC};
        for (int i = 0; i < frames.length; i++) {
            byte[] bytes = HexFormat.of().parseHex(frames[i]);
            if (filter.accepts(bytes, bytes.length, bytes.length)) {
                accepted.append("UTIMAPF".charAt(i));
            }
        }
        assertThat(accepted.chars().sorted().toArray()).isEqualTo(kept.chars().sorted().toArray());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "hosts 10.0.0.1 | 'hosts' is not a known word",
                "host example.org | 'example.org' is not an IPv4 or IPv6 address",
                "port 70000 | '70000' is not a number from 0 to 65535",
                "vlan x | 'x' is not a number from 0 to 4094",
                "proto sctp | 'sctp' is not a known protocol",
                "port | 'port' needs a value behind it",
                "port 1 port 2 | 'port' is where 'and' or 'or' is expected",
                "(port 1 or port 2 | a parenthesis is not closed",
                "net 10.0.0.1 | '10.0.0.1' is not a network, such as",
                "ether host 1 | '1' is not a MAC address, such as",
                "portrange 5 | '5' is not a range, such as",
                "port 1 and | nothing follows the last 'and'"
            })
    void saysWhatIsWrongAndWhatIsAllowed(String text, String what) {
        assertThatThrownBy(() -> CaptureFilter.parse(text, SlotMemory.RESIDENT))
                .isInstanceOf(CaptureException.class)
                .hasMessageContaining(what)
                .hasMessageContaining("allowed are");
    }

    @Test
    void anyBytesAreAcceptedOrNotWithoutException() throws CaptureException {
        long seed = 4711;
        SplittableRandom random = new SplittableRandom(seed);
        CaptureFilter filter =
                CaptureFilter.parse("proto udp and port 53 and host 10.0.0.1", SlotMemory.RESIDENT);
        CaptureFilter pfc = CaptureFilter.parse("proto pfc", SlotMemory.RESIDENT);
        CaptureFilter arp = CaptureFilter.parse("proto arp and host 0.0.0.0", SlotMemory.RESIDENT);
        byte[][] seeds = {
            HexFormat.of().parseHex(UDP4),
            HexFormat.of().parseHex(TCP6),
            HexFormat.of().parseHex(ARP),
            HexFormat.of().parseHex(PFC)
        };
        for (int i = 0; i < 100_000; i++) {
            byte[] bytes = seeds[random.nextInt(seeds.length)].clone();
            for (int flips = random.nextInt(6); flips > 0; flips--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            int length = random.nextInt(bytes.length + 1);
            filter.accepts(bytes, length, length);
            pfc.accepts(bytes, length, length + random.nextInt(3));
            arp.accepts(bytes, length, length);
        }
    }
}
