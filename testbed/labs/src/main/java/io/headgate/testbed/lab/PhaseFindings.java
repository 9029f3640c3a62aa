package io.headgate.testbed.lab;

import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Doubt;
import io.headgate.testbed.lab.Losses.Loss;
import io.headgate.testbed.lab.measures.RunMeasures;
import io.headgate.testbed.lab.own.LabDerived;
import io.headgate.testbed.lab.own.LabExpectation;
import io.headgate.testbed.lab.own.LabMeasure;
import io.headgate.testbed.lab.own.LabSeries;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.lab.policy.Passage;
import io.headgate.testbed.lab.rdma.RdmaFlow;
import io.headgate.testbed.lab.validity.Holds;
import io.headgate.testbed.netns.Iperf3;
import io.headgate.testbed.netns.Iperf3.Protocol;
import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.file.Arithmetic;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The results of the phases of a user's lab, judged by what its file expects of each.
 *
 * @param outcomes of the phases that ran, in their order
 */
record PhaseFindings(OwnLabSpec spec, List<PhaseOutcome> outcomes, RunReport report)
        implements RunMeasures {
    private static final double PERCENT = 100;
    private static final double BPS_PER_MBPS = 1e6;

    /** Bytes of a frame around its packet: header, check sequence, preamble and gap. */
    private static final int FRAME_BYTES = 38;

    /** Maximum number of bytes of a packet before its payload. */
    private static final int HEADERS_BYTES = 52;

    PhaseFindings {
        outcomes = List.copyOf(outcomes);
    }

    record Judged(LabExpectation expected, PhaseOutcome phase, Check check) {
        boolean failsAsControl() {
            return expected.isControl() && !check.passed();
        }
    }

    List<Judged> judged() {
        List<Judged> all = new ArrayList<>();
        for (PhaseOutcome phase : outcomes) {
            // What is said of a run has its name anyway.
            String name = spec.run().isEmpty() ? phase.phase().shown() : "";
            for (LabExpectation one : phase.phase().expectations()) {
                double measured = measured(one.measure(), phase, one.of());
                all.add(new Judged(one, phase, one.check(name, measured)));
            }
        }
        return all;
    }

    /**
     * A measured value of a phase.
     *
     * @param of whose flows: a host's, or those of a name; empty: all
     */
    private double measured(LabMeasure measure, PhaseOutcome phase, String of) {
        List<Integer> numbers = numbers(phase, of);
        List<Iperf3.Outcome> flows = flows(phase, of);
        List<Iperf3.Outcome> udp =
                flows.stream().filter(flow -> flow.protocol() == Protocol.UDP).toList();
        return switch (measure) {
            case FRAMES_DROPPED -> phase.dropped();
            case FRAMES_LOST -> Losses.frames(phase.lost());
            case LOST_OUTSIDE -> Losses.frames(phase.lostOutsideQueues());
            case OUT_OF_ORDER -> udp.stream().mapToLong(Iperf3.Outcome::reorderedDatagrams).sum();
            case DATAGRAMS_RECEIVED ->
                    (double)
                                    udp.stream()
                                            .mapToLong(one -> one.datagrams() - one.lostDatagrams())
                                            .sum()
                            / phase.phase().seconds();
            case SHARE_RECEIVED -> PERCENT * receivedBps(udp) / sentBps(udp);
            case SHARE_LOST_IN_QUEUES -> {
                List<Passage> passages =
                        phase.passages().stream()
                                .filter(one -> of.isEmpty() || one.host().equals(of))
                                .toList();
                yield PERCENT
                        * passages.stream().mapToLong(Passage::lostInQueues).sum()
                        / passages.stream().mapToLong(Passage::inSwitch).sum();
            }
            case THROUGHPUT -> (receivedBps(flows) + rdmaBps(phase, of)) / BPS_PER_MBPS;
            case MARKED_CONGESTED ->
                    LabMarks.share(phase.marks(), numbers, LabMarks.Count::congested);
            case MARKED_UNDETERMINED ->
                    LabMarks.share(phase.marks(), numbers, LabMarks.Count::undetermined);
            case TIME_STOPPED, PACKETS_REPEATED ->
                    phase.recorded().stream()
                            .filter(one -> one.name().equals(measure.word()))
                            .mapToDouble(one -> one.values()[0])
                            .findFirst()
                            .orElse(Double.NaN);
        };
    }

    private static double receivedBps(List<Iperf3.Outcome> flows) {
        return flows.stream().mapToDouble(Iperf3.Outcome::receivedBps).sum();
    }

    private double rdmaBps(PhaseOutcome phase, String of) {
        return phase.rdma().stream()
                .filter(one ->
                        of.isEmpty()
                                || spec.host(one.flow().from() + 1).equals(of)
                                || one.flow().name().equals(of))
                .mapToDouble(RdmaFlow.Received::receivedBps)
                .sum();
    }

    private static double sentBps(List<Iperf3.Outcome> flows) {
        return flows.stream().mapToDouble(Iperf3.Outcome::sentBps).sum();
    }

    List<Iperf3.Outcome> flows(PhaseOutcome phase, String of) {
        return numbers(phase, of).stream().map(phase.flows()::get).toList();
    }

    /** Flows by their places in their phase. */
    private List<Integer> numbers(PhaseOutcome phase, String of) {
        return IntStream.range(0, phase.flows().size())
                .filter(number ->
                        of.isEmpty()
                                || spec.host(phase.flows().get(number).flow().from()).equals(of)
                                || phase.phase().flows().get(number).name().equals(of))
                .boxed()
                .toList();
    }

    /** A measure by its name: one that the file makes, or one of a phase; NaN: none. */
    @Override
    public double measured(String name) {
        for (LabDerived one : spec.derived()) {
            if (one.name().equals(name)) {
                Double value = Arithmetic.value(one.value(), this::measured);
                return value == null ? Double.NaN : value;
            }
        }
        LabSeries.Of recorded = spec.recorded(name);
        if (recorded != null) {
            return recorded.phase() < outcomes.size() ? recorded(recorded) : Double.NaN;
        }
        LabMeasure.Of of = spec.measure(name);
        return of == null || of.phase() >= outcomes.size()
                ? Double.NaN
                : measured(of.measure(), outcomes.get(of.phase()), of.of());
    }

    private double recorded(LabSeries.Of of) {
        PhaseOutcome phase = outcomes.get(of.phase());
        String name = of.of();
        for (Series one : phase.recorded()) {
            if (one.name().equals(name)) {
                return of.value(one);
            }
        }
        if (!name.startsWith(LabSeries.SENT)) {
            return Double.NaN;
        }
        double sum = 0;
        for (Iperf3.Outcome flow : flows(phase, name.substring(LabSeries.SENT.length()))) {
            sum += of.value(flow.sent());
        }
        return sum;
    }

    record Together(String title, String unit) {}

    /** The series of a phase, by the figures that have them. */
    Map<Together, List<Series>> together(PhaseOutcome outcome) {
        Map<Together, List<Series>> all = new LinkedHashMap<>();
        for (LabSeries one : spec.series()) {
            Together of = new Together(one.figure(), one.unit());
            outcome.recorded().stream()
                    .filter(recorded -> recorded.name().equals(one.name()))
                    .forEach(recorded ->
                            all.computeIfAbsent(of, _ -> new ArrayList<>()).add(recorded));
        }
        return all;
    }

    /**
     * What the file makes of counters over time, in figures of each phase by title and unit.
     *
     * @param looks which know what was changed meanwhile
     * @param virtual the same in virtual time; empty: there is no such run
     */
    List<Figure> figures(TimeSeries looks, List<Series> virtual) {
        List<Figure> figures = new ArrayList<>();
        for (PhaseOutcome outcome : outcomes) {
            String which = spec.namesPhases() ? outcome.phase().name() : "";
            List<TimeSeries.Mark> changes = looks.changesIn(outcome.phase().shown());
            together(outcome)
                    .forEach((of, all) ->
                            figures.add(
                                    LabCharts.series(
                                            all,
                                            of.title,
                                            virtual,
                                            figures.size() + 1,
                                            which,
                                            changes)));
        }
        return figures;
    }

    /**
     * Judges all phases, and what is made of them alone; what does not hold of a control case, or
     * because a sender got no core, is left to {@link PhaseDoubts}.
     */
    List<Check> judge(Holds holds) {
        List<Judged> all = judged();
        for (Judged one : all) {
            if (!one.check.passed() && !one.expected.isControl()) {
                fail(one, isForWantOfACore(one, all, holds), holds);
            }
        }
        for (PhaseOutcome phase : outcomes) {
            if (!phase.passages().isEmpty() && phase.unexplained() > 0) {
                report.problem(
                        phase.phase().shown()
                                + ": "
                                + phase.unexplained()
                                + " datagrams never arrived, and no counter explains it");
            }
            for (LabMarks.Count one : phase.marks()) {
                if (one.frames() == 0) {
                    report.problem(
                            "nothing of "
                                    + one.flow(spec::host)
                                    + " was captured, so its marks cannot be counted");
                }
            }
        }
        List<Check> checks = new ArrayList<>(all.stream().map(Judged::check).toList());
        compared()
                .forEach((one, check) -> {
                    checks.add(check);
                    if (!check.passed() && !one.isControl()) {
                        report.problem(check.sentence());
                    }
                });
        return checks;
    }

    /** What is expected of numbers made here, compared with what was measured here. */
    Map<LabDerived.Expected, Check> compared() {
        Map<LabDerived.Expected, Check> checks = new LinkedHashMap<>();
        for (LabDerived.Expected one :
                outcomes.isEmpty() ? List.<LabDerived.Expected>of() : spec.compared()) {
            if (has(one)) {
                checks.put(one, one.check(one.derived().name(), this::measured));
            }
        }
        return checks;
    }

    /** Whether no part of it belongs to another run. */
    @Override
    public boolean has(LabDerived.Expected one) {
        return one.names().stream()
                .allMatch(name ->
                        spec.measure(name) != null
                                || spec.recorded(name) != null
                                || spec.derived().stream()
                                        .anyMatch(own -> own.name().equals(name)));
    }

    /**
     * What did not come to be dropped, because a sender that nothing else held back got no core.
     */
    private boolean isForWantOfACore(Judged one, List<Judged> all, Holds holds) {
        return one.expected.measure() == LabMeasure.FRAMES_DROPPED
                && !one.expected.isUpper()
                && !spec.holdsSenders()
                && !dropsEnough(one.phase, all)
                && holds.areShort(unheld(one.phase));
    }

    /** Losses behind the network only, or repetitions while a worker was held, are a doubt. */
    private void fail(Judged one, boolean isForWantOfACore, Holds holds) {
        List<Loss> lost =
                one.expected.measure() == LabMeasure.LOST_OUTSIDE
                        ? one.phase.lostOutsideQueues()
                        : one.phase.lost();
        boolean isOfLosses =
                LabMeasure.OF_LOSSES.contains(one.expected.measure()) && one.expected.isUpper();
        if (isOfLosses && Losses.areBehind(lost)) {
            report.doubt(Doubt.ofMachine(one.check.sentence() + "; " + Losses.sentence(lost)));
        } else if (one.expected.measure() == LabMeasure.PACKETS_REPEATED
                && one.expected.isUpper()
                && holds.exceedAnyBuffer()
                && lost.stream().allMatch(Loss::isOfHolds)) {
            report.doubt(Doubt.ofMachine(one.check.sentence() + "; " + holds.sentence()));
        } else if (!isForWantOfACore) {
            report.problem(one.check.sentence());
        }
    }

    /** Whether the file says itself what must arrive, or be lost, of what senders offer. */
    boolean judgeWhatArrives() {
        return !spec.compared().isEmpty()
                || spec.measures(LabMeasure.SHARE_LOST_IN_QUEUES)
                || spec.phases().stream()
                        .flatMap(phase -> phase.expectations().stream())
                        .anyMatch(one ->
                                one.isControl() && one.measure() == LabMeasure.SHARE_RECEIVED);
    }

    /** More than a link carries may be more than the machine can send. */
    static boolean dropsEnough(PhaseOutcome phase, List<Judged> all) {
        return all.stream()
                .anyMatch(one ->
                        one.phase.equals(phase)
                                && one.expected.measure() == LabMeasure.FRAMES_DROPPED
                                && !one.expected.isUpper()
                                && one.check.passed());
    }

    /** Flows that ran, and that the link of a card of ours does not hold back. */
    List<Iperf3.Outcome> unheld(PhaseOutcome phase) {
        return phase.flows().stream()
                .filter(flow -> flow.problem() == null)
                .filter(flow -> !spec.hasCards() || fits(flow.flow().from(), phase))
                .toList();
    }

    /** Whether a host's link carries all that it is asked to send. */
    private boolean fits(int host, PhaseOutcome phase) {
        double bps =
                phase.phase().flows().stream()
                        .filter(flow -> flow.from() == host - 1)
                        .mapToDouble(OwnLabSpec.Flow::rateBps)
                        .sum();
        int mtu = spec.topology().sizes().mtuBytes();
        double onWire = bps * (mtu + FRAME_BYTES) / (mtu - HEADERS_BYTES);
        return spec.topology().links().stream()
                .filter(link ->
                        link.a().equals(spec.host(host)) || link.b().equals(spec.host(host)))
                .allMatch(link -> onWire <= link.spec().rateBps());
    }

    /** For how long senders of UDP sent nothing, by what they were asked for, all together. */
    double unsentMs() {
        double ms = 0;
        for (PhaseOutcome phase : outcomes) {
            double unsent =
                    phase.flows().stream()
                            .filter(flow -> flow.protocol() == Protocol.UDP)
                            .mapToDouble(flow -> 1 - flow.sentBps() / flow.flow().udpBps())
                            .filter(share -> share > 0)
                            .sum();
            ms += unsent * phase.phase().seconds() * 1e3;
        }
        return ms;
    }
}
