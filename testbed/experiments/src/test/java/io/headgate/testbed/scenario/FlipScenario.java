package io.headgate.testbed.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/** Throws a coin: small, seeded, and something to conclude from. */
public final class FlipScenario implements Scenario {
    @Override
    public About about() {
        return new About(
                "flip",
                "A coin thrown often enough",
                "Bernoulli, Ars Conjectandi (1713), part 4",
                "the share of heads tends to their probability",
                Set.of(BedKind.VIRTUAL),
                1);
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.number("heads", Unit.NUMBER, "0.5", "0", "1", "probability of heads"),
                Parameter.number("throws", Unit.COUNT, "10k", "1", "1M", "how often"),
                Parameter.word("coin", List.of("fair", "broken"), "which coin"));
    }

    @Override
    public Outcome run(Cell cell, RunContext context) throws ScenarioException {
        if (cell.values().word("coin").equals("broken")) {
            throw new ScenarioException("the coin is broken");
        }
        SplittableRandom random = new SplittableRandom(cell.seed());
        long throwsWanted = cell.values().whole("throws");
        long heads = 0;
        List<Double> times = new ArrayList<>();
        List<Double> shares = new ArrayList<>();
        for (int i = 0; i < throwsWanted; i++) {
            heads += random.nextDouble() < cell.values().number("heads") ? 1 : 0;
            if (i % 1000 == 0) {
                times.add((double) i);
                shares.add((double) heads / (i + 1));
                context.progress((double) i / throwsWanted);
            }
        }
        return new Outcome(
                String.format("%016x", heads),
                List.of(new Measure("share of heads", "", (double) heads / throwsWanted)),
                List.of(new Series("share", "", array(times), array(shares))),
                List.of("0 throws on edge"),
                Map.of("coin", "minted <1713> & fair"));
    }

    private static double[] array(List<Double> list) {
        return list.stream().mapToDouble(Double::doubleValue).toArray();
    }

    @Override
    public Findings conclude(List<CellResult> results) {
        List<Check> checks = new ArrayList<>();
        Figure.Points points = new Figure.Points();
        List<Figure.Line> lines = new ArrayList<>();
        for (CellResult result : results) {
            double expected = result.cell().values().number("heads");
            double share = result.measure("share of heads");
            points.add(expected, share);
            checks.add(
                    Check.within(
                            "share of heads in run " + result.cell().index(),
                            "",
                            share,
                            expected,
                            0.05,
                            "Bernoulli"));
            lines.add(
                    Figure.Line.of(
                            "run " + result.cell().index(),
                            Figure.Style.LINE,
                            result.outcomeOrThrow().series("share")));
        }
        lines.add(points.line("all", Figure.Style.POINTS));
        return new Findings(
                checks,
                List.of(
                        new Figure(
                                "shares",
                                "Heads",
                                Figure.Axis.linear("throws", ""),
                                Figure.Axis.linear("share of heads", ""),
                                lines,
                                "it tends to the probability",
                                "it does")),
                List.of("no coin stood on its edge"));
    }
}
