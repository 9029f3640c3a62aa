package io.headgate.testbed.lab;

import io.headgate.testbed.lab.TimeSeries.Sample;
import java.util.List;
import java.util.function.ToDoubleBiFunction;

/** A lab's plots, and the page that shows them with the report: one file, nothing loaded. */
final class LabCharts {
    private LabCharts() {}

    /** What each port sent, over time. */
    static String throughput(TimeSeries series) {
        return chart(series, "Sent by each port", "Gb/s", (s, port) -> s.sentBps().get(port) / 1e9);
    }

    /** What waited in each port's queue, over time. */
    static String queues(TimeSeries series) {
        return chart(
                series, "Waiting at each port", "kB", (s, port) -> s.queueBytes().get(port) / 1e3);
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

    /** What some values were, over time, with the phases of another series. */
    static String chart(ValueSeries values, TimeSeries phases, String title, String unit) {
        double[] seconds = values.seconds();
        double max = 0;
        for (int line = 0; line < values.names().size(); line++) {
            for (double value : values.values(line)) {
                max = Math.max(max, value);
            }
        }
        double end = seconds.length == 0 ? 0 : seconds[seconds.length - 1];
        SvgChart chart = new SvgChart(title, unit, end, max);
        phases.marks().forEach(mark -> chart.mark(mark.seconds(), mark.name()));
        for (int line = 0; line < values.names().size(); line++) {
            chart.line(values.names().get(line), seconds, values.values(line));
        }
        return chart.finish();
    }

    /** The page that shows plots and report: one file, nothing loaded. */
    static String page(String lab, String plots, String reportText) {
        return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                + "<title>Headgate lab "
                + lab
                + "</title>"
                + "<style>body{max-width:70em;margin:2em auto;font-family:sans-serif}"
                + "pre{font-size:13px;overflow-x:auto}</style></head><body>\n"
                + plots
                + "<pre>"
                + SvgChart.escaped(reportText)
                + "</pre></body></html>\n";
    }
}
