package io.headgate.dataplane.forwarding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.dataplane.engine.TestSwitch;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RouteTableTest {
    private record Prefix(long high, long low, int length, int value) {
        boolean matches(long toHigh, long toLow) {
            for (int bit = 0; bit < length; bit++) {
                long own = bit < 64 ? high >>> (63 - bit) : low >>> (127 - bit);
                long other = bit < 64 ? toHigh >>> (63 - bit) : toLow >>> (127 - bit);
                if (((own ^ other) & 1) != 0) {
                    return false;
                }
            }
            return true;
        }
    }

    @Test
    void longestPrefixWinsAsInANaiveSearchOverRandomTables() {
        long seed = 20260103;
        Random random = new Random(seed);
        for (int table = 0; table < 60; table++) {
            List<Prefix> prefixes = new ArrayList<>();
            PrefixTable.Builder builder = new PrefixTable.Builder();
            int count = random.nextInt(200);
            for (int i = 0; i < count; i++) {
                // Few distinct bits, so that prefixes nest and look-ups hit.
                Prefix prefix = new Prefix(bits(random), bits(random), random.nextInt(129), i);
                prefixes.add(prefix);
                builder.put(prefix.high, prefix.low, prefix.length, i);
            }
            PrefixTable built = builder.build();
            for (int i = 0; i < 500; i++) {
                long high = bits(random);
                long low = bits(random);
                if (count > 0 && random.nextBoolean()) {
                    Prefix near = prefixes.get(random.nextInt(count));
                    high = near.high;
                    low = near.low ^ (1L << random.nextInt(64));
                }
                assertThat(built.lookup(high, low))
                        .as("seed %d table %d: %x %x", seed, table, high, low)
                        .isEqualTo(naive(prefixes, high, low));
            }
        }
    }

    @Test
    void longestPrefixOfIpv4WinsAsInANaiveSearchOverRandomTables() {
        long seed = 20261121;
        Random random = new Random(seed);
        for (int table = 0; table < 60; table++) {
            List<Prefix> prefixes = new ArrayList<>();
            Ipv4PrefixTable.Builder builder = new Ipv4PrefixTable.Builder();
            int count = random.nextInt(300);
            for (int i = 0; i < count; i++) {
                int address = (int) bits(random);
                int length = random.nextInt(33);
                prefixes.add(new Prefix(0, IpAddress.ofIpv4(address), 96 + length, i));
                builder.put(address, length, i);
            }
            Ipv4PrefixTable built = builder.build();
            for (int i = 0; i < 500; i++) {
                int address =
                        count > 0 && random.nextBoolean()
                                ? (int) prefixes.get(random.nextInt(count)).low
                                        ^ (1 << random.nextInt(32))
                                : (int) bits(random);
                assertThat(built.lookup(address))
                        .as("seed %d table %d: %x", seed, table, address)
                        .isEqualTo(naive(prefixes, 0, IpAddress.ofIpv4(address)));
            }
        }
    }

    @Test
    void manyPrefixesOfALengthAreAllFoundAndNoOthers() {
        Ipv4PrefixTable.Builder builder = new Ipv4PrefixTable.Builder();
        for (int i = 0; i < 10_000; i++) {
            builder.put(0x0A00_0000 + 2 * i, 32, i);
        }
        builder.put(0x0B00_0000, 8, 20_000);
        Ipv4PrefixTable built = builder.build();
        assertThat(built.size()).isEqualTo(10_001);
        for (int i = 0; i < 10_000; i++) {
            assertThat(built.lookup(0x0A00_0000 + 2 * i)).isEqualTo(i);
            assertThat(built.lookup(0x0A00_0001 + 2 * i)).isEqualTo(Ipv4PrefixTable.NONE);
        }
        assertThat(built.lookup(0x0B12_3456)).isEqualTo(20_000);
        assertThat(new Ipv4PrefixTable.Builder().build().lookup(1)).isEqualTo(Ipv4PrefixTable.NONE);
    }

    @Test
    void routesByTheSameNextHopsShareAGroup() {
        RouteTable table =
                RouteTable.of(
                        TestSwitch.routed(
                                List.of(List.of("10.0.0.1/24"), List.of("10.0.1.1/24")),
                                List.of(
                                        TestSwitch.route("10.1.0.0/16", "10.0.0.9", "10.0.1.9"),
                                        TestSwitch.route("10.2.0.0/16", "10.0.0.9", "10.0.1.9"),
                                        TestSwitch.route("10.3.0.0/16", "10.0.1.9", "10.0.0.9")),
                                1));
        int group = table.lookupIpv4(v4("10.1.2.3"));
        assertThat(table.lookupIpv4(v4("10.2.2.3"))).isEqualTo(group);
        assertThat(table.hops(group)).isEqualTo(2);
        assertThat(table.port(group, 1)).isEqualTo(1);
        int other = table.lookupIpv4(v4("10.3.2.3"));
        assertThat(other).isNotEqualTo(group);
        assertThat(table.port(other, 0)).isEqualTo(1);
    }

    private static long bits(Random random) {
        return random.nextLong() & 0x8001_8001_8001_8003L;
    }

    private static int naive(List<Prefix> prefixes, long high, long low) {
        int best = -1;
        int bestLength = -1;
        for (Prefix prefix : prefixes) {
            if (prefix.length >= bestLength && prefix.matches(high, low)) {
                best = prefix.value;
                bestLength = prefix.length;
            }
        }
        return best;
    }

    @Test
    void configurationBecomesNetworksRoutesAndOwnAddresses() {
        RouteTable table =
                RouteTable.of(
                        TestSwitch.withAddress(
                                TestSwitch.routed(
                                        List.of(
                                                List.of("10.0.0.1/24", "2001:db8::1/64"),
                                                List.of("10.0.1.1/24")),
                                        List.of(
                                                TestSwitch.route(
                                                        "0.0.0.0/0", "10.0.0.9", "10.0.1.9"),
                                                TestSwitch.route("2001:db8:5::/48", "2001:db8::9")),
                                        1),
                                "192.0.2.1/32"));
        int connected = table.lookupIpv4(v4("10.0.1.77"));
        assertThat(table.port(connected, 0)).isEqualTo(1);
        assertThat(table.low(connected, 0)).isZero();
        int any = table.lookupIpv4(v4("8.8.8.8"));
        assertThat(table.hops(any)).isEqualTo(2);
        assertThat(table.port(any, 1)).isEqualTo(1);
        assertThat(table.low(any, 1)).isEqualTo(IpAddress.ofIpv4(v4("10.0.1.9")));
        assertThat(table.lookupIpv4(v4("10.0.0.1"))).isEqualTo(RouteTable.LOCAL);
        assertThat(table.lookupIpv4(v4("192.0.2.1"))).isEqualTo(RouteTable.LOCAL);
        assertThat(table.lookupIpv4(v4("10.0.0.255"))).isEqualTo(RouteTable.DISCARD);
        assertThat(table.lookupIpv4(v4("10.0.0.0"))).isEqualTo(RouteTable.DISCARD);
        assertThat(table.lookupIpv6(0x2001_0DB8_0005_0000L, 5)).isGreaterThan(RouteTable.DISCARD);
        assertThat(table.lookupIpv6(0x2001_0DB8_0000_0000L, 1)).isEqualTo(RouteTable.LOCAL);
        assertThat(table.lookupIpv6(0x2001_0DB8_0006_0000L, 5)).isEqualTo(RouteTable.NO_ROUTE);
    }

    @Test
    void nextHopOnNoNetworkIsRefused() {
        assertThatThrownBy(() ->
                        RouteTable.of(
                                TestSwitch.routed(
                                        List.of(List.of("10.0.0.1/24")),
                                        List.of(TestSwitch.route("10.9.0.0/16", "10.1.0.9")),
                                        1)))
                .hasMessage("next hop 10.1.0.9 is on no port's network");
    }

    private static int v4(String address) {
        return (int) IpAddress.low(InetAddress.ofLiteral(address));
    }
}
