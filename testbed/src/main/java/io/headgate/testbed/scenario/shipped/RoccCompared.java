package io.headgate.testbed.scenario.shipped;

import io.headgate.config.PortTraffic;
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
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.spec.FlowSpec;
import java.util.ArrayList;
import java.util.List;

/** Ten senders to one receiver: what they have, and what the queue is, with RoCC and DCQCN. */
public final class RoccCompared implements Scenario {
    private static final String FIGURE = RoccRuns.DISSERTATION + ", figure 3.8";
    private static final int SENDERS = 10;
    private static final List<String> NAMES = RoccRuns.names(SENDERS);
    private static final String PORT = RoccRuns.receiver(SENDERS);
    private static final double FAIR_GBPS = 4;
    private static final double LEAST_FAIRNESS = 0.99;

    @Override
    public About about() {
        return new About(
                "rocc-compared",
                "RoCC and DCQCN: ten senders to one receiver",
                FIGURE,
                "With RoCC each flow has 4 Gb/s and the queue is at its reference, 150 kB; with"
                        + " DCQCN the rates are comparable, and the queue swings about 100 kB.");
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Compared.parameter(),
                Parameter.number("load", "0.9", "0.5", "1", "of the rate, of each sender"),
                Parameter.duration("duration", "100ms", "1ms", "10s", "of the run"));
    }

    @Override
    public Outcome run(Cell cell, RunContext context) throws ScenarioException {
        Values values = cell.values();
        Compared control = Compared.of(values);
        PortTraffic ports = control.ports(RoccRuns.XOFF_BYTES);
        Topology topology = RoccRuns.star(SENDERS, RoccRuns.RATE_BPS, ports);
        long demandBps = (long) (RoccRuns.RATE_BPS * values.number("load"));
        List<FlowSpec> flows = new ArrayList<>();
        for (int i = 0; i < SENDERS; i++) {
            flows.add(control.flow(NAMES.get(i), i, SENDERS, demandBps, RoccRuns.reaction()));
        }
        long durationPs = values.whole("duration") * Common.PS_PER_NS;
        Recording recording = RoccRuns.recording(NAMES, List.of(PORT));
        Observation seen = Common.run(topology, flows, durationPs, recording, cell, context);
        return seen.outcome(Compared.measures(NAMES, PORT, seen), List.of());
    }

    @Override
    public Findings conclude(List<CellResult> results) {
        Conclusions all = new Conclusions(results);
        for (Conclusions.Run run : all.runs()) {
            if (Compared.of(run.values()).isRocc()) {
                for (String name : NAMES) {
                    String rate = RoccRuns.rateOf(name);
                    run.near(rate, FAIR_GBPS, RoccRuns.RATE_TOLERANCE, FIGURE);
                }
                run.atLeast(Compared.FAIRNESS, LEAST_FAIRNESS, FIGURE);
                double kbytes = Compared.REFERENCE_KB;
                run.near(RoccRuns.QUEUE, kbytes, RoccRuns.QUEUE_TOLERANCE, FIGURE);
            }
            RoccRuns.checkLossless(run);
            run.say(Compared.sentence(run));
        }
        return all.with(
                RoccRuns.throughputs(results, NAMES, "With RoCC each flow has 4 Gb/s.", all.said()),
                Compared.queues(
                        results,
                        PORT,
                        "RoCC holds the queue at 150 kB; with DCQCN it fluctuates about 100 kB.",
                        all.said()));
    }
}
