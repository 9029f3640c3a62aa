package io.headgate.testbed.scenario.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.ConfigException;
import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.Values;
import io.headgate.testbed.scenario.bed.Experiment;
import io.headgate.testbed.scenario.bed.Order;
import io.headgate.testbed.scenario.bed.Recording.Kind;
import io.headgate.testbed.traffic.spec.ArrivalProcess;
import io.headgate.testbed.traffic.spec.SendPattern;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ScenarioReaderTest {
    private static final String GOOD =
            """
            name: s
            duration: 2ms
            beds: [virtual, netns]
            topology:
              name: star
              builder: {single-switch: {hosts: 4}}
            traffic:
              - {name: bursts, from: [h1, h2], to: h4, send: {rate: 1Gbps, on: 50us, off: 450us}}
              - {name: web, from: all, to: all, arrivals: {load: 0.1, workload: websearch_hpcc}}
              - {name: one, from: h1, to: h2, size: 1MB, window: 8, start: 1ms}
            record: {interval: 10us, throughput: [web], queues: [s1/p4]}
            expect:
              - {measure: frames dropped, at-most: 0}
            """;

    private static FileScenario read(String text) {
        Scenario scenario = ScenarioReader.read(text, "s.yaml");
        return (FileScenario) scenario;
    }

    private static Experiment experiment(FileScenario scenario, Object... values) {
        return scenario.with(new Values(scenario.parameters(), List.of(values)), BedKind.VIRTUAL, 1)
                .experiment();
    }

    private static void refuses(String was, String is, String sentence) {
        String text = GOOD.replace(was, is);
        assertThat(text).isNotEqualTo(GOOD);
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(sentence);
    }

    @Test
    void readsTopologyTrafficRecordingAndExpectations() {
        FileScenario scenario = read(GOOD);
        assertThat(scenario.about().beds())
                .containsExactlyInAnyOrder(BedKind.VIRTUAL, BedKind.NETNS);
        assertThat(experiment(scenario).durationPs()).isEqualTo(2_000_000_000L);
        assertThat(experiment(scenario).flows()).hasSize(3);
        assertThat(experiment(scenario).flows().getFirst().pattern())
                .isEqualTo(
                        new SendPattern.OnOff(
                                1_000_000_000L,
                                50_000_000,
                                450_000_000,
                                false,
                                SendPattern.Lateness.MADE_UP));
        assertThat(experiment(scenario).flows().getLast().windowFrames()).isEqualTo(8);
        assertThat(experiment(scenario).arrivals()).hasSize(4);
        assertThat(experiment(scenario).arrivals().getFirst().process())
                .isInstanceOf(ArrivalProcess.Poisson.class);
        assertThat(experiment(scenario).recording().of(Kind.THROUGHPUT)).containsExactly("web");
        assertThat(experiment(scenario).groups()).containsExactly("bursts", "one", "web");
    }

    @Test
    void everyMistakeIsToldWithItsLineAndWhatIsAllowed() {
        refuses("duration: 2ms", "duration: 2", "s.yaml:2:11: duration: found 2 without a unit");
        refuses("duration: 2ms", "duraton: 2ms", "s.yaml:2:1: duraton: found the unknown key");
        refuses("[h1, h2]", "[h1, h9]", "s.yaml:8:31: traffic[0].from[1]: found the unknown host");
        refuses("s1/p4", "s1/p5", "record.queues[0]: found the unknown port \"s1/p5\"");
        refuses("throughput: [web]", "throughput: [wob]", "allowed: web? one of bursts, one, web");
        refuses("websearch_hpcc", "websearch", "found the unknown distribution \"websearch\"");
        refuses(", off: 450us", "", "allowed: greedy, {rate: 1Gbps}");
        refuses("load: 0.1, ", "load: 0.1, every: 1ms, ", "one of load, every and sleep");
        refuses("load: 0.1, ", "load: 2, ", "a number from 0.0001 to 1, such as 0.5");
        refuses("to: h2, size", "to: h1, size", "traffic from a host to itself alone");
        refuses("frames dropped", "frames droped", "allowed: frames dropped? one of");
        refuses("at-most: 0", "at-most: 0, near: 1", "exactly one of near, at-most and at-least");
        refuses("at-most: 0", "at-moost: 0", "at-most? (one of measure, near");
        refuses("interval: 10us", "interval: 1ns", "at most 1000000 are allowed");
        refuses("hosts: 4", "hosts: 1", "a whole number from 2 to 128");
        refuses("[virtual, netns]", "[virtual, real]", "allowed: virtual or netns");
        refuses("traffic:", "traffick:", "found the unknown key \"traffick\"");
    }

    private static final String ORDERS =
            GOOD
                    + """
                    orders:
                      - {at: 1ms, set: {p4: {rate: 1Gbps}}}
                      - {at: 2ms, switch: s1, set: {p4: {queue-limit: 100kB}}}
                    """;

    private static void refusesOrder(String was, String is, String sentence) {
        String text = ORDERS.replace(was, is);
        assertThat(text).isNotEqualTo(ORDERS);
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(sentence);
    }

    @Test
    void ordersAreCheckedAsChangesOfTheSwitchesThatTheTopologyHas() {
        List<Order> orders = experiment(read(ORDERS)).orders();
        assertThat(orders).extracting(Order::atPs).containsExactly(1_000_000_000L, 2_000_000_000L);
        assertThat(orders).extracting(Order::node).containsExactly("s1", "s1");
        refusesOrder(
                "p4: {rate: 1Gbps",
                "p4: {rate: 1",
                "orders[0].set: found p4.rate: 1 without a unit");
        refusesOrder(
                "p4: {rate: 1Gbps", "p4: {mtu: 9000", "until the switch restarts: slots, headroom");
        refusesOrder("p4: {rate", "p5: {rate", "orders[0].set: found p5: no port and no key");
        refusesOrder("switch: s1", "switch: s2", "orders[1].switch: found the unknown switch");
        refusesOrder("at: 1ms", "at: 3ms", "orders[0].at: found a time after the end");
        refusesOrder("set: {p4: {rate: 1Gbps}}", "set: {}", "orders[0].set: found");
    }

    @Test
    void parametersStandForValuesAnywhereInTheFile() {
        String text =
                GOOD.replace("duration: 2ms", "duration: $time")
                                .replace("hosts: 4", "hosts: $hosts")
                                .replace("at-most: 0", "at-most: $most")
                        + """
                        parameters:
                          - {name: time, unit: duration, default: 2ms, min: 1ms, max: 9ms}
                          - {name: hosts, unit: count, default: '4,5', min: 4, max: 8}
                          - {name: most, unit: number, default: 0, min: 0, max: 10}
                        """;
        FileScenario scenario = read(text);
        assertThat(scenario.parameters()).extracting(Parameter::name).hasSize(3);
        assertThat(scenario.parameters().get(1).defaults()).containsExactly(4.0, 5.0);
        Experiment other = experiment(scenario, 3e6, 6.0, 1.0);
        assertThat(other.durationPs()).isEqualTo(3_000_000_000L);
        assertThat(other.topology().hosts()).hasSize(6);
        assertThatThrownBy(() -> read(text.replace("$hosts", "$hots")))
                .hasMessageContaining("found \"$hots\"; allowed: $hosts? (or ");
        assertThatThrownBy(() -> read(text.replace("default: 2ms", "default: 20ms")))
                .hasMessageContaining("parameters[0].default: found \"20ms\"; allowed: 1ms to 9ms");
        assertThatThrownBy(() -> read(text.replace("unit: count", "unit: counts")))
                .hasMessageContaining("rate, size, duration, count or number");
    }

    @Test
    void randomlyDamagedFilesNeverThrowAnythingElse() {
        long seed = 20_261_121;
        SplittableRandom random = new SplittableRandom(seed);
        String pool = "{}[]:,-#&*!|>'\"%@ \n\tabz019µ\u0000";
        for (int i = 0; i < 3000; i++) {
            StringBuilder text = new StringBuilder(GOOD);
            for (int j = random.nextInt(1, 4); j > 0; j--) {
                int at = random.nextInt(text.length());
                switch (random.nextInt(3)) {
                    case 0 -> text.deleteCharAt(at);
                    case 1 -> text.insert(at, pool.charAt(random.nextInt(pool.length())));
                    default -> text.setCharAt(at, pool.charAt(random.nextInt(pool.length())));
                }
            }
            try {
                read(text.toString());
            } catch (ConfigException expected) {
                assertThat(expected.getMessage()).as("seed %d, file %d", seed, i).isNotEmpty();
            }
        }
    }
}
