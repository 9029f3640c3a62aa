package io.headgate.testbed.lab.deadlock;

import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Section;
import io.headgate.control.report.Table;
import io.headgate.testbed.lab.column.LabColumn;
import io.headgate.testbed.lab.column.LabColumn.Of;
import io.headgate.testbed.lab.series.Occupancies;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Figure.Axis;
import io.headgate.testbed.scenario.Figure.Limit;
import io.headgate.testbed.scenario.Figure.Line;
import io.headgate.testbed.scenario.Figure.Style;
import io.headgate.testbed.traffic.ThroughputSeries;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The runs of the ring in a table, and one of them in plots as figure 4.10 has it. */
public final class RingReport {
    private static final double PS_PER_S = 1e12;

    private RingReport() {}

    /** A row for each run. */
    public static Section section(List<RingTrial> trials) {
        Table table = LabColumn.table(Of.DEADLOCK);
        for (RingTrial one : trials) {
            table.row(
                    Integer.toString(one.run()),
                    one.remedy().word(),
                    one.formed() ? number(one.formedSeconds(), 3) : "-",
                    number(one.remedySeconds(), 1),
                    one.leastStandingBytes().stream()
                            .map(bytes -> number(bytes / 1e3, 1))
                            .collect(Collectors.joining("  ")),
                    one.resumed().stream().map(String::valueOf).collect(Collectors.joining("  ")),
                    numbers(one.leastMbps()),
                    numbers(one.meanMbps()),
                    Long.toString(one.letGo()),
                    Long.toString(one.allDropped()),
                    Long.toString(one.reordered()),
                    Long.toString(one.missing()));
        }
        return new Section(
                "Deadlock",
                trials,
                "times since the release of the ring's links; \"until\" is when the remedy was"
                        + " turned on; dropped, out of order and missing since the ring was warm:",
                table);
    }

    /** What the runs show in three numbers: of several, the run with the least. */
    public static void headlines(List<RingTrial> trials, RunReport report) {
        long formed = trials.stream().filter(RingTrial::formed).count();
        report.headline(
                trials.size() == 1 ? "the ring stood still" : "runs in which the ring stood still",
                trials.size() == 1
                        ? (formed == 1 ? "yes" : "no")
                        : formed + " of " + trials.size());
        RingTrial worst =
                Collections.min(trials, Comparator.comparingDouble(RingReport::leastMbps));
        report.headline(
                "least that a flow got in a second behind the remedy, of a share of "
                        + number(worst.shareMbps(), 0)
                        + " Mb/s",
                number(leastMbps(worst), 1) + " Mb/s");
        long dropped = trials.stream().mapToLong(RingTrial::allDropped).sum();
        report.headline("dropped", dropped + " frames");
    }

    private static double leastMbps(RingTrial trial) {
        return trial.leastMbps().stream().mapToDouble(Double::doubleValue).min().orElse(0);
    }

    private static String numbers(List<Double> values) {
        return values.stream().map(value -> number(value, 1)).collect(Collectors.joining("  "));
    }

    private static String number(double value, int digits) {
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }

    /**
     * What the buffers held in the first run, and what each flow got, over the time since the
     * release.
     *
     * @param releasedAt in seconds since the first interval of what was received
     * @param remedySeconds when the remedy was turned on, since the release
     * @param shareMbps what a flow gets where two share a link: half its rate
     */
    public static List<Figure> charts(
            Remedy remedy,
            Occupancies buffers,
            List<ThroughputSeries> received,
            double releasedAt,
            double remedySeconds,
            double shareMbps) {
        Axis time = Axis.linear("time", "s");
        List<Limit> marks =
                remedy == Remedy.NONE
                        ? List.of()
                        : List.of(new Limit(remedy.word() + " on", remedySeconds));
        List<Line> held = new ArrayList<>();
        double[] seconds = buffers.seconds();
        List<Line> got = new ArrayList<>();
        for (int i = 0; i < received.size(); i++) {
            String name = buffers.names().get(i);
            held.add(new Line(name, Style.LINE, seconds, buffers.kilobytes(i)));
            ThroughputSeries series = received.get(i);
            double intervalSeconds = series.intervalPs() / PS_PER_S;
            double[] at = new double[series.intervals()];
            double[] mbps = new double[at.length];
            for (int n = 0; n < at.length; n++) {
                at[n] = (n + 0.5) * intervalSeconds - releasedAt;
                mbps[n] = series.throughputBps(n) / 1e6;
            }
            got.add(new Line("f" + (i + 1), Style.LINE, at, mbps));
        }
        return List.of(
                new Figure(
                        "buffers",
                        "Held by the ring's buffers, run 1",
                        time,
                        Axis.linear("held", "kB"),
                        held,
                        List.of(
                                Limit.of("xoff", RingTrial.XOFF_BYTES / 1e3, "kB"),
                                Limit.of("xon", RingTrial.XON_BYTES / 1e3, "kB")),
                        marks,
                        "",
                        ""),
                new Figure(
                        "throughput",
                        "Received of each flow, run 1",
                        time,
                        Axis.linear("received", "Mb/s"),
                        got,
                        List.of(
                                Limit.of("share", shareMbps, "Mb/s"),
                                Limit.of("rate", 2 * shareMbps, "Mb/s")),
                        marks,
                        "",
                        ""));
    }
}
