package io.headgate.testbed.scenario.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.ConfigException;
import io.headgate.testbed.scenario.bed.LinkOrder;
import io.headgate.testbed.scenario.bed.Observation;
import io.headgate.testbed.scenario.bed.QuietRun;
import io.headgate.testbed.scenario.bed.VirtualBed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two leaves and three spines, four flows between the leaves, and a spine that loses one leaf. */
class FailedLinksTest {
    private static final String FABRIC =
            """
            name: s
            duration: 3ms
            beds: [virtual, netns]
            reroute: REROUTE
            topology:
              name: fabric
              link: {rate: 10Gbps, delay: 1us}
              builder: {leaf-spine: {leaves: 2, spines: 3, hosts-per-leaf: 4}}
            traffic:
              - {name: a, from: h1-1, to: h2-1, send: {rate: 1Gbps}}
              - {name: b, from: h1-2, to: h2-2, send: {rate: 1Gbps}}
              - {name: c, from: h1-3, to: h2-3, send: {rate: 1Gbps}}
              - {name: d, from: h1-4, to: h2-4, send: {rate: 1Gbps}}
            orders:
              - {at: 1ms, down: [c1-e2, c2-e2]}
              - {at: 2ms, up: [e2-c1, e2-c2]}
            """;

    /** Frames of a flow of 1 Gb/s in a time. */
    private static long frames(double us) {
        return Math.round(us / 12.304);
    }

    private static Observation run(String reroute) throws Exception {
        String text = FABRIC.replace("REROUTE", reroute);
        return VirtualBed.run(
                ScenarioReader.define(text, "s.yaml").experiment(), 1, new QuietRun());
    }

    /** No flow is without a way for longer than it takes until routers know the routes left. */
    @ParameterizedTest
    @CsvSource({"0s, 0", "100us, 100", "400us, 400"})
    void flowsAreWithoutAWayUntilRoutersKnowOfTheFailureAndNoLonger(String reroute, double us)
            throws Exception {
        Observation seen = run(reroute);
        long most = 0;
        for (String flow : new String[] {"a", "b", "c", "d"}) {
            long missing = seen.group(flow).framesSent() - seen.group(flow).framesReceived();
            // With what was under way when the link went down, and at the end of the run.
            assertThat(missing).as(flow).isLessThanOrEqualTo(frames(us) + 3);
            most = Math.max(most, missing);
        }
        assertThat(most).isGreaterThanOrEqualTo(frames(us) - 2);
    }

    @Test
    void withoutOtherRoutesAFlowIsWithoutAWayAsLongAsTheLinkIsDown() throws Exception {
        Observation seen = run("1000s");
        long most =
                seen.groups().values().stream()
                        .mapToLong(group -> group.framesSent() - group.framesReceived())
                        .max()
                        .orElseThrow();
        assertThat(most).isBetween(frames(1000) - 2, frames(1000) + 3);
        assertThat(run("1000s").digest()).isEqualTo(seen.digest());
    }

    @Test
    void linksAreNamedFromEitherEndAndBadOnesRefused() {
        assertThat(ScenarioReader.define(FABRIC.replace("REROUTE", "0s"), "s").experiment())
                .satisfies(experiment -> {
                    assertThat(experiment.linkOrders())
                            .contains(new LinkOrder(1_000_000_000L, "e2-c1", false));
                    assertThat(experiment.orders())
                            .allSatisfy(order -> assertThat(order.set()).containsKey("routed"));
                });
        for (String bad :
                new String[] {
                    "{at: 1ms, down: e1-e2}",
                    "{at: 1ms}",
                    "{at: 1ms, up: e1-c1, set: {p1: {rate: 1Gbps}}}"
                }) {
            assertThatThrownBy(() ->
                            ScenarioReader.define(
                                    FABRIC.replace("REROUTE", "0s") + "  - " + bad + "\n", "s"))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("orders[2]")
                    .hasMessageContaining("allowed: ");
        }
    }
}
