package io.headgate.testbed.virtual;

import io.headgate.config.DetourNeeds;
import io.headgate.config.PortConfig;
import io.headgate.dataplane.detour.DetourMechanism;
import io.headgate.dataplane.engine.Duty;
import io.headgate.dataplane.random.NamedRandom;
import io.headgate.testbed.virtual.link.FlightPool;
import io.headgate.testbed.virtual.link.LinkDirection;
import io.headgate.testbed.virtual.link.LinkEnd;
import io.headgate.testbed.virtual.link.VirtualLink;
import io.headgate.testbed.virtual.time.VirtualClock;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Checks the invariants at the end of each instant: every slot is in one place and the halves agree
 * on it; the accounts sum to the frames held; links have taken one block of memory for each frame;
 * no duty has work left; and calling a duty without cause changes nothing.
 */
final class RunChecker {
    private final VirtualClock clock;
    private final List<VirtualNode> nodes;
    private final List<VirtualLink> links;
    private final RunDuties duties;
    private final DutyWatch watch;
    private final Set<FlightPool> pools = new LinkedHashSet<>();

    // By node: its slots, how it was when last looked at, and whether this instant did.
    private final List<SlotCheck> slots = new ArrayList<>();
    private final List<NodeSnapshot> known = new ArrayList<>();
    private final boolean[] looked;

    // By node: the number behind its last duty.
    private final int[] endOfDuties;

    private int turn;

    /** Creates the checker of a run that has all its nodes and links. */
    RunChecker(
            VirtualClock clock,
            List<VirtualNode> nodes,
            List<VirtualLink> links,
            RunDuties duties) {
        this.clock = clock;
        this.nodes = List.copyOf(nodes);
        this.links = List.copyOf(links);
        this.duties = duties;
        this.watch = duties.watch();
        this.looked = new boolean[nodes.size()];
        this.endOfDuties = new int[nodes.size()];
        for (VirtualNode node : nodes) {
            MadeFrames made = new MadeFrames(node.engine().region());
            slots.add(new SlotCheck(clock, node, made));
            known.add(new NodeSnapshot(node, made));
            endOfDuties[node.number()] = node.firstDuty() + node.engine().duties().size();
        }
        for (VirtualLink link : links) {
            for (int end = 0; end < 2; end++) {
                LinkEnd from = link.end(end);
                PortConfig port = this.nodes.get(from.node()).config(from.port());
                DetourMechanism<?> detour = DetourMechanism.of(port.mechanisms());
                boolean byFlow = DetourNeeds.of(port.mechanisms()).keepsFlowOrderOnly();
                link.from(end).checkOrder(from.toString(), byFlow ? detour : null);
                pools.add(link.from(end).pool());
            }
        }
    }

    /**
     * Checks everything, and updates the counters of nodes that may have changed. In an instant
     * without timers, a node whose duties were not called can change only by a defect: one such
     * node is checked per instant, in turn, and must be as it was at its last check.
     *
     * @throws IllegalStateException with what does not hold, where and when
     */
    void check() {
        turn = (turn + 1) % nodes.size();
        boolean anyOfAll = watch.takeTimerFired();
        for (VirtualNode node : nodes) {
            int number = node.number();
            looked[number] = watch.takeCalled(number) || anyOfAll;
            if (looked[number] || number == turn) {
                duties.publish(node.firstDuty(), endOfDuties[number]);
            }
            if (looked[number]) {
                slots.get(number).check();
                known.get(number).take();
            }
        }
        checkFlights();
        checkIdleCalls();
        if (!looked[turn] && !known.get(turn).isStillSo()) {
            slots.get(turn).check();
            throw new IllegalStateException(
                    "%d ps: %s: has changed though none of its duties was called"
                            .formatted(clock.ps(), nodes.get(turn).name()));
        }
    }

    /** What links have taken from a pool is in flight, or waits to be received. */
    private void checkFlights() {
        for (FlightPool pool : pools) {
            int frames = 0;
            for (VirtualLink link : links) {
                for (int end = 0; end < 2; end++) {
                    LinkDirection from = link.from(end);
                    frames += from.pool().equals(pool) ? from.frames() : 0;
                }
            }
            if (pool.taken() != frames) {
                throw new IllegalStateException(
                        "%d ps: %d frames are on links whose pool has given %d blocks for them"
                                .formatted(clock.ps(), frames, pool.taken()));
            }
        }
    }

    private void checkIdleCalls() {
        long nowNs = clock.ns();
        long before = linkFingerprint();
        for (VirtualNode node : nodes) {
            if (!watch.isStalled(node.number())) {
                callIdle(node, nowNs);
            }
        }
        int rung = duties.ready().take(0);
        require(rung < 0, rung, "is rung by a call without cause");
        if (linkFingerprint() != before) {
            complain("a link");
        }
        for (VirtualNode node : nodes) {
            if (looked[node.number()] && !known.get(node.number()).isStillSo()) {
                complain(node.name());
            }
        }
    }

    private void callIdle(VirtualNode node, long nowNs) {
        int end = endOfDuties[node.number()];
        for (int number = node.firstDuty(); number < end; number++) {
            Duty duty = duties.get(number);
            long deadlineNs = duty.deadlineNs();
            require(deadlineNs > nowNs, number, "is left uncalled at its deadline");
            int work = duties.callIdle(number);
            long movedNs = duty.deadlineNs();
            // Words are made where they are needed: this is asked of every duty at every instant.
            if (work != 0 || movedNs != deadlineNs) {
                require(work == 0, number, "still finds " + work + " things to do");
                require(false, number, "moves its deadline from " + deadlineNs + " to " + movedNs);
            }
        }
    }

    /** Names the first duty whose calls still change something; it usually does each time. */
    private void complain(String what) {
        String who = "a call";
        for (int number = 0; number < duties.count() && who.equals("a call"); number++) {
            known.forEach(NodeSnapshot::take);
            long before = linkFingerprint();
            int _ = duties.callIdle(number);
            if (linkFingerprint() != before || !known.stream().allMatch(NodeSnapshot::isStillSo)) {
                who = "a call of " + duties.name(number);
            }
        }
        throw new IllegalStateException(
                clock.ps() + " ps: " + who + " without cause changes " + what);
    }

    private void require(boolean holds, int duty, String what) {
        if (!holds) {
            throw new IllegalStateException(clock.ps() + " ps: " + duties.name(duty) + " " + what);
        }
    }

    private long linkFingerprint() {
        long hash = 0;
        for (VirtualLink link : links) {
            hash = NamedRandom.mix(hash ^ link.from(0).fingerprint());
            hash = NamedRandom.mix(hash ^ link.from(1).fingerprint());
        }
        return hash;
    }
}
