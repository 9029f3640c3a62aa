package io.headgate.testbed.scenario.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.ConfigException;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.bed.GroupFacts;
import io.headgate.testbed.scenario.bed.Observation;
import io.headgate.testbed.scenario.bed.QuietRun;
import io.headgate.testbed.scenario.bed.VirtualBed;
import org.junit.jupiter.api.Test;

/** Flows whose rates are controlled, in virtual time. */
class RateControlScenarioTest {
    private static final String STAR =
            """
            name: s
            duration: DURATION
            topology:
              name: star
              link: {rate: 10Gbps, delay: 1us}
              builder: {single-switch: {hosts: 5}}
              ports: {congestion: {red: {kmin: 60kB, kmax: 60kB}}}
            traffic:
              - {name: f, from: [h1, h2, h3, h4], to: h5, ecn: ect0, CONTROL}
            record: {interval: 10us, queues: [s1/p5], counters: [COUNTERS]}
            """;

    private static Observation run(String control, String duration) throws Exception {
        return run(control, duration, "s1/p5 red.marked.p0");
    }

    private static Observation run(String control, String duration, String counters)
            throws Exception {
        String text =
                STAR.replace("CONTROL", control)
                        .replace("DURATION", duration)
                        .replace("COUNTERS", counters);
        Definition definition = ScenarioReader.define(text, "s.yaml");
        return VirtualBed.run(definition.experiment(), 1, new QuietRun());
    }

    @Test
    void fourDctcpFlowsFillTheLinkShareItAlikeAndKeepTheQueueNearTheMark() throws Exception {
        Observation seen = run("control: dctcp", "60ms");
        GroupFacts flows = seen.group("f");
        assertThat(seen.drops()).isEmpty();
        // 1,514 of 1,538 bytes on the wire, but for the first round trips.
        assertThat(seen.throughputGbps("f")).isBetween(0.999 * 9.8439, 9.8439);
        assertThat(flows.fairness()).isGreaterThan(0.95);
        assertThat(flows.framesMarked()).isPositive().isLessThan(flows.framesReceived() / 2);
        Series queue = seen.seriesOf("queue s1/p5");
        double sum = 0;
        int settled = queue.values().length / 5;
        for (int i = settled; i < queue.values().length; i++) {
            assertThat(queue.values()[i]).isBetween(30.0, 75.0);
            sum += queue.values()[i];
        }
        assertThat(sum / (queue.values().length - settled)).isBetween(55.0, 65.0);
    }

    @Test
    void fourDcqcnFlowsFillTheLinkAndShareIt() throws Exception {
        Observation seen = run("control: {dcqcn: {byte-counter: 1MB}}", "60ms");
        GroupFacts flows = seen.group("f");
        assertThat(seen.throughputGbps("f")).isBetween(0.9 * 9.8439, 9.8439);
        assertThat(flows.fairness()).isGreaterThan(0.9);
        assertThat(flows.framesMarked()).isPositive().isLessThan(flows.framesReceived() / 2);
        Observation windowed = run("control: dcqcn, window: 200, format: rocev2", "20ms");
        assertThat(windowed.throughputGbps("f")).isGreaterThan(0.85 * 9.8439);
        assertThat(windowed.group("f").framesMarked()).isPositive();
    }

    @Test
    void anApplicationThatWantsLessThanItMayHasWhatItWants() throws Exception {
        Observation less = run("control: {fixed: {rate: 2Gbps}}, send: {rate: 1Gbps}", "5ms");
        Observation more = run("control: {fixed: {rate: 1Gbps}}, send: {rate: 2Gbps}", "5ms");
        // 1,514 of 1,538 bytes on the wire, of four flows.
        assertThat(less.throughputGbps("f")).isBetween(0.99 * 3.9376, 3.9376);
        assertThat(more.throughputGbps("f")).isEqualTo(less.throughputGbps("f"));
    }

    @Test
    void withoutControlTheSameWindowsStandInTheQueue() throws Exception {
        Observation seen = run("window: 64", "2ms");
        assertThat(seen.seriesOf("queue s1/p5").max()).isGreaterThan(300);
    }

    @Test
    void aFixedRateIsHeldToTheBit() throws Exception {
        Observation seen = run("control: {fixed: {rate: 1Gbps}}", "20ms");
        // 1,538 bytes on the wire each 12.304 us, the first at 0; the last ones are under way.
        long sentEach = 20_000_000 / 12_304 + 1;
        assertThat(seen.group("f").framesSent()).isEqualTo(4 * sentEach);
        assertThat(seen.group("f").framesReceived()).isBetween(4 * (sentEach - 1), 4 * sentEach);
        assertThat(seen.group("f").framesMarked()).isZero();
    }

    @Test
    void anyCounterIsASeries() throws Exception {
        Observation seen =
                run(
                        "control: dctcp",
                        "2ms",
                        "s1/p5 red.marked.p0, h1/wire frames.transmitted, h5/app frames.transmitted");
        Series marked = seen.seriesOf("counter s1/p5 red.marked.p0");
        assertThat(marked.unit()).isEqualTo("frames");
        assertThat(marked.values()).isSorted();
        assertThat(marked.max()).isPositive();
        // What is marked and has not come is waiting or on the wire.
        assertThat(marked.max() - seen.group("f").framesMarked()).isBetween(-60.0, 60.0);
        assertThat(seen.seriesOf("counter h1/wire frames.transmitted").max()).isPositive();
        assertThat(seen.seriesOf("counter h5/app frames.transmitted").max())
                .isGreaterThan(seen.seriesOf("counter h1/wire frames.transmitted").max());
    }

    @Test
    void oneOfTwoCountersOfALabelIsNamedByItsWay() throws Exception {
        assertThatThrownBy(() -> run("control: dctcp", "1ms", "s1/p5 drop.WATCHDOG"))
                .isInstanceOf(ScenarioException.class)
                .hasMessageContaining(
                        "two counters 'drop.WATCHDOG' at s1/p5: allowed is s1/p5/in drop.WATCHDOG"
                                + " (ingress) or s1/p5/out drop.WATCHDOG");
        assertThatThrownBy(() -> run("control: dctcp", "1ms", "s1/p5/in red.marked.p0"))
                .isInstanceOf(ScenarioException.class)
                .hasMessageContaining("no counter 'red.marked.p0' at s1/p5/in");
        Observation seen = run("control: dctcp", "1ms", "s1/p5/out red.marked.p0");
        assertThat(seen.seriesOf("counter s1/p5/out red.marked.p0").max()).isPositive();
    }

    @Test
    void aCounterThatIsNotThereIsAnErrorAndNeverZero() {
        assertThatThrownBy(() -> run("control: dctcp", "1ms", "s1/p5 red.maked.p0"))
                .isInstanceOf(ScenarioException.class)
                .hasMessageContaining("no counter 'red.maked.p0' at s1/p5; there is red.marked.p0");
        assertThatThrownBy(() -> run("control: dctcp", "1ms", "s1/p9 red.marked.p0"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("the unknown place \"s1/p9\"");
    }

    private static void refuses(String control, String sentence) {
        assertThatThrownBy(() -> run(control, "1ms"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(sentence);
    }

    @Test
    void wrongControlsAreToldWithWhatIsAllowed() {
        refuses("control: fixed", "fixed");
        refuses("control: tcp", "found \"tcp\"");
        refuses("control: {dctcp: {gain: 2}}", "a number from 0.001 to 1");
        refuses("control: {dcqcn: {parameters: mine}}", "published");
        refuses("control: {fixed: {}}", "rate");
        refuses(
                "control: {fixed: {rate: 1Gbps}}, send: {poisson: 1Gbps}",
                "greedy or {rate: 1Gbps} with control");
        refuses(
                "control: dctcp, window: 0",
                "needs acknowledgements: a window of at least 1 frame (found 0)");
    }
}
