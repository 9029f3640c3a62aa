package io.headgate.dataplane.engine;

import static io.headgate.dataplane.engine.Packets.ARP;
import static io.headgate.dataplane.engine.Packets.BROADCAST;
import static io.headgate.dataplane.engine.Packets.ICMPV6;
import static io.headgate.dataplane.engine.Packets.IPV4;
import static io.headgate.dataplane.engine.Packets.IPV6;
import static io.headgate.dataplane.engine.Packets.UDP;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.forwarding.NeighbourTable;
import io.headgate.dataplane.forwarding.SwitchAddresses;
import io.headgate.dataplane.memory.DropReason;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What one port asks of a router's address resolution leaves the other ports theirs (RFC 6583).
 * Port p has 10.p.0.1/16 and 2001:db8:p::1/64; p0 floods, hosts at p1 and p2 go on.
 */
class ResolutionBudgetTest {
    private static final long HOST = 0x0200_0000_0000L;
    private static final long S = 1_000_000_000L;
    private static final int FLOOD_PER_SEC = 12_000;
    private static final int FLOOD_SECONDS = 2;

    /** What p0 sends, ever new. */
    enum Flood {
        PACKETS_TO_ADDRESSES_THAT_NOBODY_HAS {
            @Override
            byte[] frame(int number) {
                String target = "10.1." + (100 + number / 250) + "." + (1 + number % 250);
                byte[] packet =
                        Packets.ipv4("10.0.0.2", target, 9, UDP, Packets.udp(1, 7, new byte[18]));
                return Packets.ethernet(mac(0), HOST, IPV4, packet);
            }
        },
        IPV6_PACKETS_TO_ADDRESSES_THAT_NOBODY_HAS {
            @Override
            byte[] frame(int number) {
                String target = "2001:db8:1::1:" + Integer.toHexString(number);
                byte[] udp = Packets.udp(1, 7, new byte[18]);
                byte[] packet = Packets.ipv6("2001:db8:0::2", target, 9, UDP, udp);
                return Packets.ethernet(mac(0), HOST, IPV6, packet);
            }
        },
        ARP_REQUESTS_OF_NEW_SENDERS {
            @Override
            byte[] frame(int number) {
                String sender = "10.0." + (100 + number / 250) + "." + (1 + number % 250);
                byte[] ask = Packets.arp(1, HOST + 99, sender, 0, "10.0.0.1");
                return Packets.ethernet(BROADCAST, HOST + 99, ARP, ask);
            }
        },
        SOLICITATIONS_OF_NEW_SENDERS {
            @Override
            byte[] frame(int number) {
                String sender = "2001:db8:0::1:" + Integer.toHexString(number);
                String group = "ff02::1:ff00:1";
                byte[] ask = Packets.discovery(sender, group, 135, 0, "2001:db8:0::1", HOST + 99);
                byte[] packet = Packets.ipv6(sender, group, 255, ICMPV6, ask);
                return Packets.ethernet(0x3333_FF00_0001L, HOST + 99, IPV6, packet);
            }
        };

        abstract byte[] frame(int number);
    }

    /** Time passes in leaps here, which the pacers make up. */
    private final TestSwitch s =
            new TestSwitch(
                    config(ConfigDefaults.ROUTED.neighbourEntries()),
                    WorkerPlan.single(3),
                    S / 100);

    private int flooded;

    private static SwitchConfig config(int neighbourEntries) {
        SwitchConfig plain =
                TestSwitch.routed(
                        List.of(
                                List.of("10.0.0.1/16", "2001:db8:0::1/64"),
                                List.of("10.1.0.1/16", "2001:db8:1::1/64"),
                                List.of("10.2.0.1/16", "2001:db8:2::1/64")),
                        List.of(),
                        1);
        return plain.withRouted(
                ConfigDefaults.ROUTED
                        .withNeighbourTimeoutNs(60 * S)
                        .withNeighbourEntries(neighbourEntries));
    }

    private static long mac(int port) {
        return SwitchAddresses.mac("test", port);
    }

    private static void introduce(TestSwitch s, int port, int number) {
        byte[] ask =
                Packets.arp(
                        1, HOST + port, "10." + port + ".0." + number, 0, "10." + port + ".0.1");
        s.hosts.get(port).inject(Packets.ethernet(BROADCAST, HOST + port, ARP, ask));
        s.run(5_000);
        s.received();
    }

    /** A packet from p2 to a host of p1, with a number. */
    private void sendToP1(String destination, int number) {
        byte[] udp = Packets.udp(number, 7, new byte[18]);
        byte[] packet = Packets.ipv4("10.2.0.2", destination, 9, UDP, udp);
        assertThat(s.hosts.get(2).inject(Packets.ethernet(mac(2), HOST + 2, IPV4, packet)))
                .isTrue();
    }

    /** Lets p0 flood for a time, a frame every 83 µs; the hosts at p1 answer what is asked. */
    private int floodFor(Flood flood, long durationNs, String answering) {
        int delivered = 0;
        for (long endNs = s.nowNs + durationNs; s.nowNs < endNs; ) {
            s.hosts.get(0).inject(flood.frame(flooded++ % 30_000));
            for (int part = 0; part < 4; part++) {
                s.nowNs += S / FLOOD_PER_SEC / 4;
                s.settle();
            }
            delivered += answer(answering);
            while (s.hosts.get(0).collect() != null) {}
            while (s.hosts.get(2).collect() != null) {}
        }
        return delivered;
    }

    /** The host of this address at p1 says its MAC address where it is asked for. */
    private int answer(String address) {
        int delivered = 0;
        for (byte[] frame = s.hosts.get(1).collect();
                frame != null;
                frame = s.hosts.get(1).collect()) {
            byte[] target = Arrays.copyOfRange(frame, 38, 42);
            int type = ByteBuffer.wrap(frame).getShort(12) & 0xFFFF;
            if (type == ARP && Arrays.equals(target, Packets.ip(address))) {
                byte[] reply = Packets.arp(2, HOST + 1, address, mac(1), "10.1.0.1");
                s.hosts.get(1).inject(Packets.ethernet(mac(1), HOST + 1, ARP, reply));
            } else if (type == IPV4
                    && Arrays.equals(Arrays.copyOfRange(frame, 30, 34), Packets.ip(address))) {
                delivered++;
            }
        }
        return delivered;
    }

    @ParameterizedTest
    @EnumSource(Flood.class)
    void knownNeighboursAndOtherPortsNewOnesResolveDuringAFlood(Flood flood) {
        introduce(s, 1, 2);
        introduce(s, 2, 2);
        floodFor(flood, S, "10.1.0.2");
        for (int i = 0; i < 20; i++) {
            sendToP1("10.1.0.2", i);
            assertThat(floodFor(flood, S / 100, "10.1.0.2")).as("to the known one").isEqualTo(1);
            String fresh = "10.1.1." + (1 + i);
            sendToP1(fresh, i);
            assertThat(floodFor(flood, S * FLOOD_SECONDS / 40, fresh)).as(fresh).isEqualTo(1);
        }
        // And a neighbour that speaks first is learned.
        int learned = (int) s.total("neighbour.learned");
        introduce(s, 2, 3);
        assertThat(s.total("neighbour.learned")).isEqualTo(learned + 1);
        assertThat(s.total("neighbour.refused")).isPositive();
        NeighbourTable table = Objects.requireNonNull(s.engine.neighbours());
        assertThat(table.size())
                .isLessThanOrEqualTo(ConfigDefaults.ROUTED.neighbourEntries() * 4 / 5 + 30);
        assertThat(s.drops("local", DropReason.LOCAL_INBOX_FULL)).isZero();
        // Whatever the flood used is given back, so that the next one finds the same.
        rest(70 * S);
        assertThat(table.size()).isZero();
        s.assertAtRest();
    }

    private void rest(long durationNs) {
        for (long endNs = s.nowNs + durationNs; s.nowNs < endNs; ) {
            s.nowNs += S / 1000;
            s.settle();
            s.received();
        }
    }

    @Test
    void scanMakesNoMoreRequestsThanItsPortMay() {
        introduce(s, 1, 2);
        floodFor(Flood.PACKETS_TO_ADDRESSES_THAT_NOBODY_HAS, 3 * S, "10.1.0.2");
        // 256 at a time, each asked for three times in three seconds.
        assertThat(s.total("neighbour.requests")).isLessThanOrEqualTo(3 * 256);
        NeighbourTable table = Objects.requireNonNull(s.engine.neighbours());
        assertThat(table.size()).isLessThanOrEqualTo(256 + 1);
    }

    @Test
    void tableIsLookedThroughAPartACall() {
        TestSwitch large = new TestSwitch(config(65_536));
        Duty owner = large.engine.duties().getLast();
        introduce(large, 1, 2);
        large.nowNs = owner.deadlineNs();
        int calls = 0;
        do {
            assertThat(owner.doWork(large.nowNs)).isEqualTo(1);
            calls++;
        } while (owner.deadlineNs() <= large.nowNs && calls < 100);
        assertThat(calls).isEqualTo(131_072 / 8_192);
        assertThat(owner.deadlineNs()).isEqualTo(large.nowNs + S / 10);
        assertThat(owner.doWork(large.nowNs)).isZero();
    }

    /** Neighbours asked for, or not asked for because no buffer was free, or given up. */
    private long lookedAt() {
        return s.total("neighbour.requests") + s.total("local.refused") + s.total("neighbour.lost");
    }

    @Test
    void neighboursAreGivenUpAPartACallAndOnlyIfTheyWereAsked() {
        int neighbours = 2_000;
        for (int i = 0; i < neighbours; i++) {
            s.hosts.get(0).inject(Flood.ARP_REQUESTS_OF_NEW_SENDERS.frame(i));
            s.run(2_000);
            s.received();
        }
        assertThat(s.total("neighbour.learned")).isEqualTo(neighbours);
        Duty owner = s.engine.duties().getLast();
        long requests = s.total("neighbour.requests");
        for (long endNs = 75 * S; s.nowNs < endNs; s.nowNs += S / 100) {
            do {
                long before = lookedAt();
                owner.doWork(s.nowNs);
                assertThat(lookedAt() - before).isLessThanOrEqualTo(128);
            } while (owner.deadlineNs() <= s.nowNs);
            s.settle();
            s.received();
        }
        assertThat(s.total("neighbour.lost")).isEqualTo(neighbours);
        // More were due at a time than there are buffers; each was asked three times nevertheless.
        assertThat(s.total("local.refused")).isPositive();
        assertThat(s.total("neighbour.requests") - requests).isEqualTo(3L * neighbours);
        assertThat(s.total("neighbour.entries")).isZero();
    }
}
