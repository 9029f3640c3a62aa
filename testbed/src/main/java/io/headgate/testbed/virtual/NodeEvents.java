package io.headgate.testbed.virtual;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The pending events of one node, numbered from 0, each with at most one time; the next is that of
 * the least time, then of the least number. Small and close together, because a node's events are
 * mostly run several in a row: a tournament (Knuth, volume 3, 5.4.1), in which a change replays the
 * matches on its way to the root.
 *
 * <p>When the next event is due is also told to the run's agenda, but not while the node runs.
 */
final class NodeEvents {
    private static final long NEVER = EventQueue.NEVER;

    private final EventQueue agenda;
    private final int node;
    private final int ports;
    private final int firstDuty;

    // Leaves are a power of two; the winner between the places 2p and 2p + 1 is at place p.
    private final long[] times;
    private final int[] winners;
    private final LinkDirection[] arriving;
    private final LinkDirection[] sending;
    private boolean running;

    /**
     * Events of the arrivals at each port, of what each port sends, and of each duty.
     *
     * @param agenda in which the node is the entity of its number
     * @param firstDuty the number in the run of its first duty
     */
    NodeEvents(EventQueue agenda, int node, int ports, int firstDuty, int duties) {
        this.agenda = agenda;
        this.node = node;
        this.ports = ports;
        this.firstDuty = firstDuty;
        this.arriving = new LinkDirection[ports];
        this.sending = new LinkDirection[ports];
        int events = 2 * ports + duties;
        int leaves = Integer.highestOneBit(Math.max(1, events - 1)) << 1;
        times = new long[leaves];
        Arrays.fill(times, NEVER);
        winners = new int[2 * leaves];
        for (int leaf = 0; leaf < leaves; leaf++) {
            winners[leaves + leaf] = leaf;
        }
        for (int place = leaves - 1; place > 0; place--) {
            winners[place] = winners[2 * place];
        }
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

    /** The event of a duty, by its number in the run. */
    int ofDuty(int duty) {
        return 2 * ports + duty - firstDuty;
    }

    /** The number in the run of its first duty. */
    int firstDuty() {
        return firstDuty;
    }

    long timeOf(int event) {
        return times[event];
    }

    /** When the next event is due; {@link EventQueue#NEVER} if there is none. */
    long nextTime() {
        return times[winners[1]];
    }

    void schedule(int event, long time) {
        replay(event, time);
        if (!running) {
            tell();
        }
    }

    void cancel(int event) {
        schedule(event, NEVER);
    }

    int ports() {
        return ports;
    }

    /** What comes in at a port; null if it has no link. */
    @Nullable LinkDirection arriving(int port) {
        return arriving[port];
    }

    /** What goes out at a port; null if it has no link. */
    @Nullable LinkDirection sending(int port) {
        return sending[port];
    }

    /** Reads of each cache line of the tournament, for who wants it in cache. */
    long touch() {
        long read = 0;
        for (int leaf = 0; leaf < times.length; leaf += 8) {
            read += times[leaf] + winners[2 * leaf];
        }
        return read;
    }

    /** From now on the agenda is not told. */
    void begin() {
        running = true;
    }

    void end() {
        running = false;
        tell();
    }

    /** While the node runs: takes its next event; there must be one. */
    int poll() {
        int event = winners[1];
        replay(event, NEVER);
        return event;
    }

    /** While the node runs: has its next event happen; answers the duty that is due, or -1. */
    int happen() {
        int event = poll();
        if (event < ports) {
            arriving[event].arrive();
        } else if (event < 2 * ports) {
            sending[event - ports].atSender();
        } else {
            return firstDuty + event - 2 * ports;
        }
        return -1;
    }

    private void replay(int event, long time) {
        times[event] = time;
        int place = (times.length + event) >>> 1;
        while (place > 0) {
            int left = winners[2 * place];
            int right = winners[2 * place + 1];
            int winner = times[left] <= times[right] ? left : right;
            if (winner == winners[place] && winner != event) {
                // What it won against has not changed further up either.
                break;
            }
            winners[place] = winner;
            place >>>= 1;
        }
    }

    private void tell() {
        long time = nextTime();
        if (time != agenda.timeOf(node)) {
            if (time == NEVER) {
                agenda.cancel(node);
            } else {
                agenda.schedule(node, time);
            }
        }
    }
}
