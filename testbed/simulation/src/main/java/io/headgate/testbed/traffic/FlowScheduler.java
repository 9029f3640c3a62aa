package io.headgate.testbed.traffic;

import io.headgate.config.TrafficConfig;
import org.jspecify.annotations.Nullable;

/**
 * Schedules a host's flows: the flows that may send, the timers, and the acknowledgements that
 * wait. Flows that may send take turns, frame by frame, within their priority, and priorities take
 * turns among each other; the network card decides which frame is first on the wire.
 */
final class FlowScheduler implements Flow.Turns {
    private final TimerHeap timers = new TimerHeap();
    private final long timeoutPs;

    private final @Nullable Flow[] readyHead = new Flow[TrafficConfig.PRIORITIES];
    private final @Nullable Flow[] readyTail = new Flow[TrafficConfig.PRIORITIES];
    private int readyMask;
    private int turn;
    private int visit;

    private final @Nullable Flow[] ackHead = new Flow[TrafficConfig.PRIORITIES];
    private final @Nullable Flow[] ackTail = new Flow[TrafficConfig.PRIORITIES];
    private int ackMask;

    // Every timer of a host runs for the same time, so the list is in order by itself.
    private @Nullable Flow timeoutHead;
    private @Nullable Flow timeoutTail;

    private boolean woken;

    /**
     * @param timeoutPs time that a windowed flow waits for an acknowledgement, in ps
     */
    FlowScheduler(long timeoutPs) {
        this.timeoutPs = timeoutPs;
    }

    /** Carries out everything that is due up to a time, in the order of time. */
    void advance(long untilPs) {
        while (true) {
            long timerPs = timers.nextPs();
            Flow oldest = timeoutHead;
            long expiryPs = oldest == null ? TimerHeap.NEVER : oldest.timeoutPs;
            if (oldest != null && expiryPs < timerPs) {
                if (expiryPs > untilPs) {
                    return;
                }
                expire(oldest, untilPs);
            } else {
                if (timerPs > untilPs) {
                    return;
                }
                timers.poll().onDue();
            }
        }
    }

    long nextPs() {
        Flow oldest = timeoutHead;
        long timerPs = timers.nextPs();
        return oldest == null ? timerPs : Math.min(timerPs, oldest.timeoutPs);
    }

    /** The number of the card's next visit, or of the one that has not ended. */
    @Override
    public int visit() {
        return visit;
    }

    /** Ends a visit: the card has refused what is ready now. */
    void endVisit() {
        visit++;
    }

    /** Adds a timer, which becomes due at its own time. */
    void wait(Timed item) {
        timers.add(item);
        woken = true;
    }

    /** Records that there is something to send that is not kept here. */
    void wake() {
        woken = true;
    }

    /** Whether something has been added since the last call. */
    boolean takeWoken() {
        boolean was = woken;
        woken = false;
        return was;
    }

    /** Priorities, as bits, with a flow that may send. */
    int readyPriorities() {
        return readyMask;
    }

    /** Priorities, as bits, with a waiting acknowledgement. */
    int ackPriorities() {
        return ackMask;
    }

    /** Puts a flow behind those that may send. */
    @Override
    public void ready(Flow flow) {
        int priority = flow.priority;
        flow.state = Flow.State.READY;
        flow.nextReady = null;
        Flow last = readyTail[priority];
        if (last == null) {
            readyHead[priority] = flow;
            readyMask |= 1 << priority;
        } else {
            last.nextReady = flow;
        }
        readyTail[priority] = flow;
        woken = true;
    }

    /** The flow whose turn it is, which stays where it is; null if none of these priorities may. */
    @Nullable Flow peekReady(int priorities) {
        int eligible = readyMask & priorities;
        if (eligible == 0) {
            return null;
        }
        int fromTurn = eligible & (-1 << turn);
        return readyHead[Integer.numberOfTrailingZeros(fromTurn != 0 ? fromTurn : eligible)];
    }

    /** Takes the flow that {@link #peekReady} returned; the turn passes to the next priority. */
    void removeReady(Flow flow) {
        int priority = flow.priority;
        Flow second = flow.nextReady;
        readyHead[priority] = second;
        if (second == null) {
            readyTail[priority] = null;
            readyMask &= ~(1 << priority);
        }
        flow.nextReady = null;
        flow.state = Flow.State.IDLE;
        turn = (priority + 1) & (TrafficConfig.PRIORITIES - 1);
    }

    /** Changes the time at which a flow's control is called. */
    @Override
    public void controlled(Timed timer, long duePs) {
        boolean waits = timer.heapIndex != Timed.NOT_WAITING;
        if (waits ? duePs != timer.duePs : duePs != TimerHeap.NEVER) {
            timers.reschedule(timer, duePs);
            woken = true;
        }
    }

    /** Lets a stopped flow continue, if its window and its end allow it. */
    @Override
    public void resume(Flow flow, long untilPs) {
        if (flow.state != Flow.State.IDLE || !flow.maySend()) {
            return;
        }
        if (flow.pacing != null && flow.duePs > untilPs) {
            flow.state = Flow.State.TIMED;
            wait(flow);
        } else {
            ready(flow);
        }
    }

    /** Queues one acknowledgement for a flow whose receiver is this host. */
    void acknowledge(Flow flow) {
        if (flow.ackPending) {
            return;
        }
        int priority = flow.ackPriority;
        flow.ackPending = true;
        flow.nextAck = null;
        Flow last = ackTail[priority];
        if (last == null) {
            ackHead[priority] = flow;
            ackMask |= 1 << priority;
        } else {
            last.nextAck = flow;
        }
        ackTail[priority] = flow;
        woken = true;
    }

    /**
     * The flow that is acknowledged next, of the highest of these priorities; null if none waits.
     */
    @Nullable Flow peekAck(int priorities) {
        int eligible = ackMask & priorities;
        return eligible == 0 ? null : ackHead[31 - Integer.numberOfLeadingZeros(eligible)];
    }

    void removeAck(Flow flow) {
        int priority = flow.ackPriority;
        Flow second = flow.nextAck;
        ackHead[priority] = second;
        if (second == null) {
            ackTail[priority] = null;
            ackMask &= ~(1 << priority);
        }
        flow.nextAck = null;
        flow.ackPending = false;
    }

    /** Starts a flow's retransmission timer, which must not run. */
    void startTimer(Flow flow, long nowPs) {
        flow.timing = true;
        flow.timeoutPs = nowPs + timeoutPs;
        Flow last = timeoutTail;
        flow.previousTimeout = last;
        flow.nextTimeout = null;
        if (last == null) {
            timeoutHead = flow;
        } else {
            last.nextTimeout = flow;
        }
        timeoutTail = flow;
    }

    void stopTimer(Flow flow) {
        if (!flow.timing) {
            return;
        }
        flow.timing = false;
        Flow before = flow.previousTimeout;
        Flow after = flow.nextTimeout;
        if (before == null) {
            timeoutHead = after;
        } else {
            before.nextTimeout = after;
        }
        if (after == null) {
            timeoutTail = before;
        } else {
            after.previousTimeout = before;
        }
        flow.previousTimeout = null;
        flow.nextTimeout = null;
    }

    private void expire(Flow flow, long untilPs) {
        stopTimer(flow);
        flow.timeouts++;
        flow.tellLost(flow.timeoutPs);
        flow.rewind(flow.acknowledgedFrames);
        resume(flow, untilPs);
    }
}
