package io.headgate.testbed.scenario.shipped;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.Findings;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OpenQueueOverheadTest {
    private final Scenario scenario = shipped();

    private static Scenario shipped() {
        try {
            return Scenarios.named("openqueue-overhead");
        } catch (ScenarioException e) {
            throw new IllegalStateException(e);
        }
    }

    private CellResult result(BedKind bed, String queues, double packets) {
        List<Object> values = new ArrayList<>();
        for (Parameter parameter : scenario.parameters()) {
            values.add(
                    parameter.name().equals("queues") ? queues : parameter.defaults().getFirst());
        }
        Cell cell = new Cell(0, new Values(scenario.parameters(), values), 1, bed, 1);
        List<Measure> measures =
                List.of(
                        new Measure("mean queue", "packets", packets),
                        new Measure("mean queue by the delays of frames", "packets", packets),
                        new Measure("frames reordered", "frames", 0),
                        new Measure("largest delay", "us", 10 + packets));
        Outcome outcome = new Outcome("", measures, List.of(), List.of(), Map.of());
        return new CellResult(cell, outcome, null, 0);
    }

    private Findings concluded(BedKind bed, double builtIn, double list) {
        return scenario.conclude(
                List.of(result(bed, "built-in", builtIn), result(bed, "list", list)));
    }

    @Test
    void queuesThatAreEmptyOnRealFramesAreNotCompared() {
        Findings findings = concluded(BedKind.NETNS, 0.002, 0.0075);
        assertThat(findings.checks())
                .singleElement()
                .matches(check -> !check.passed())
                .extracting(Check::what)
                .isEqualTo("runs with mean queue >= 0.1, of which mean queue is judged");
        assertThat(findings.statements())
                .anyMatch(said ->
                        said.equals(
                                "mean queue (queues list) is not judged: its value is 0.0075"
                                        + " packets, the other 0.002 packets; required: mean queue"
                                        + " >= 0.1, of both"));
    }

    @Test
    void aLongQueueBesideAnEmptyOneIsJudged() {
        assertThat(concluded(BedKind.NETNS, 0.002, 0.3).checks())
                .hasSize(1)
                .noneMatch(Check::passed);
    }

    @Test
    void inVirtualTimeShortQueuesAreJudgedToo() {
        assertThat(concluded(BedKind.VIRTUAL, 0.002, 0.0075).checks())
                .filteredOn(check -> !check.passed())
                .extracting(Check::what)
                .allMatch(what ->
                        what.startsWith("mean queue, of that with built-in")
                                || what.startsWith("largest delay"))
                .hasSize(2);
        assertThat(concluded(BedKind.VIRTUAL, 0.002, 0.002).checks())
                .hasSize(6)
                .allMatch(Check::passed);
    }
}
