package io.headgate.testbed.scenario.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.headgate.config.ConfigException;
import io.headgate.testbed.IcrcOracle;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.bed.Observation;
import io.headgate.testbed.scenario.bed.QuietRun;
import io.headgate.testbed.scenario.bed.VirtualBed;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Flows of virtual hosts that are reliable connections. */
class ReliableFlowsTest {
    private static final String STAR =
            """
            name: s
            duration: DURATION
            topology:
              name: star
              mtu: 1500
              queue-limit: 1MB
              link: {rate: 10Gbps, delay: 1.5us, faults: {FAULTS}}
              builder: {single-switch: {hosts: 4}}
              ports: {PORTS}
            traffic:
              - {name: f, from: [h1, h2, h3], to: h4, frame: 1082B, transport: rocev2, dscp: 26, MORE}
            record: {interval: 10us, queues: [s1/p4]}
            """;

    private static final String PFC =
            "classify: {trust: dscp}, lossless: [3], flow-control: pfc,"
                    + " buffers: {xoff: 100kB, xon: 90kB}";

    /** 1,024 of 1,082 bytes are payload; 24 more are on the wire. */
    private static final double CARRIED_GBPS = 10.0 * 1024 / (1082 + 24);

    private static Observation run(String duration, String faults, String ports, String more)
            throws Exception {
        return run(duration, faults, ports, more, null);
    }

    private static Observation run(
            String duration, String faults, String ports, String more, @Nullable Path capture)
            throws Exception {
        return runText(text(duration, faults, ports, more), capture);
    }

    private static String text(String duration, String faults, String ports, String more) {
        return STAR.replace("DURATION", duration)
                .replace(", faults: {FAULTS}", faults)
                .replace("PORTS", ports)
                .replace("MORE", more);
    }

    private static Observation runText(String text, @Nullable Path capture) throws Exception {
        Definition definition = ScenarioReader.define(text, "s.yaml");
        return VirtualBed.run(
                definition.experiment(),
                1,
                capture == null
                        ? new QuietRun()
                        : new QuietRun(List.of("h1-s1", "h4-s1"), capture));
    }

    private static double measure(Observation seen, String name) {
        Outcome outcome = seen.outcome(List.of(), List.of());
        return outcome.measures().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow()
                .value();
    }

    @ParameterizedTest
    @ValueSource(strings = {"verb: send", "verb: write"})
    void onLosslessPortsNothingIsSentAgainAndTheLinkIsFull(String verb) throws Exception {
        Observation seen = run("6ms", "", PFC, verb);
        assertThat(seen.drops()).isEmpty();
        assertThat(measure(seen, "packets repeated of f")).isZero();
        // A WRITE has 16 bytes more at its beginning, and its packets are 16 bytes shorter.
        assertThat(measure(seen, "goodput of f")).isBetween(0.95 * CARRIED_GBPS, CARRIED_GBPS);
        assertThat(seen.group("f").fairness()).isGreaterThan(0.99);
    }

    @Test
    void withRoccTheySendAtTheFairRateAndPausesVanish() throws Exception {
        Observation seen =
                run(
                        "30ms",
                        "",
                        PFC.replace("100kB", "300kB").replace("90kB", "290kB")
                                + ", congestion: {rocc: {priorities: [3]}}",
                        "control: {rocc: {delay: 15us, period: 100us}}");
        assertThat(seen.drops()).isEmpty();
        assertThat(measure(seen, "packets repeated of f")).isZero();
        assertThat(seen.group("f").fairness()).isGreaterThan(0.99);
        // From a cold start the fair rate takes its time; the reference is 75 kB.
        double settledGbps = seen.seriesOf("throughput f").mean(15_000, 30_000) * 1024 / 1082;
        assertThat(settledGbps).isBetween(0.95 * CARRIED_GBPS, 1.001 * CARRIED_GBPS);
        assertThat(seen.seriesOf("queue s1/p4").mean(15_000, 30_000)).isBetween(67.5, 82.5);
    }

    @Test
    void whatItsHostAllowsEachFlowIsASeries() throws Exception {
        Observation seen =
                runText(
                        text(
                                        "30ms",
                                        "",
                                        PFC + ", congestion: {rocc: {priorities: [3]}}",
                                        "stop: 26ms, control: {rocc: {delay: 15us, period: 100us}}")
                                .replace(
                                        "queues: [s1/p4]",
                                        "counters: [s1/p4 rocc.rate.p3], rates: [f]"),
                        null);
        Series fair = seen.seriesOf("counter s1/p4 rocc.rate.p3");
        for (String host : List.of("h1", "h2", "h3")) {
            Series rate = seen.seriesOf("rate f " + host);
            assertThat(rate.unit()).isEqualTo("Gb/s");
            assertThat(rate.max()).isEqualTo(10);
            // kb/s, told each 100 us and obeyed 15 us and more later; it comes up from Fmin.
            double fairGbps = fair.mean(15_000, 25_000) / 1e6;
            assertThat(rate.mean(15_000, 25_000)).isCloseTo(fairGbps, within(0.02 * fairGbps));
            assertThat(rate.mean(29_000, 30_000)).as("of flows that are over").isZero();
        }
        assertThatThrownBy(() ->
                        ScenarioReader.define(
                                text("1ms", "", PFC, "verb: send")
                                        .replace("queues: [s1/p4]", "rates: [g]"),
                                "s.yaml"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("the unknown traffic \"g\"");
    }

    @Test
    void whatLinksLoseIsSentAgainAndAllArrives() throws Exception {
        Observation seen =
                run(
                        "100ms",
                        ", faults: {loss: 0.001}",
                        PFC,
                        "size: 2MB, message: 30kB, verb: write");
        assertThat(measure(seen, "flows finished of f")).isEqualTo(3);
        // Each 66 messages of 30 kB and one of 20 kB.
        assertThat(measure(seen, "messages of f")).isEqualTo(3 * 67);
        assertThat(seen.group("f").messageBytes()).isEqualTo(6_000_000);
        assertThat(measure(seen, "packets repeated of f")).isPositive();
        // Every packet once: 30 of 1,008 bytes at most in 30 kB, 20 in 20 kB.
        assertThat(seen.group("f").framesReceived()).isEqualTo(3 * (66 * 30 + 20));
        assertThat(measure(seen, "mean completion of f")).isPositive();
    }

    @Test
    void withoutFlowControlTheyGoBackAndStillArrive() throws Exception {
        Observation seen = run("100ms", "", "classify: {trust: dscp}", "size: 3MB, window: 600");
        assertThat(seen.drops()).isNotEmpty();
        assertThat(measure(seen, "flows finished of f")).isEqualTo(3);
        assertThat(measure(seen, "packets repeated of f")).isPositive();
    }

    @Test
    void aFlowThatIsStoppedEndsWithAMessage() throws Exception {
        Observation seen = run("3ms", "", PFC, "stop: 1ms, message: 64kB");
        assertThat(seen.group("f").framesReceived()).isEqualTo(seen.group("f").framesSent());
        assertThat(seen.group("f").messageBytes()).isEqualTo(seen.group("f").messages() * 64_000);
    }

    @Test
    void aCaptureOfStoredPayloadHasRightIcrcs(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("c.pcapng");
        run("300us", "", PFC, "verb: write, message: 5001B, payload: stored", file);
        Map<Integer, Integer> opcodes = new TreeMap<>();
        for (byte[] frame : IcrcOracle.frames(file)) {
            if (IcrcOracle.isRoce(frame)) {
                assertThat(IcrcOracle.carried(frame)).isEqualTo(IcrcOracle.expected(frame));
                opcodes.merge(frame[42] & 0xFF, 1, Integer::sum);
            }
        }
        // WRITE first, middle and last, and acknowledgements.
        assertThat(opcodes.keySet()).containsExactly(0x06, 0x07, 0x08, 0x11);
        assertThat(opcodes.get(0x07)).isGreaterThan(100);
    }

    @Test
    void theSameRunHasTheSameDigest() throws Exception {
        String faults = ", faults: {loss: 0.001}";
        assertThat(run("2ms", faults, PFC, "verb: write").digest())
                .isEqualTo(run("2ms", faults, PFC, "verb: write").digest());
    }

    /** Reliable connections, the least transport that recovers what is lost, and datagrams. */
    @ParameterizedTest
    @CsvSource({
        "1, 64, rocev2, false",
        "2, 64, rocev2, true",
        "3, 64, rocev2, false",
        "4, 2, rocev2, true",
        "5, 64, none, false",
        "6, 64, none, true",
        "7, 0, none, true"
    })
    void aControlThatJumpsAtEachCallHangsNoFlowAndLosesNothing(
            int seed, int window, String transport, boolean byPackets) throws Exception {
        // Datagrams stay lost.
        String losing = window == 0 ? "" : "loss: 0.02, corruption: 0.01, ";
        String flows =
                text(
                                "20s",
                                ", faults: {%sreordering: 0.05, reordering-delay: 30us, repetition: 0.02}"
                                        .formatted(losing),
                                "congestion: {red: {kmin: 5kB, kmax: 5kB}}",
                                "size: 60kB, ecn: ect0, window: %d, control: {erratic: {seed: %d, ack-every: %d, packets: %b}}"
                                        .formatted(window, seed, 3 * seed, byPackets))
                        .replace("transport: rocev2", "transport: " + transport)
                        .replace("interval: 10us", "interval: 10ms");
        Observation seen = runText(flows, null);
        assertThat(measure(seen, "flows finished of f")).isEqualTo(3);
        assertThat(seen.group("f").framesReceived()).isGreaterThanOrEqualTo(3L * 60_000 / 1_040);
    }

    @ParameterizedTest
    @CsvSource({"1", "4", "16"})
    void aConnectionAsksForAsManyAcknowledgementsAsItsControlWants(int ackEvery) throws Exception {
        String frames = "h1/wire frames.transmitted, h4/wire frames.transmitted";
        String flows =
                text(
                                "2ms",
                                "",
                                PFC,
                                "size: 524288B, message: 524288B, ecn: ect0, control: {erratic: {jumps: false, ack-every: %d}}"
                                        .formatted(ackEvery))
                        .replace("[h1, h2, h3]", "h1")
                        .replace("queues: [s1/p4]", "counters: [%s]".formatted(frames));
        Observation seen = runText(flows, null);
        assertThat(measure(seen, "flows finished of f")).isEqualTo(1);
        double packets = seen.seriesOf("counter h1/wire frames.transmitted").max();
        assertThat(packets).isEqualTo(512);
        assertThat(seen.seriesOf("counter h4/wire frames.transmitted").max())
                .isEqualTo(packets / ackEvery);
    }

    @Test
    void marksAreToldOfByAcknowledgementsToWhatGoesByThem() throws Exception {
        String red = ", congestion: {red: {priorities: [3], kmin: 30kB, kmax: 30kB}}";
        Observation seen = run("10ms", "", PFC + red, "ecn: ect0, control: dctcp");
        assertThat(seen.drops()).isEmpty();
        assertThat(measure(seen, "packets repeated of f")).isZero();
        assertThat(measure(seen, "goodput of f")).isBetween(0.9 * CARRIED_GBPS, CARRIED_GBPS);
        // Without them pauses alone hold the three windows back, each at 100 kB.
        assertThat(seen.seriesOf("queue s1/p4").mean(4_000, 10_000)).isBetween(5.0, 90.0);
    }

    private static void refuses(String more, String sentence) {
        assertThatThrownBy(() -> run("1ms", "", PFC, more))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(sentence);
    }

    @Test
    void whatDoesNotFitIsTold() {
        refuses("format: udp", "udp with transport: rocev2");
        refuses("window: 0", "needs a window of at least 1 frame");
        assertThatThrownBy(() ->
                        ScenarioReader.define(
                                STAR.replace("DURATION", "1ms")
                                        .replace(", faults: {FAULTS}", "")
                                        .replace("PORTS", PFC)
                                        .replace("transport: rocev2", "format: rocev2")
                                        .replace("MORE", "message: 1kB"),
                                "s.yaml"))
                .hasMessageContaining("message without transport: rocev2");
    }
}
