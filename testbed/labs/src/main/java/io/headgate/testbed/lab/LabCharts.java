package io.headgate.testbed.lab;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.PortConfig;
import io.headgate.testbed.lab.TimeSeries.Mark;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.lab.series.ValueSeries;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Figure.Axis;
import io.headgate.testbed.scenario.Figure.Limit;
import io.headgate.testbed.scenario.Figure.Line;
import io.headgate.testbed.scenario.Figure.Style;
import io.headgate.testbed.scenario.Series;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Draws a lab's figures. */
final class LabCharts {
    private static final int MOST_NAMED = 2;

    private LabCharts() {}

    /** Rate that each port sent, over time; the part of the lab follows the title. */
    static Figure throughput(TimeSeries series, String name, String which) {
        return figure(
                series.rates(),
                name,
                "Sent by each port " + which,
                Axis.linear("sent by port", "Gb/s"),
                limits(series, "rate", "Gb/s", port -> port.rateBps() / 1e9),
                marks(series));
    }

    /** The length of each port's queue, over time. */
    static Figure queues(TimeSeries series, String name, String which) {
        return figure(
                series.waiting(),
                name,
                "Waiting at each port " + which,
                Axis.linear("queue of port", "kB"),
                limits(series, "queue's limit", "kB", LabCharts::queueLimitKb),
                marks(series));
    }

    /**
     * Queue limit in kB; NaN if lossless frames wait there, because their senders are stopped
     * instead.
     */
    private static double queueLimitKb(PortConfig port) {
        boolean isLossless =
                port.flowControl().mode() != FlowControlConfig.Mode.NONE
                        && port.traffic().losslessMask() != 0;
        return isLossless ? Double.NaN : port.queueLimitBytes() / 1e3;
    }

    /** One where all ports have the same, otherwise one per value with its ports. */
    private static List<Limit> limits(
            TimeSeries series, String what, String unit, ToDoubleFunction<PortConfig> value) {
        Map<Double, List<String>> ports = new TreeMap<>();
        for (int port = 0; port < series.ports().size(); port++) {
            double limit = value.applyAsDouble(series.configs().get(port));
            if (!Double.isNaN(limit)) {
                ports.computeIfAbsent(limit, _ -> new ArrayList<>()).add(series.ports().get(port));
            }
        }
        List<Limit> limits = new ArrayList<>();
        ports.forEach((limit, names) -> {
            String of = names.size() > MOST_NAMED ? "others" : String.join(", ", names);
            Limit here = Limit.of(what, limit, unit);
            limits.add(ports.size() == 1 ? here : new Limit(here.name() + ", " + of, limit));
        });
        return limits;
    }

    /**
     * The series that a lab's file computes from counters.
     *
     * @param all of one unit
     * @param title as the file has it; empty: their names
     * @param virtual the same in virtual time; empty: there is no such run
     * @param number of the figure among those of its network
     * @param which the phase or run; empty: there is one
     * @param changes of switches meanwhile
     */
    static Figure series(
            List<Series> all,
            String title,
            List<Series> virtual,
            int number,
            String which,
            List<Mark> changes) {
        List<Line> lines = new ArrayList<>();
        for (Series one : all) {
            lines.add(line(one, one.name(), Style.LINE));
            virtual.stream()
                    .filter(twin -> twin.name().equals(one.name()))
                    .forEach(twin -> lines.add(line(twin, twin.name() + " virtual", Style.DASHED)));
        }
        List<String> names = all.stream().map(Series::name).toList();
        return new Figure(
                        "series-" + number + (which.isEmpty() ? "" : "-" + OwnLabSpec.word(which)),
                        (title.isEmpty() ? String.join(", ", names) : title)
                                + (which.isEmpty() ? "" : " (" + which + ")"),
                        Axis.linear("time", "s"),
                        Axis.of(names, all.getFirst().unit()),
                        lines,
                        "",
                        "")
                .withMarks(limits(changes));
    }

    private static Line line(Series one, String name, Style style) {
        return new Line(
                name,
                style,
                Arrays.stream(one.timesUs()).map(us -> us / 1e6).toArray(),
                one.values());
    }

    private static List<Limit> limits(List<Mark> marks) {
        return marks.stream().map(mark -> new Limit(mark.name(), mark.seconds())).toList();
    }

    static List<Mark> marks(TimeSeries series) {
        return Stream.concat(series.marks().stream(), series.changes().stream()).toList();
    }

    /** Shares of time, in percent, over time, with the marks of another series. */
    static Figure shares(ValueSeries values, List<Mark> marks, String name, String title) {
        // A look and what it asks are some ms apart: of all the time it may be a little over 100.
        return figure(values, name, title, Axis.linear("share of time", "%"), List.of(), marks);
    }

    private static Figure figure(
            ValueSeries values,
            String name,
            String title,
            Axis vertical,
            List<Limit> limits,
            List<Mark> marks) {
        // All lines from one copy: looks go on, and all must be as long as the times.
        List<ValueSeries.Sample> samples = values.samples();
        double[] seconds = samples.stream().mapToDouble(ValueSeries.Sample::seconds).toArray();
        List<Line> lines = new ArrayList<>();
        for (int line = 0; line < values.names().size(); line++) {
            int number = line;
            double[] y = samples.stream().mapToDouble(one -> one.values().get(number)).toArray();
            lines.add(new Line(values.names().get(line), Style.LINE, seconds, y));
        }
        Axis time = Axis.linear("time", "s");
        return new Figure(name, title.strip(), time, vertical, lines, "", "")
                .withLimits(limits)
                .withMarks(limits(marks));
    }
}
