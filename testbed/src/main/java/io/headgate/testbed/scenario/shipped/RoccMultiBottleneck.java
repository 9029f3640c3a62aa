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
import io.headgate.testbed.scenario.bed.Recording;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.spec.FlowSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A flow that crosses two congested links has the smaller of their fair rates. */
public final class RoccMultiBottleneck implements Scenario {
    private static final String FIGURE = RoccRuns.DISSERTATION + ", figures 3.7 and 3.9a";
    private static final int PAIRS = 5;
    private static final long ACCESS_BPS = 10_000_000_000L;
    private static final long DELAY_NS = 1_000;

    /** Of the switch whose congested link is slow. */
    private static final long ACCESS_PERIOD_NS = 100_000;

    private static final List<String> NAMES = RoccRuns.names(PAIRS + 1);
    private static final double NARROW_GBPS = 5;
    private static final double WIDE_GBPS = 8.75;

    @Override
    public About about() {
        return new About(
                "rocc-multi-bottleneck",
                "RoCC: a flow that crosses two congested links",
                FIGURE,
                "D0, which crosses both, and D5 have 5 Gb/s each of the second link, and D1 to D4"
                        + " 8.75 Gb/s each of the first. With DCQCN D0 has 30 % less.");
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Compared.parameter(),
                Parameter.number("load", "1", "0.9", "1", "of the rate, of each host"),
                Parameter.duration("duration", "40ms", "1ms", "10s", "of the run"));
    }

    @Override
    public Outcome run(Cell cell, RunContext context) throws ScenarioException {
        Values values = cell.values();
        Compared control = Compared.of(values);
        Topology topology =
                RoccRuns.on(
                        Topologies.multiBottleneck(
                                PAIRS,
                                LinkSpec.of(ACCESS_BPS, DELAY_NS),
                                LinkSpec.of(RoccRuns.RATE_BPS, DELAY_NS)),
                        control.ports(RoccRuns.XOFF_BYTES));
        List<FlowSpec> flows = new ArrayList<>();
        for (int i = 0; i <= PAIRS; i++) {
            flows.add(
                    control.flow(
                            NAMES.get(i),
                            topology.host((i == PAIRS ? "B" : "A") + i),
                            topology.host("B" + (i == PAIRS ? 0 : i)),
                            (long) (ACCESS_BPS * values.number("load")),
                            RoccRuns.reaction(RoccRuns.PERIOD_NS, ACCESS_PERIOD_NS)));
        }
        long durationPs = values.whole("duration") * Common.PS_PER_NS;
        Recording recording = RoccRuns.recording(NAMES, List.of());
        Observation seen = Common.run(topology, flows, durationPs, recording, cell, context);
        return RoccRuns.shared(NAMES, seen);
    }

    @Override
    public Findings conclude(List<CellResult> results) {
        Map<String, Double> expectedGbps = new LinkedHashMap<>();
        for (int i = 0; i < PAIRS + 1; i++) {
            expectedGbps.put(NAMES.get(i), i == 0 || i == PAIRS ? NARROW_GBPS : WIDE_GBPS);
        }
        return RoccRuns.shares(
                results,
                expectedGbps,
                values -> Compared.of(values).isRocc(),
                FIGURE,
                "With RoCC D0 and D5 have 5 Gb/s, the others 8.75 Gb/s; with DCQCN D0 has 30 %"
                        + " less.");
    }
}
