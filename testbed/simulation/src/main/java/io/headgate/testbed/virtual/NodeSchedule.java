package io.headgate.testbed.virtual;

import io.headgate.hostagent.rate.PacingWheel;
import io.headgate.testbed.virtual.link.LinkDirection;
import io.headgate.testbed.virtual.time.NodeEvents;
import org.jspecify.annotations.Nullable;

/**
 * The pending events of a node, numbered in this order: arrivals at each port, departures from each
 * port, deadlines of its duties. Owned by its run.
 */
final class NodeSchedule {
    final NodeEvents events;
    final int ports;

    /** Number of its first duty in the part; {@code endOfDuties} is the end (exclusive). */
    final int firstDuty;

    final int endOfDuties;
    private final LinkDirection[] arriving;
    private final LinkDirection[] sending;

    /**
     * An empty schedule.
     *
     * @param agenda agenda in which the node's number is its entity
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

    /** Sets the direction whose frames arrive at a port; returns the number of this event. */
    int arrivals(int port, LinkDirection direction) {
        arriving[port] = direction;
        return port;
    }

    /** Sets the direction into which a port sends; returns the number of this event. */
    int departures(int port, LinkDirection direction) {
        sending[port] = direction;
        return ports + port;
    }

    /** Schedules the call of a duty, given by its number in the run. */
    void schedule(int duty, long ps) {
        events.schedule(ofDuty(duty), ps);
    }

    /** Cancels the scheduled call of a duty, given by its number in the run. */
    void cancel(int duty) {
        events.cancel(ofDuty(duty));
    }

    private int ofDuty(int duty) {
        return 2 * ports + duty - firstDuty;
    }

    /** The direction into a port; null if it has no link. */
    @Nullable LinkDirection arriving(int port) {
        return arriving[port];
    }

    /** The direction out of a port; null if it has no link. */
    @Nullable LinkDirection sending(int port) {
        return sending[port];
    }

    /** Carries out the node's next event while it runs; returns the duty that is due, or -1. */
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
