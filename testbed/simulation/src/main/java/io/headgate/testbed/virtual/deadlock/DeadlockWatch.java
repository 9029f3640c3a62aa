package io.headgate.testbed.virtual.deadlock;

import io.headgate.dataplane.flowcontrol.EgressFlowControl;
import io.headgate.testbed.virtual.SwitchNode;
import io.headgate.testbed.virtual.VirtualNode;
import io.headgate.testbed.virtual.VirtualRun;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Looks for deadlocks at equal intervals of a run. A deadlock is a circle that two looks see, and
 * whose queues have sent nothing in between. Only queues that have been stopped for an interval
 * count, so that a look costs little while pauses come and go. A deadlock shorter than two
 * intervals may be missed.
 */
public final class DeadlockWatch {
    private static final long PS_PER_NS = 1000;

    private final VirtualRun run;
    private final long intervalPs;
    private final Map<String, SwitchNode> switches = new HashMap<>();
    private final List<Deadlock> over = new ArrayList<>();

    /**
     * For each circle: frames that its queues had sent, and when it was first seen with this
     * number.
     */
    private Map<List<StoppedQueue>, Look> last = new HashMap<>();

    private record Look(long sentFrames, long seenPs, boolean confirmed) {}

    private DeadlockWatch(VirtualRun run, long intervalPs) {
        this.run = run;
        this.intervalPs = intervalPs;
        for (VirtualNode node : run.nodes()) {
            if (node instanceof SwitchNode switchNode) {
                switches.put(switchNode.name(), switchNode);
            }
        }
    }

    /**
     * Watches a run at equal intervals. Called before the run starts, when its network has been
     * built.
     */
    public static DeadlockWatch every(VirtualRun run, long intervalPs) {
        DeadlockWatch watch = new DeadlockWatch(run, intervalPs);
        run.addPlainProbe(
                        (self, nowPs) -> {
                            watch.look(nowPs);
                            self.schedule(nowPs + intervalPs);
                        })
                .schedule(intervalPs);
        return watch;
    }

    /** The time from one look to the next. */
    public long intervalPs() {
        return intervalPs;
    }

    private void look(long nowPs) {
        Map<List<StoppedQueue>, Look> now = new HashMap<>();
        for (List<StoppedQueue> circle : WaitGraph.of(run, intervalPs / PS_PER_NS).circles()) {
            long sent = sentFrames(circle);
            Look before = last.remove(circle);
            if (before != null && before.sentFrames == sent) {
                now.put(circle, new Look(sent, before.seenPs, true));
            } else {
                now.put(circle, new Look(sent, nowPs, false));
                if (before != null) {
                    end(circle, before, nowPs);
                }
            }
        }
        last.forEach((circle, before) -> end(circle, before, nowPs));
        last = now;
    }

    private void end(List<StoppedQueue> circle, Look before, long nowPs) {
        if (before.confirmed) {
            over.add(new Deadlock(circle, before.seenPs, nowPs));
        }
    }

    private long sentFrames(List<StoppedQueue> circle) {
        long sum = 0;
        for (StoppedQueue queue : circle) {
            SwitchNode node = switches.get(queue.node());
            EgressFlowControl flow =
                    node == null ? null : node.engine().egress(queue.port()).flow();
            sum += flow == null ? 0 : flow.transmitted(queue.priority());
        }
        return sum;
    }

    /** All deadlocks, in the order in which they were seen, including those that last. */
    public List<Deadlock> found() {
        List<Deadlock> all = new ArrayList<>(over);
        last.forEach((circle, look) -> {
            if (look.confirmed) {
                all.add(new Deadlock(circle, look.seenPs, Deadlock.LASTS));
            }
        });
        all.sort(
                Comparator.comparingLong(Deadlock::seenPs)
                        .thenComparing(one -> one.circle().getFirst()));
        return all;
    }
}
