package io.headgate.testbed.scenario.shipped;

import io.headgate.config.Mechanisms;
import io.headgate.config.PortTraffic;
import io.headgate.dataplane.congestion.Red;
import io.headgate.dataplane.telemetry.Telemetry;
import io.headgate.hostagent.rate.Dcqcn;
import io.headgate.hostagent.rate.DcqcnConfig;
import io.headgate.hostagent.rate.RoccReactionConfig;
import io.headgate.hostagent.rate.hpcc.Hpcc;
import io.headgate.hostagent.rate.hpcc.HpccConfig;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Figure.Axis;
import io.headgate.testbed.scenario.Figure.Limit;
import io.headgate.testbed.scenario.Figure.Line;
import io.headgate.testbed.scenario.Figure.Style;
import io.headgate.testbed.scenario.Flows;
import io.headgate.testbed.scenario.Labels;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.RunContext;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.Values;
import io.headgate.testbed.scenario.bed.Observation;
import io.headgate.testbed.scenario.bed.Recording;
import io.headgate.testbed.scenario.bed.Recording.Kind;
import io.headgate.testbed.scenario.compare.Published;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.SendPattern;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The rate controls of flows in the scenarios that compare controls: RoCC, DCQCN with published
 * parameters (Zhu et al., SIGCOMM 2015) or with those of Menikkumbura's dissertation, also with its
 * PI in the place of RED, HPCC with the dissertation's, TIMELY and QCN, of which it gives none.
 */
enum Compared {
    ROCC("rocc"),
    DISSERTATION("dcqcn-dissertation"),
    DCQCN("dcqcn"),
    PI("dcqcn-pi", Published.DCQCN_PI_DISSERTATION),
    HPCC("hpcc"),
    TIMELY("timely", Published.TIMELY),
    QCN("qcn", Published.QCN);

    static final String FAIRNESS = "fairness";
    static final String UTILISATION = "utilisation";
    static final String LOWEST = "queue, lowest";
    static final String HIGHEST = "queue, highest";
    static final String SPREAD = "queue, standard deviation";
    static final String P95 = "queue, 95th percentile";
    static final String NOTIFICATIONS = "notifications a second";

    private static final String KEY = "control";
    private static final double SETTLED = 0.75;
    private static final String OBEYED = " notices.obeyed";
    private static final double US_PER_S = 1e6;

    // Both papers' ports, for 40 Gb/s. The dissertation's take an average of the queue's length,
    // and
    // space their marks evenly, as RED's authors do; ours mark each frame for itself.
    static final double REFERENCE_KB = 150;
    static final long KMIN_BYTES = 5_000;
    static final long KMAX_BYTES = 200_000;
    static final double PMAX = 0.01;
    private static final double DISSERTATION_WEIGHT = 0.2;

    /** HPCC's T in the dissertation. */
    private static final long DISSERTATION_T_NS = 6_000;

    private final String word;

    /** What hosts and ports have, if it is not said here. */
    private final @Nullable Published published;

    Compared(String word) {
        this(word, null);
    }

    Compared(String word, @Nullable Published published) {
        this.word = word;
        this.published = published;
    }

    /** One run for each. */
    static Parameter parameter() {
        return Parameter.words(
                KEY,
                Arrays.stream(values()).map(each -> each.word).toList(),
                "what controls the flows: RoCC; DCQCN with the dissertation's parameters, or as"
                        + " published; DCQCN with the dissertation's PI; HPCC with the dissertation's"
                        + " parameters; TIMELY or QCN, with steps that grow with the links' rate");
    }

    static Compared of(Values values) {
        String said = values.word(KEY);
        return Arrays.stream(values())
                .filter(each -> each.word.equals(said))
                .findAny()
                .orElseThrow();
    }

    String word() {
        return word;
    }

    boolean isRocc() {
        return this == ROCC;
    }

    boolean isDcqcn() {
        return this == DISSERTATION || this == DCQCN;
    }

    /** Lossless ports that tell rates, mark, or write telemetry. */
    PortTraffic ports(long xoffBytes) {
        if (isRocc()) {
            return RoccRuns.ports(xoffBytes);
        }
        if (published != null) {
            return published.ports(RoccRuns.losslessPorts(xoffBytes), RoccRuns.RATE_BPS);
        }
        if (this == HPCC) {
            return RoccRuns.losslessPorts(xoffBytes).with(new Telemetry(), "enabled", true);
        }
        return marking(xoffBytes, KMIN_BYTES, KMAX_BYTES, PMAX)
                .with(new Red(), "weight", this == DISSERTATION ? DISSERTATION_WEIGHT : 1.0);
    }

    /** Lossless ports that mark. */
    static PortTraffic marking(long xoffBytes, long kminBytes, long kmaxBytes, double pmax) {
        Red red = new Red();
        return RoccRuns.losslessPorts(xoffBytes)
                .with(red, "kmin", kminBytes)
                .with(red, "kmax", kmaxBytes)
                .with(red, "pmax", pmax)
                .with(red, "priorities", List.of(Common.PRIORITY));
    }

    /**
     * A flow whose application sends at a rate while it may.
     *
     * @param reaction of RoCC
     * @param baseRttNs HPCC's T
     */
    FlowSpec flow(
            String name,
            int from,
            int to,
            long demandBps,
            RoccReactionConfig reaction,
            long baseRttNs) {
        if (isRocc()) {
            return RoccRuns.flow(name, from, to, demandBps, reaction);
        }
        if (published != null) {
            SendPattern pattern =
                    new SendPattern.Controlled(published.use(RoccRuns.RATE_BPS), demandBps);
            return this == TIMELY
                    ? RoccRuns.reliable(name, from, to, pattern)
                    : RoccRuns.flow(name, from, to, FrameShape.ECT_0).paced(pattern);
        }
        if (this == HPCC) {
            Mechanisms.Use hpcc =
                    new Hpcc().use(HpccConfig.of(HpccConfig.Parameters.DISSERTATION, baseRttNs));
            return RoccRuns.reliable(name, from, to, new SendPattern.Controlled(hpcc, demandBps));
        }
        DcqcnConfig keys =
                DcqcnConfig.of(
                        this == DCQCN
                                ? DcqcnConfig.Parameters.PUBLISHED
                                : DcqcnConfig.Parameters.DISSERTATION);
        return flow(name, from, to, demandBps, keys);
    }

    /** The same, by notifications of marks. */
    static FlowSpec flow(String name, int from, int to, long demandBps, DcqcnConfig keys) {
        return RoccRuns.flow(name, from, to, FrameShape.ECT_0)
                .paced(new SendPattern.Controlled(new Dcqcn().use(keys), demandBps));
    }

    /** Makes a flow that obeys one of these. */
    interface Sender {
        FlowSpec flow(String name, int from, int to, long demandBps);
    }

    /** Runs senders to one receiver that begin at the same time. */
    Outcome run(int senders, Cell cell, RunContext context) throws ScenarioException {
        return run(
                RoccRuns.star(senders, RoccRuns.RATE_BPS, ports(RoccRuns.XOFF_BYTES)),
                (name, from, to, demandBps) ->
                        flow(name, from, to, demandBps, RoccRuns.reaction(), DISSERTATION_T_NS),
                0,
                cell,
                context);
    }

    /**
     * Runs all hosts of a star but the last one as senders to that.
     *
     * @param staggerPs time over which they begin, one after the other
     */
    static Outcome run(Topology star, Sender by, long staggerPs, Cell cell, RunContext context)
            throws ScenarioException {
        Values values = cell.values();
        int senders = star.hosts().size() - 1;
        long rateBps = star.links().getFirst().spec().rateBps();
        long demandBps = (long) (rateBps * values.number("load"));
        List<String> names = RoccRuns.names(senders);
        List<FlowSpec> flows = new ArrayList<>();
        for (int i = 0; i < senders; i++) {
            flows.add(
                    by.flow(names.get(i), i, senders, demandBps)
                            .during(staggerPs / senders * i, Long.MAX_VALUE));
        }
        String port = RoccRuns.receiver(senders);
        long durationPs = values.whole("duration") * Common.PS_PER_NS;
        List<String> counters =
                star.hosts().stream().limit(senders).map(host -> host.name() + OBEYED).toList();
        Recording recording = RoccRuns.recording(names, List.of(port)).with(Kind.COUNTER, counters);
        Observation seen = Common.run(star, flows, durationPs, recording, cell, context);
        List<Measure> measures = measures(names, port, rateBps, seen);
        measures.add(notifications(counters, seen));
        // Of what each host counts no figure is made.
        List<Series> shown =
                seen.series().stream().filter(each -> !each.name().endsWith(OBEYED)).toList();
        return seen.withSeries(shown).outcome(measures, List.of());
    }

    /** What all senders obey, in a run's last quarter. */
    private static Measure notifications(List<String> counters, Observation seen) {
        double fromUs = seen.durationUs() * SETTLED;
        double obeyed = 0;
        double seconds = Double.NaN;
        for (String counter : counters) {
            Series series = seen.seriesOf(Kind.COUNTER.series(counter));
            double[] times = series.timesUs();
            double[] values = series.values();
            int first = firstFrom(fromUs, series);
            int last = times.length - 1;
            obeyed += values[last] - values[first];
            seconds = (times[last] - times[first]) / US_PER_S;
        }
        return new Measure(NOTIFICATIONS, "", obeyed / seconds);
    }

    /** What flows have in a run's last quarter, each and together, and what the queue is then. */
    private static List<Measure> measures(
            List<String> names, String port, long rateBps, Observation seen) {
        List<Measure> measures = new ArrayList<>();
        double sum = 0;
        double squares = 0;
        for (String name : names) {
            Measure rate = RoccRuns.settledThroughput(name, seen);
            measures.add(rate);
            sum += rate.value();
            squares += rate.value() * rate.value();
        }
        measures.add(new Measure(FAIRNESS, "", sum * sum / (names.size() * squares)));
        measures.add(new Measure(UTILISATION, "%", 100 * sum * 1e9 / rateBps));
        Series queue = seen.seriesOf(RoccRuns.QUEUE + " " + port);
        double[] lengths = settled(queue, seen);
        double mean = Arrays.stream(lengths).average().orElse(Double.NaN);
        double variance =
                Arrays.stream(lengths)
                        .map(length -> (length - mean) * (length - mean))
                        .average()
                        .orElse(Double.NaN);
        double lowest = Arrays.stream(lengths).min().orElse(Double.NaN);
        double highest = Arrays.stream(lengths).max().orElse(Double.NaN);
        measures.add(new Measure(RoccRuns.QUEUE, queue.unit(), mean));
        measures.add(new Measure(SPREAD, queue.unit(), Math.sqrt(variance)));
        measures.add(new Measure(P95, queue.unit(), Flows.percentile(lengths, 95)));
        measures.add(new Measure(LOWEST, queue.unit(), lowest));
        measures.add(new Measure(HIGHEST, queue.unit(), highest));
        return measures;
    }

    private static double[] settled(Series queue, Observation seen) {
        int first = firstFrom(seen.durationUs() * SETTLED, queue);
        return Arrays.copyOfRange(queue.values(), first, queue.values().length);
    }

    private static int firstFrom(double fromUs, Series series) {
        int first = 0;
        while (first < series.timesUs().length && series.timesUs()[first] < fromUs) {
            first++;
        }
        return first;
    }

    /** These, in a sentence. */
    static String sentence(Conclusions.Run run) {
        return String.format(
                Locale.ROOT,
                "queue %.1f kB (%.1f to %.1f), Jain's index %.4f, utilisation %.1f %%",
                run.measure(RoccRuns.QUEUE),
                run.measure(LOWEST),
                run.measure(HIGHEST),
                run.measure(FAIRNESS),
                run.measure(UTILISATION));
    }

    /** The queue of a port over time, of all runs. */
    static Figure queues(List<CellResult> results, String port, String says, String found) {
        List<Line> lines = new ArrayList<>();
        List<Limit> limits = new ArrayList<>();
        for (Conclusions.Run run : new Conclusions(results).runs()) {
            Values values = run.values();
            String at = RoccRuns.portOf(port, values);
            Line line = run.line("queue", Style.LINE, RoccRuns.QUEUE + " " + at);
            Labels.Labelled name = Labels.split(line.name());
            // Queues that swing hide each other; those of several seeds become a mean.
            boolean isMean = name.withoutSeed().size() < name.parts().size();
            lines.add(isMean ? line : line.in(String.join(", ", name.parts())));
            Limit limit =
                    values.names().contains(KEY) && of(values).isRocc()
                            ? Limit.of("reference", REFERENCE_KB, "kB")
                            : Limit.of("Kmax", KMAX_BYTES / 1e3, "kB");
            limits.add(limit.to(lines.getLast()));
        }
        return new Figure(
                "queue",
                "The queue before the congested link",
                Axis.linear("time", "us"),
                Axis.linear("queue", "kB").cutAt(RoccRuns.SHOWN_REFERENCES * KMAX_BYTES / 1e3),
                lines,
                limits,
                says,
                found);
    }
}
