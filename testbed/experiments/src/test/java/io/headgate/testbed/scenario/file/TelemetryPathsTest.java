package io.headgate.testbed.scenario.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.bed.Observation;
import io.headgate.testbed.scenario.bed.QuietRun;
import io.headgate.testbed.scenario.bed.VirtualBed;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Telemetry over eight switches, from h1 to h2, in virtual time. */
class TelemetryPathsTest {
    private static final int SWITCHES = 8;
    private static final int FEW = 200;
    private static final String CHAIN =
            """
            name: chain
            duration: 200us
            topology:
              name: chain
              mtu: 1068
              link: {rate: 100Gbps, delay: 1us}
              hosts: [{name: h1, at: s1}, {name: h2, at: s8}]
              switches: [s1, s2, s3, s4, s5, s6, s7, s8]
              links:
                - {between: [s1, s2]}
                - {between: [s2, s3]}
                - {between: [s3, s4]}
                - {between: [s4, s5]}
                - {between: [s5, s6]}
                - {between: [s6, s7]}
                - {between: [s7, s8]}
              ports: {congestion: {telemetry: {KEYS}}}
            traffic:
              - {name: f, from: h1, to: h2, frame: 1082B, transport: rocev2, window: 64}
            """;

    private static Observation run(String keys, String more) throws Exception {
        StringBuilder text = new StringBuilder(CHAIN.replace("KEYS", keys)).append(more);
        text.append("record:\n  interval: 10us\n  counters:\n");
        for (String counter : List.of("written", "limited", "oversize")) {
            for (int number = 1; number <= SWITCHES; number++) {
                text.append("    - ").append(name(number, counter)).append('\n');
            }
        }
        Definition definition = ScenarioReader.define(text.toString(), "chain.yaml");
        Observation seen = VirtualBed.run(definition.experiment(), 1, new QuietRun());
        Outcome outcome = seen.outcome(List.of(), List.of());
        assertThat(outcome.measure("frames dropped")).isZero();
        assertThat(outcome.measure("throughput of f")).as("came as sent").isGreaterThan(20);
        return seen;
    }

    /** For each switch's port towards h2, the last value of a counter. */
    private static List<Double> counted(Observation seen, String counter) {
        return IntStream.rangeClosed(1, SWITCHES)
                .mapToObj(number -> last(seen, name(number, counter)))
                .toList();
    }

    private static double last(Observation seen, String counter) {
        return seen.series().stream()
                .filter(one -> one.name().contains(counter))
                .findFirst()
                .orElseThrow(
                        () -> new AssertionError(seen.series().stream().map(Series::name).toList()))
                .max();
    }

    private static String name(int number, String counter) {
        return "s%d/p%d telemetry.%s.p0".formatted(number, number == SWITCHES ? 1 : 2, counter);
    }

    @Test
    void asManyPortsWriteAsMayAndTheOthersSayThatTheyDoNot() throws Exception {
        assertThat(counted(run("hops: 8", ""), "written")).allMatch(count -> count > FEW);
        List<Double> limited = counted(run("hops: 5", ""), "limited");
        assertThat(limited.subList(0, 5)).containsOnly(0.0);
        assertThat(limited.subList(5, SWITCHES)).allMatch(count -> count > FEW);
    }

    @Test
    void aSwitchThatWritesNothingLetsTelemetryPass() throws Exception {
        Observation seen =
                run(
                        "hops: 7",
                        """
                        orders:
                          - {at: 1ns, switch: s4, set: {p2: {congestion: {telemetry: {enabled: false}}}}}
                        """);
        List<Double> written = counted(seen, "written");
        assertThat(written.get(3)).isZero();
        assertThat(written).filteredOn(count -> count > FEW).hasSize(SWITCHES - 1);
        assertThat(counted(seen, "limited")).containsOnly(0.0);
    }

    /**
     * Packets of exactly the MTU, with a link that has room for no growth: no packet gets any
     * telemetry.
     */
    @Test
    void aPacketOfTheMtuStaysOne() throws Exception {
        Observation seen = run("within-mtu: true", "");
        assertThat(counted(seen, "written")).containsOnly(0.0);
        assertThat(counted(seen, "oversize")).containsOnly(0.0);
    }
}
