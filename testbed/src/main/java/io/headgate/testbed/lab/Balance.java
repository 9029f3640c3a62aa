package io.headgate.testbed.lab;

import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.counters.CounterSnapshot.Drop;
import io.headgate.dataplane.engine.counter.CounterDirectory.Scope;
import io.headgate.dataplane.engine.counter.EgressCounter;
import io.headgate.dataplane.engine.counter.IngressCounter;
import io.headgate.dataplane.memory.DropReason;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Whether every frame is accounted for: what the hosts sent is what the switch forwarded, held or
 * dropped for a reason, and what it sent is what the hosts received. A difference anywhere is a
 * frame lost without a reason (positive) or counted twice (negative).
 *
 * @param ports one line a port
 * @param insideFrames frames that went in at an ingress half and neither left nor were dropped
 * @param heldFrames frames waiting in egress queues
 */
record Balance(List<PortBalance> ports, long insideFrames, long heldFrames) {

    /** Lost behind the egress half, which has counted them as transmitted. */
    private static final Set<DropReason> BEHIND_EGRESS = EnumSet.of(DropReason.KERNEL_TX);

    /**
     * One port.
     *
     * @param hostSent frames that the host's interface sent, or, where it is a TAP, would have sent
     *     had the switch emptied its queue in time
     * @param received frames that the switch took from its device
     * @param droppedIn frames dropped on their way in, by the device, the kernel or the ingress
     *     half
     * @param droppedByInterface of these, what the kernel counts for the interface as a whole: also
     *     frames that it showed us first and then found nobody else for, such as tagged ones
     * @param forwarded frames handed to egress halves, without copies made by flooding
     * @param transmitted frames that the switch gave to its device
     * @param droppedOut frames dropped at this port's egress, for all reasons
     * @param lostBehind of these, those lost behind the egress half
     * @param hostReceived frames that the host's interface received
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

        /** Frames between the host's socket and our egress queues that nobody accounts for. */
        long unexplainedIn() {
            long missing = hostSent - forwarded - (droppedIn - droppedByInterface);
            return missing > droppedByInterface
                    ? missing - droppedByInterface
                    : Math.min(0, missing);
        }

        /** Frames between our device and the host that nobody accounts for. */
        long unexplainedOut() {
            return transmitted - lostBehind - hostReceived;
        }
    }

    /** What a host's interface counted. */
    record HostFrames(long sent, long received) {}

    /**
     * Reckons up.
     *
     * @param counters since the hosts' counters were {@code before}
     * @param before the hosts' counters, in the order of the ports
     */
    static Balance of(CounterSnapshot counters, List<HostFrames> before, List<HostFrames> after) {
        List<PortBalance> ports = new ArrayList<>();
        List<String> names = counters.owners(Scope.INGRESS);
        long forwarded = 0;
        long left = 0;
        long held = 0;
        for (int port = 0; port < names.size(); port++) {
            String name = names.get(port);
            long out = counters.value(Scope.INGRESS, name, IngressCounter.FRAMES_FORWARDED);
            long copied = counters.value(Scope.INGRESS, name, IngressCounter.FRAMES_COPIED);
            long sent = counters.value(Scope.EGRESS, name, EgressCounter.FRAMES_TRANSMITTED);
            long droppedOut = drops(counters, name, false, EnumSet.allOf(DropReason.class));
            long behind = drops(counters, name, false, BEHIND_EGRESS);
            forwarded += out;
            left += sent + droppedOut - behind;
            held += counters.value(Scope.EGRESS, name, EgressCounter.QUEUE_FRAMES);
            if (port < before.size()) {
                ports.add(
                        new PortBalance(
                                name,
                                after.get(port).sent
                                        - before.get(port).sent
                                        // Our drop, but one that the host counts as not sent.
                                        + drops(
                                                counters,
                                                name,
                                                true,
                                                EnumSet.of(DropReason.TAP_RING_FULL)),
                                counters.value(Scope.INGRESS, name, IngressCounter.FRAMES_RECEIVED),
                                drops(counters, name, true, EnumSet.allOf(DropReason.class)),
                                drops(
                                        counters,
                                        name,
                                        true,
                                        EnumSet.of(DropReason.KERNEL_RX_INTERFACE)),
                                out - copied,
                                sent,
                                droppedOut,
                                behind,
                                after.get(port).received - before.get(port).received));
            }
        }
        return new Balance(ports, forwarded - left - held, held);
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

    /** Whether all is accounted for and nothing is under way. */
    boolean holds() {
        return insideFrames == 0
                && heldFrames == 0
                && ports.stream().allMatch(p -> p.unexplainedIn() == 0 && p.unexplainedOut() == 0);
    }

    /** What does not add up, a sentence each; empty if all does. */
    List<String> problems() {
        List<String> problems = new ArrayList<>();
        if (insideFrames != 0) {
            problems.add(
                    "inside the switch "
                            + insideFrames
                            + " frames went in and neither left nor were dropped");
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
                                + " frames that its host sent "
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
}
