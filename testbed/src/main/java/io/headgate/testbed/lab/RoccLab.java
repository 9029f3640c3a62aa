package io.headgate.testbed.lab;

import io.headgate.config.FlowControlConfig.Mode;
import io.headgate.config.SwitchConfig;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.control.report.FlowControlSection;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Section;
import io.headgate.control.report.Table;
import io.headgate.dataplane.congestion.RoccConfig;
import io.headgate.testbed.lab.Losses.Loss;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.Iperf3;
import io.headgate.testbed.netns.Iperf3.Flow;
import io.headgate.testbed.netns.Iperf3.Protocol;
import io.headgate.testbed.netns.LabRecords;
import io.headgate.testbed.netns.Privilege;
import io.headgate.testbed.netns.Tools.Tool;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * RoCC on real frames: three senders and one receiver with lossless links, as in the authors' test
 * beds (Menikkumbura, dissertation, Purdue 2022, section 3.5.2), first without RoCC, where pauses
 * hold the senders back, then with it, where they follow the fair rate. Applications are unmodified
 * iperf3 over the TAPs of host agents.
 */
public final class RoccLab implements Lab {
    private static final int SENDERS = 3;
    private static final String PORT = "p4";
    private static final List<String> SENDER_PORTS = List.of("p1", "p2", "p3");
    private static final String RATE = "rocc.rate.p" + LosslessRun.PRIORITY;
    private static final double RATE_TOLERANCE = 0.05;
    private static final double QUEUE_TOLERANCE = 0.2;
    private static final double PAUSE_SHARE = 0.1;

    /** From then on the queue is averaged. */
    private static final double SETTLED_SECONDS = 1;

    /** Of wire bytes, what is payload of iperf3's datagrams, nearly. */
    private static final double PAYLOAD_SHARE = 0.94;

    /** What the senders ask for, as shares of the line. */
    public enum Demand {
        /** All as much as there is. */
        UNIFORM(1, 1, 1),

        /** As in figures 3.10 and 3.11: 10, 3 and 1 Gb/s on links of 10 Gb/s. */
        MIXED(1, 0.3, 0.1);

        @SuppressWarnings("ImmutableEnumChecker") // never written
        private final double[] shares;

        Demand(double... shares) {
            this.shares = shares;
        }

        /** As the command line writes it. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * What a run came to; rates are on the wire, averaged after the first second.
     *
     * @param isControlled whether with RoCC
     * @param shareMbps the max-min share that follows from what the senders ask for
     * @param fairMbps the fair rate that the switch told; 0 without RoCC
     * @param referenceKb where the queue is to be
     * @param pauseFrames that the switch sent to the senders
     * @param notices that the switch sent
     * @param lostFrames anywhere
     */
    public record Trial(
            Demand demand,
            boolean isControlled,
            double shareMbps,
            double fairMbps,
            List<Double> senderMbps,
            double queueKb,
            double referenceKb,
            long pauseFrames,
            long notices,
            long lostFrames) {}

    private record Seen(Trial trial, RoccLooks.History history) {}

    private final LabOptions options;
    private final List<Demand> demands;
    private final Protocol protocol;
    private final LabRecords records;
    private final Progress progress;
    private final RunReport report;
    private final List<Seen> seen = new ArrayList<>();
    private final AtomicReference<@Nullable LabNetwork> network = new AtomicReference<>();
    private volatile boolean closed;
    private final long startNs = System.nanoTime();

    /**
     * @param demands in the order in which they are tried
     * @param command the command line, for the report
     * @param out takes lines of progress
     */
    public RoccLab(
            LabOptions options,
            List<Demand> demands,
            Protocol protocol,
            LabRecords records,
            String command,
            PrintStream out) {
        this.options = options;
        this.demands = List.copyOf(demands);
        this.protocol = protocol;
        this.records = records;
        this.progress = new Progress(out);
        this.report = new RunReport(command);
    }

    @Override
    public RunReport run() throws BedException {
        LabFiles files = new LabFiles(options.reportDirectory(), report);
        for (Demand demand : demands) {
            for (boolean isControlled : new boolean[] {false, true}) {
                try (LabNetwork own = new LabNetwork(options, records, progress)) {
                    network.set(own);
                    if (closed) {
                        throw new BedException("the lab is being closed");
                    }
                    seen.add(run(own, demand, isControlled, files));
                }
            }
        }
        List<Trial> trials = trials();
        report.add(section(trials));
        for (int i = 0; i < trials.size(); i += 2) {
            judge(trials.get(i), trials.get(i + 1));
        }
        report.duration(Duration.ofNanos(System.nanoTime() - startNs));
        files.writeReport(charts());
        return report;
    }

    /** What was tried, in that order; complete once {@link #run} has ended. */
    public List<Trial> trials() {
        return seen.stream().map(Seen::trial).toList();
    }

    private static String name(Demand demand, boolean isControlled) {
        return demand.word() + (isControlled ? " with RoCC" : " without RoCC");
    }

    private Seen run(LabNetwork own, Demand demand, boolean isControlled, LabFiles files)
            throws BedException {
        String name = name(demand, isControlled);
        RunReport part = new RunReport(name);
        Privilege privilege =
                own.prepare(EnumSet.of(Tool.IP, Tool.PING, Tool.SETPRIV, Tool.IPERF3));
        String file = name.replace(' ', '-').toLowerCase(Locale.ROOT);
        Path capture = options.captureDirectory().resolve("capture-" + file + ".pcapng");
        LosslessRun.Beside beside = isControlled ? rocc() : LosslessRun.Beside.NOTHING;
        LosslessRun run =
                new LosslessRun(
                        own, privilege, options, Mode.PFC, 1, beside, part, progress, capture);
        run.pingAll();
        long rateBps = run.running().config().ports().getFirst().rateBps();
        List<Flow> flows = new ArrayList<>();
        for (int i = 0; i < SENDERS; i++) {
            long bps = (long) (demand.shares[i] * rateBps * PAYLOAD_SHARE);
            // Full demand is more than there is.
            flows.add(LosslessRun.flow(i + 1, SENDERS + 1, demand.shares[i] == 1 ? rateBps : bps));
        }
        RoccLooks looks =
                own.keep(
                        new RoccLooks(run.running(), PORT, SENDER_PORTS, isControlled ? RATE : ""));
        LosslessRun.Result result = run.run(new Phase(name, protocol, flows, rateBps, true));
        looks.close();
        RoccLooks.History history = looks.history((double) rateBps);
        Trial trial = trial(demand, run.running().config(), result, history, (double) rateBps);
        part.add(Losses.section("Losses", result.losses()));
        if (protocol == Protocol.UDP) {
            part.add(LabSections.udp(List.of(result.outcome())));
        } else {
            part.add(LabSections.tcp(List.of(result.outcome())));
        }
        String margin = run.describeMargins("Lossless margin");
        judgeLosses(result, margin, part);
        run.finish();
        files.write("switch-" + file + ".yaml", run.switchYaml());
        report.addAll(part, name);
        return new Seen(trial, history);
    }

    /** What is published for the line rate, in the switch; hosts with the same period. */
    private LosslessRun.Beside rocc() {
        String watched = ", congestion: {rocc: {priorities: [" + LosslessRun.PRIORITY + "]}}";
        String port =
                "{name: s1, address: 10.99.0.254/24, ports:"
                        + " [{name: p1, device: {tap: t}, rate: %s%s}]}"
                                .formatted(options.rate(), watched);
        long periodNs = config(SwitchConfigReader.read(port, "the lab's options")).periodNs();
        return new LosslessRun.Beside(
                watched, ", rate-control: {rocc: {period: " + periodNs + "ns}}");
    }

    private static RoccConfig config(SwitchConfig config) {
        return Objects.requireNonNull(
                config.ports().getLast().mechanisms().get(RoccConfig.class), "a port with RoCC");
    }

    private Trial trial(
            Demand demand,
            SwitchConfig config,
            LosslessRun.Result result,
            RoccLooks.History history,
            double rateBps) {
        RoccConfig rocc = config.ports().getLast().mechanisms().get(RoccConfig.class);
        double end = options.seconds() - 0.2;
        double from = Math.min(SETTLED_SECONDS, end / 2);
        List<Double> senders =
                history.senderMbps().stream()
                        .map(values -> history.mean(values, from, end))
                        .toList();
        long pauses =
                result.flow().stream()
                        .filter(row -> SENDER_PORTS.contains(row.port()))
                        .mapToLong(FlowControlSection.Row::controlSent)
                        .sum();
        return new Trial(
                demand,
                rocc != null,
                share(demand, senders, rateBps / 1e6),
                history.mean(history.fairMbps(), from, end),
                senders,
                history.mean(history.queueKb(), from, end),
                rocc == null ? 0 : rocc.referenceBytes() / 1e3,
                pauses,
                rocc == null ? 0 : notices(result),
                result.losses().stream().mapToLong(Loss::frames).sum());
    }

    private static long notices(LosslessRun.Result result) {
        return result.notices(PORT);
    }

    /** Those who ask for less than their share have what they send; the others share the rest. */
    private static double share(Demand demand, List<Double> senders, double lineMbps) {
        double rest = lineMbps;
        int sharing = 0;
        for (int i = 0; i < SENDERS; i++) {
            if (demand.shares[i] == 1) {
                sharing++;
            } else {
                rest -= senders.get(i);
            }
        }
        return rest / sharing;
    }

    private void judgeLosses(LosslessRun.Result result, String margin, RunReport part) {
        List<Loss> losses = result.losses();
        if (!losses.isEmpty()) {
            part.problem(Losses.sentence(losses) + (Losses.areOfHolds(losses) ? margin : ""));
        }
        long datagrams =
                result.outcome().flows().stream().mapToLong(Iperf3.Outcome::lostDatagrams).sum();
        if (protocol == Protocol.UDP && datagrams > 0) {
            part.problem("iperf3 reports " + datagrams + " lost datagrams");
        }
    }

    private void judge(Trial without, Trial with) {
        String name = name(with.demand, true) + ": ";
        if (!isNear(with.fairMbps, with.shareMbps, RATE_TOLERANCE)) {
            report.problem(
                    name
                            + String.format(
                                    "the fair rate is %.1f Mb/s, and the max-min share %.1f Mb/s",
                                    with.fairMbps, with.shareMbps));
        }
        for (int i = 0; i < SENDERS; i++) {
            double mbps = with.senderMbps.get(i);
            if (with.demand.shares[i] == 1 && !isNear(mbps, with.shareMbps, RATE_TOLERANCE)) {
                report.problem(
                        name
                                + String.format(
                                        "h%d has %.1f Mb/s, and the max-min share is %.1f Mb/s",
                                        i + 1, mbps, with.shareMbps));
            }
        }
        if (!isNear(with.queueKb, with.referenceKb, QUEUE_TOLERANCE)) {
            report.problem(
                    name
                            + String.format(
                                    "the queue is %.1f kB long on average, and is to be %.0f kB",
                                    with.queueKb, with.referenceKb));
        }
        if (with.pauseFrames > PAUSE_SHARE * without.pauseFrames) {
            report.problem(
                    name
                            + String.format(
                                    "%d pauses were sent, more than a tenth of the %d without RoCC",
                                    with.pauseFrames, without.pauseFrames));
        }
    }

    private static boolean isNear(double value, double expected, double share) {
        return Math.abs(value - expected) <= share * expected;
    }

    private static Section section(List<Trial> trials) {
        Table table =
                new Table(
                        "run",
                        ">max-min share (Mb/s)",
                        ">fair rate (Mb/s)",
                        ">h1 (Mb/s)",
                        ">h2 (Mb/s)",
                        ">h3 (Mb/s)",
                        ">queue (kB)",
                        ">pauses (frames)",
                        ">notices",
                        ">lost (frames)");
        for (Trial one : trials) {
            table.row(
                    name(one.demand, one.isControlled),
                    mbps(one.shareMbps),
                    one.isControlled ? mbps(one.fairMbps) : "-",
                    mbps(one.senderMbps.get(0)),
                    mbps(one.senderMbps.get(1)),
                    mbps(one.senderMbps.get(2)),
                    mbps(one.queueKb),
                    Long.toString(one.pauseFrames),
                    Long.toString(one.notices),
                    Long.toString(one.lostFrames));
        }
        return new Section(
                "Fair rates", trials, "rates on the wire, means after the first second:\n" + table);
    }

    private static String mbps(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    private List<LabFiles.Chart> charts() {
        List<LabFiles.Chart> charts = new ArrayList<>();
        for (Seen one : seen) {
            charts.add(chart(one, "throughput", "Mb/s", rates(one)));
            Line queue = new Line("queue of " + PORT, one.history.queueKb());
            charts.add(chart(one, "queue", "kB", List.of(queue)));
        }
        return charts;
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Line(String name, double[] values) {}

    private static List<Line> rates(Seen one) {
        List<Line> lines = new ArrayList<>();
        for (int i = 0; i < SENDERS; i++) {
            lines.add(new Line("h" + (i + 1), one.history.senderMbps().get(i)));
        }
        if (one.trial.isControlled) {
            lines.add(new Line("fair rate", one.history.fairMbps()));
        }
        return lines;
    }

    private static LabFiles.Chart chart(Seen of, String what, String unit, List<Line> lines) {
        String name = name(of.trial.demand, of.trial.isControlled);
        double[] seconds = of.history.seconds();
        double max = 0;
        for (Line line : lines) {
            for (double value : line.values) {
                max = Math.max(max, value);
            }
        }
        double first = seconds.length == 0 ? 0 : seconds[0];
        double[] shown = new double[seconds.length];
        for (int i = 0; i < shown.length; i++) {
            shown[i] = seconds[i] - first;
        }
        SvgChart chart =
                new SvgChart(
                        what + ", " + name,
                        unit,
                        shown.length == 0 ? 0 : shown[shown.length - 1],
                        max);
        lines.forEach(line -> chart.line(line.name, shown, line.values));
        String file = (what + "-" + name).replace(' ', '-').toLowerCase(Locale.ROOT);
        return new LabFiles.Chart(file + ".svg", chart.finish());
    }

    @Override
    public void close() {
        closed = true;
        progress.hush();
        LabNetwork current = network.get();
        if (current != null) {
            current.close();
        }
    }

    @Override
    public boolean isClosed() {
        return closed;
    }
}
