package io.headgate.testbed.lab;

import io.headgate.config.FlowControlConfig.Mode;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Doubt;
import io.headgate.control.report.RunReport.Section;
import io.headgate.control.run.RunningSwitch;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.testbed.lab.Losses.Loss;
import io.headgate.testbed.lab.capture.ControlFrames;
import io.headgate.testbed.lab.own.LabExpectation;
import io.headgate.testbed.lab.own.LabMeasure;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.lab.series.ValueSeries;
import io.headgate.testbed.lab.validity.Holds;
import io.headgate.testbed.lab.validity.LabMargins;
import io.headgate.testbed.netns.Iperf3;
import io.headgate.testbed.scenario.Check;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reports the effect of flow control on hosts with cards of ours, and whether their datagrams came
 * in order.
 */
final class OwnFindings {
    private static final double PERCENT = 100;

    private final OwnLabSpec spec;
    private final LabSwitches switches;
    private final List<Losses.Card> cards;
    private final RunReport report;

    /** By switch, where one priority alone is lossless. */
    private final Map<Integer, ControlFrames> control = new LinkedHashMap<>();

    /**
     * For switches whose ports have their devices.
     *
     * @param cards of the hosts; empty if they have none of ours
     */
    OwnFindings(OwnLabSpec spec, LabSwitches switches, List<Losses.Card> cards, RunReport report) {
        this.spec = spec;
        this.switches = switches;
        this.cards = cards;
        this.report = report;
        for (int node = 0; node < switches.all().size(); node++) {
            RunningSwitch one = switches.all().get(node);
            int lossless = losslessMask(one);
            if (mode(one) != Mode.NONE && Integer.bitCount(lossless) == 1) {
                int priority = Integer.numberOfTrailingZeros(lossless);
                control.put(node, new ControlFrames(one, mode(one), priority));
            }
        }
    }

    /** The flow control of a switch's ports, by its first; a topology has the same everywhere. */
    private static Mode mode(RunningSwitch one) {
        return one.config().ports().getFirst().flowControl().mode();
    }

    private static int losslessMask(RunningSwitch one) {
        return one.config().ports().getFirst().traffic().losslessMask();
    }

    /**
     * For which share of time each host was stopped, as a mean of its lossless priorities; without
     * lines where nothing stops hosts.
     */
    ValueSeries stopped() {
        RunningSwitch first = switches.all().getFirst();
        int priorities = Integer.bitCount(losslessMask(first));
        List<ValueSeries.Line> lines = new ArrayList<>();
        for (Losses.Card card : mode(first) == Mode.NONE ? List.<Losses.Card>of() : cards) {
            lines.add(
                    new ValueSeries.Line(
                            spec.host(card.host() + 1),
                            () -> Losses.stoppedNs(card.counters().get()),
                            true,
                            PERCENT / priorities));
        }
        return new ValueSeries(System.nanoTime(), lines);
    }

    String stoppedTitle() {
        return mode(switches.all().getFirst()) == Mode.CREDITS
                ? "Time that each host was without credits"
                : "Time that each host was paused";
    }

    /** What tshark must read of each frame that a switch's capture has. */
    List<String> fields(int node) {
        ControlFrames own = control.get(node);
        return own == null ? List.of() : own.fields();
    }

    /**
     * Reports the frames of flow control in a switch's capture.
     *
     * @param frames with these fields at their end
     */
    void control(LabCapture capture, int node, List<String[]> frames) {
        ControlFrames own = control.get(node);
        if (own == null) {
            return;
        }
        // Of several switches any may have sent it.
        boolean isSure = capture.hasControl() && switches.all().size() == 1;
        LabCapture.Part part = capture.parts().get(node);
        boolean isWhole = part.windows().summary().leftOut() == 0;
        own.check(frames, part.inSentence(), isSure && isWhole, report);
    }

    /** Adds to the report how many datagrams came behind later ones of their flow. */
    void order(List<Iperf3.Outcome> flows) {
        if (flows.stream().anyMatch(flow -> flow.protocol() == Iperf3.Protocol.UDP)) {
            long behind = behind(flows);
            report.add(
                    new Section(
                            "Order",
                            behind,
                            behind + " datagrams arrived after later ones of their flow"));
        }
    }

    private static long behind(List<Iperf3.Outcome> flows) {
        return flows.stream().mapToLong(Iperf3.Outcome::reorderedDatagrams).sum();
    }

    /**
     * Judges a run of hosts with cards by what its file expects, and lossless frames that found no
     * headroom by themselves.
     *
     * @param lost since everything was at rest
     * @param stoppedMs for how long pauses or missing credits stopped hosts, all together
     * @param unsentMs as {@link PhaseFindings#unsentMs}
     */
    record Verdict(
            OwnLabSpec spec,
            List<Iperf3.Outcome> flows,
            List<Loss> lost,
            double stoppedMs,
            double unsentMs,
            Holds holds,
            RunReport report) {

        /**
         * Judges all of it.
         *
         * @param held as {@link LabMargins#describe}
         * @return what was expected of all phases together
         */
        List<Check> judge(LabMargins margins, String held) {
            List<Check> checks = new ArrayList<>();
            boolean areLossesJudged = false;
            for (LabExpectation one : spec.expectations()) {
                Check check =
                        one.check(
                                switch (one.measure()) {
                                    case FRAMES_LOST -> Losses.frames(lost);
                                    case OUT_OF_ORDER -> behind(flows);
                                    case TIME_STOPPED -> stoppedMs;
                                    default ->
                                            throw new IllegalArgumentException(
                                                    one.measure() + " of all phases");
                                });
                checks.add(check);
                boolean isOfLosses = one.measure() == LabMeasure.FRAMES_LOST && one.isUpper();
                if (isOfLosses && (check.passed() ? one.allowsNone() : !one.isControl())) {
                    areLossesJudged = true;
                } else if (!check.passed()) {
                    fail(one, check);
                }
            }
            if (areLossesJudged) {
                long missed = flows.stream().mapToLong(Iperf3.Outcome::lostDatagrams).sum();
                Losses.judge(lost, missed, held, report);
            } else {
                headroom(margins);
            }
            return checks;
        }

        /**
         * A sender that did not send, for longer than anything stopped it, was held by the machine:
         * that is why something did not come about, but no reason for what did.
         */
        private void fail(LabExpectation one, Check check) {
            if (!one.isUpper()
                    && stoppedMs <= unsentMs / 2
                    && holds.doubtSenders(flows, spec::host, report)) {
                return;
            }
            if (one.isControl()) {
                report.doubt(Doubt.ofControl(check.sentence()));
            } else {
                report.problem(check.sentence());
            }
        }

        /**
         * A lossless frame for which there was no headroom: a defect, of the switch or of its file,
         * unless a worker was held for longer than a headroom of the right size allows for.
         */
        void headroom(LabMargins margins) {
            long frames =
                    lost.stream()
                            .filter(one ->
                                    one.reason().equals(DropReason.HEADROOM_EXHAUSTED.name()))
                            .mapToLong(Loss::frames)
                            .sum();
            if (frames == 0) {
                return;
            }
            String sentence = frames + " frames of lossless priorities found no headroom";
            if (!margins.isPlanned()) {
                report.problem(
                        sentence
                                + ": a switch has less headroom than its rates, MTU and links"
                                + " need");
            } else if (margins.isGuaranteed()) {
                report.problem(sentence);
            } else {
                report.doubt(Doubt.ofMachine(sentence + "; " + LabMargins.HELD));
            }
        }
    }
}
