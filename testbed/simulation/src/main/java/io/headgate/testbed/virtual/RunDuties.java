package io.headgate.testbed.virtual;

import io.headgate.dataplane.engine.Duty;
import io.headgate.dataplane.engine.EgressHalf;
import io.headgate.dataplane.engine.IngressHalf;
import io.headgate.dataplane.random.NamedRandom;
import io.headgate.testbed.virtual.link.LinkEnd;
import io.headgate.testbed.virtual.time.NodeEvents;
import io.headgate.testbed.virtual.time.ReadySet;
import io.headgate.testbed.virtual.time.VirtualClock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The duties of one part of a run, by number: those that must be called in this instant, and the
 * deadline of each, which it returns after each call.
 */
final class RunDuties {
    private static final int MAX_ROUNDS = 1000;
    private static final long PS_PER_NS = 1000;
    private static final long LAST_DEADLINE_NS = NodeEvents.LAST_PS / PS_PER_NS;
    private static final long NOT_SCHEDULED = Long.MAX_VALUE;

    private static final int NONE = -1;

    private static final byte OTHER_DUTY = 0;
    private static final byte INGRESS_DUTY = 1;
    private static final byte EGRESS_DUTY = 2;

    /**
     * An ingress half whose returned slots affect nothing else, from the run's start on: it reports
     * them later, and also reports then if it could not take one, which ends the run.
     */
    private static final byte PLAIN_INGRESS_DUTY = 3;

    private final VirtualClock clock;
    private final ReadySet ready = new ReadySet();

    // Halves with returned slots that affect nothing else: they report them when next called.
    private final ReadySet returning = new ReadySet();

    // By number.
    private Duty[] duties = {};
    private byte[] kinds = {};
    private int[] nodes = {};
    private String[] nodeNames = {};
    private long[] deadlinesNs = {};
    private NodeSchedule[] schedules = {};

    private @Nullable DutyWatch watch;
    private boolean started;
    private boolean calling;

    // The duty that is being called; none within another.
    private int current = NONE;
    private boolean nested;
    private long interleaved;
    private long calls;

    RunDuties(VirtualClock clock) {
        this.clock = clock;
    }

    /**
     * Appends the duties of a node.
     *
     * @param node its number
     */
    void add(int node, String nodeName, List<Duty> added) {
        int first = duties.length;
        int count = first + added.size();
        duties = Arrays.copyOf(duties, count);
        kinds = Arrays.copyOf(kinds, count);
        nodes = Arrays.copyOf(nodes, count);
        nodeNames = Arrays.copyOf(nodeNames, count);
        for (int i = first; i < count; i++) {
            duties[i] = added.get(i - first);
            nodes[i] = node;
            nodeNames[i] = nodeName;
            kinds[i] =
                    switch (duties[i]) {
                        case IngressHalf half -> INGRESS_DUTY;
                        case EgressHalf half -> EGRESS_DUTY;
                        default -> OTHER_DUTY;
                    };
        }
        ready.grow(count);
        returning.grow(count);
    }

    /**
     * Starts: all duties will be called.
     *
     * @param byNode the schedule of each node, in which deadlines are noted
     */
    void start(NodeSchedule[] byNode) {
        started = true;
        deadlinesNs = new long[duties.length];
        Arrays.fill(deadlinesNs, NOT_SCHEDULED);
        schedules = new NodeSchedule[duties.length];
        for (int number = 0; number < duties.length; number++) {
            schedules[number] = byNode[nodes[number]];
            if (duties[number] instanceof IngressHalf half && isPlain(half)) {
                kinds[number] = PLAIN_INGRESS_DUTY;
            }
            ready.set(number);
        }
        settle();
    }

    /** Whether neither the half's flow control nor its link ever waits for returned slots. */
    private static boolean isPlain(IngressHalf half) {
        return half.flow() == null && half.device() instanceof LinkEnd end && !end.awaitsReturns();
    }

    int count() {
        return duties.length;
    }

    Duty get(int number) {
        return duties[number];
    }

    /** Such as {@code s0/p1.egress}. */
    String name(int number) {
        return nodeNames[number] + "/" + duties[number].name();
    }

    long calls() {
        return calls;
    }

    void requireNone(String what) {
        if (calling) {
            throw new IllegalStateException(
                    what
                            + " by a duty, at "
                            + clock.ps()
                            + " ps; only a timer, a probe, or the caller of the run may");
        }
    }

    ReadySet ready() {
        return ready;
    }

    void due(int number) {
        deadlinesNs[number] = NOT_SCHEDULED;
        ready.set(number);
    }

    /**
     * Notes that slots have returned to a half: it is called if its flow control or its link waits
     * for them.
     */
    void returned(int number) {
        if (started
                && (kinds[number] == PLAIN_INGRESS_DUTY
                        || !((IngressHalf) duties[number]).awaitsReturns())) {
            returning.set(number);
        } else {
            ready.set(number);
        }
    }

    /**
     * Runs before a reader of counters: every half has reported its returned slots, and its
     * counters are right.
     */
    void publish() {
        reportReturns();
        publish(0, duties.length);
    }

    void reportReturns() {
        for (int half = returning.take(0); half >= 0; half = returning.take(half + 1)) {
            ready.set(half);
        }
        if (!ready.isEmpty()) {
            settle();
        }
    }

    /** Updates the counters of the duties from one number to another (exclusive). */
    void publish(int first, int end) {
        for (int number = first; number < end; number++) {
            duties[number].publish();
        }
    }

    /**
     * The watch that can stall nodes and knows which have been called; created at the first call.
     */
    DutyWatch watch() {
        DutyWatch made = watch;
        if (made == null) {
            made = new DutyWatch();
            watch = made;
        }
        return made;
    }

    /** Records that a timer has fired, which may have changed any node. */
    void timerFired() {
        if (watch != null) {
            watch.timerFired();
        }
    }

    void settle() {
        settle(0, duties.length);
    }

    /**
     * Calls duties until none has anything to do.
     *
     * @param first number of the first that can be among them
     * @param end behind the last that can
     */
    void settle(int first, int end) {
        long nowNs = clock.ns();
        int rounds = 0;
        int number = ready.take(first, end);
        calling = true;
        try {
            while (number >= 0) {
                call(number, nowNs);
                if (ready.isEmpty()) {
                    break;
                }
                int next = ready.take(number + 1, end);
                if (next < 0) {
                    next = ready.take(first, end);
                    if (next >= 0 && ++rounds > MAX_ROUNDS) {
                        ready.set(next);
                        throw noRest();
                    }
                }
                number = next;
            }
        } finally {
            calling = false;
        }
    }

    /** Calls a duty that was not rung; returns what it did. Its next deadline is not noted. */
    int callIdle(int number) {
        calling = true;
        try {
            return duties[number].doWork(clock.ns());
        } finally {
            calling = false;
        }
    }

    /**
     * Imitates, while a duty of a node is in a call, what another thread might do: calls a duty of
     * another worker at random. A duty without cause finds nothing to do.
     *
     * @param first number of the node's first duty
     * @param workers by duty of the node: which worker runs it
     */
    void interleave(int first, List<Integer> workers, NamedRandom random) {
        int own = current - first;
        if (nested || own < 0 || own >= workers.size()) {
            return; // an order from outside
        }
        int other = random.nextInt(workers.size());
        if (workers.get(other).equals(workers.get(own))) {
            return;
        }
        nested = true;
        try {
            ready.take(first + other, first + other + 1);
            interleaved += call(first + other, clock.ns()) > 0 ? 1 : 0;
        } finally {
            nested = false;
        }
    }

    /** Calls that did something while another duty was in one. */
    long interleaved() {
        return interleaved;
    }

    private int call(int number, long nowNs) {
        int before = current;
        current = number;
        try {
            return callNow(number, nowNs);
        } finally {
            current = before;
        }
    }

    private int callNow(int number, long nowNs) {
        DutyWatch watching = watch;
        if (watching != null && !watching.mayCall(nodes[number])) {
            return 0;
        }
        calls++;
        int work;
        long deadline;
        switch (kinds[number]) {
            case INGRESS_DUTY, PLAIN_INGRESS_DUTY -> {
                IngressHalf half = (IngressHalf) duties[number];
                work = half.doWork(nowNs);
                deadline = half.deadlineNs();
            }
            case EGRESS_DUTY -> {
                EgressHalf half = (EgressHalf) duties[number];
                work = half.doWork(nowNs);
                deadline = half.deadlineNs();
            }
            default -> {
                Duty duty = duties[number];
                work = duty.doWork(nowNs);
                deadline = duty.deadlineNs();
            }
        }
        if (deadline != deadlinesNs[number]) {
            reschedule(number, nowNs, deadline);
        }
        return work;
    }

    private void reschedule(int number, long nowNs, long deadlineNs) {
        if (deadlineNs <= nowNs) {
            ready.set(number);
            return;
        }
        NodeSchedule ofNode = schedules[number];
        if (deadlineNs > LAST_DEADLINE_NS) {
            ofNode.cancel(number);
            deadlinesNs[number] = NOT_SCHEDULED;
        } else {
            ofNode.schedule(number, deadlineNs * PS_PER_NS);
            deadlinesNs[number] = deadlineNs;
        }
    }

    private IllegalStateException noRest() {
        List<String> names = new ArrayList<>();
        for (int number = ready.take(0); number >= 0; number = ready.take(0)) {
            names.add(name(number));
        }
        return new IllegalStateException(
                "no rest at %d ps: after %d rounds there is still work for %s"
                        .formatted(clock.ps(), MAX_ROUNDS, String.join(", ", names)));
    }
}
