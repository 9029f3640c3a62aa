package example;

import io.headgate.testbed.scenario.About;
import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.Findings;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.RunContext;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Unit;
import io.headgate.testbed.scenario.bed.Beds;
import io.headgate.testbed.scenario.bed.Experiment;
import io.headgate.testbed.scenario.bed.Recording;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.SendPattern.ConstantRate;
import io.headgate.testbed.traffic.spec.SendPattern.Lateness;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The delay of a lone flow across switches in a row: each takes a frame whole, then sends it. */
public final class StoreAndForward implements Scenario {
    // At 10 Gb/s: 1488 bytes and 12 of preamble, start of frame and FCS, and 1 us of delay.
    private static final double LINK_US = 2.2;

    @Override
    public About about() {
        return new About("store-and-forward", "Delay across switches in a row",
                "arithmetic", "per link a frame's time and a delay", Set.of(BedKind.values()), 1);
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(Parameter.number("switches", Unit.COUNT, "1,2,4", "1", "32", "in a row"));
    }

    @Override
    public Outcome run(Cell cell, RunContext context) throws ScenarioException {
        int switches = cell.values().count("switches");
        var link = LinkSpec.DEFAULT; // 10 Gb/s, 1 us
        var net = Topology.builder("row");
        for (int i = 1; i <= switches; i++) {
            net.switchNode("s" + i);
        }
        net.host("h1", "s1", link).host("h2", "s" + switches, link);
        for (int i = 1; i < switches; i++) {
            net.link("s" + i, "s" + (i + 1), link);
        }
        FlowSpec lone = FlowSpec.greedy("lone", 0, 1, FrameShape.udp(1488))
                .withPattern(new ConstantRate(1_000_000_000L, Lateness.MADE_UP));
        var seen = Beds.run(new Experiment(net.build(), List.of(lone), List.of(),
                10_000_000_000L, Recording.NOTHING), cell, context);
        double delayUs = seen.group("lone").meanDelayUs();
        return seen.outcome(List.of(new Measure("delay", "us", delayUs)), List.of());
    }

    @Override
    public Findings conclude(List<CellResult> results) {
        List<Check> checks = new ArrayList<>();
        for (CellResult result : results) {
            int switches = result.cell().values().count("switches");
            checks.add(Check.atMost("dropped across " + switches, "frames",
                    result.measure("frames dropped"), 0, "a tenth of the links' rate"));
            if (result.cell().bed() == BedKind.VIRTUAL) { // real links have no delay of their own
                checks.add(Check.near("delay across " + switches, "us", result.measure("delay"),
                        (switches + 1) * LINK_US, 1e-9, "arithmetic"));
            }
        }
        return new Findings(checks, List.of(), List.of());
    }
}
