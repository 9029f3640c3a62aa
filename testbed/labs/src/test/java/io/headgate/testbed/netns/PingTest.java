package io.headgate.testbed.netns;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What ping of iputils says, as it says it. */
class PingTest {
    @Test
    void roundTripsAreReadWhereAllCameBack() {
        Ping.Outcome outcome =
                Ping.parse(
                        1,
                        2,
                        2,
                        """
                        PING 127.0.0.1 (127.0.0.1) 56(84) bytes of data.
                        64 bytes from 127.0.0.1: icmp_seq=1 ttl=64 time=0.141 ms
                        64 bytes from 127.0.0.1: icmp_seq=2 ttl=64 time=0.039 ms

                        --- 127.0.0.1 ping statistics ---
                        2 packets transmitted, 2 received, 0% packet loss, time 228ms
                        rtt min/avg/max/mdev = 0.039/0.090/0.141/0.051 ms
                        """);
        assertThat(outcome).isEqualTo(new Ping.Outcome(1, 2, 2, 2, 0.039, 0.090));
        assertThat(outcome.reachable()).isTrue();
    }

    @Test
    void aHostThatAnswersOnceIsReachableAndOneThatNeverDoesIsNot() {
        String once = "3 packets transmitted, 1 received, 66.6667% packet loss, time 412ms\n";
        assertThat(Ping.parse(3, 4, 3, once).received()).isEqualTo(1);
        assertThat(Ping.parse(3, 4, 3, once).reachable()).isTrue();
        assertThat(Ping.parse(3, 4, 3, once).averageMs()).isNaN();
        String errors =
                """
                From 10.99.0.1 icmp_seq=1 Destination Host Unreachable

                --- 10.99.0.9 ping statistics ---
                3 packets transmitted, 0 received, +3 errors, 100% packet loss, time 413ms
                """;
        Ping.Outcome never = Ping.parse(3, 4, 3, errors);
        assertThat(never.sent()).isEqualTo(3);
        assertThat(never.reachable()).isFalse();
    }

    @Test
    void whatPingDoesNotSayHasNotBeenReceived() {
        for (String output : new String[] {"", "ping: connect: Network is unreachable\n"}) {
            Ping.Outcome outcome = Ping.parse(1, 2, 3, output);
            assertThat(outcome.sent()).isEqualTo(3);
            assertThat(outcome.reachable()).isFalse();
            assertThat(outcome.minimumMs()).isNaN();
        }
    }
}
