package io.headgate.testbed.lab;

import io.headgate.config.SwitchConfig;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Doubt;
import io.headgate.control.report.RunReport.Section;
import io.headgate.control.report.Table;
import io.headgate.dataplane.congestion.RoccConfig;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.dataplane.device.tap.TapDevice;
import io.headgate.testbed.lab.column.LabColumn;
import io.headgate.testbed.lab.column.LabColumn.Of;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.lab.rocc.Demand;
import io.headgate.testbed.lab.rocc.History;
import io.headgate.testbed.lab.rocc.RoccLooks;
import io.headgate.testbed.lab.rocc.RoccTwin;
import io.headgate.testbed.lab.rocc.Trial;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.Iperf3;
import io.headgate.testbed.netns.LabRecords;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Figure.Axis;
import io.headgate.testbed.scenario.Figure.Limit;
import io.headgate.testbed.scenario.Figure.Line;
import io.headgate.testbed.scenario.Figure.Style;
import io.headgate.testbed.scenario.Numbers;
import io.headgate.testbed.scenario.ScenarioException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * RoCC on real frames: three senders and one receiver with lossless links, as in the authors' test
 * beds (Menikkumbura, dissertation, Purdue 2022, section 3.5.2), first without RoCC, where pauses
 * hold the senders back, then with it, where they follow the fair rate. Applications are unmodified
 * iperf3 over the TAPs of host agents.
 */
public final class RoccLab extends Lab {
    private static final String PORT = "p" + (Demand.HOSTS + 1);
    private static final String NONE = " none";
    private static final String ROCC = " rocc";
    private static final List<String> SENDER_PORTS = List.of("p1", "p2", "p3");
    private static final int PRIORITY = 3;
    private static final int DSCP = 26;
    private static final String RATE = "rocc.rate.p" + PRIORITY;

    /** As the lab's file has it. */
    private static final long XOFF_BYTES = 100_000;

    private static final long DELAY_NS = 50_000;

    /**
     * A run.
     *
     * @param point the switch's parameters; null without RoCC
     */
    private record Seen(Trial trial, History history, @Nullable RoccConfig point) {}

    private final Map<String, OwnLabSpec> specs = new LinkedHashMap<>();
    private final List<Demand> demands;
    private final int runs;
    private final List<Seen> seen = new ArrayList<>();

    /**
     * @param specs runs of the lab's file: for each demand without RoCC and with it
     * @param runs of each, without RoCC and with it; medians are judged
     */
    public RoccLab(
            LabOptions options,
            List<OwnLabSpec> specs,
            int runs,
            LabRecords records,
            String command,
            PrintStream out) {
        super(options, records, command, out);
        specs.forEach(spec -> this.specs.put(spec.run(), spec));
        this.demands =
                Arrays.stream(Demand.values())
                        .filter(demand -> this.specs.containsKey(demand.word() + NONE))
                        .toList();
        this.runs = runs;
    }

    @Override
    public RunReport run() throws BedException {
        Optional<String> whyNot = TapDevice.whyNoSteering();
        if (whyNot.isPresent()) {
            throw new BedException(whyNot.get());
        }
        List<Trial> medians = new ArrayList<>();
        List<Row> rows = new ArrayList<>();
        List<Figure> charts = new ArrayList<>();
        plots(() -> charts);
        for (Demand demand : demands) {
            List<Seen> without = new ArrayList<>();
            List<Seen> with = new ArrayList<>();
            for (int run = 1; run <= runs; run++) {
                without.add(run(demand, false, run));
                with.add(run(demand, true, run));
            }
            RoccTwin.Run twinAlone = twin(demand, without.getFirst());
            RoccTwin.Run twin = twin(demand, with.getFirst());
            files.write(
                    "series-" + LabFiles.word(twin.trial().name()) + "-virtual.csv",
                    twin.history().toCsv());
            Trial alone = Trial.median(trials(without));
            Trial controlled = Trial.median(trials(with));
            medians.add(alone);
            medians.add(controlled);
            addRows(rows, without);
            addRows(rows, with);
            if (runs > 1) {
                rows.add(new Row(alone.name() + ", median", alone));
                rows.add(new Row(controlled.name() + ", median", controlled));
            }
            rows.add(new Row(alone.name() + ", virtual time", twinAlone.trial()));
            rows.add(new Row(controlled.name() + ", virtual time", twin.trial()));
            charts.addAll(charts(without.getFirst(), null));
            charts.addAll(charts(with.getFirst(), twin.history()));
        }
        report.add(section(rows));
        headlines(medians);
        for (int i = 0; i < medians.size(); i += 2) {
            medians.get(i + 1).problems(medians.get(i)).forEach(report::problem);
            String doubt = medians.get(i).doubt();
            if (!doubt.isEmpty()) {
                report.doubt(Doubt.ofControl(doubt));
            }
        }
        return finish();
    }

    /** Headlines on what RoCC changes for each demand. */
    private void headlines(List<Trial> medians) {
        for (int i = 0; i < medians.size(); i += 2) {
            Trial alone = medians.get(i);
            Trial controlled = medians.get(i + 1);
            String word = controlled.demand().word();
            report.headline(
                    word + ": fair rate, of a max-min share of " + mbps(controlled.shareMbps()),
                    mbps(controlled.fairMbps()));
            report.headline(
                    word + ": queue without / with RoCC",
                    "%.0f / %.0f kB".formatted(alone.queueKb(), controlled.queueKb()));
            report.headline(
                    word + ": pauses without / with RoCC",
                    alone.pauseFrames() + " / " + controlled.pauseFrames());
        }
    }

    private static String mbps(double mbps) {
        return Numbers.rate(1e6 * mbps);
    }

    /** What was tried, in that order; complete once {@link #run} has ended. */
    public List<Trial> trials() {
        return trials(seen);
    }

    private static List<Trial> trials(List<Seen> of) {
        return of.stream().map(Seen::trial).toList();
    }

    private String name(Demand demand, boolean isControlled, int run) {
        String name = demand.word() + (isControlled ? " with RoCC" : " without RoCC");
        return runs == 1 ? name : name + " run " + run;
    }

    private Seen run(Demand demand, boolean isControlled, int number) throws BedException {
        String name = name(demand, isControlled, number);
        OwnLabSpec spec =
                Objects.requireNonNull(specs.get(demand.word() + (isControlled ? ROCC : NONE)));
        RunReport part = new RunReport(name);
        AtomicReference<RoccLooks> watched = new AtomicReference<>();
        OwnRun.Result result =
                new OwnRun(this, spec, part, switches -> watch(switches, isControlled, watched))
                        .run();
        RoccLooks looks = Objects.requireNonNull(watched.get());
        SwitchConfig config = result.configs().getFirst();
        double rateBps = config.ports().getFirst().rateBps();
        History history = looks.history(rateBps);
        Trial trial = trial(demand, config, result, history, rateBps);
        files.write("series-" + LabFiles.word(name) + ".csv", history.toCsv());
        if (number == 1) {
            report.addAll(part, name);
        } else {
            part.problems().forEach(problem -> report.problem(name + ": " + problem));
            part.doubts().forEach(report::doubt);
        }
        Seen one =
                new Seen(
                        trial,
                        history,
                        config.ports().getLast().mechanisms().get(RoccConfig.class));
        seen.add(one);
        return one;
    }

    private static OwnRun.Watch watch(
            LabSwitches switches, boolean isControlled, AtomicReference<RoccLooks> watched) {
        RoccLooks looks =
                new RoccLooks(
                        switches.only().realTime().engine().counters(),
                        PORT,
                        SENDER_PORTS,
                        isControlled ? RATE : "");
        watched.set(looks);
        return looks::close;
    }

    /** The same network in virtual time. */
    private RoccTwin.Run twin(Demand demand, Seen beside) throws BedException {
        progress.say(beside.trial.name() + " once more, in virtual time");
        RoccConfig point = beside.point;
        RoccTwin.Settings settings =
                new RoccTwin.Settings(
                        LabPlan.link(options).rateBps(),
                        DELAY_NS,
                        options.mtuBytes(),
                        XOFF_BYTES,
                        PRIORITY,
                        DSCP,
                        point == null ? 0 : point.periodNs(),
                        point == null ? 0 : point.middleBytes(),
                        options.seconds(),
                        options.seed());
        try {
            return RoccTwin.run(settings, demand, point != null, beside.trial.referenceKb());
        } catch (ScenarioException e) {
            throw new BedException("in virtual time: " + e.getMessage(), e);
        }
    }

    private Trial trial(
            Demand demand,
            SwitchConfig config,
            OwnRun.Result result,
            History history,
            double rateBps) {
        RoccConfig rocc = config.ports().getLast().mechanisms().get(RoccConfig.class);
        double from = Trial.fromSeconds(options.seconds());
        double to = Trial.toSeconds(options.seconds());
        Phase.Outcome outcome = result.phases().outcomes().getFirst();
        CounterSnapshot counters = result.counters().bySwitch().getFirst();
        List<Double> flows = flows(demand, outcome.flows(), history, from, to);
        long pauses =
                SENDER_PORTS.stream()
                        .mapToLong(port ->
                                counters.value(
                                        Scope.EGRESS, port, EgressCounter.LINK_CONTROL_TRANSMITTED))
                        .sum();
        return new Trial(
                demand,
                rocc != null,
                rateBps / 1e6,
                Trial.share(demand, flows, rateBps / 1e6),
                history.mean(history.fairMbps(), from, to),
                flows,
                history.mean(history.queueKb(), from, to),
                rocc == null ? 0 : rocc.referenceBytes() / 1e3,
                pauses,
                rocc == null ? 0 : counters.value(Scope.EGRESS, PORT, "rocc.notices.p" + PRIORITY),
                Losses.frames(outcome.lost()));
    }

    /** What each flow had: its part of what came from its host, by what iperf3 says it sent. */
    private static List<Double> flows(
            Demand demand, List<Iperf3.Outcome> outcomes, History history, double from, double to) {
        double[] sent = new double[outcomes.size()];
        double[] ofHost = new double[Demand.HOSTS + 1];
        for (int i = 0; i < sent.length; i++) {
            sent[i] = outcomes.get(i).sentBytesAfter(from);
            ofHost[demand.senders().get(i).host()] += sent[i];
        }
        List<Double> mbps = new ArrayList<>();
        for (int i = 0; i < sent.length; i++) {
            int host = demand.senders().get(i).host();
            double part = ofHost[host] == 0 ? 0 : sent[i] / ofHost[host];
            mbps.add(part * history.mean(history.senderMbps().get(host - 1), from, to));
        }
        return mbps;
    }

    /** A line of the table. */
    record Row(String run, Trial trial) {}

    private void addRows(List<Row> rows, List<Seen> of) {
        for (int run = 1; run <= of.size(); run++) {
            Trial trial = of.get(run - 1).trial;
            rows.add(new Row(name(trial.demand(), trial.isControlled(), run), trial));
        }
    }

    private static Section section(List<Row> rows) {
        Table table = LabColumn.table(Of.FAIR_RATES);
        for (Row row : rows) {
            Trial one = row.trial;
            table.row(
                    row.run,
                    number(one.shareMbps()),
                    one.isControlled() ? number(one.fairMbps()) : "-",
                    one.flowMbps().stream().map(RoccLab::number).collect(Collectors.joining("  ")),
                    number(one.queueKb()),
                    Long.toString(one.pauseFrames()),
                    Long.toString(one.notices()),
                    Long.toString(one.lostFrames()));
        }
        return new Section(
                "Fair rates",
                rows,
                "rates on the wire, each flow's in turn, means after the first second:",
                table);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    private static List<Figure> charts(Seen one, @Nullable History virtual) {
        return List.of(
                figure(
                        one,
                        "Throughput",
                        "Mb/s",
                        rates(one, virtual),
                        List.of(
                                Limit.of("rate", one.trial.lineMbps(), "Mb/s"),
                                Limit.of("max-min share", one.trial.shareMbps(), "Mb/s"))),
                figure(
                        one,
                        "Queue",
                        "kB",
                        queues(one, virtual),
                        one.trial.isControlled()
                                ? List.of(Limit.of("reference", one.trial.referenceKb(), "kB"))
                                : List.of()));
    }

    private static List<Line> rates(Seen one, @Nullable History virtual) {
        History real = one.history;
        List<Line> lines = new ArrayList<>();
        for (int i = 0; i < Demand.HOSTS; i++) {
            lines.add(line("h" + (i + 1), Style.LINE, real.seconds(), real.senderMbps().get(i)));
        }
        if (one.trial.isControlled()) {
            lines.add(line("fair rate", Style.LINE, real.seconds(), real.fairMbps()));
        }
        if (virtual != null) {
            lines.add(
                    line("the same, virtual", Style.DASHED, virtual.seconds(), virtual.fairMbps()));
        }
        return lines;
    }

    private static List<Line> queues(Seen one, @Nullable History virtual) {
        List<Line> lines = new ArrayList<>();
        History real = one.history;
        lines.add(line("queue of " + PORT, Style.LINE, real.seconds(), real.queueKb()));
        if (virtual != null) {
            lines.add(
                    line("the same, virtual", Style.DASHED, virtual.seconds(), virtual.queueKb()));
        }
        return lines;
    }

    private static Line line(String name, Style style, double[] seconds, double[] values) {
        // What was before traffic began is not shown.
        int first = 0;
        while (first < seconds.length && seconds[first] < 0) {
            first++;
        }
        return new Line(
                name,
                style,
                Arrays.copyOfRange(seconds, first, seconds.length),
                Arrays.copyOfRange(values, first, seconds.length));
    }

    private static Figure figure(
            Seen of, String what, String unit, List<Line> lines, List<Limit> limits) {
        String name = of.trial.name();
        return new Figure(
                LabFiles.word(what + "-" + name),
                what + ", " + name,
                Axis.linear("time", "s"),
                Axis.linear(what.toLowerCase(Locale.ROOT), unit),
                lines,
                limits,
                "",
                "");
    }
}
