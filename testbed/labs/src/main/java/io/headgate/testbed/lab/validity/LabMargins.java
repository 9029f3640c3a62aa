package io.headgate.testbed.lab.validity;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.PortConfig;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.report.FlowControlSection;
import io.headgate.control.report.FlowControlSection.Margin;
import io.headgate.control.report.RunReport;
import io.headgate.control.run.RunningSwitch;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.WorkerCounter;
import io.headgate.dataplane.flowcontrol.LosslessMargin;
import java.util.ArrayList;
import java.util.List;

/**
 * The margin of each lossless port of a lab's switches, computed with the reaction times that
 * workers and hosts' cards had.
 */
public final class LabMargins {
    /** The text of a report if frames were lost that no buffer could have held. */
    public static final String HELD =
            "the machine delayed a worker for longer than the buffers allow";

    private final List<Margin> margins = new ArrayList<>();
    private boolean isPlanned = true;

    /**
     * A port of a switch.
     *
     * @param number its number there
     * @param name as reports have it
     * @param leadsToHost whether its link leads to a host's card
     */
    public record Port(RunningSwitch running, int number, String name, boolean leadsToHost) {}

    /**
     * As they are now.
     *
     * @param ports all of all switches
     * @param cards what the hosts' cards have counted
     */
    public LabMargins(List<Port> ports, List<CounterSnapshot> cards) {
        long cardsNs = reactionNs(cards);
        for (Port port : ports) {
            RunningSwitch running = port.running;
            PortConfig now =
                    running.config()
                            .ports()
                            .get(port.number)
                            .withRateBps(running.linkRateBps(port.number));
            isPlanned &= new LosslessMargin(now).isAsPlanned();
            LosslessMargin seen =
                    new LosslessMargin(port.leadsToHost ? withPeer(now, cardsNs) : now);
            if (seen.isNeeded()) {
                margins.add(margin(port, now.name(), seen));
            }
        }
    }

    private static Margin margin(Port port, String local, LosslessMargin seen) {
        var realTime = port.running.realTime();
        var numbers = realTime.engine().numbers();
        List<Integer> workers = realTime.plan().workerOfDuty();
        Margin own =
                FlowControlSection.margin(
                        local,
                        seen,
                        port.running.counters(),
                        "worker " + workers.get(numbers.ingress(port.number)),
                        "worker " + workers.get(numbers.egress(port.number)));
        return new Margin(
                port.name, own.guaranteed(), own.bytes(), own.slots(), own.spareNs(), own.why());
    }

    private static PortConfig withPeer(PortConfig port, long reactionNs) {
        FlowControlConfig flow = port.flowControl();
        return port.withFlowControl(flow.withLink(flow.link().withPeerReactionNs(reactionNs)));
    }

    /** The cards' latest wake-up, and two of their longest cycles. */
    private static long reactionNs(List<CounterSnapshot> cards) {
        long mostNs = 0;
        for (CounterSnapshot card : cards) {
            for (String worker : card.owners(Scope.WORKER)) {
                long lateNs = card.value(Scope.WORKER, worker, WorkerCounter.LATENESS_MAX_NS);
                long cycleNs = card.value(Scope.WORKER, worker, WorkerCounter.LONGEST_CYCLE_NS);
                mostNs = Math.max(mostNs, lateNs + 2 * cycleNs);
            }
        }
        return mostNs;
    }

    /** Whether each lossless port has the headroom that its link asks for. */
    public boolean isPlanned() {
        return isPlanned;
    }

    /** Whether no margin was negative. */
    public boolean isGuaranteed() {
        return margins.stream().allMatch(Margin::guaranteed);
    }

    /**
     * Adds them to a report.
     *
     * @param name of the section
     * @return why frames lost are the machine's; empty if no margin was negative, or it is so on
     *     any machine
     */
    public String describe(String name, RunReport report) {
        if (margins.isEmpty()) {
            return "";
        }
        report.add(
                new RunReport.Section(
                        name,
                        margins,
                        "Whether the worst case would have fitted, with the measured reaction times"
                                + " of switch and agents;\n"
                                + "PASS and FAIL show whether this run lost frames:\n"
                                + FlowControlSection.describe(margins)));
        return !isPlanned || isGuaranteed() ? "" : "; " + HELD + " (see \"" + name + "\")";
    }
}
