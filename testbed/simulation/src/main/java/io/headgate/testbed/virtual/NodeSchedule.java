package io.headgate.testbed.virtual;

import io.headgate.hostagent.rate.PacingWheel;
import io.headgate.testbed.virtual.link.LinkDirection;
import io.headgate.testbed.virtual.time.NodeEvents;
import org.jspecify.annotations.Nullable;

/**
 * What happens at a node, and when: what arrives at each of its ports, then what each of them has
 * sent, then its duties' deadlines. Owned by its run.
 */
final class NodeSchedule {
    final NodeEvents events;
    final int ports;

    /** Numbers in the part of its first duty, and behind its last. */
    final int firstDuty;

    final int endOfDuties;
    private final LinkDirection[] arriving;
    private final LinkDirection[] sending;

    /**
     * Nothing yet.
     *
     * @param agenda in which the node is the entity of its number
     * @param firstDuty the number in the run of its first duty
     */
    NodeSchedule(PacingWheel agenda, int node, int ports, int firstDuty, int duties) {
        this.events = new NodeEvents(agenda, node, 2 * ports + duties);
        this.ports = ports;
        this.firstDuty = firstDuty;
        this.endOfDuties = firstDuty + duties;
        this.arriving = new LinkDirection[ports];
        this.sending = new LinkDirection[ports];
    }

    /** What comes in at a port by this direction is this event. */
    int arrivals(int port, LinkDirection direction) {
        arriving[port] = direction;
        return port;
    }

    /** What goes out by this direction is this event. */
    int departures(int port, LinkDirection direction) {
        sending[port] = direction;
        return ports + port;
    }

    /** Calls a duty, by its number in the run, at a time. */
    void schedule(int duty, long ps) {
        events.schedule(ofDuty(duty), ps);
    }

    /** Calls a duty, by its number in the run, at no time. */
    void cancel(int duty) {
        events.cancel(ofDuty(duty));
    }

    private int ofDuty(int duty) {
        return 2 * ports + duty - firstDuty;
    }

    /** What comes in at a port; null if it has no link. */
    @Nullable LinkDirection arriving(int port) {
        return arriving[port];
    }

    /** What goes out at a port; null if it has no link. */
    @Nullable LinkDirection sending(int port) {
        return sending[port];
    }

    /** While the node runs: has its next event happen; answers the duty that is due, or -1. */
    int happen() {
        int event = events.next();
        if (event < ports) {
            // It schedules the port's next event itself.
            arriving[event].arrive();
            return -1;
        }
        events.poll();
        if (event < 2 * ports) {
            sending[event - ports].atSender();
            return -1;
        }
        return firstDuty + event - 2 * ports;
    }
}
