package io.headgate.testbed.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FlowsTest {
    /** A hundred flows of 1 to 100 kB that take ten times as long as alone, the last 50 times. */
    private static Flows flows() {
        double[] numbers = IntStream.rangeClosed(1, 100).mapToDouble(i -> i).toArray();
        double[] zeros = new double[100];
        double[] completion = Arrays.stream(numbers).map(n -> n == 100 ? 5000 : 10 * n).toArray();
        double[] sizes = Arrays.stream(numbers).map(n -> 1000 * n).toArray();
        return new Flows("web", numbers, sizes, completion, numbers, zeros, zeros);
    }

    @Test
    void percentilesAreOfRanks() {
        Map<String, Double> measures = new HashMap<>();
        flows().measures().forEach(one -> measures.put(one.name(), one.value()));
        assertThat(measures)
                .containsEntry("p50 completion of web", 500.0)
                .containsEntry("p95 completion of web", 950.0)
                .containsEntry("p99 completion of web", 990.0)
                .containsEntry("p99 slowdown of web", 10.0)
                .containsEntry("flows unfinished of web", 0.0)
                .doesNotContainKeys("p99.9 completion of web", "p99.9 slowdown of web");
        assertThat(Flows.percentile(new double[0], 50)).isNaN();
    }

    /** The largest ten had not finished: they carry a fifth of all bytes. */
    @Test
    void flowsThatHadNotFinishedAreCountedAndInNoCompletionTime() {
        Flows all = flows();
        double[] completion = all.completionUs().clone();
        Arrays.fill(completion, 90, 100, Double.NaN);
        Flows some =
                new Flows(
                        "web",
                        all.startUs(),
                        all.sizeBytes(),
                        completion,
                        all.idealUs(),
                        all.source(),
                        all.destination());
        Map<String, Double> measures = new HashMap<>();
        some.measures().forEach(one -> measures.put(one.name(), one.value()));
        assertThat(measures)
                .containsEntry("flows begun of web", 100.0)
                .containsEntry("flows finished of web", 90.0)
                .containsEntry("flows unfinished of web", 10.0)
                .containsEntry("bytes begun of web", 5_050_000.0)
                .containsEntry("bytes finished of web", 4_095_000.0)
                .containsEntry("bytes unfinished of web", 955_000.0)
                .containsEntry("mean completion of web", 455.0)
                .containsEntry("p95 completion of web", 860.0)
                .doesNotContainKeys("p99 completion of web", "p99 slowdown of web");
        assertThat(some.slowdownBySize(50, 10).getLast()[0]).isEqualTo(86_000);
        assertThat(some.refusal())
                .isEqualTo(
                        "web: 90 finished flows are too few for p99 (100 are needed) and p99.9"
                                + " (1,000), which are not given");
    }

    /** The slowest ten are among those that a percentile ranks, wherever they stand. */
    @Test
    void flowsThatWereWaitedForInVainAreSlowerThanAllOthers() {
        Flows all = flows();
        double[] completion = all.completionUs().clone();
        Arrays.fill(completion, 0, 10, Double.NaN);
        Flows open =
                new Flows(
                        "web",
                        all.startUs(),
                        all.sizeBytes(),
                        completion,
                        all.idealUs(),
                        all.source(),
                        all.destination());
        Map<String, Object> drained = Map.of(Flows.DRAINED, true);
        Outcome outcome = new Outcome("", List.of(), open.series(), List.of(), drained);
        Flows seen = Flows.of(outcome, "web");
        assertThat(seen).isNotNull();
        Map<String, Double> measures = new HashMap<>();
        seen.measures().forEach(one -> measures.put(one.name(), one.value()));
        assertThat(measures)
                .containsEntry("flows unfinished of web", 10.0)
                .containsEntry("p50 completion of web", 600.0)
                .containsEntry("mean completion of web", 53_950 / 90.0)
                .doesNotContainKeys("p95 completion of web", "p99 slowdown of web");
        assertThat(seen.ratesGbps()).hasSize(90);
        CellResult run = new CellResult(run(1, all).cell(), outcome, null, 0);
        assertThat(Cautions.of(List.of(run)).getFirst())
                .endsWith(
                        "percentiles count them as slower than the others, means and rates use only"
                                + " the other 90");
    }

    private static CellResult run(long seed, Flows flows) {
        Cell cell = new Cell(0, new Values(List.of(), List.of()), seed, BedKind.VIRTUAL, 1);
        Outcome outcome = new Outcome("", List.of(), flows.series(), List.of(), Map.of());
        return new CellResult(cell, outcome, null, 0);
    }

    @Test
    void aRunOfWhichNoFlowHadFinishedHasNoCurve() {
        Flows all = flows();
        double[] never = new double[all.count()];
        Arrays.fill(never, Double.NaN);
        Flows none =
                new Flows(
                        "web",
                        all.startUs(),
                        all.sizeBytes(),
                        never,
                        all.idealUs(),
                        all.source(),
                        all.destination());
        List<Figure> figures = SweepFigures.flows(List.of(run(1, all), run(2, none)));
        assertThat(figures).hasSize(2);
        assertThat(figures)
                .allSatisfy(figure ->
                        assertThat(figure.lines())
                                .isNotEmpty()
                                .allMatch(line -> line.x().length > 0));
    }

    @Test
    void slowdownsBySizeAreOfClassesWithAsManyFlows() {
        List<double[]> points = flows().slowdownBySize(99, 10);
        assertThat(points).hasSize(10);
        assertThat(points.getFirst()).containsExactly(5000, 10);
        assertThat(points.getLast()).containsExactly(95_000, 50);
    }

    @Test
    void aRunKeepsThemAsSeries() {
        Outcome run = new Outcome("", List.of(), flows().series(), List.of(), Map.of());
        assertThat(Flows.groups(run)).containsExactly("web");
        Flows back = Flows.of(run, "web");
        assertThat(back).isNotNull();
        assertThat(back.completionUs()).isEqualTo(flows().completionUs());
        assertThat(Flows.of(run, "other")).isNull();
    }
}
