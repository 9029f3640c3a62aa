package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.report.RunReport;
import io.headgate.testbed.lab.own.OwnLabReader;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.lab.series.ValueSeries;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which series of a lab are drawn in one figure, and how that is called. */
class SeriesFiguresTest {
    private static final String LAB =
            """
            duration: 2s
            topology: {name: t, link: {rate: 20Mbps}, builder: {single-switch: {hosts: 2}}}
            traffic: [{from: h1, to: h2}]
            series:
              - {name: a, unit: kB, figure: Held, value: "[s1/p1 queue.bytes]"}
              - {name: b, unit: kB, value: "[s1/p1 queue.bytes]"}
              - {name: c, unit: Mb/s, value: "[s1/p1 bytes.received]"}
              - {name: d, unit: kB, figure: Held, value: "[s1/p2 queue.bytes]"}
              - {name: e, unit: kB, value: "[s1/p2 queue.bytes]"}
            """;

    @Test
    void thoseOfOneTitleAreTogetherAndOfTheOthersThoseOfOneUnit() {
        OwnLabSpec spec = OwnLabReader.read(LAB, "lab.yaml");
        List<Series> recorded = new ArrayList<>();
        for (String name : List.of("a", "b", "c", "d", "e")) {
            recorded.add(Series.of(name, "", List.of(new double[] {0, 1})));
        }
        PhaseOutcome outcome =
                new PhaseOutcome(
                        spec.phases().getFirst(),
                        List.of(),
                        List.of(),
                        0,
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        recorded,
                        List.of());
        Map<PhaseFindings.Together, List<Series>> figures =
                new PhaseFindings(spec, List.of(outcome), new RunReport("test")).together(outcome);
        assertThat(figures.keySet())
                .containsExactly(
                        new PhaseFindings.Together("Held", "kB"),
                        new PhaseFindings.Together("", "kB"),
                        new PhaseFindings.Together("", "Mb/s"));
        assertThat(figures.values())
                .extracting(all -> all.stream().map(Series::name).toList())
                .containsExactly(List.of("a", "d"), List.of("b", "e"), List.of("c"));
    }

    @Test
    void aTitleOfTheFileIsTheFiguresOwnAndElseTheNames() {
        List<Series> all =
                List.of(
                        Series.of("a", "kB", List.of(new double[] {0, 1})),
                        Series.of("d", "kB", List.of(new double[] {0, 1})));
        Figure titled = LabCharts.series(all, "Held", List.of(), 1, "pfc", List.of());
        assertThat(titled.title()).isEqualTo("Held (pfc)");
        assertThat(titled.name()).isEqualTo("series-1-pfc");
        assertThat(titled.y().heading()).isEqualTo("kB");
        assertThat(
                        LabCharts.series(all.subList(0, 1), "", List.of(), 1, "", List.of())
                                .y()
                                .heading())
                .isEqualTo("a (kB)");
        assertThat(LabCharts.series(all, "", List.of(), 1, "", List.of()).title())
                .isEqualTo("a, d");
    }

    /** A counter that counts twice must not look right. */
    @Test
    @Timeout(60)
    void moreThanAllOfTheTimeIsShownAsItWasMeasured() throws Exception {
        ValueSeries.Line twice = new ValueSeries.Line("h1", () -> 2 * System.nanoTime(), true, 100);
        try (ValueSeries values = new ValueSeries(System.nanoTime(), List.of(twice))) {
            // The first look has no look before it that was short.
            while (values.samples().size() < 2) {
                Thread.sleep(20);
            }
            Figure shares = LabCharts.shares(values, List.of(), "stopped", "Stopped");
            assertThat(shares.lines().getFirst().y()[1]).isBetween(190.0, 210.0);
        }
    }
}
