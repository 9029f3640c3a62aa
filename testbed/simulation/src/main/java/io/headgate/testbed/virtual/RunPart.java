package io.headgate.testbed.virtual;

import io.headgate.hostagent.rate.PacingWheel;
import io.headgate.testbed.virtual.link.FlightPools;
import io.headgate.testbed.virtual.link.PartContext;
import io.headgate.testbed.virtual.time.NodeEvents;
import io.headgate.testbed.virtual.time.ReadySet;
import io.headgate.testbed.virtual.time.VirtualClock;
import java.util.ArrayList;

/**
 * A part of a run: some of its nodes, with the clock, duty list and agendas that drive them. During
 * a turn each part may run in its own thread; it then uses only its own nodes and, on links to
 * other parts, only the data of the sender or receiver on its side.
 */
final class RunPart {
    final VirtualClock clock = new VirtualClock();
    final RunDuties duties = new RunDuties(clock);

    // Nodes, each at its next event, those of either side.
    private final PacingWheel[] agendas = {PacingWheel.ofRun(64), PacingWheel.ofRun(64)};

    // Those whose turn it is.
    private final ReadySet dueNodes = new ReadySet();
    private final GroupPrefetch group = new GroupPrefetch();

    /** The context of the link ends at its nodes. */
    final PartContext lent;

    // By node of the run.
    private NodeSchedule[] schedules = {};
    private boolean readsAhead;

    /** Instants of its nodes in turns so far. */
    long instants;

    /**
     * Without nodes yet.
     *
     * @param overwrites whether memory of links that is given back is overwritten
     */
    RunPart(boolean overwrites) {
        lent =
                new PartContext(
                        clock, duties.ready(), new FlightPools(overwrites), new ArrayList<>());
    }

    /**
     * Called when the run starts.
     *
     * @param byNode all schedules of the run; some are this part's
     * @param readingAhead whether nodes' memory is read before they are run
     */
    void start(NodeSchedule[] byNode, boolean readingAhead) {
        schedules = byNode;
        readsAhead = readingAhead;
        dueNodes.grow(byNode.length);
        duties.start(byNode);
    }

    /** The agenda of its nodes of a side. */
    PacingWheel agenda(int side) {
        return agendas[side];
    }

    /** Carries out what is due at this instant at its nodes of a side. */
    void happen(int side, long nowPs) {
        PacingWheel agenda = agendas[side];
        while (agenda.nextTime() == nowPs) {
            NodeSchedule node = schedules[agenda.poll()];
            node.events.begin();
            happen(node, nowPs);
            node.events.end();
        }
    }

    private void happen(NodeSchedule node, long nowPs) {
        do {
            int duty = node.happen();
            if (duty >= 0) {
                duties.due(duty);
            }
        } while (node.events.nextTime() == nowPs);
    }

    /**
     * Runs the nodes of a side, one after another, each through all of its instants before a time.
     *
     * @param fromPs when the first of them has something to do
     */
    void turn(int side, long fromPs, long untilPs) {
        PacingWheel agenda = agendas[side];
        while (agenda.nextTime() < untilPs) {
            int node = agenda.poll();
            schedules[node].events.begin();
            dueNodes.set(node);
        }
        // Any order would do; in that of the numbers, memory is gone through from end to end.
        int node = dueNodes.take(0);
        while (node >= 0) {
            while (node >= 0 && !group.isFullFor(schedules[node])) {
                group.add(schedules[node]);
                node = dueNodes.take(node + 1);
            }
            if (readsAhead) {
                group.read(fromPs, untilPs);
            }
            for (int i = 0; i < group.size(); i++) {
                run(group.node(i), untilPs);
            }
            group.clear();
        }
    }

    private void run(NodeSchedule node, long endPs) {
        NodeEvents events = node.events;
        for (long nowPs = events.nextTime(); nowPs < endPs; nowPs = events.nextTime()) {
            clock.set(nowPs);
            happen(node, nowPs);
            duties.settle(node.firstDuty, node.endOfDuties);
            instants++;
        }
        events.end();
        // No duty of another node was rung: it would be called at another node's time.
        assert duties.ready().isEmpty();
    }
}
