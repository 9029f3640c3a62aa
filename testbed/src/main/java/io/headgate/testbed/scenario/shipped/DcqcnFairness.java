package io.headgate.testbed.scenario.shipped;

import io.headgate.config.PortTraffic;
import io.headgate.control.report.Table;
import io.headgate.hostagent.rate.DcqcnConfig;
import io.headgate.testbed.scenario.About;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Figure.Axis;
import io.headgate.testbed.scenario.Figure.Line;
import io.headgate.testbed.scenario.Figure.Points;
import io.headgate.testbed.scenario.Figure.Style;
import io.headgate.testbed.scenario.Findings;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.RunContext;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Values;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A few senders that obey DCQCN in the forms of papers and simulators: queue, fairness and
 * utilisation, over seeds, compared with the closed form of the fixed point.
 */
public final class DcqcnFairness implements Scenario {
    private static final String SOURCE =
            "Zhu et al., \"Congestion Control for Large-Scale RDMA Deployments\" (SIGCOMM 2015)";
    private static final String MODEL =
            "fixed point of the fluid model (Zhu et al., \"ECN or Delay\", CoNEXT 2016)";

    private static final long FAST_BPS = 100_000_000_000L;
    private static final long FAST_XOFF_BYTES = 800_000;

    // HPCC's simulator (Li et al., SIGCOMM 2019): thresholds and steps for each 25 Gb/s.
    private static final long UNIT_BPS = 25_000_000_000L;
    private static final long VENDOR_KMIN_BYTES = 100_000;
    private static final long VENDOR_KMAX_BYTES = 400_000;
    private static final double VENDOR_PMAX = 0.2;

    /** By when queues have settled; shorter runs are shown, and held to nothing. */
    private static final long SETTLED_NS = 100_000_000;

    // Small probabilities are what the closed form is for: with 2 to 10 senders at 40 Gb/s it is
    // up to a fifth above simulations.
    private static final double MODEL_TOLERANCE = 0.25;
    private static final int MOST_MODELLED = 10;
    private static final double LEAST_FAIRNESS = 0.95;
    private static final double LEAST_UTILISATION = 99;

    /** Which keys tell it from the published parameters. */
    private enum Form {
        SILENT,
        END_OF_INTERVAL,
        PERIODIC,
        SLOTTED,
        KEPT,
        HYPER_BY_TIMER,
        DISSERTATION,
        VENDOR;

        String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        static Form of(Values values) {
            String said = values.word("form");
            return Arrays.stream(values())
                    .filter(form -> form.word().equals(said))
                    .findAny()
                    .orElseThrow();
        }

        DcqcnConfig keys(long rateBps) {
            return DcqcnConfig.of(
                    switch (this) {
                        case SILENT, END_OF_INTERVAL, PERIODIC, SLOTTED -> Map.of("cnp", word());
                        case KEPT -> Map.of("target", "kept");
                        case HYPER_BY_TIMER -> Map.of("hyper", "timer");
                        case DISSERTATION -> Map.of("parameters", "dissertation");
                        case VENDOR -> vendor(rateBps);
                    });
        }

        /** As HPCC's simulator has it: R_AI and R_HAI are 5 and 50 Mb/s for each 25 Gb/s. */
        private static Map<String, Object> vendor(long rateBps) {
            return Map.ofEntries(
                    Map.entry("cnp-interval", "1us"),
                    Map.entry("cut-interval", "4us"),
                    Map.entry("alpha-timer", "1us"),
                    Map.entry("target", "kept"),
                    Map.entry("increase-timer", "300us"),
                    Map.entry("byte-counter", "1000GB"),
                    Map.entry("fast-recovery", 2),
                    Map.entry("rai", rateBps / 5_000_000 + "kbps"),
                    Map.entry("hyper", "timer"),
                    Map.entry("rhai", rateBps / 500_000 + "kbps"),
                    Map.entry("hyper-steps", "equal"),
                    Map.entry("least-rate", "1Gbps"));
        }

        PortTraffic ports(long rateBps) {
            long xoffBytes = rateBps < FAST_BPS ? RoccRuns.XOFF_BYTES : FAST_XOFF_BYTES;
            return switch (this) {
                case VENDOR ->
                        Compared.marking(
                                xoffBytes,
                                VENDOR_KMIN_BYTES * rateBps / UNIT_BPS,
                                VENDOR_KMAX_BYTES * rateBps / UNIT_BPS,
                                VENDOR_PMAX);
                case DISSERTATION -> Compared.DISSERTATION.ports(xoffBytes);
                default -> Compared.DCQCN.ports(xoffBytes);
            };
        }

        /**
         * The queue, in kB, at which rates neither grow nor fall, after the fluid model; not a
         * number for what the model does not have. With R = C / N, the probability p that a frame
         * is marked, and times and counts of frames:
         *
         * <ul>
         *   <li>notifications come at the rate pR, and alpha is the share of intervals that have
         *       one, p tau R;
         *   <li>the target falls to the rate with each and grows by R_AI at the rate 1/T + R/B, so
         *       it is R_AI (1/T + R/B) / (pR) above the rate;
         *   <li>the rate falls by R alpha / 2 with each and grows by half that distance at the rate
         *       1/T + R/B, so p^3 = R_AI N^2 (1/B + N / (TC))^2 / (tau C^2).
         * </ul>
         */
        double fixedPointKb(int senders, long rateBps) {
            DcqcnConfig config = keys(rateBps);
            if (config.cutIntervalNs() > 0
                    || config.target() != DcqcnConfig.Target.CUT
                    || config.hyper() != DcqcnConfig.Hyper.BOTH) {
                return Double.NaN;
            }
            double frameBits = 8.0 * RoccRuns.WIRE_BYTES;
            double frames = rateBps / frameBits;
            double sinceTimer = senders / (config.increaseTimerNs() / Common.NS_PER_S * frames);
            double sinceBytes = (double) RoccRuns.WIRE_BYTES / config.byteCounterBytes();
            double steps = StrictMath.pow(sinceBytes + sinceTimer, 2);
            double cuts = config.cnpIntervalNs() / Common.NS_PER_S * frames * frames;
            double grows = config.additiveBps() / frameBits * senders * senders;
            double marked = StrictMath.cbrt(grows * steps / cuts);
            double share = Math.min(1, marked / Compared.PMAX);
            double bytes =
                    Compared.KMIN_BYTES + share * (Compared.KMAX_BYTES - Compared.KMIN_BYTES);
            return bytes / 1e3;
        }
    }

    @Override
    public About about() {
        return new About(
                "dcqcn-fairness",
                "DCQCN in the forms that papers and simulators have: queue, fairness, utilisation",
                SOURCE,
                "Flows come to equal shares of the link, which they fill, before a short queue. How"
                        + " short depends on when a receiver tells of marks. Ports mark at random,"
                        + " so that each seed is another run: --seed 1..10.");
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.words(
                        "form",
                        Arrays.stream(Form.values()).map(Form::word).toList(),
                        "what a receiver tells, and what a sender makes of it"),
                Parameter.count("senders", "2,10", "2", "120", "hosts that send"),
                Parameter.rate("rate", "40Gbps", "10Gbps", "400Gbps", "of every link"),
                Parameter.duration(
                        "stagger",
                        "0ns",
                        "0ns",
                        "1s",
                        "time over which flows begin, one after the other"),
                Parameter.number("load", "1", "0.5", "1", "of the rate, of each sender"),
                Parameter.duration("duration", "100ms", "1ms", "10s", "of the run"));
    }

    @Override
    public Outcome run(Cell cell, RunContext context) throws ScenarioException {
        Values values = cell.values();
        Form form = Form.of(values);
        long rateBps = values.whole("rate");
        DcqcnConfig keys = form.keys(rateBps);
        return Compared.run(
                RoccRuns.star(values.count("senders"), rateBps, form.ports(rateBps)),
                (name, from, to, demandBps) -> Compared.flow(name, from, to, demandBps, keys),
                values.whole("stagger") * Common.PS_PER_NS,
                cell,
                context);
    }

    /** The runs of all seeds of one form, rate and number of senders. */
    private record Group(Form form, long rateBps, int senders, List<CellResult> runs) {

        static List<Group> of(List<CellResult> results) {
            return results.stream()
                    .collect(
                            Collectors.groupingBy(
                                    result -> of(result.cell().values()),
                                    LinkedHashMap::new,
                                    Collectors.toList()))
                    .entrySet()
                    .stream()
                    .map(entry -> entry.getKey().with(entry.getValue()))
                    .toList();
        }

        private static Group of(Values values) {
            return new Group(
                    Form.of(values), values.whole("rate"), values.count("senders"), List.of());
        }

        private Group with(List<CellResult> all) {
            return new Group(form, rateBps, senders, all);
        }

        DoubleSummaryStatistics all(String measure) {
            return runs.stream().collect(Collectors.summarizingDouble(run -> run.measure(measure)));
        }

        double mean(String measure) {
            return all(measure).getAverage();
        }

        double fixedPointKb() {
            return form.fixedPointKb(senders, rateBps);
        }

        String gbps() {
            return rateBps / 1_000_000_000 + " Gb/s";
        }

        String queues() {
            DoubleSummaryStatistics queue = all(RoccRuns.QUEUE);
            return String.format(
                    Locale.ROOT,
                    "%.1f (%.1f to %.1f)",
                    queue.getAverage(),
                    queue.getMin(),
                    queue.getMax());
        }
    }

    @Override
    public Findings conclude(List<CellResult> results) {
        Conclusions all = new Conclusions(results);
        all.runs().forEach(DcqcnFairness::check);
        List<Group> groups = Group.of(results);
        Form first = groups.getFirst().form();
        List<CellResult> shown =
                results.stream()
                        .filter(result -> Form.of(result.cell().values()) == first)
                        .toList();
        String means = "means over the last quarter of all runs; the table has them as numbers";
        List<Figure> figures = new ArrayList<>();
        figures.add(means(groups, means));
        figures.add(
                Compared.queues(shown, RoccRuns.RECEIVER, "The queue stays short.", first.word()));
        Findings findings = all.with(figures);
        return new Findings(
                findings.checks(),
                findings.figures(),
                findings.statements(),
                List.of(
                        new Findings.Titled(
                                "Means of all seeds (least to largest)", table(groups))));
    }

    private static void check(Conclusions.Run run) {
        RoccRuns.checkLossless(run);
        Values values = run.values();
        if (Form.of(values) != Form.SILENT || values.whole("duration") < SETTLED_NS) {
            return;
        }
        run.atLeast(Compared.FAIRNESS, LEAST_FAIRNESS, SOURCE);
        run.atLeast(Compared.UTILISATION, LEAST_UTILISATION, SOURCE);
        int senders = values.count("senders");
        if (senders <= MOST_MODELLED) {
            double kbytes = Form.SILENT.fixedPointKb(senders, values.whole("rate"));
            run.near(RoccRuns.QUEUE, kbytes, MODEL_TOLERANCE, MODEL);
        }
    }

    private static Table table(List<Group> groups) {
        return Table.of(
                groups,
                Table.column("form", group -> group.form().word()),
                Table.column("rate", Group::gbps),
                Table.column(">senders", Group::senders),
                Table.column(">queue, kB", Group::queues),
                Table.number(">fixed point, kB", "%.1f", Group::fixedPointKb),
                Table.number(">p95, kB", "%.1f", group -> group.mean(Compared.P95)),
                Table.number(">use, %", "%.1f", group -> group.mean(Compared.UTILISATION)),
                Table.number(">Jain", "%.4f", group -> group.mean(Compared.FAIRNESS)),
                Table.number(">told/s", "%.0f", group -> group.mean(Compared.NOTIFICATIONS)));
    }

    /** Bars for each form: a panel for each rate and number of senders. */
    private static Figure means(List<Group> groups, String found) {
        List<String> forms = groups.stream().map(group -> group.form().word()).distinct().toList();
        Map<String, Points> panels = new TreeMap<>();
        for (Group group : groups) {
            String panel = group.gbps() + ", " + group.senders() + " senders";
            panels.computeIfAbsent(panel, _ -> new Points())
                    .add(forms.indexOf(group.form().word()), group.mean(RoccRuns.QUEUE));
        }
        List<Line> lines = new ArrayList<>();
        panels.forEach(
                (panel, points) -> lines.add(points.line("mean queue", Style.BARS).in(panel)));
        return new Figure(
                "mean-queue",
                "The mean queue before the congested link",
                Axis.words("form", forms),
                Axis.linear("mean queue", "kB"),
                lines,
                "The queue depends on when a receiver tells of marks.",
                found);
    }
}
