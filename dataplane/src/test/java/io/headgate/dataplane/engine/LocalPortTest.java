package io.headgate.dataplane.engine;

import static io.headgate.dataplane.engine.Packets.ARP;
import static io.headgate.dataplane.engine.Packets.BROADCAST;
import static io.headgate.dataplane.engine.Packets.ICMP;
import static io.headgate.dataplane.engine.Packets.ICMPV6;
import static io.headgate.dataplane.engine.Packets.IPV4;
import static io.headgate.dataplane.engine.Packets.IPV6;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.PortConfig;
import io.headgate.config.PortConfig.VlanConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.capture.Tap;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.forwarding.SwitchAddresses;
import io.headgate.dataplane.frame.Checksum;
import io.headgate.dataplane.local.LocalPortDevice;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.pcap4j.packet.EthernetPacket;
import org.pcap4j.packet.IcmpV4CommonPacket;
import org.pcap4j.packet.IcmpV4EchoReplyPacket;
import org.pcap4j.packet.IpV4Packet;

/** What a bridge answers for its own address. */
class LocalPortTest {
    private static final long HOST = 0x0200_0000_0001L;
    private static final long SWITCH = SwitchAddresses.mac("test", -1);
    private static final long LLDP_BRIDGE = 0x0180_C200_000EL;
    private static final int LLDP = 0x88CC;
    private static final String IP = "10.0.0.254";
    private static final String IP6 = "2001:db8::254";

    private static TestSwitch ipv4() {
        return new TestSwitch(TestSwitch.withAddress(TestSwitch.bridge(3), IP + "/24"));
    }

    private static TestSwitch ipv6() {
        return new TestSwitch(TestSwitch.withAddress(TestSwitch.bridge(3), IP6 + "/64"));
    }

    private static void send(TestSwitch s, byte[] frame) {
        assertThat(s.hosts.get(0).inject(frame)).isTrue();
        s.run(20_000);
    }

    @Test
    void macIsStableLocallyAdministeredAndOfTheNameAndPort() {
        assertThat(SWITCH).isEqualTo(0x02AF_D071_E500L);
        assertThat(SwitchAddresses.mac("test", 3)).isEqualTo(0x02AF_D071_E504L);
        assertThat(SwitchAddresses.mac("tesu", -1)).isNotEqualTo(SWITCH);
    }

    @Test
    void answersAnArpRequestByteForByte() {
        TestSwitch s = ipv4();
        byte[] request = Packets.arp(1, HOST, "10.0.0.1", 0, IP);
        byte[] frame = Packets.ethernet(BROADCAST, HOST, ARP, request);
        Arrays.fill(frame, 42, 60, (byte) 0x5A);
        send(s, frame);
        byte[] reply = Packets.arp(2, SWITCH, IP, HOST, "10.0.0.1");
        assertThat(s.collect(0)).isEqualTo(Packets.ethernet(HOST, SWITCH, ARP, reply));
        assertThat(s.received()).containsExactly(0, 1, 1);
        s.assertAtRest();
        s.assertConserved(1, 3, "");
    }

    @Test
    void whatTheSwitchSaysToANeighbourLeavesByThatPortAloneAndUntagged() {
        List<PortConfig> ports = new ArrayList<>();
        ports.add(TestSwitch.port("p0", VlanConfig.DEFAULT));
        ports.add(TestSwitch.port("p1", new VlanConfig(VlanConfig.Mode.TRUNK, 5, List.of(1, 5))));
        ports.add(TestSwitch.port("p2", VlanConfig.DEFAULT));
        SwitchConfig bridge = TestSwitch.bridge(ports, 1_000_000);
        TestSwitch s = new TestSwitch(TestSwitch.withAddress(bridge, IP + "/24"));
        byte[] lldp = Packets.ethernet(LLDP_BRIDGE, SWITCH, LLDP, new byte[100]);
        LocalPortDevice device = Objects.requireNonNull(s.engine.localDevice());
        assertThat(device.send(MemorySegment.ofArray(lldp), 0, lldp.length, 1)).isTrue();
        s.run(20_000);
        assertThat(s.collect(1)).isEqualTo(lldp);
        assertThat(s.received()).containsExactly(0, 0, 0);
        s.assertAtRest();
    }

    @Test
    void capturesShowWhatTheSwitchItselfDrops() {
        TestSwitch s = ipv4();
        List<String> seen = new ArrayList<>();
        int local = s.engine.localPort();
        s.engine
                .egress(local)
                .tap(
                        new Tap() {
                            @Override
                            public void received(int port, Frame frame, long nowNs) {}

                            @Override
                            public void transmitted(int port, int queue, Frame frame, long nowNs) {}

                            @Override
                            public void dropped(
                                    int port, DropReason reason, Frame frame, long nowNs) {
                                seen.add(port + " " + reason + " " + frame.lengthBytes);
                            }
                        });
        byte[] unknown = Packets.ethernet(SWITCH, HOST, 0x88B6, new byte[100]);
        send(s, unknown);
        assertThat(seen).containsExactly(local + " LOCAL_UNHANDLED " + unknown.length);
        s.engine.egress(local).tap(null);
        send(s, unknown);
        assertThat(seen).hasSize(1);
        s.assertAtRest();
    }

    @Test
    void leavesArpForOthersAlone() {
        TestSwitch s = ipv4();
        send(
                s,
                Packets.ethernet(
                        BROADCAST, HOST, ARP, Packets.arp(1, HOST, "10.0.0.1", 0, "10.0.0.2")));
        assertThat(s.received()).containsExactly(0, 1, 1);
        assertThat(s.total("local.consumed")).isEqualTo(1);
        s.assertAtRest();
    }

    @Test
    void answersPingWithRightChecksumsAtEverySize() throws Exception {
        TestSwitch s = ipv4();
        Random random = new Random(7);
        for (int size = 0; size <= 1472; size += size < 64 ? 1 : 97) {
            byte[] data = new byte[size];
            random.nextBytes(data);
            byte[] packet = Packets.ipv4("10.0.0.1", IP, 3, ICMP, Packets.echo(8, 77, size, data));
            send(s, Packets.ethernet(SWITCH, HOST, IPV4, packet));
            byte[] reply = s.collect(0);
            byte[] expected =
                    Packets.ipv4(IP, "10.0.0.1", 64, ICMP, Packets.echo(0, 77, size, data));
            assertThat(reply).isEqualTo(Packets.ethernet(HOST, SWITCH, IPV4, expected));
            EthernetPacket parsed = EthernetPacket.newPacket(reply, 0, reply.length);
            assertThat(parsed.get(IpV4Packet.class).getHeader().hasValidChecksum(false)).isTrue();
            assertThat(parsed.get(IcmpV4CommonPacket.class).hasValidChecksum(false)).isTrue();
            assertThat(parsed.contains(IcmpV4EchoReplyPacket.class)).isTrue();
            MemorySegment bytes = MemorySegment.ofArray(reply);
            assertThat(Checksum.finish(Checksum.sum(bytes, 34, 8 + size))).isZero();
        }
        s.assertAtRest();
    }

    @Test
    void doesNotAnswerWhatIsWrong() {
        TestSwitch s = ipv4();
        byte[] good = Packets.ipv4("10.0.0.1", IP, 3, ICMP, Packets.echo(8, 1, 1, new byte[8]));
        byte[] badHeader = good.clone();
        badHeader[10] ^= 1;
        byte[] badMessage = good.clone();
        badMessage[22] ^= 1;
        byte[] fragment =
                Packets.ipv4("10.0.0.1", IP, 3, ICMP, 0x2001, Packets.echo(8, 1, 1, new byte[8]));
        byte[] fromGroup =
                Packets.ipv4("224.0.0.1", IP, 3, ICMP, Packets.echo(8, 1, 1, new byte[8]));
        for (byte[] packet : new byte[][] {badHeader, badMessage, fragment, fromGroup}) {
            send(s, Packets.ethernet(SWITCH, HOST, IPV4, packet));
        }
        send(s, Packets.ethernet(SWITCH, HOST, 0x88B7, new byte[50]));
        assertThat(s.received()).containsExactly(0, 0, 0);
        s.run(2_000_000);
        assertThat(s.drops("local", DropReason.LOCAL_UNHANDLED)).isEqualTo(5);
        s.assertConserved(5, 0, "");
    }

    @Test
    void tellsAUdpSenderThatNoPortIsOpen() {
        TestSwitch s = ipv4();
        byte[] packet =
                Packets.ipv4("10.0.0.1", IP, 1, Packets.UDP, Packets.udp(9, 33434, new byte[9]));
        send(s, Packets.ethernet(SWITCH, HOST, IPV4, packet));
        byte[] error = Packets.ipv4(IP, "10.0.0.1", 64, ICMP, Packets.icmp(3, 3, 0, packet));
        assertThat(s.collect(0)).isEqualTo(Packets.ethernet(HOST, SWITCH, IPV4, error));
        s.run(2_000_000);
        s.assertConserved(1, 1, "");
    }

    @Test
    void answersNeighbourSolicitationsByteForByte() {
        TestSwitch s = ipv6();
        String solicited = "ff02::1:ff00:254";
        byte[] message = Packets.discovery("2001:db8::1", solicited, 135, 0, IP6, HOST);
        byte[] packet = Packets.ipv6("2001:db8::1", solicited, 255, ICMPV6, message);
        send(s, Packets.ethernet(0x3333_FF00_0254L, HOST, IPV6, packet));
        byte[] answer = Packets.discovery(IP6, "2001:db8::1", 136, 0x60, IP6, SWITCH);
        byte[] expected = Packets.ipv6(IP6, "2001:db8::1", 255, ICMPV6, answer);
        assertThat(s.collect(0)).isEqualTo(Packets.ethernet(HOST, SWITCH, IPV6, expected));
        s.assertAtRest();
    }

    @Test
    void tellsEverybodyWhenAHostTriesToTakeItsAddress() {
        TestSwitch s = ipv6();
        String solicited = "ff02::1:ff00:254";
        byte[] bare =
                Packets.icmpv6(
                        "::",
                        solicited,
                        Packets.join(Packets.words(135 << 8, 0, 0, 0), Packets.ip(IP6)));
        byte[] packet = Packets.ipv6("::", solicited, 255, ICMPV6, bare);
        send(s, Packets.ethernet(0x3333_FF00_0254L, HOST, IPV6, packet));
        byte[] answer = Packets.discovery(IP6, "ff02::1", 136, 0x20, IP6, SWITCH);
        byte[] expected = Packets.ipv6(IP6, "ff02::1", 255, ICMPV6, answer);
        assertThat(s.collect(0))
                .isEqualTo(Packets.ethernet(0x3333_0000_0001L, SWITCH, IPV6, expected));
    }

    @Test
    void ignoresSolicitationsFromBeyondTheLink() {
        TestSwitch s = ipv6();
        String solicited = "ff02::1:ff00:254";
        byte[] message = Packets.discovery("2001:db8::1", solicited, 135, 0, IP6, HOST);
        byte[] packet = Packets.ipv6("2001:db8::1", solicited, 254, ICMPV6, message);
        send(s, Packets.ethernet(0x3333_FF00_0254L, HOST, IPV6, packet));
        assertThat(s.received()).containsExactly(0, 1, 1);
    }

    @Test
    void answersPingOverIpv6AndOnItsLinkLocalAddress() {
        TestSwitch s = ipv6();
        // EUI-64 of 02:af:d0:71:e5:00, with the universal bit turned.
        for (String own : new String[] {IP6, "fe80::af:d0ff:fe71:e500"}) {
            byte[] data = {1, 2, 3, 4, 5};
            byte[] asked = Packets.echo6("2001:db8::1", own, 128, 9, data);
            byte[] packet = Packets.ipv6("2001:db8::1", own, 9, ICMPV6, asked);
            send(s, Packets.ethernet(SWITCH, HOST, IPV6, packet));
            byte[] answer = Packets.echo6(own, "2001:db8::1", 129, 9, data);
            byte[] expected = Packets.ipv6(own, "2001:db8::1", 64, ICMPV6, answer);
            assertThat(s.collect(0)).isEqualTo(Packets.ethernet(HOST, SWITCH, IPV6, expected));
        }
        s.assertAtRest();
    }

    @Test
    void nobodyCanMoveItsMacAddressAway() {
        TestSwitch s = ipv4();
        send(s, Packets.ethernet(HOST + 1, SWITCH, 0x88B7, new byte[50]));
        s.received();
        send(s, Packets.ethernet(BROADCAST, HOST, ARP, Packets.arp(1, HOST, "10.0.0.1", 0, IP)));
        assertThat(s.received()).containsExactly(1, 1, 1);
    }

    @Test
    void countsWhatArrivesFasterThanItIsHandled() {
        TestSwitch s = ipv4();
        byte[] packet = Packets.ipv4("10.0.0.1", IP, 3, ICMP, Packets.echo(8, 1, 1, new byte[8]));
        byte[] frame = Packets.ethernet(SWITCH, HOST, IPV4, packet);
        LocalPortDevice local = Objects.requireNonNull(s.engine.localDevice());
        // The local port's ingress half, which handles what arrived, is not called.
        Duty localIngress = s.engine.duties().get(2 * s.engine.localPort());
        for (int i = 0; i < 400; i++) {
            s.hosts.get(0).inject(frame);
        }
        for (int round = 0; round < 400; round++) {
            for (Duty duty : s.engine.duties()) {
                if (!duty.equals(localIngress)) {
                    duty.doWork(s.nowNs);
                }
            }
            s.nowNs += 1_000;
        }
        // Half of them: the rest is for senders at other ports.
        assertThat(local.usedBuffers()).isEqualTo(64);
        s.hosts.get(1).inject(Packets.ethernet(SWITCH, HOST + 1, IPV4, packet));
        for (Duty duty : s.engine.duties()) {
            if (!duty.equals(localIngress)) {
                duty.doWork(s.nowNs);
            }
        }
        assertThat(local.usedBuffers()).isEqualTo(65);
        s.run(3_000_000);
        assertThat(s.received()).containsExactly(64, 1, 0);
        assertThat(s.drops("local", DropReason.LOCAL_INBOX_FULL)).isPositive();
        s.assertAtRest();
        s.assertConserved(401, 65, "");
    }

    @Test
    void answersNoEchoOfItsOwnAddressOrOfABroadcast() {
        TestSwitch s = ipv4();
        String[] sources = {
            IP, "10.0.0.255", "10.0.0.0", "255.255.255.255", "224.0.0.1", "127.0.0.1", "0.0.0.0"
        };
        byte[] echo = Packets.echo(8, 1, 1, new byte[8]);
        byte[] udp = Packets.udp(9, 33434, new byte[9]);
        for (String source : sources) {
            byte[] ping = Packets.ipv4(source, IP, 64, ICMP, echo);
            send(s, Packets.ethernet(SWITCH, HOST, IPV4, ping));
            send(s, Packets.ethernet(BROADCAST, HOST, IPV4, ping));
            // Nor is such a one told that no port is open.
            byte[] datagram = Packets.ipv4(source, IP, 64, Packets.UDP, udp);
            send(s, Packets.ethernet(SWITCH, HOST, IPV4, datagram));
        }
        s.run(1_000_000);
        assertThat(s.hosts.get(0).collect()).isNull();
        assertThat(s.total("local.answered")).isZero();
        assertThat(s.total("local.originated")).isZero();
        assertThat(s.drops("local", DropReason.LOCAL_UNHANDLED)).isEqualTo(2L * sources.length);
        // With another prefix length, these are addresses of hosts.
        send(
                s,
                Packets.ethernet(
                        SWITCH, HOST, IPV4, Packets.ipv4("10.0.1.255", IP, 64, ICMP, echo)));
        assertThat(s.total("local.answered")).isEqualTo(1);
    }

    @Test
    void answersNoEchoOfItsOwnAddressOverIpv6() {
        TestSwitch s = ipv6();
        String linkLocal = "fe80::af:d0ff:fe71:e500";
        for (String source : new String[] {IP6, linkLocal, "ff02::1", "::", "::1"}) {
            for (String target : new String[] {IP6, linkLocal}) {
                byte[] echo = Packets.echo6(source, target, 128, 1, new byte[8]);
                byte[] ping = Packets.ipv6(source, target, 64, ICMPV6, echo);
                send(s, Packets.ethernet(SWITCH, HOST, IPV6, ping));
            }
        }
        assertThat(s.total("local.answered")).isZero();
        assertThat(s.drops("local", DropReason.LOCAL_UNHANDLED)).isZero();
        s.run(1_000_000);
        assertThat(s.drops("local", DropReason.LOCAL_UNHANDLED)).isEqualTo(10);
        assertThat(s.hosts.get(0).collect()).isNull();
    }

    @Test
    void carriesFramesThatTheSwitchItselfMakes() {
        TestSwitch s = ipv4();
        LocalPortDevice local = Objects.requireNonNull(s.engine.localDevice());
        byte[] frame = Packets.ethernet(BROADCAST, SWITCH, 0x88B7, new byte[20]);
        assertThat(local.send(MemorySegment.ofArray(frame), 0, 34, -1)).isTrue();
        assertThat(local.send(MemorySegment.ofArray(new byte[4000]), 0, 4000, -1)).isFalse();
        s.run(20_000);
        assertThat(s.collect(2)).isEqualTo(frame);
        assertThat(s.total("local.originated")).isEqualTo(1);
        assertThat(s.total("local.refused")).isEqualTo(1);
        assertThat(local.info().oneWorker()).isTrue();
        assertThat(local.receiveFd()).isEqualTo(PortDevice.FED_FROM_WITHIN);
    }

    @Test
    void survivesGarbageAndAccountsForEveryFrame() {
        long seed = 20260102;
        Random random = new Random(seed);
        for (TestSwitch s : new TestSwitch[] {ipv4(), ipv6()}) {
            long injected = 0;
            long collected = 0;
            for (int i = 0; i < 20_000; i++) {
                byte[] frame = garbage(random);
                injected += s.hosts.get(random.nextInt(3)).inject(frame) ? 1 : 0;
                if (random.nextInt(8) == 0) {
                    s.nowNs += random.nextInt(20_000);
                    s.settle();
                    for (int count : s.received()) {
                        collected += count;
                    }
                }
            }
            s.run(10_000_000);
            for (int count : s.received()) {
                collected += count;
            }
            s.assertAtRest();
            s.assertConserved(injected, collected, "seed " + seed);
        }
    }

    /** A sound request for the switch, and then not quite. */
    private static byte[] garbage(Random random) {
        byte[] data = new byte[random.nextInt(80)];
        byte[] frame =
                switch (random.nextInt(4)) {
                    case 0 ->
                            Packets.ethernet(
                                    BROADCAST, HOST, ARP, Packets.arp(1, HOST, "10.0.0.1", 0, IP));
                    case 1 ->
                            Packets.ethernet(
                                    SWITCH,
                                    HOST,
                                    IPV4,
                                    Packets.ipv4(
                                            "10.0.0.1", IP, 9, ICMP, Packets.echo(8, 1, 1, data)));
                    case 2 ->
                            Packets.ethernet(
                                    SWITCH,
                                    HOST,
                                    IPV6,
                                    Packets.ipv6(
                                            "2001:db8::1",
                                            IP6,
                                            9,
                                            ICMPV6,
                                            Packets.echo6("2001:db8::1", IP6, 128, 1, data)));
                    default ->
                            Packets.ethernet(
                                    SWITCH,
                                    HOST,
                                    IPV6,
                                    Packets.ipv6(
                                            "2001:db8::1",
                                            IP6,
                                            255,
                                            ICMPV6,
                                            Packets.discovery(
                                                    "2001:db8::1", IP6, 135, 0, IP6, HOST)));
                };
        for (int flips = random.nextInt(4); flips > 0; flips--) {
            frame[random.nextInt(frame.length)] = (byte) random.nextInt();
        }
        return random.nextInt(4) == 0
                ? Arrays.copyOf(frame, random.nextInt(frame.length + 1))
                : frame;
    }
}
