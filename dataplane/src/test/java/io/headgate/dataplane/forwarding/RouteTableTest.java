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
