package io.headgate.dataplane.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.SwitchConfig;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.dataplane.congestion.Complainer;
import io.headgate.dataplane.forwarding.SwitchAddresses;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Notices that a congestion point sends to the sources of frames, through the local port. */
final class NoticesTest {
    private static final long HOST = 0x0200_0000_0000L;
    private static final int TOS = 26 << 2; // priority 3 where DSCP says it
    private static final int QUOTE = 64;
    private static final String ADDRESSED = "address: 10.0.0.254/24,";

    private static SwitchConfig config(String keys, String classify, String complainer) {
        StringBuilder text = new StringBuilder("{name: s1, " + keys + " defaults: {rate: 10Gbps, ");
        text.append("queue-limit: 1MB, account-cap: 1MB, classify: ").append(classify);
        text.append(", congestion: {complainer: ").append(complainer).append("}}, ports: [");
        for (int port = 0; port < 4; port++) {
            text.append("{name: p").append(port).append(", device: {afpacket: v").append(port);
            text.append("}},");
        }
        return SwitchConfigReader.read(text.append("]}").toString(), "test.yaml");
    }

    private static TestSwitch bridge(String classify, String complainer) {
        TestSwitch s = new TestSwitch(config(ADDRESSED, classify, complainer));
        for (int port = 0; port < 4; port++) {
            byte[] hello = Packets.ethernet(HOST + 9, HOST + port, 0x88CC, new byte[60]);
            assertThat(s.hosts.get(port).inject(hello)).isTrue();
            s.run(5_000);
        }
        s.received();
        return s;
    }

    /** From the host at a port to the one at another, of a flow of its own. */
    private static byte[] datagram(int from, int to, int flow) {
        byte[] udp = Packets.udp(1000 + flow, 7, new byte[200]);
        byte[] ip =
                Packets.ipv4("10.0.0." + (from + 1), "10.0.0." + (to + 1), 64, Packets.UDP, udp);
        ip[1] = (byte) TOS;
        ip[10] = 0;
        ip[11] = 0;
        byte[] header = Packets.withChecksum(Arrays.copyOf(ip, 20), 10, 0);
        System.arraycopy(header, 0, ip, 0, 20);
        return Packets.ethernet(HOST + to, HOST + from, Packets.IPV4, ip);
    }

    private static byte[] expected(byte[] about, long to, long from, String ownAddress, int hops) {
        ByteBuffer message = ByteBuffer.allocate(20 + QUOTE);
        message.putInt(253 << 24).putLong(Complainer.FIRST).putLong(0);
        message.put(about, 14, QUOTE);
        byte[] icmp = Packets.withChecksum(message.array(), 2, 0);
        byte[] source = Arrays.copyOfRange(about, 26, 30);
        String destination =
                source[0] + "." + source[1] + "." + (source[2] & 0xFF) + "." + (source[3] & 0xFF);
        byte[] ip = Packets.ipv4(ownAddress, destination, 64 - hops, Packets.ICMP, icmp);
        ip[1] = (byte) (48 << 2);
        ip[10] = 0;
        ip[11] = 0;
        System.arraycopy(Packets.withChecksum(Arrays.copyOf(ip, 20), 10, 0), 0, ip, 0, 20);
        return Packets.ethernet(to, from, Packets.IPV4, ip);
    }

    @Test
    void aBridgeTellsTheSourceByItsTableAndQuotesTheFrame() {
        TestSwitch s = bridge("{trust: dscp}", "{}");
        byte[] about = datagram(0, 1, 7);
        s.hosts.get(0).inject(about);
        s.run(20_000);
        assertThat(s.collect(1)).isEqualTo(about);
        long own = SwitchAddresses.mac("s1", -1);
        assertThat(s.collect(0)).isEqualTo(expected(about, HOST, own, "10.0.0.254", 0));
        assertThat(s.received()).containsExactly(0, 0, 0, 0);
        assertThat(s.total("notices.sent")).isEqualTo(1);
        assertThat(s.total("notices.refused")).isZero();
        s.assertAtRest();
    }

    /** What a notice of the complainer to the first host's MAC address is, without a tag. */
    private static byte[] toMac(int words) {
        ByteBuffer body = ByteBuffer.allocate(Math.max(46, words * Long.BYTES));
        for (int word = 0; word < words; word++) {
            body.putLong(Complainer.FIRST + word);
        }
        return Packets.ethernet(
                HOST, SwitchAddresses.mac("s1", -1), Complainer.ETHER_TYPE, body.array());
    }

    @Test
    void aNoticeToAMacAddressHasItsEtherTypeAndBodyAlsoForFramesThatAreNotOfIp() {
        byte[] noIp = Packets.ethernet(HOST + 1, HOST, 0x9000, new byte[60]);
        for (int words : new int[] {1, 11, 16}) {
            TestSwitch s = bridge("{trust: pcp, default: 3}", "{words: " + words + "}");
            long hellos = s.total("notices.sent");
            for (byte[] about : List.of(datagram(0, 1, 7), noIp)) {
                s.hosts.get(0).inject(about);
                s.run(20_000);
                assertThat(s.collect(1)).isEqualTo(about);
                byte[] tagged = s.collect(0);
                assertThat(ByteBuffer.wrap(tagged).getInt(12)).isEqualTo(0x8100_0000 | 6 << 13);
                byte[] notice = new byte[tagged.length - 4];
                System.arraycopy(tagged, 0, notice, 0, 12);
                System.arraycopy(tagged, 16, notice, 12, tagged.length - 16);
                assertThat(notice).isEqualTo(toMac(words));
            }
            assertThat(s.total("notices.sent") - hellos).isEqualTo(2);
            assertThat(s.received()).containsExactly(0, 0, 0, 0);
            s.assertAtRest();
        }
        TestSwitch s = bridge("{trust: pcp, default: 3}", "{words: 17}");
        long hellos = s.total("notices.refused");
        s.hosts.get(0).inject(noIp);
        s.run(20_000);
        assertThat(s.collect(1)).isEqualTo(noIp);
        assertThat(s.received()).containsExactly(0, 0, 0, 0);
        assertThat(s.total("notices.refused") - hellos).isEqualTo(1);
    }

    /** By its port, in its VLAN; nothing goes to a host of another VLAN. */
    @Test
    void aNoticeToAMacAddressGoesBackWhereItsFrameCameFrom() {
        String text =
                """
                name: s1
                address: 10.0.0.254/24
                defaults:
                  rate: 10Gbps
                  classify: {trust: pcp, default: 3}
                  congestion: {complainer: {words: 2}}
                ports:
                  - {name: p0, device: {afpacket: v0}}
                  - {name: p1, device: {afpacket: v1}, vlan: {trunk: [20], native: 30}}
                  - {name: p2, device: {afpacket: v2}, vlan: 20}
                  - {name: p3, device: {afpacket: v3}, vlan: 30}
                """;
        TestSwitch s = new TestSwitch(SwitchConfigReader.read(text, "test.yaml"));
        byte[] plain = Packets.ethernet(HOST + 1, HOST, 0x9000, new byte[60]);
        byte[] tagged = new byte[plain.length + 4];
        System.arraycopy(plain, 0, tagged, 0, 12);
        ByteBuffer.wrap(tagged).putInt(12, 0x8100_0000 | 3 << 13 | 20);
        System.arraycopy(plain, 12, tagged, 16, plain.length - 12);
        int priority = 0x8100_0000 | 6 << 13;
        // Flooded: one other port is in the VLAN, and complains.
        assertThat(noticeTag(s, 1, tagged)).as("tagged on a trunk").isEqualTo(priority | 20);
        assertThat(noticeTag(s, 2, plain)).as("an access port").isEqualTo(priority);
        assertThat(noticeTag(s, 1, plain)).as("untagged on a trunk").isEqualTo(priority);
        s.assertAtRest();
    }

    /** What a host gets behind its addresses, about a frame of its own; no other gets anything. */
    private static int noticeTag(TestSwitch s, int host, byte[] about) {
        s.received();
        s.hosts.get(host).inject(about);
        s.run(20_000);
        byte[] notice = s.collect(host);
        assertThat(s.total("notices.sent")).isPositive();
        int[] others = s.received();
        assertThat(others[host]).isZero();
        assertThat(others[0]).as("the switch's own VLAN").isZero();
        return ByteBuffer.wrap(notice).getInt(12);
    }

    @Test
    void whereTagsSayPrioritiesANoticeLeavesWithOne() {
        TestSwitch s = bridge("{trust: pcp, default: 3}", "{}");
        byte[] about = datagram(0, 1, 7);
        s.hosts.get(0).inject(about);
        s.run(20_000);
        byte[] notice = s.collect(0);
        assertThat(ByteBuffer.wrap(notice).getInt(12)).isEqualTo(0x8100_0000 | 6 << 13);
        byte[] untagged = new byte[notice.length - 4];
        System.arraycopy(notice, 0, untagged, 0, 12);
        System.arraycopy(notice, 16, untagged, 12, notice.length - 16);
        long own = SwitchAddresses.mac("s1", -1);
        assertThat(untagged).isEqualTo(expected(about, HOST, own, "10.0.0.254", 0));
    }

    @Test
    void aRouterTellsTheSourceByItsOwnTable() {
        List<List<String>> addresses = new ArrayList<>();
        for (int port = 0; port < 4; port++) {
            addresses.add(List.of("10.0." + port + ".1/24"));
        }
        SwitchConfig plain = TestSwitch.routed(addresses, List.of(), 1);
        SwitchConfig watched = config(ADDRESSED, "{trust: dscp}", "{}");
        SwitchConfig router =
                plain.withPorts(
                        plain.ports().stream()
                                .map(port ->
                                        port.withTraffic(watched.ports().getFirst().traffic())
                                                .withMechanisms(
                                                        watched.ports().getFirst().mechanisms()))
                                .toList());
        TestSwitch s = new TestSwitch(router);
        for (int port = 0; port < 2; port++) {
            byte[] ask =
                    Packets.arp(1, HOST + port, "10.0." + port + ".2", 0, "10.0." + port + ".1");
            s.hosts
                    .get(port)
                    .inject(Packets.ethernet(Packets.BROADCAST, HOST + port, Packets.ARP, ask));
            s.run(5_000);
        }
        s.received();
        byte[] udp = Packets.udp(1000, 7, new byte[200]);
        byte[] ip = Packets.ipv4("10.0.0.2", "10.0.1.2", 64, Packets.UDP, udp);
        ip[1] = (byte) TOS;
        ip[10] = 0;
        ip[11] = 0;
        System.arraycopy(Packets.withChecksum(Arrays.copyOf(ip, 20), 10, 0), 0, ip, 0, 20);
        long mac = SwitchAddresses.mac("test", 0);
        s.hosts.get(0).inject(Packets.ethernet(mac, HOST, Packets.IPV4, ip));
        s.run(20_000);
        byte[] forwarded = s.collect(1);
        assertThat(s.collect(0)).isEqualTo(expected(forwarded, HOST, mac, "10.0.0.1", 1));
        s.assertAtRest();
        s.assertConserved(3, 4, "");
    }

    @Test
    void aHundredFlowsOnTwoPortsAtOnceLoseNoNotice() {
        TestSwitch s = bridge("{trust: dscp}", "{most: 100}");
        for (int flow = 0; flow < 100; flow++) {
            s.hosts.get(0).inject(datagram(0, 1, flow));
            s.hosts.get(2).inject(datagram(2, 3, flow));
        }
        // All start late, and at once.
        s.run(300_000);
        assertThat(s.total("notices.sent")).isEqualTo(200);
        assertThat(s.total("notices.refused")).isZero();
        for (int port : new int[] {0, 2}) {
            Set<Integer> flows = new HashSet<>();
            for (byte[] notice = s.hosts.get(port).collect();
                    notice != null;
                    notice = s.hosts.get(port).collect()) {
                flows.add((int) ByteBuffer.wrap(notice).getShort(14 + 20 + 20 + 20));
            }
            assertThat(flows).hasSize(100);
        }
        s.assertAtRest();
    }

    @Test
    void whatFindsNoRoomIsCounted() {
        TestSwitch s = bridge("{trust: dscp}", "{most: 3}");
        for (int flow = 0; flow < 100; flow++) {
            s.hosts.get(0).inject(datagram(0, 1, flow));
        }
        // The switch itself is held up.
        for (int step = 0; step < 100; step++) {
            for (Duty duty : s.engine.duties()) {
                if (!duty.name().startsWith("local")) {
                    duty.doWork(s.nowNs);
                }
            }
            s.nowNs += 1_000;
        }
        s.run(50_000);
        assertThat(s.total("notices.sent")).isEqualTo(4);
        assertThat(s.total("notices.refused")).isEqualTo(96);
        s.assertAtRest();
    }

    @Test
    void whatIsNoIpHasNoSourceThatCanBeTold() {
        TestSwitch s = bridge("{trust: port}", "{priority: 5}");
        s.hosts.get(0).inject(Packets.ethernet(HOST + 1, HOST, 0x9000, new byte[100]));
        s.run(20_000);
        assertThat(s.total("notices.refused")).isZero();
        assertThat(s.total("notices.sent")).as("it watches another priority").isZero();
        TestSwitch pcp = bridge("{trust: pcp, default: 3}", "{}");
        long before = pcp.total("notices.refused");
        pcp.hosts.get(0).inject(Packets.ethernet(HOST + 1, HOST, 0x9000, new byte[100]));
        byte[] group = datagram(0, 1, 1);
        group[26] = (byte) 224;
        pcp.hosts.get(0).inject(group);
        pcp.run(20_000);
        assertThat(pcp.total("notices.refused") - before).isEqualTo(1);
        assertThat(pcp.total("notices.unsent")).isEqualTo(1);
        assertThat(pcp.total("notices.sent")).isZero();
        pcp.assertAtRest();
    }

    @Test
    void noticesThatWouldWaitBehindWhatTheyComplainOfAreRefused() {
        assertThatThrownBy(
                        () -> new TestSwitch(config(ADDRESSED, "{trust: dscp}", "{priority: 6}")))
                .hasMessageContaining("port p0: complainer sends notifications")
                .hasMessageContaining("priority 6");
        assertThatThrownBy(
                        () -> new TestSwitch(config(ADDRESSED, "{trust: port}", "{priority: 0}")))
                .hasMessageContaining("priority 0");
        assertThatThrownBy(() -> new TestSwitch(config("", "{trust: dscp}", "{}")))
                .hasMessageContaining("switch s1 has no address");
    }

    @Test
    void aPointThatIsTurnedOnSendsNoticesIntoRoomThatIsThere() {
        TestSwitch s = bridge("{trust: dscp}", "{enabled: false, most: 3}");
        s.hosts.get(0).inject(datagram(0, 1, 1));
        s.run(20_000);
        assertThat(s.total("notices.sent")).isZero();
        s.set("p1.congestion.complainer.enabled=true");
        s.hosts.get(0).inject(datagram(0, 1, 2));
        s.run(20_000);
        assertThat(s.total("notices.sent")).isEqualTo(1);
        s.assertAtRest();
    }

    /** Hashes cost nothing where no point asks for them, and are there from when one does. */
    @Test
    void framesHaveFlowHashesOnceAPointAsksForThem() {
        TestSwitch s = bridge("{trust: dscp}", "{}");
        assertThat(hashInNotice(s, 1)).isZero();
        s.set("p1.congestion.complainer.hashes=1");
        long hash = hashInNotice(s, 1);
        assertThat(hash).isNotZero().isEqualTo(hashInNotice(s, 1));
        s.set("p1.congestion.complainer.hashes=0");
        s.assertAtRest();
    }

    private static long hashInNotice(TestSwitch s, int number) {
        s.hosts.get(0).inject(datagram(0, 1, number));
        s.run(20_000);
        return ByteBuffer.wrap(s.collect(0)).getLong(14 + 20 + 4 + Long.BYTES);
    }

    @Test
    void whatWasNotLaidOutForNoticesAtTheStartIsRefused() {
        TestSwitch s = bridge("{trust: dscp}", "{most: 3}");
        SwitchConfig before = s.engine.config();
        assertThatThrownBy(() -> s.set("p1.congestion.complainer.most=4"))
                .hasMessageContaining(
                        "port p1: its congestion points would send up to 4 notifications")
                .hasMessageContaining("room for 3");
        assertThatThrownBy(() -> s.set("p1.congestion.complainer.priority=6"))
                .hasMessageContaining("port p1: complainer sends notifications")
                .hasMessageContaining("priority 6");
        s.set("p1.congestion.complainer.most=2");
        assertThat(s.engine.config()).isNotEqualTo(before);
    }

    @Test
    void flowsAreHashedWhereAPointAsksForIt() {
        for (int asks = 0; asks < 2; asks++) {
            TestSwitch s = bridge("{trust: dscp}", "{hashes: " + asks + "}");
            Set<Long> hashes = new HashSet<>();
            for (int flow = 0; flow < 8; flow++) {
                s.hosts.get(0).inject(datagram(0, 1, flow));
                s.hosts.get(0).inject(datagram(0, 1, flow));
                s.run(20_000);
                long first = ByteBuffer.wrap(s.collect(0)).getLong(14 + 20 + 12);
                assertThat(ByteBuffer.wrap(s.collect(0)).getLong(14 + 20 + 12)).isEqualTo(first);
                hashes.add(first);
            }
            assertThat(hashes).hasSize(asks == 0 ? 1 : 8);
        }
    }
}
