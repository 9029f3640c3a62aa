package io.headgate.testbed.lab;

import io.headgate.config.FlowControlConfig;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.counters.CounterSnapshot.Drop;
import io.headgate.control.report.RunReport.Section;
import io.headgate.control.report.Table;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.dataplane.counter.IngressCounter;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.testbed.lab.column.LabColumn;
import io.headgate.testbed.lab.column.LabColumn.Of;
import io.headgate.testbed.topology.LinkPlan;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Checks that every frame is accounted for: the switches forwarded, held or dropped for a reason
 * all frames that the hosts sent; each switch received all frames that another one sent to it; and
 * the hosts received all frames that switches sent to them. A difference anywhere is a frame lost
 * without a reason (positive) or counted twice (negative).
 *
 * @param ports one line per port
 * @param insideFrames frames that went in at an ingress half and neither left nor were dropped
 * @param heldFrames frames waiting in egress queues
 */
record Balance(List<PortBalance> ports, long insideFrames, long heldFrames) {

    /** Frames lost behind the egress half, which has counted them as transmitted. */
    private static final EnumSet<DropReason> BEHIND_EGRESS =
            EnumSet.of(DropReason.KERNEL_TX, DropReason.FAULT_INJECTED);

    /**
     * What the egress half of the port that stands for a switch itself drops. Whatever else is
     * dropped there, such as packets without a route, the half has counted as transmitted.
     */
    private static final EnumSet<DropReason> BEFORE_LOCAL =
            EnumSet.of(DropReason.QUEUE_FULL, DropReason.PUSHED_OUT);

    /**
     * One port.
     *
     * @param hostSent frames that the host's interface sent, or, where it is a TAP, would have sent
     *     had the switch emptied its queue in time; where the link leads to another switch, what
     *     that one sent and this one did not consume as link control
     * @param received frames that the switch took from its device
     * @param droppedIn frames dropped on their way in, by the device, the kernel or the ingress
     *     half
     * @param droppedByInterface of these, what the kernel counts for the interface as a whole: also
     *     frames that it showed us first and then had no other receiver for, such as tagged ones
     * @param forwarded frames handed to egress halves, without copies made by flooding
     * @param transmitted frames that the switch gave to its device
     * @param droppedOut frames dropped at this port's egress, for all reasons
     * @param lostBehind of these, those lost behind the egress half
     * @param hostReceived frames that the host's interface received, without link control; where
     *     the link leads to another switch, all: what became of them is that one's {@code hostSent}
     */
    record PortBalance(
            String port,
            long hostSent,
            long received,
            long droppedIn,
            long droppedByInterface,
            long forwarded,
            long transmitted,
            long droppedOut,
            long lostBehind,
            long hostReceived) {

        /** Frames lost between the host's socket and our egress queues that no counter explains. */
        long unexplainedIn() {
            long missing = hostSent - forwarded - (droppedIn - droppedByInterface);
            return missing > droppedByInterface
                    ? missing - droppedByInterface
                    : Math.min(0, missing);
        }

        /** Frames lost between our device and the host that no counter explains. */
        long unexplainedOut() {
            return transmitted - lostBehind - hostReceived;
        }
    }

    /** The counters of a host's interface. */
    record HostFrames(long sent, long received) {}

    /**
     * Computes the balance.
     *
     * @param counters since the hosts' counters were {@code before}
     * @param before the hosts' counters, in the order of their numbers
     */
    static Balance of(LabCounters counters, List<HostFrames> before, List<HostFrames> after) {
        List<PortBalance> ports = new ArrayList<>();
        for (LabSwitches.Port port : counters.switches().ports()) {
            ports.add(port(counters, port, before, after));
        }
        long inside = 0;
        long held = 0;
        for (int node = 0; node < counters.bySwitch().size(); node++) {
            CounterSnapshot one = counters.bySwitch().get(node);
            List<String> names = one.owners(Scope.INGRESS);
            for (String name : names) {
                Set<DropReason> ofHalf =
                        isLocal(counters, node, names.indexOf(name))
                                ? BEFORE_LOCAL
                                : EnumSet.complementOf(BEHIND_EGRESS);
                long waiting = one.value(Scope.EGRESS, name, EgressCounter.QUEUE_FRAMES);
                held += waiting;
                inside +=
                        one.value(Scope.INGRESS, name, IngressCounter.FRAMES_FORWARDED)
                                - one.value(Scope.EGRESS, name, EgressCounter.FRAMES_TRANSMITTED)
                                - drops(one, name, false, ofHalf)
                                - waiting;
            }
        }
        return new Balance(ports, inside, held);
    }

    /** Whether a port stands for the switch itself: it comes behind those of the configuration. */
    private static boolean isLocal(LabCounters counters, int node, int port) {
        return port >= counters.switches().plan().switches().get(node).ports().size();
    }

    private static PortBalance port(
            LabCounters counters,
            LabSwitches.Port port,
            List<HostFrames> before,
            List<HostFrames> after) {
        CounterSnapshot own = counters.bySwitch().get(port.node());
        String name = port.local();
        long sent = own.value(Scope.EGRESS, name, EgressCounter.FRAMES_TRANSMITTED);
        long behind = drops(own, name, false, BEHIND_EGRESS);
        long sentThere;
        long receivedThere;
        int peer = port.peer().node();
        if (port.peer().isHost()) {
            // A full TAP is our drop, but one that the host counts as not sent.
            sentThere =
                    after.get(peer).sent
                            - before.get(peer).sent
                            + drops(own, name, true, EnumSet.of(DropReason.TAP_RING_FULL));
            // A host counts what it makes nothing of, too.
            receivedThere =
                    after.get(peer).received
                            - before.get(peer).received
                            - own.value(Scope.EGRESS, name, EgressCounter.LINK_CONTROL_TRANSMITTED);
        } else {
            sentThere = sentBySwitch(counters, port.peer()) - consumed(counters, port);
            receivedThere = sent - behind;
        }
        // A link that repeats frames adds to what was sent by one end and reaches the other.
        sentThere += own.value(Scope.INGRESS, name, IngressCounter.FAULTS_REPEATED);
        receivedThere -= own.value(Scope.EGRESS, name, EgressCounter.FAULTS_REPEATED);
        return new PortBalance(
                port.name(),
                sentThere,
                own.value(Scope.INGRESS, name, IngressCounter.FRAMES_RECEIVED),
                drops(own, name, true, EnumSet.allOf(DropReason.class)),
                drops(own, name, true, EnumSet.of(DropReason.KERNEL_RX_INTERFACE)),
                own.value(Scope.INGRESS, name, IngressCounter.FRAMES_FORWARDED)
                        - own.value(Scope.INGRESS, name, IngressCounter.FRAMES_COPIED),
                sent,
                drops(own, name, false, EnumSet.allOf(DropReason.class)),
                behind,
                receivedThere);
    }

    /** What has left a switch by a port, link control too, and was not lost right behind it. */
    private static long sentBySwitch(LabCounters counters, LinkPlan.End end) {
        CounterSnapshot there = counters.bySwitch().get(end.node());
        String name = there.owners(Scope.EGRESS).get(end.port());
        return there.value(Scope.EGRESS, name, EgressCounter.FRAMES_TRANSMITTED)
                + there.value(Scope.EGRESS, name, EgressCounter.LINK_CONTROL_TRANSMITTED)
                - drops(there, name, false, BEHIND_EGRESS);
    }

    /** Link control that a port took in; without flow control it drops that by a name. */
    private static long consumed(LabCounters counters, LabSwitches.Port port) {
        boolean takes =
                counters.switches()
                                .plan()
                                .switches()
                                .get(port.node())
                                .ports()
                                .get(port.number())
                                .flowControl()
                                .mode()
                        != FlowControlConfig.Mode.NONE;
        return takes
                ? counters.value(Scope.INGRESS, port, IngressCounter.LINK_CONTROL_RECEIVED)
                : 0;
    }

    private static long drops(
            CounterSnapshot counters, String port, boolean ingress, Set<DropReason> reasons) {
        long sum = 0;
        for (Drop drop : counters.drops()) {
            if (drop.ingress() == ingress
                    && drop.port().equals(port)
                    && reasons.contains(DropReason.valueOf(drop.reason()))) {
                sum += drop.frames();
            }
        }
        return sum;
    }

    /**
     * Whether no switch has passed a frame on, and none waits in one: of a time that began at rest.
     * Link control, which links may carry at any time, does not count.
     */
    boolean isAtRest() {
        return insideFrames == 0
                && heldFrames == 0
                && ports.stream().allMatch(port -> port.forwarded == 0);
    }

    /** Whether all frames are accounted for and none is under way. */
    boolean holds() {
        return insideFrames == 0
                && heldFrames == 0
                && ports.stream().allMatch(p -> p.unexplainedIn() == 0 && p.unexplainedOut() == 0);
    }

    /** Number of frames that are not accounted for. */
    long unexplained() {
        long sum = Math.abs(insideFrames);
        for (PortBalance port : ports) {
            sum += Math.abs(port.unexplainedIn()) + Math.abs(port.unexplainedOut());
        }
        return sum;
    }

    /** The differences, a sentence each; empty if there are none. */
    List<String> problems() {
        List<String> problems = new ArrayList<>();
        if (insideFrames != 0) {
            problems.add(
                    "inside the switches "
                            + insideFrames
                            + " received frames were neither sent nor dropped");
        }
        if (heldFrames != 0) {
            problems.add(heldFrames + " frames still wait in egress queues");
        }
        for (PortBalance port : ports) {
            if (port.unexplainedIn() != 0) {
                problems.add(
                        "port "
                                + port.port
                                + ": of "
                                + port.hostSent
                                + " frames sent to it, "
                                + port.unexplainedIn()
                                + " are not accounted for");
            }
            if (port.unexplainedOut() != 0) {
                problems.add(
                        "port "
                                + port.port
                                + ": of "
                                + port.transmitted
                                + " frames that it sent, its host did not receive "
                                + port.unexplainedOut());
            }
        }
        return problems;
    }

    Section section() {
        Table table = LabColumn.table(Of.FRAMES);
        for (PortBalance port : ports) {
            table.row(
                    port.port(),
                    Long.toString(port.hostSent()),
                    Long.toString(port.received()),
                    Long.toString(port.droppedIn()),
                    Long.toString(port.forwarded()),
                    Long.toString(port.transmitted()),
                    Long.toString(port.droppedOut()),
                    Long.toString(port.hostReceived()),
                    Long.toString(port.unexplainedIn() + port.unexplainedOut()));
        }
        return new Section("Frames", this, table);
    }
}
