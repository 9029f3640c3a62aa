package io.headgate.testbed.scenario.shipped;

import io.headgate.testbed.scenario.About;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Findings;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.RunContext;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Values;
import io.headgate.testbed.scenario.bed.Observation;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.spec.FlowSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Senders at links of 40 and of 100 Gb/s have the same share of the link to the receiver. */
public final class RoccAsymmetric implements Scenario {
    private static final String FIGURE = RoccRuns.DISSERTATION + ", figure 3.9b";
    private static final int SLOW = 5;
    private static final int FAST = 2;
    private static final List<String> NAMES = RoccRuns.names(SLOW + FAST);
    private static final long FAST_BPS = 100_000_000_000L;

    @Override
    public About about() {
        return new About(
                "rocc-asymmetric",
                "RoCC: senders at links of different rates",
                FIGURE,
                "Five senders at 40 Gb/s and two at 100 Gb/s have 14.29 Gb/s each of a link of 100"
                        + " Gb/s.");
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.number("load", "0.9", "0.5", "1", "of the rate, of each host"),
                Parameter.duration("duration", "20ms", "1ms", "1s", "of the run"));
    }

    @Override
    public Outcome run(Cell cell, RunContext context) throws ScenarioException {
        Values values = cell.values();
        LinkSpec slow = LinkSpec.of(RoccRuns.RATE_BPS, RoccRuns.DELAY_NS);
        LinkSpec fast = LinkSpec.of(FAST_BPS, RoccRuns.DELAY_NS);
        Topology topology =
                RoccRuns.on(
                        Topologies.asymmetric(SLOW, FAST, slow, fast, fast),
                        RoccRuns.ports(RoccRuns.XOFF_BYTES));
        List<FlowSpec> flows = new ArrayList<>();
        for (int i = 0; i < SLOW + FAST; i++) {
            long rateBps = i < SLOW ? RoccRuns.RATE_BPS : FAST_BPS;
            flows.add(
                    RoccRuns.flow(
                            NAMES.get(i),
                            topology.host("A" + i),
                            topology.host("B0"),
                            (long) (rateBps * values.number("load")),
                            RoccRuns.reaction()));
        }
        Observation seen =
                RoccRuns.observe(
                        topology, flows, NAMES, List.of(), values.whole("duration"), cell, context);
        return RoccRuns.shared(NAMES, seen);
    }

    @Override
    public Findings conclude(List<CellResult> results) {
        Map<String, Double> expectedGbps = new LinkedHashMap<>();
        for (int i = 0; i < SLOW + FAST; i++) {
            expectedGbps.put(NAMES.get(i), FAST_BPS / 1e9 / (SLOW + FAST));
        }
        return RoccRuns.shares(
                results,
                NAMES,
                run -> RoccRuns.checkShares(run, expectedGbps, FIGURE),
                "Each flow has 14.29 Gb/s.");
    }
}
