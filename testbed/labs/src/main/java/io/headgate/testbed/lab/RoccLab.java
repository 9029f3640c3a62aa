package io.headgate.testbed.lab;

import io.headgate.config.SwitchConfig;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.control.report.FlowControlSection;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Doubt;
import io.headgate.control.report.RunReport.Section;
import io.headgate.control.report.Table;
import io.headgate.dataplane.congestion.RoccConfig;
import io.headgate.dataplane.device.tap.TapDevice;
import io.headgate.testbed.lab.column.LabColumn;
import io.headgate.testbed.lab.column.LabColumn.Of;
import io.headgate.testbed.lab.rocc.Demand;
import io.headgate.testbed.lab.rocc.Demand.Sender;
import io.headgate.testbed.lab.rocc.History;
import io.headgate.testbed.lab.rocc.RoccLooks;
import io.headgate.testbed.lab.rocc.RoccTwin;
import io.headgate.testbed.lab.rocc.Trial;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.Iperf3;
import io.headgate.testbed.netns.Iperf3.Flow;
import io.headgate.testbed.netns.Iperf3.Protocol;
import io.headgate.testbed.netns.LabRecords;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Figure.Axis;
import io.headgate.testbed.scenario.Figure.Limit;
import io.headgate.testbed.scenario.Figure.Line;
import io.headgate.testbed.scenario.Figure.Style;
import io.headgate.testbed.scenario.Numbers;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.topology.LinkSpec;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
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
    private static final List<String> SENDER_PORTS = List.of("p1", "p2", "p3");
    private static final String RATE = "rocc.rate.p" + LosslessRun.PRIORITY;

    /** When frames are captured, as part of the traffic's time: before anything is averaged. */
    private static final double CAPTURED_AT = 0.12;

    /**
     * Number of TAP queues of a host that sends several flows. Flows that the hash puts into one
     * queue are held together, so neither gets its share: with three flows in 8 queues that happens
     * to two of them in every third run.
     */
    private static final int FLOW_QUEUES = 32;

    /**
     * With TCP, senders that take what they get: where nothing is lost, their windows only grow.
     * Others, such as BBR, keep the queue short by themselves, and RoCC has nothing to do. Every
     * kernel has it, and everybody may choose it.
     */
    private static final String TCP_CONTROL = "reno";

    /**
     * For how long a worker may be held, in ms: senders without RoCC keep both cores of a small
     * machine so busy that switch and agents were seen to take up to 89 ms.
     */
    private static final int HELD_MS = 100;

    /** What comes at once after a hold is less: most holds are shorter than that, in ms. */
    private static final int USUAL_HOLD_MS = 50;

    /** Approximate share of iperf3's payload in the bytes on the wire. */
    private static final double PAYLOAD_SHARE = 0.94;

    private record Seen(Trial trial, History history) {}

    private final List<Demand> demands;
    private final Protocol protocol;
    private final int runs;
    private final List<Seen> seen = new ArrayList<>();

    /**
     * @param demands in the order in which they are tried
     * @param runs of each, without RoCC and with it; medians are judged
     */
    public RoccLab(
            LabOptions options,
            List<Demand> demands,
            Protocol protocol,
            int runs,
            LabRecords records,
            String command,
            PrintStream out) {
        super(options, records, command, out);
        this.demands = List.copyOf(demands);
        this.protocol = protocol;
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
            RoccTwin.Run twinAlone = twin(demand, without.getFirst().trial);
            RoccTwin.Run twin = twin(demand, with.getFirst().trial);
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

    private Seen run(Demand demand, boolean isControlled, int run) throws BedException {
        try (LabNetwork own = open()) {
            Seen one = run(own, demand, isControlled, run);
            seen.add(one);
            return one;
        }
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

    private Seen run(LabNetwork own, Demand demand, boolean isControlled, int number)
            throws BedException {
        String name = name(demand, isControlled, number);
        RunReport part = new RunReport(name);
        Path capture =
                options.captureDirectory().resolve("capture-" + LabFiles.word(name) + ".pcapng");
        LosslessRun.Beside beside =
                isControlled ? rocc(demand) : new LosslessRun.Beside("", "", HELD_MS);
        LosslessRun run = new LosslessRun(this, own, beside, part, capture);
        run.pingAll();
        SwitchConfig config = run.running().config();
        long rateBps = config.ports().getFirst().rateBps();
        List<Flow> flows = new ArrayList<>();
        for (Sender sender : demand.senders()) {
            // Full demand is more than there is.
            long bps = (long) (sender.share() * rateBps * PAYLOAD_SHARE);
            flows.add(
                    LosslessRun.flow(
                                    sender.host(),
                                    Demand.HOSTS + 1,
                                    sender.isGreedy() ? rateBps : bps)
                            .withTcpControl(TCP_CONTROL));
        }
        RoccLooks looks =
                own.keep(
                        new RoccLooks(
                                run.running().realTime().engine().counters(),
                                PORT,
                                SENDER_PORTS,
                                isControlled ? RATE : ""));
        LosslessRun.Result result = run.run(new Phase(name, protocol, flows, rateBps), CAPTURED_AT);
        looks.close();
        History history = looks.history((double) rateBps);
        Trial trial = trial(demand, config, result, history, (double) rateBps);
        part.add(Losses.section("Losses", result.losses()));
        run.describe(result);
        List<Phase.Outcome> outcomes = List.of(result.outcome());
        part.add(
                protocol == Protocol.UDP
                        ? LabSections.udp(outcomes, LosslessRun::host)
                        : LabSections.tcp(outcomes, LosslessRun::host));
        String margin = run.describeMargins("Lossless margin");
        Losses.judge(result.losses(), result.outcome().missedDatagrams(), margin, part);
        result.holds().doubtRates("the fair rate", options.seconds(), part);
        run.finish();
        files.write("switch-" + LabFiles.word(name) + ".yaml", run.switchYaml());
        files.write("series-" + LabFiles.word(name) + ".csv", history.toCsv());
        if (number == 1) {
            files.draw(result.used("Links: " + name, run.network().plan()));
            report.addAll(part, name);
        } else {
            part.problems().forEach(problem -> report.problem(name + ": " + problem));
            part.doubts().forEach(report::doubt);
        }
        return new Seen(trial, history);
    }

    /**
     * The switch has the published parameters for the line rate, except the lengths from which the
     * rate is halved or falls to its least; hosts have the same period.
     */
    private LosslessRun.Beside rocc(Demand demand) throws BedException {
        String watched =
                ", congestion: {rocc: {priorities: [%d], qmid: %dB, qmax: %dB}}"
                        .formatted(LosslessRun.PRIORITY, middleBytes(), 2 * middleBytes());
        String follows = ", rate-control: {rocc: {period: " + published().periodNs() + "ns}}";
        boolean isSharing = demand.senders().size() > Demand.HOSTS;
        return new LosslessRun.Beside(
                watched, isSharing ? follows + ", flow-queues: " + FLOW_QUEUES : follows, HELD_MS);
    }

    /**
     * Beyond what a link brings while the machine holds a process. That comes at once, from the
     * rings of a switch that was held or from applications that make up for it, and is over a
     * moment later. The multiplicative decreases would take it for many new flows, and the way back
     * from the least rate takes a second.
     */
    private long middleBytes() throws BedException {
        long heldBytes = LabPlan.link(options).rateBps() / Byte.SIZE * USUAL_HOLD_MS / 1_000;
        return published().middleBytes() + heldBytes;
    }

    private RoccConfig published() {
        String port =
                "{name: s1, address: 10.99.0.254/24, ports: [{name: p1, device: {tap: t},"
                        + " rate: %s, congestion: {rocc: {priorities: [%d]}}}]}"
                                .formatted(options.rate(), LosslessRun.PRIORITY);
        SwitchConfig config = SwitchConfigReader.read(port, "the lab's options");
        return Objects.requireNonNull(
                config.ports().getLast().mechanisms().get(RoccConfig.class), "a port with RoCC");
    }

    /** The same network in virtual time. */
    private RoccTwin.Run twin(Demand demand, Trial beside) throws BedException {
        progress.say(beside.name() + " once more, in virtual time");
        LinkSpec link = LabPlan.link(options);
        RoccTwin.Settings settings =
                new RoccTwin.Settings(
                        link.rateBps(),
                        LosslessRun.DELAY_NS,
                        options.mtuBytes(),
                        LosslessRun.XOFF_BYTES,
                        LosslessRun.PRIORITY,
                        LosslessRun.DSCP,
                        published().periodNs(),
                        middleBytes(),
                        options.seconds(),
                        options.seed());
        try {
            return RoccTwin.run(settings, demand, beside.isControlled(), beside.referenceKb());
        } catch (ScenarioException e) {
            throw new BedException("in virtual time: " + e.getMessage(), e);
        }
    }

    private Trial trial(
            Demand demand,
            SwitchConfig config,
            LosslessRun.Result result,
            History history,
            double rateBps) {
        RoccConfig rocc = config.ports().getLast().mechanisms().get(RoccConfig.class);
        double from = Trial.fromSeconds(options.seconds());
        double to = Trial.toSeconds(options.seconds());
        List<Double> flows = flows(demand, result.outcome().flows(), history, from, to);
        long pauses =
                result.flow().stream()
                        .filter(row -> SENDER_PORTS.contains(row.port()))
                        .mapToLong(FlowControlSection.Row::controlSent)
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
                rocc == null ? 0 : result.notices(PORT),
                Losses.frames(result.losses()));
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
