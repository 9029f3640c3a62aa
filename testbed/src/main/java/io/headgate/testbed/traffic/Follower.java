package io.headgate.testbed.traffic;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A flow that begins when others are complete, as its host knows: it has all of those that it
 * receives, and the acknowledgement of those that it sends. Owned by that host's device.
 */
final class Follower {
    private final Flow flow;
    private final FlowStarter starter;
    private final long notBeforePs;
    private int awaited;

    /**
     * @param flow that is held
     * @param notBeforePs when it begins at the earliest
     */
    Follower(Flow flow, FlowStarter starter, long notBeforePs) {
        this.flow = flow;
        this.starter = starter;
        this.notBeforePs = notBeforePs;
    }

    /** Awaits one flow more; null: one that is never complete. */
    void await(@Nullable Flow earlier) {
        awaited++;
        if (earlier != null) {
            List<Follower> others = earlier.followers;
            if (others == null) {
                others = new ArrayList<>();
                earlier.followers = others;
            }
            others.add(this);
        }
    }

    /** A host knows that a flow is complete. */
    static void complete(Flow flow, int host, long nowPs) {
        List<Follower> followers = flow.followers;
        if (followers != null) {
            for (Follower follower : followers) {
                if (follower.flow.sourceHost == host && --follower.awaited == 0) {
                    follower.starter.release(follower.flow, Math.max(nowPs, follower.notBeforePs));
                }
            }
        }
    }
}
