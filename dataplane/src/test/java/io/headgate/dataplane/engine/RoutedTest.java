package io.headgate.dataplane.engine;

import static io.headgate.dataplane.engine.Packets.ARP;
import static io.headgate.dataplane.engine.Packets.BROADCAST;
import static io.headgate.dataplane.engine.Packets.ICMP;
import static io.headgate.dataplane.engine.Packets.ICMPV6;
import static io.headgate.dataplane.engine.Packets.IPV4;
import static io.headgate.dataplane.engine.Packets.IPV6;
import static io.headgate.dataplane.engine.Packets.UDP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.headgate.config.RoutedConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.forwarding.IpAddress;
import io.headgate.dataplane.forwarding.NeighbourTable;
import io.headgate.dataplane.forwarding.SwitchAddresses;
import io.headgate.dataplane.memory.DropReason;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A router between p0 (10.0.0.0/24), p1 (10.0.1.0/24) and p2 (10.0.2.0/24), and the same in v6. */
class RoutedTest {
    private static final long HOST = 0x0200_0000_0000L;
    private static final long S = 1_000_000_000L;
    private static final long[] PORT_MAC = {
        SwitchAddresses.mac("test", 0),
        SwitchAddresses.mac("test", 1),
        SwitchAddresses.mac("test", 2)
    };

    private static final int TCP = 6;
    private static final int FRAGMENT = 44;

    private static TestSwitch router() {
        return new TestSwitch(
                TestSwitch.routed(
                        List.of(
                                List.of("10.0.0.1/24", "2001:db8::1/64"),
                                List.of("10.0.1.1/24", "2001:db8:1::1/64"),
                                List.of("10.0.2.1/24")),
                        List.of(),
                        1));
    }

    /** A router whose two next hops for 192.168.0.0/16 are on p1 and p2. */
    private static TestSwitch multipath(long seed) {
        return multipath(seed, RoutedConfig.Paths.FLOW);
    }

    private static TestSwitch multipath(long seed, RoutedConfig.Paths paths) {
        SwitchConfig config =
                TestSwitch.routed(
                        List.of(
                                List.of("10.0.0.1/24"),
                                List.of("10.0.1.1/24"),
                                List.of("10.0.2.1/24")),
                        List.of(TestSwitch.route("192.168.0.0/16", "10.0.1.2", "10.0.2.2")),
                        seed);
        TestSwitch s = new TestSwitch(config.withRouted(config.routed().withPaths(paths)));
        s.run(10_000);
        return s;
    }

    private static void inject(TestSwitch s, int port, byte[] frame) {
        assertThat(s.hosts.get(port).inject(frame)).isTrue();
        s.run(5_000);
    }

    /** A host announces itself: a router learns the hosts that ask for it. */
    private static void introduce(TestSwitch s, int port) {
        String host = "10.0." + port + ".2";
        byte[] ask = Packets.arp(1, HOST + port, host, 0, "10.0." + port + ".1");
        inject(s, port, Packets.ethernet(BROADCAST, HOST + port, ARP, ask));
        while (s.hosts.get(port).collect() != null) {}
    }

    private static byte[] udp4(int ttl, String destination, int sourcePort, int bytes) {
        byte[] udp = Packets.udp(sourcePort, 7, new byte[bytes]);
        return Packets.ipv4("10.0.0.2", destination, ttl, UDP, udp);
    }

    private static byte[] toRouter(int port, int type, byte[] packet) {
        return Packets.ethernet(PORT_MAC[port], HOST + port, type, packet);
    }

    @Test
    void forwardsWithNewMacsOneHopLessAndARightChecksum() {
        TestSwitch s = router();
        introduce(s, 1);
        for (int ttl : new int[] {255, 64, 2}) {
            inject(s, 0, toRouter(0, IPV4, udp4(ttl, "10.0.1.2", 5, 100)));
            byte[] expected = udp4(ttl - 1, "10.0.1.2", 5, 100);
            assertThat(s.collect(1))
                    .isEqualTo(Packets.ethernet(HOST + 1, PORT_MAC[1], IPV4, expected));
        }
        s.assertAtRest();
        s.assertConserved(4, 4, "");
    }

    @Test
    void neverAsksForANeighbourThatIsGivenNorBelievesWhatItSays() {
        SwitchConfig plain =
                TestSwitch.routed(
                        List.of(List.of("10.0.0.1/24"), List.of("10.0.1.1/24")), List.of(), 1);
        List<RoutedConfig.StaticNeighbour> given =
                List.of(
                        new RoutedConfig.StaticNeighbour(
                                InetAddress.ofLiteral("10.0.1.2"), HOST + 1));
        TestSwitch s =
                new TestSwitch(
                        plain.withRouted(
                                new RoutedConfig(
                                        List.of(), S, 16, given, RoutedConfig.Paths.FLOW)));
        byte[] liar = Packets.arp(1, HOST + 9, "10.0.1.2", 0, "10.0.1.1");
        inject(s, 1, Packets.ethernet(BROADCAST, HOST + 9, ARP, liar));
        while (s.hosts.get(1).collect() != null) {}
        for (int i = 0; i < 2; i++) {
            inject(s, 0, toRouter(0, IPV4, udp4(64, "10.0.1.2", 5, 100)));
            byte[] expected = udp4(63, "10.0.1.2", 5, 100);
            assertThat(s.collect(1))
                    .isEqualTo(Packets.ethernet(HOST + 1, PORT_MAC[1], IPV4, expected));
            s.run(2 * S);
            assertThat(s.hosts.get(1).collect()).isNull();
        }
        assertThatThrownBy(() ->
                        new TestSwitch(
                                plain.withRouted(
                                        new RoutedConfig(
                                                List.of(),
                                                60 * S,
                                                16,
                                                Collections.nCopies(17, given.get(0)),
                                                RoutedConfig.Paths.FLOW))))
                .hasMessageContaining("more static neighbours");
        s.assertAtRest();
    }

    @Test
    void answersArpOnThePortThatHasTheAddressAndNowhereElse() {
        TestSwitch s = router();
        byte[] ask = Packets.arp(1, HOST, "10.0.0.2", 0, "10.0.0.1");
        inject(s, 0, Packets.ethernet(BROADCAST, HOST, ARP, ask));
        byte[] reply = Packets.arp(2, PORT_MAC[0], "10.0.0.1", HOST, "10.0.0.2");
        assertThat(s.collect(0)).isEqualTo(Packets.ethernet(HOST, PORT_MAC[0], ARP, reply));
        inject(s, 1, Packets.ethernet(BROADCAST, HOST, ARP, ask));
        assertThat(s.received()).containsExactly(0, 0, 0);
        assertThat(s.drops("p1", DropReason.NOT_FOR_US)).isEqualTo(1);
        s.assertAtRest();
    }

    @Test
    void answersPingToAnyOfItsAddresses() {
        TestSwitch s = router();
        for (String own : new String[] {"10.0.0.1", "10.0.1.1"}) {
            byte[] asked =
                    Packets.ipv4("10.0.0.2", own, 1, ICMP, Packets.echo(8, 1, 1, new byte[9]));
            inject(s, 0, toRouter(0, IPV4, asked));
            byte[] answer =
                    Packets.ipv4(own, "10.0.0.2", 64, ICMP, Packets.echo(0, 1, 1, new byte[9]));
            assertThat(s.collect(0)).isEqualTo(Packets.ethernet(HOST, PORT_MAC[0], IPV4, answer));
        }
        byte[] asked6 = Packets.echo6("2001:db8::2", "2001:db8:1::1", 128, 1, new byte[3]);
        byte[] packet6 = Packets.ipv6("2001:db8::2", "2001:db8:1::1", 1, ICMPV6, asked6);
        inject(s, 0, toRouter(0, IPV6, packet6));
        byte[] answer6 = Packets.echo6("2001:db8:1::1", "2001:db8::2", 129, 1, new byte[3]);
        byte[] expected = Packets.ipv6("2001:db8:1::1", "2001:db8::2", 64, ICMPV6, answer6);
        assertThat(s.collect(0)).isEqualTo(Packets.ethernet(HOST, PORT_MAC[0], IPV6, expected));
        s.assertAtRest();
    }

    @Test
    void asksForAnUnknownNeighbourHoldsFramesAndForwardsThemInOrder() {
        TestSwitch s = router();
        for (int i = 1; i <= 10; i++) {
            inject(s, 0, toRouter(0, IPV4, udp4(9, "10.0.1.2", i, 100)));
        }
        byte[] ask = Packets.arp(1, PORT_MAC[1], "10.0.1.1", 0, "10.0.1.2");
        assertThat(s.collect(1)).isEqualTo(Packets.ethernet(BROADCAST, PORT_MAC[1], ARP, ask));
        assertThat(s.hosts.get(1).collect()).as("asked once").isNull();
        s.assertAtRest();
        byte[] reply = Packets.arp(2, HOST + 1, "10.0.1.2", PORT_MAC[1], "10.0.1.1");
        inject(s, 1, Packets.ethernet(PORT_MAC[1], HOST + 1, ARP, reply));
        s.run(20_000);
        for (int i = 1; i <= 8; i++) {
            byte[] expected = udp4(8, "10.0.1.2", i, 100);
            assertThat(s.collect(1))
                    .isEqualTo(Packets.ethernet(HOST + 1, PORT_MAC[1], IPV4, expected));
        }
        assertThat(s.hosts.get(1).collect()).isNull();
        s.run(2_000_000);
        assertThat(s.drops("local", DropReason.NEIGHBOUR_UNRESOLVED)).isEqualTo(2);
        assertThat(s.total("neighbour.learned")).isEqualTo(1);
        assertThat(s.total("local.forwarded")).isEqualTo(8);
        s.assertConserved(11, 9, "");
    }

    @Test
    void resolvesIpv6NeighboursBySolicitation() {
        TestSwitch s = router();
        byte[] udp = Packets.udp(1, 2, new byte[10]);
        byte[] packet = Packets.ipv6("2001:db8::2", "2001:db8:1::2", 7, UDP, udp);
        inject(s, 0, toRouter(0, IPV6, packet));
        byte[] asked =
                Packets.discovery(
                        "2001:db8:1::1", "ff02::1:ff00:2", 135, 0, "2001:db8:1::2", PORT_MAC[1]);
        byte[] request = Packets.ipv6("2001:db8:1::1", "ff02::1:ff00:2", 255, ICMPV6, asked);
        assertThat(s.collect(1))
                .isEqualTo(Packets.ethernet(0x3333_FF00_0002L, PORT_MAC[1], IPV6, request));
        byte[] told =
                Packets.discovery(
                        "2001:db8:1::2", "2001:db8:1::1", 136, 0x60, "2001:db8:1::2", HOST + 1);
        byte[] reply = Packets.ipv6("2001:db8:1::2", "2001:db8:1::1", 255, ICMPV6, told);
        inject(s, 1, toRouter(1, IPV6, reply));
        byte[] expected = Packets.ipv6("2001:db8::2", "2001:db8:1::2", 6, UDP, udp);
        assertThat(s.collect(1)).isEqualTo(Packets.ethernet(HOST + 1, PORT_MAC[1], IPV6, expected));
        s.assertAtRest();
    }

    @Test
    void advertisesItselfAsARouterWhenSolicited() {
        TestSwitch s = router();
        byte[] asked =
                Packets.discovery("2001:db8::2", "ff02::1:ff00:1", 135, 0, "2001:db8::1", HOST);
        byte[] packet = Packets.ipv6("2001:db8::2", "ff02::1:ff00:1", 255, ICMPV6, asked);
        inject(s, 0, Packets.ethernet(0x3333_FF00_0001L, HOST, IPV6, packet));
        byte[] told =
                Packets.discovery(
                        "2001:db8::1", "2001:db8::2", 136, 0xE0, "2001:db8::1", PORT_MAC[0]);
        byte[] expected = Packets.ipv6("2001:db8::1", "2001:db8::2", 255, ICMPV6, told);
        assertThat(s.collect(0)).isEqualTo(Packets.ethernet(HOST, PORT_MAC[0], IPV6, expected));
        // Who asked is known from now on.
        byte[] back =
                Packets.ipv6(
                        "2001:db8:1::2", "2001:db8::2", 7, UDP, Packets.udp(1, 2, new byte[9]));
        inject(s, 1, toRouter(1, IPV6, back));
        assertThat(s.received()).containsExactly(1, 0, 0);
    }

    @Test
    void tellsTheSenderWhenTheTtlIsUsedUp() {
        TestSwitch s = router();
        introduce(s, 1);
        byte[] packet = udp4(1, "10.0.1.2", 5, 700);
        inject(s, 0, toRouter(0, IPV4, packet));
        byte[] quoted = Arrays.copyOf(packet, 576 - 28);
        byte[] error =
                Packets.ipv4("10.0.0.1", "10.0.0.2", 64, ICMP, Packets.icmp(11, 0, 0, quoted));
        assertThat(s.collect(0)).isEqualTo(Packets.ethernet(HOST, PORT_MAC[0], IPV4, error));
        byte[] udp = Packets.udp(1, 2, new byte[10]);
        byte[] packet6 = Packets.ipv6("2001:db8::2", "2001:db8:1::2", 1, UDP, udp);
        inject(s, 0, toRouter(0, IPV6, packet6));
        byte[] message =
                Packets.icmpv6(
                        "2001:db8::1",
                        "2001:db8::2",
                        Packets.join(Packets.words(3 << 8, 0, 0, 0), packet6));
        byte[] error6 = Packets.ipv6("2001:db8::1", "2001:db8::2", 64, ICMPV6, message);
        assertThat(s.collect(0)).isEqualTo(Packets.ethernet(HOST, PORT_MAC[0], IPV6, error6));
        s.run(2_000_000);
        assertThat(s.drops("local", DropReason.TTL_EXPIRED)).isEqualTo(2);
        assertThat(s.total("icmp.errors")).isEqualTo(2);
        s.assertConserved(3, 3, "");
    }

    @Test
    void tellsTheSenderWhenThereIsNoRouteAndWhenAPacketIsTooBig() {
        var small =
                TestSwitch.withMtu(
                        TestSwitch.routed(
                                List.of(List.of("10.0.0.1/24"), List.of("10.0.1.1/24")),
                                List.of(),
                                1),
                        1,
                        1000);
        TestSwitch s = new TestSwitch(small);
        introduce(s, 1);
        byte[] nowhere = udp4(9, "172.16.0.1", 5, 10);
        inject(s, 0, toRouter(0, IPV4, nowhere));
        byte[] unreachable =
                Packets.ipv4("10.0.0.1", "10.0.0.2", 64, ICMP, Packets.icmp(3, 0, 0, nowhere));
        assertThat(s.collect(0)).isEqualTo(Packets.ethernet(HOST, PORT_MAC[0], IPV4, unreachable));
        byte[] big = udp4(9, "10.0.1.2", 5, 1200);
        inject(s, 0, toRouter(0, IPV4, big));
        byte[] tooBig =
                Packets.ipv4(
                        "10.0.0.1",
                        "10.0.0.2",
                        64,
                        ICMP,
                        Packets.icmp(3, 4, 1000, Arrays.copyOf(big, 548)));
        assertThat(s.collect(0)).isEqualTo(Packets.ethernet(HOST, PORT_MAC[0], IPV4, tooBig));
        s.run(10_000_000);
        assertThat(s.drops("local", DropReason.NO_ROUTE)).isEqualTo(1);
        assertThat(s.drops("local", DropReason.EGRESS_OVERSIZE)).isEqualTo(1);
    }

    /** RFC 1812 section 4.2.2.7 has routers fragment it; this one says so in its README. */
    @Test
    void packetThatMayBeFragmentedIsNotButItsSenderLearnsTheMtu() {
        TestSwitch s =
                new TestSwitch(
                        TestSwitch.withMtu(
                                TestSwitch.routed(
                                        List.of(List.of("10.0.0.1/24"), List.of("10.0.1.1/24")),
                                        List.of(),
                                        1),
                                1,
                                1000));
        introduce(s, 1);
        byte[] udp = Packets.udp(5, 7, new byte[1200]);
        byte[] big = Packets.ipv4("10.0.0.2", "10.0.1.2", 9, UDP, 0, udp);
        inject(s, 0, toRouter(0, IPV4, big));
        byte[] icmp = Packets.icmp(3, 4, 1000, Arrays.copyOf(big, 548));
        byte[] tooBig = Packets.ipv4("10.0.0.1", "10.0.0.2", 64, ICMP, icmp);
        assertThat(s.collect(0)).isEqualTo(Packets.ethernet(HOST, PORT_MAC[0], IPV4, tooBig));
        s.run(10_000_000);
        assertThat(s.hosts.get(1).collect()).isNull();
        assertThat(s.drops("local", DropReason.EGRESS_OVERSIZE)).isEqualTo(1);
    }

    @Test
    void neverAnswersAnErrorWithAnError() {
        TestSwitch s = router();
        byte[] error = Packets.icmp(11, 0, 0, new byte[28]);
        byte[] packet = Packets.ipv4("10.0.0.2", "10.0.1.2", 1, ICMP, error);
        inject(s, 0, toRouter(0, IPV4, packet));
        assertThat(s.received()).containsExactly(0, 0, 0);
    }

    /** RFC 1122 section 3.2.2: no error about what went to a broadcast. */
    @Test
    void neverAnswersWhatWentToABroadcast() {
        TestSwitch s = router();
        for (String broadcast :
                List.of("10.0.1.255", "10.0.1.0", "10.0.0.255", "255.255.255.255")) {
            inject(s, 0, toRouter(0, IPV4, udp4(9, broadcast, 5, 10)));
            inject(s, 0, toRouter(0, IPV4, udp4(1, broadcast, 5, 10)));
        }
        assertThat(s.received()).containsExactly(0, 0, 0);
        s.run(2_000_000);
        assertThat(s.drops("local", DropReason.NO_ROUTE)).isEqualTo(8);
        assertThat(s.total("icmp.errors")).isZero();
    }

    @Test
    void tellsWhoSpeaksTcpToItThatItDoesNot() {
        TestSwitch s = router();
        byte[] syn = Packets.join(Packets.udp(5, 80, new byte[4]), new byte[8]);
        byte[] packet = Packets.ipv4("10.0.0.2", "10.0.1.1", 9, TCP, syn);
        inject(s, 0, toRouter(0, IPV4, packet));
        byte[] error =
                Packets.ipv4("10.0.0.1", "10.0.0.2", 64, ICMP, Packets.icmp(3, 2, 0, packet));
        assertThat(s.collect(0)).isEqualTo(Packets.ethernet(HOST, PORT_MAC[0], IPV4, error));
        byte[] packet6 = Packets.ipv6("2001:db8::2", "2001:db8:1::1", 9, TCP, syn);
        inject(s, 0, toRouter(0, IPV6, packet6));
        // Where in the packet the header of an unknown kind is named: RFC 4443 section 3.4.
        assertThat(s.collect(0)).isEqualTo(error6(0x0401, 6, packet6));
        s.run(2_000_000);
        assertThat(s.drops("local", DropReason.LOCAL_UNHANDLED)).isEqualTo(2);
    }

    @Test
    void tellsWhoSendsFragmentsToItThatItReassemblesNone() {
        TestSwitch s = router();
        byte[] half = Packets.echo(8, 5, 1, new byte[40]);
        byte[] first = Packets.ipv4("10.0.0.2", "10.0.0.1", 9, ICMP, 0x2000, half);
        inject(s, 0, toRouter(0, IPV4, first));
        byte[] error =
                Packets.ipv4("10.0.0.1", "10.0.0.2", 64, ICMP, Packets.icmp(11, 1, 0, first));
        assertThat(s.collect(0)).isEqualTo(Packets.ethernet(HOST, PORT_MAC[0], IPV4, error));
        byte[] fragment = Packets.join(Packets.words(ICMPV6 << 8, 1, 0, 7), half);
        fragment[8] = (byte) 128;
        byte[] first6 = Packets.ipv6("2001:db8::2", "2001:db8::1", 9, FRAGMENT, fragment);
        inject(s, 0, toRouter(0, IPV6, first6));
        assertThat(s.collect(0)).isEqualTo(error6(0x0301, 0, first6));
        // Not of later ones, nor of one that is itself an error.
        inject(
                s,
                0,
                toRouter(0, IPV4, Packets.ipv4("10.0.0.2", "10.0.0.1", 9, ICMP, 0x2006, half)));
        byte[] later = fragment.clone();
        later[3] = 9;
        inject(
                s,
                0,
                toRouter(0, IPV6, Packets.ipv6("2001:db8::2", "2001:db8::1", 9, FRAGMENT, later)));
        byte[] errors = fragment.clone();
        errors[8] = 3;
        inject(
                s,
                0,
                toRouter(0, IPV6, Packets.ipv6("2001:db8::2", "2001:db8::1", 9, FRAGMENT, errors)));
        assertThat(s.received()).containsExactly(0, 0, 0);
        s.run(2_000_000);
        assertThat(s.total("icmp.errors")).isEqualTo(2);
        assertThat(s.drops("local", DropReason.LOCAL_UNHANDLED)).isEqualTo(5);
    }

    /** To the host at port 0, about one of its packets. */
    private static byte[] error6(int typeAndCode, int word, byte[] packet) {
        byte[] message =
                Packets.icmpv6(
                        "2001:db8::1",
                        "2001:db8::2",
                        Packets.join(Packets.words(typeAndCode, 0, 0, word), packet));
        byte[] error = Packets.ipv6("2001:db8::1", "2001:db8::2", 64, ICMPV6, message);
        return Packets.ethernet(HOST, PORT_MAC[0], IPV6, error);
    }

    @Test
    void limitsErrorsToAThousandASecond() {
        TestSwitch s = router();
        for (int i = 0; i < 2000; i++) {
            s.hosts.get(0).inject(toRouter(0, IPV4, udp4(1, "10.0.1.2", i, 10)));
            s.run(2_000);
        }
        // A tenth of a second's worth at once, and four in the four milliseconds that passed.
        assertThat(s.received()[0]).isBetween(100, 110);
    }

    @Test
    void givesAnUnansweringNeighbourUpAndSaysSo() {
        TestSwitch s = router();
        byte[] packet = udp4(9, "10.0.1.77", 5, 10);
        inject(s, 0, toRouter(0, IPV4, packet));
        leap(s, 4 * S);
        assertThat(s.received()[1]).as("requests").isEqualTo(3);
        assertThat(s.drops("local", DropReason.NEIGHBOUR_UNRESOLVED)).isEqualTo(1);
        assertThat(s.total("neighbour.lost")).isEqualTo(1);
        assertThat(s.total("neighbour.requests")).isEqualTo(3);
        assertThat(s.total("neighbour.entries")).isZero();
        assertThat(s.total("icmp.errors")).isEqualTo(1);
        s.assertAtRest();
        s.assertConserved(1, 4, "");
    }

    @Test
    void asksAgainForANeighbourThatWasSilentForTheTimeout() {
        TestSwitch s = router();
        introduce(s, 1);
        leap(s, 59 * S);
        assertThat(s.received()).containsExactly(0, 0, 0);
        leap(s, 2 * S);
        byte[] asked = s.collect(1);
        assertThat(Arrays.copyOf(asked, 6)).isEqualTo(Packets.mac(BROADCAST));
        NeighbourTable table = Objects.requireNonNull(s.engine.neighbours());
        assertThat(table.size()).isEqualTo(1);
        assertThat(s.total("neighbour.entries")).isEqualTo(1);
        byte[] reply = Packets.arp(2, HOST + 1, "10.0.1.2", PORT_MAC[1], "10.0.1.1");
        inject(s, 1, Packets.ethernet(PORT_MAC[1], HOST + 1, ARP, reply));
        s.received();
        leap(s, 30 * S);
        assertThat(s.received()).containsExactly(0, 0, 0);
        leap(s, 40 * S);
        assertThat(table.size()).as("silent for good").isZero();
    }

    @Test
    void asksForTheNextHopsOfNewRoutesAndNoLongerForThoseOfOldOnes() {
        TestSwitch s = multipath(42);
        s.received();
        introduce(s, 1);
        reroute(s, TestSwitch.route("192.168.0.0/16", "10.0.0.7"));
        leap(s, S / 10);
        assertThat(s.received()).as("asked for at once").containsExactly(1, 0, 0);
        byte[] reply = Packets.arp(2, HOST, "10.0.0.7", PORT_MAC[0], "10.0.0.1");
        inject(s, 0, Packets.ethernet(PORT_MAC[0], HOST, ARP, reply));
        leap(s, 59 * S);
        assertThat(s.received()).as("the router asks for no neighbour").containsExactly(0, 0, 0);
        NeighbourTable table = Objects.requireNonNull(s.engine.neighbours());
        assertThat(table.lookup(1, 0, ipv4("10.0.1.2"))).as("it spoke").isEqualTo(HOST + 1);
        leap(s, 3 * S / 2);
        assertThat(s.received()).as("the new one only").containsExactly(1, 0, 0);
        assertThat(table.size()).isEqualTo(1);
        reroute(s, TestSwitch.route("192.168.0.0/16", "10.0.1.2"));
        leap(s, S / 10);
        assertThat(s.received()).as("named again").containsExactly(0, 1, 0);
        s.assertAtRest();
    }

    @Test
    void aNeighbourThatBecomesANextHopIsNoLongerItsPortsToAnswerFor() {
        TestSwitch s = router();
        inject(s, 0, toRouter(0, IPV4, udp4(9, "10.0.1.77", 5, 10)));
        reroute(s, TestSwitch.route("192.168.0.0/16", "10.0.1.77"));
        leap(s, 9 * S);
        NeighbourTable table = Objects.requireNonNull(s.engine.neighbours());
        assertThat(table.size()).as("a next hop is not given up").isEqualTo(1);
        reroute(s);
        leap(s, S);
        assertThat(table.size()).isZero();
        s.assertAtRest();
    }

    private static void reroute(TestSwitch s, RoutedConfig.Route... routes) {
        SwitchConfig config = s.engine.config();
        s.take(config.withRouted(config.routed().withRoutes(List.of(routes))));
    }

    private static long ipv4(String address) {
        return IpAddress.low(InetAddress.ofLiteral(address));
    }

    private static void leap(TestSwitch s, long durationNs) {
        long endNs = s.nowNs + durationNs;
        while (s.nowNs < endNs) {
            s.nowNs += 10_000_000;
            s.settle();
        }
        s.run(3_000);
    }

    @Test
    void scanOfANetworkFillsNeitherTableNorBuffers() {
        TestSwitch s = router();
        for (int i = 0; i < 4000; i++) {
            String target = "10.0." + (1 + i % 2) + "." + (3 + i / 2 % 250);
            s.hosts.get(0).inject(toRouter(0, IPV4, udp4(9, target, i, 10)));
            s.run(2_000);
        }
        NeighbourTable table = Objects.requireNonNull(s.engine.neighbours());
        assertThat(table.size()).isLessThanOrEqualTo(512);
        int sent = s.received()[0];
        introduce(s, 1);
        inject(s, 0, toRouter(0, IPV4, udp4(9, "10.0.1.2", 5, 10)));
        assertThat(s.received()[1]).as("others go on").isPositive();
        leap(s, 6 * S);
        assertThat(table.size()).isEqualTo(1);
        assertThat(sent).isZero();
        s.assertAtRest();
    }

    @Test
    void spreadsFlowsOverEqualPathsAndKeepsEachTogether() {
        TestSwitch s = multipath(42);
        introduce(s, 1);
        introduce(s, 2);
        s.received();
        int[] perPath = new int[3];
        for (int flow = 0; flow < 1000; flow++) {
            int first = -1;
            for (int again = 0; again < 3; again++) {
                s.hosts.get(0).inject(toRouter(0, IPV4, udp4(9, "192.168.3.4", flow, 10)));
                s.run(1_000);
                int[] got = s.received();
                int path = got[1] == 1 ? 1 : 2;
                assertThat(got[1] + got[2]).isEqualTo(1);
                assertThat(first < 0 || first == path).as("flow %d stays", flow).isTrue();
                first = path;
            }
            perPath[first]++;
        }
        assertThat(perPath[1]).isBetween(430, 570);
        s.assertAtRest();
    }

    @Test
    void switchesWithDifferentSeedsChooseDifferently() {
        TestSwitch[] both = {multipath(1), multipath(2)};
        int same = 0;
        for (TestSwitch s : both) {
            introduce(s, 1);
            introduce(s, 2);
            s.received();
        }
        for (int flow = 0; flow < 400; flow++) {
            int[] path = new int[2];
            for (int i = 0; i < 2; i++) {
                inject(both[i], 0, toRouter(0, IPV4, udp4(9, "192.168.3.4", flow, 10)));
                path[i] = both[i].received()[1];
            }
            same += path[0] == path[1] ? 1 : 0;
        }
        assertThat(same).isBetween(150, 250);
    }

    @Test
    void packetsOfOneFlowAreSprayedOverAllPathsAndAlikeWithTheSameSeed() {
        RoutedConfig.Paths paths = RoutedConfig.Paths.FLOW.withUnit(RoutedConfig.Paths.Unit.PACKET);
        String ways = ways(multipath(42, paths), 1000, 1_000);
        assertThat(ways.chars().filter(way -> way == '1').count()).isBetween(430L, 570L);
        assertThat(ways(multipath(42, paths), 1000, 1_000)).isEqualTo(ways);
        assertThat(ways(multipath(43, paths), 1000, 1_000)).isNotEqualTo(ways);
    }

    @Test
    void aFlowletStaysOnItsPathAndTheNextOneMayTakeAnother() {
        RoutedConfig.Paths paths =
                new RoutedConfig.Paths(RoutedConfig.Paths.Unit.FLOWLET, 20_000, 16);
        TestSwitch s = multipath(42, paths);
        StringBuilder paused = new StringBuilder();
        for (int flowlet = 0; flowlet < 200; flowlet++) {
            String ways = ways(s, 5, 1_000);
            assertThat(ways).as("flowlet %d", flowlet).isIn("11111", "22222");
            paused.append(ways.charAt(0));
            s.run(20_000);
        }
        assertThat(paused.chars().filter(way -> way == '1').count()).isBetween(70L, 130L);
        // Below the gap it is one flowlet, however long.
        assertThat(ways(s, 200, 19_000)).isIn("1".repeat(200), "2".repeat(200));
        assertThat(ways(s, 200, 20_000)).contains("12", "21");
        s.assertAtRest();
    }

    /** The port by which each packet of one flow leaves, sent at these intervals. */
    private static String ways(TestSwitch s, int packets, long intervalNs) {
        introduce(s, 1);
        introduce(s, 2);
        s.received();
        StringBuilder ways = new StringBuilder();
        for (int packet = 0; packet < packets; packet++) {
            s.hosts.get(0).inject(toRouter(0, IPV4, udp4(9, "192.168.3.4", 5, 10)));
            s.run(intervalNs);
            int[] got = s.received();
            assertThat(got[1] + got[2]).isEqualTo(1);
            ways.append(got[1] == 1 ? '1' : '2');
        }
        return ways.toString();
    }

    @Test
    void flowsGoTheOtherWayWhenAPathIsDownOrItsNeighbourSilent() {
        TestSwitch s = multipath(42);
        introduce(s, 1);
        s.received();
        for (int flow = 0; flow < 50; flow++) {
            inject(s, 0, toRouter(0, IPV4, udp4(9, "192.168.3.4", flow, 10)));
        }
        assertThat(s.received()[1]).isEqualTo(50);
        introduce(s, 2);
        s.wires.get(1).setUp(false);
        s.run(2_000_000);
        s.received();
        for (int flow = 0; flow < 50; flow++) {
            inject(s, 0, toRouter(0, IPV4, udp4(9, "192.168.3.4", flow, 10)));
        }
        assertThat(s.received()).containsExactly(0, 0, 50);
        s.wires.get(2).setUp(false);
        s.run(2_000_000);
        inject(s, 0, toRouter(0, IPV4, udp4(9, "192.168.3.4", 1, 10)));
        assertThat(s.drops("p0", DropReason.PORT_DOWN)).isEqualTo(1);
    }

    @Test
    void refusesWhatARouterMustNotForward() {
        TestSwitch s = router();
        introduce(s, 1);
        byte[] good = udp4(9, "10.0.1.2", 5, 10);
        byte[] badChecksum = good.clone();
        badChecksum[11] ^= 1;
        byte[] badLength = good.clone();
        badLength[2] = 0x7F;
        inject(s, 0, toRouter(0, IPV4, badChecksum));
        inject(s, 0, toRouter(0, IPV4, badLength));
        inject(s, 0, toRouter(0, IPV6, good));
        assertThat(s.drops("p0", DropReason.BAD_IP_HEADER)).isEqualTo(3);
        byte[] udp = Packets.udp(1, 2, new byte[4]);
        for (String source :
                new String[] {"127.0.0.1", "224.0.0.1", "0.0.0.0", "255.255.255.255"}) {
            inject(s, 0, toRouter(0, IPV4, Packets.ipv4(source, "10.0.1.2", 9, UDP, udp)));
        }
        for (String source : new String[] {"::", "::1", "ff02::5"}) {
            byte[] packet = Packets.ipv6(source, "2001:db8:1::2", 9, UDP, udp);
            inject(s, 0, toRouter(0, IPV6, packet));
        }
        assertThat(s.drops("p0", DropReason.BAD_SOURCE_IP)).isEqualTo(7);
        inject(s, 0, Packets.ethernet(HOST + 5, HOST, IPV4, good));
        inject(s, 0, Packets.ethernet(BROADCAST, HOST, IPV4, good));
        assertThat(s.drops("p0", DropReason.NOT_FOR_US)).isEqualTo(2);
        inject(s, 0, toRouter(0, 0x88B7, good));
        assertThat(s.drops("p0", DropReason.NOT_IP)).isEqualTo(1);
        byte[] tagged = Packets.join(Packets.words(0x000A, IPV4), good);
        inject(s, 0, toRouter(0, 0x8100, tagged));
        assertThat(s.drops("p0", DropReason.VLAN_NOT_ALLOWED)).isEqualTo(1);
        s.received();
        for (String never : new String[] {"10.0.1.255", "10.0.1.0", "127.0.0.1", "240.0.0.1"}) {
            inject(s, 0, toRouter(0, IPV4, udp4(9, never, 1, 10)));
        }
        byte[] linkLocal = Packets.ipv6("fe80::2", "2001:db8:1::2", 9, UDP, udp);
        inject(s, 0, toRouter(0, IPV6, linkLocal));
        assertThat(s.received()[1]).isZero();
        s.run(2_000_000);
        assertThat(s.drops("local", DropReason.NO_ROUTE)).isEqualTo(5);
        s.assertAtRest();
    }

    @Test
    void allocatesNothingPerFrameOnceWarm() {
        TestSwitch s = router();
        introduce(s, 1);
        Duty[] duties = s.engine.duties().toArray(Duty[]::new);
        byte[][] frames = {
            toRouter(0, IPV4, udp4(9, "10.0.1.2", 5, 100)),
            toRouter(0, IPV4, udp4(1, "10.0.1.2", 5, 100)),
            toRouter(0, IPV4, udp4(9, "172.16.0.1", 5, 100)),
            toRouter(
                    0,
                    IPV4,
                    Packets.ipv4(
                            "10.0.0.2", "10.0.0.1", 9, ICMP, Packets.echo(8, 1, 1, new byte[9]))),
        };
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long allocated = 0;
        for (int i = 0; i < 60_000; i++) {
            s.hosts.get(0).inject(frames[i % frames.length]);
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int round = 0; round < 6; round++) {
                s.nowNs += 500;
                for (Duty duty : duties) {
                    duty.doWork(s.nowNs);
                }
            }
            allocated =
                    i < 30_000 ? 0 : allocated + threads.getCurrentThreadAllocatedBytes() - before;
            if (i % 100 == 0) {
                s.received();
            }
        }
        assertThat(allocated).isZero();
    }

    @Test
    void survivesGarbageAndAccountsForEveryFrame() {
        long seed = 20260108;
        Random random = new Random(seed);
        TestSwitch s = router();
        long injected = 0;
        long collected = 0;
        for (int i = 0; i < 40_000; i++) {
            int port = random.nextInt(3);
            if (random.nextInt(2000) == 0) {
                s.wires.get(port).setUp(!s.wires.get(port).isUp());
            }
            injected += s.hosts.get(port).inject(garbage(random, port)) ? 1 : 0;
            if (random.nextInt(8) == 0) {
                s.nowNs += random.nextInt(200_000);
                s.settle();
                collected += Arrays.stream(s.received()).sum();
            }
        }
        s.wires.forEach(wire -> wire.setUp(true));
        leap(s, 5 * S);
        collected += Arrays.stream(s.received()).sum();
        s.assertAtRest();
        s.assertConserved(injected, collected, "seed " + seed);
    }

    private static byte[] garbage(Random random, int port) {
        String to = "10.0." + random.nextInt(4) + "." + random.nextInt(6);
        String from = "10.0." + port + "." + (2 + random.nextInt(4));
        String to6 = "2001:db8:" + random.nextInt(3) + "::" + random.nextInt(5);
        String from6 = "2001:db8:" + port + "::" + (2 + random.nextInt(4));
        byte[] data = new byte[random.nextInt(200)];
        byte[] frame =
                switch (random.nextInt(6)) {
                    case 0 ->
                            Packets.ethernet(
                                    random.nextBoolean() ? BROADCAST : PORT_MAC[port],
                                    HOST + port,
                                    ARP,
                                    Packets.arp(
                                            1 + random.nextInt(2),
                                            HOST + port,
                                            from,
                                            0,
                                            "10.0." + port + ".1"));
                    case 1 ->
                            toRouter(
                                    port,
                                    IPV6,
                                    Packets.ipv6(
                                            from6,
                                            "2001:db8::1",
                                            255,
                                            ICMPV6,
                                            Packets.discovery(
                                                    from6,
                                                    "2001:db8::1",
                                                    135 + random.nextInt(2),
                                                    0,
                                                    random.nextBoolean() ? "2001:db8::1" : from6,
                                                    HOST + port)));
                    case 2 ->
                            toRouter(
                                    port,
                                    IPV6,
                                    Packets.ipv6(from6, to6, random.nextInt(4), UDP, data));
                    case 3 ->
                            toRouter(
                                    port,
                                    IPV4,
                                    Packets.ipv4(from, to, 9, ICMP, Packets.echo(8, 1, 1, data)));
                    default ->
                            toRouter(
                                    port,
                                    IPV4,
                                    Packets.ipv4(from, to, random.nextInt(4), UDP, data));
                };
        for (int flips = random.nextInt(3); flips > 0; flips--) {
            frame[random.nextInt(frame.length)] = (byte) random.nextInt();
        }
        return random.nextInt(8) == 0
                ? Arrays.copyOf(frame, random.nextInt(frame.length + 1))
                : frame;
    }
}
