package io.headgate.testbed.scenario.shipped;

import io.headgate.config.PortTraffic;
import io.headgate.hostagent.rate.RoccReactionConfig;
import io.headgate.testbed.scenario.About;
import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Findings;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.RunContext;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Values;
import io.headgate.testbed.scenario.bed.Observation;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.spec.FlowSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The authors' two test beds: three senders and one receiver, alike or not. */
public final class RoccTestbed implements Scenario {
    private static final String FIGURES = RoccRuns.DISSERTATION + ", figures 3.10 and 3.11";
    private static final int SENDERS = 3;
    private static final String PORT = RoccRuns.receiver(SENDERS);
    private static final List<String> NAMES = RoccRuns.names(SENDERS);
    private static final double REFERENCE_KB = 75;

    /** A test bed, with what its two runs send and what must come of them, in Gb/s. */
    private enum Bed {
        /** Section 3.5.2. */
        DPDK(10, 100_000, List.of(10.0, 3.0, 1.0), 6),

        /** Section 3.5.3. */
        P4(40, 20_000, List.of(40.0, 30.0, 10.0), 15);

        private final int rateGbps;
        private final long periodNs;

        @SuppressWarnings("ImmutableEnumChecker") // a list of boxes that List.of made
        private final List<Double> mixedGbps;

        private final double mixedShareGbps;

        Bed(int rateGbps, long periodNs, List<Double> mixedGbps, double mixedShareGbps) {
            this.rateGbps = rateGbps;
            this.periodNs = periodNs;
            this.mixedGbps = mixedGbps;
            this.mixedShareGbps = mixedShareGbps;
        }

        static Bed of(Values values) {
            return valueOf(values.word("testbed").toUpperCase(Locale.ROOT));
        }

        long rateBps() {
            return rateGbps * 1_000_000_000L;
        }

        double demandGbps(Values values, int sender) {
            return isMixed(values) ? mixedGbps.get(sender) : rateGbps;
        }

        double shareGbps(Values values) {
            return isMixed(values) ? mixedShareGbps : (double) rateGbps / SENDERS;
        }

        private static boolean isMixed(Values values) {
            return values.word("demand").equals("mixed");
        }

        PortTraffic ports() {
            PortTraffic ports = RoccRuns.ports(RoccRuns.XOFF_BYTES);
            if (this == DPDK) {
                return ports; // what is published for 10 Gb/s is this test bed's
            }
            // Gains are not printed; those of the simulations at 40 Gb/s are of steps of 600 bytes.
            return ports.with(RoccRuns.ROCC, "qref", 75_000L)
                    .with(RoccRuns.ROCC, "period", periodNs)
                    .with(RoccRuns.ROCC, "queue-step", 80L)
                    .with(RoccRuns.ROCC, "alpha", 0.3 * 80 / 600)
                    .with(RoccRuns.ROCC, "beta", 1.5 * 80 / 600);
        }
    }

    @Override
    public About about() {
        return new About(
                "rocc-testbed",
                "RoCC: three senders of equal and of different demand",
                FIGURES,
                "Fair rates are 3.33 Gb/s (uniform) and 6 Gb/s (mixed: 10, 3 and 1 Gb/s) on links"
                        + " of 10 Gb/s, 13.3 and 15 Gb/s (40, 30 and 10 Gb/s) on links of 40 Gb/s;"
                        + " the queue is at 75 kB.",
                Set.of(BedKind.VIRTUAL, BedKind.NETNS),
                100);
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.words(
                        "testbed",
                        List.of("dpdk", "p4"),
                        "at 10 Gb/s with DPDK, at 40 Gb/s with a P4 switch"),
                Parameter.words(
                        "demand",
                        List.of("uniform", "mixed"),
                        "all at the line rate, or two of three with less"),
                Parameter.duration("duration", "24ms", "1ms", "1s", "of the run"));
    }

    @Override
    public Outcome run(Cell cell, RunContext context) throws ScenarioException {
        Values values = cell.values();
        Bed bed = Bed.of(values);
        Topology topology = RoccRuns.star(SENDERS, bed.rateBps(), bed.ports());
        RoccReactionConfig reaction = RoccRuns.reaction(bed.periodNs, bed.periodNs);
        List<FlowSpec> flows = new ArrayList<>();
        for (int i = 0; i < SENDERS; i++) {
            long demandBps = Math.round(bed.demandGbps(values, i) * 1e9);
            flows.add(RoccRuns.flow(NAMES.get(i), i, SENDERS, demandBps, reaction));
        }
        Observation seen =
                RoccRuns.observe(
                        topology,
                        flows,
                        NAMES,
                        List.of(PORT),
                        values.whole("duration"),
                        cell,
                        context);
        List<Measure> measures = new ArrayList<>();
        for (String what : List.of(RoccRuns.RATE, RoccRuns.QUEUE)) {
            measures.add(RoccRuns.settled(what, seen.seriesOf(what + " " + PORT), seen));
        }
        NAMES.forEach(name -> measures.add(RoccRuns.settledThroughput(name, seen)));
        return seen.outcome(measures, List.of());
    }

    @Override
    public Findings conclude(List<CellResult> results) {
        Conclusions all = new Conclusions(results);
        for (Conclusions.Run run : all.runs()) {
            Bed bed = Bed.of(run.values());
            double shareGbps = bed.shareGbps(run.values());
            run.near(RoccRuns.RATE, shareGbps, RoccRuns.RATE_TOLERANCE, FIGURES);
            for (int i = 0; i < SENDERS; i++) {
                double gbps = Math.min(shareGbps, bed.demandGbps(run.values(), i));
                String rate = RoccRuns.rateOf(NAMES.get(i));
                run.near(rate, gbps, RoccRuns.RATE_TOLERANCE, FIGURES);
            }
            run.near(RoccRuns.QUEUE, REFERENCE_KB, RoccRuns.QUEUE_TOLERANCE, FIGURES);
            RoccRuns.checkLossless(run);
            run.say(
                    String.format(
                            Locale.ROOT,
                            "fair rate %.2f Gb/s, queue %.1f kB",
                            run.measure(RoccRuns.RATE),
                            run.measure(RoccRuns.QUEUE)));
        }
        String says = "Fair rates of test beds and simulations settle at the max-min share.";
        List<Figure> figures =
                new ArrayList<>(
                        RoccRuns.figures(results, PORT, _ -> REFERENCE_KB, says, all.said()));
        figures.add(RoccRuns.allowed(results, says, all.said()));
        return all.with(figures);
    }
}
