package io.headgate.testbed.lab;

import io.headgate.testbed.lab.TimeSeries.Sample;
import java.util.List;
import java.util.function.ToDoubleBiFunction;

/** A lab's plots, and the page that shows them with the report: one file, nothing loaded. */
final class LabCharts {
    /** Rates from here on are told in Gb/s. */
    private static final double LEAST_GBPS_BPS = 2e8;

    private static final double PERCENT = 100;

    private LabCharts() {}

    /** What each port sent, over time; of which part of a lab stands behind the title. */
    static String throughput(TimeSeries series, String which) {
        boolean slow =
                series.samples().stream()
                        .flatMap(sample -> sample.sentBps().stream())
                        .allMatch(bps -> bps < LEAST_GBPS_BPS);
        double unitBps = slow ? 1e6 : 1e9;
        return chart(
                series,
                title("Sent by each port", which),
                slow ? "Mb/s" : "Gb/s",
                (s, port) -> s.sentBps().get(port) / unitBps);
    }

    /** What waited in each port's queue, over time. */
    static String queues(TimeSeries series, String which) {
        return chart(
                series,
                title("Waiting at each port", which),
                "kB",
                (s, port) -> s.queueBytes().get(port) / 1e3);
    }

    private static String title(String what, String which) {
        return which.isEmpty() ? what : what + " " + which;
    }

    private static String chart(
            TimeSeries series,
            String title,
            String unit,
            ToDoubleBiFunction<Sample, Integer> value) {
        List<Sample> samples = series.samples();
        double[] seconds = samples.stream().mapToDouble(Sample::seconds).toArray();
        double max = 0;
        for (Sample sample : samples) {
            for (int port = 0; port < series.ports().size(); port++) {
                max = Math.max(max, value.applyAsDouble(sample, port));
            }
        }
        double end = seconds.length == 0 ? 0 : seconds[seconds.length - 1];
        SvgChart chart = new SvgChart(title, unit, end, max);
        series.marks().forEach(mark -> chart.mark(mark.seconds(), mark.name()));
        for (int port = 0; port < series.ports().size(); port++) {
            int number = port;
            chart.line(
                    series.ports().get(port),
                    seconds,
                    samples.stream().mapToDouble(s -> value.applyAsDouble(s, number)).toArray());
        }
        return chart.finish();
    }

    /** What shares of time were, in percent, over time, with the phases of another series. */
    static String shares(ValueSeries values, TimeSeries phases, String title) {
        double[] seconds = values.seconds();
        double end = seconds.length == 0 ? 0 : seconds[seconds.length - 1];
        SvgChart chart = new SvgChart(title, "%", end, PERCENT);
        phases.marks().forEach(mark -> chart.mark(mark.seconds(), mark.name()));
        for (int line = 0; line < values.names().size(); line++) {
            chart.line(values.names().get(line), seconds, values.values(line));
        }
        return chart.finish();
    }

    /**
     * The page that shows verdict, plots and report: one file, nothing loaded.
     *
     * @param title what was run
     * @param problems what was not as it should be
     */
    static String page(String title, List<String> problems, String plots, String reportText) {
        String verdict = problems.isEmpty() ? "PASS" : "FAIL: " + String.join("; ", problems) + ".";
        return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                + "<title>"
                + SvgChart.escaped(title)
                + "</title>"
                + "<style>body{max-width:70em;margin:2em auto;font-family:sans-serif}"
                + "pre{font-size:13px;overflow-x:auto}</style></head><body>\n<h1>"
                + SvgChart.escaped(title)
                + "</h1>\n<p>"
                + SvgChart.escaped(verdict)
                + "</p>\n"
                + plots
                + "<pre>"
                + SvgChart.escaped(reportText)
                + "</pre></body></html>\n";
    }
}
