package io.headgate.testbed.netns;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.netns.Iperf3.Flow;
import io.headgate.testbed.netns.Iperf3.Outcome;
import io.headgate.testbed.netns.Iperf3.Protocol;
import org.junit.jupiter.api.Test;

/** What iperf3 3.12 says with -J, cut down to what is read. */
class Iperf3Test {
    private static final Flow FLOW = new Flow(1, 2);

    private static Outcome parse(Protocol protocol, int exitCode, String output) {
        return Iperf3.parse(FLOW, protocol, new Programs.Result(exitCode, output));
    }

    @Test
    void tcpHasTheSendersAndTheReceiversRate() {
        Outcome outcome =
                parse(
                        Protocol.TCP,
                        0,
                        """
                        {"start": {}, "intervals": [], "end": {
                          "sum_sent": {"bits_per_second": 940000000.5, "retransmits": 17},
                          "sum_received": {"bits_per_second": 930000000.25}}}
                        """);
        assertThat(outcome.problem()).isNull();
        assertThat(outcome.sentBps()).isEqualTo(940_000_000.5);
        assertThat(outcome.receivedBps()).isEqualTo(930_000_000.25);
        assertThat(outcome.retransmits()).isEqualTo(17);
    }

    @Test
    void udpHasTheReceiversOwnRate() {
        Outcome outcome =
                parse(
                        Protocol.UDP,
                        0,
                        """
                        {"end": {"sum": {"bits_per_second": 1000000, "jitter_ms": 0.25,
                          "lost_packets": 25, "packets": 100},
                          "sum_received": {"bits_per_second": 700000, "packets": 97}}}
                        """);
        assertThat(outcome.problem()).isNull();
        assertThat(outcome.sentBps()).isEqualTo(1_000_000);
        assertThat(outcome.receivedBps()).isEqualTo(700_000);
        assertThat(outcome.lostDatagrams()).isEqualTo(25);
        assertThat(outcome.datagrams()).isEqualTo(100);
        assertThat(outcome.receivedDatagrams()).isEqualTo(72);
        assertThat(outcome.jitterMs()).isEqualTo(0.25);
    }

    @Test
    void anErrorIsTheProblemInItsOwnWords() {
        String refused = "unable to connect to server: Connection refused";
        String output = "{\"start\": {}, \"end\": {}, \"error\": \"" + refused + "\"}";
        Outcome outcome = parse(Protocol.TCP, 1, output);
        assertThat(outcome.problem()).isEqualTo(refused);
        assertThat(outcome.receivedBps()).isZero();
        assertThat(outcome.json()).isEqualTo(output);
    }

    @Test
    void whatIsNoJsonOrHasNoEndIsAProblem() {
        assertThat(parse(Protocol.TCP, 127, "iperf3: not found\n").problem())
                .isEqualTo("iperf3: not found");
        assertThat(parse(Protocol.TCP, 137, "{\"end\": {}}").problem())
                .isEqualTo("it was killed (signal 9, SIGKILL)");
        assertThat(parse(Protocol.UDP, 137, "").problem()).isNotNull();
    }

    @Test
    void whatASignalEndedIsToldSoWhateverItStillSaid() {
        assertThat(parse(Protocol.TCP, 137, "").problem())
                .isEqualTo("it was killed (signal 9, SIGKILL)");
        String interrupted = "{\"end\": {}, \"error\": \"interrupt - the client has terminated\"}";
        assertThat(parse(Protocol.TCP, 143, interrupted).problem())
                .isEqualTo("it was killed (signal 15, SIGTERM)");

        String lost = "{\"end\": {}, \"error\": \"control socket has closed unexpectedly\"}";
        Programs.Result sender = new Programs.Result(1, lost);
        assertThat(
                        Iperf3.parse(
                                        FLOW,
                                        Protocol.UDP,
                                        sender,
                                        new Programs.Result(137, "", false))
                                .problem())
                .isEqualTo("its receiver: it was killed (signal 9, SIGKILL)");
        // The one that we end since its sender failed is not the reason.
        assertThat(
                        Iperf3.parse(FLOW, Protocol.UDP, sender, new Programs.Result(137, "", true))
                                .problem())
                .isEqualTo("control socket has closed unexpectedly");
    }
}
