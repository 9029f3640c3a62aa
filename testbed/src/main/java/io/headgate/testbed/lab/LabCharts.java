package io.headgate.testbed.lab;

import io.headgate.testbed.lab.TimeSeries.Sample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

    /** Writes both plots and the page. */
    static void write(TimeSeries series, String reportText, Path directory) throws IOException {
        String throughput = throughput(series);
        String queues = queues(series);
        Files.writeString(directory.resolve("throughput.svg"), throughput);
        Files.writeString(directory.resolve("queues.svg"), queues);
        Files.writeString(
                directory.resolve("report.html"),
                "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                        + "<title>Headgate lab four-port</title>"
                        + "<style>body{max-width:70em;margin:2em auto;font-family:sans-serif}"
                        + "pre{font-size:13px;overflow-x:auto}</style></head><body>\n"
                        + throughput
                        + queues
                        + "<pre>"
                        + SvgChart.escaped(reportText)
                        + "</pre></body></html>\n");
    }
}
