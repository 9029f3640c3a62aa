package io.headgate.control.policy;

import io.headgate.config.key.Place;
import io.headgate.dataplane.openqueue.PolicyPlan;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks that a policy's queues neither drop lossless frames, reorder them, nor mix in lossy ones.
 */
final class LosslessQueues {

    private LosslessQueues() {}

    /**
     * Refuses the first queue that would do so.
     *
     * @param reorders whether the configuration accepts another order of frames
     * @param spread the key that says which priorities a queue carries
     */
    static void check(
            PolicyPlan plan, List<Integer> lossless, boolean reorders, String spread, Place place) {
        List<Integer> masks = plan.binding().carries();
        for (int queue = 0; queue < masks.size(); queue++) {
            List<Integer> carried = new ArrayList<>(lossless);
            int mask = masks.get(queue);
            carried.removeIf(priority -> (mask >>> priority & 1) == 0);
            if (carried.isEmpty()) {
                continue;
            }
            String name = plan.policy().queues().get(queue).name();
            if (plan.mayDrop(queue)) {
                place.child("file")
                        .refuse(
                                "queue %s, which may drop, for the lossless priority %d"
                                        .formatted(name, carried.getFirst()),
                                "a queue without drop for each lossless priority, or no lossless"
                                        + " priorities");
                return;
            }
            if (plan.queues().get(queue).reorders() && !reorders) {
                place.child("reorders")
                        .refuse(
                                "false, while queue %s reorders the lossless priority %d"
                                        .formatted(name, carried.getFirst()),
                                "true, if hosts accept frames out of order");
                return;
            }
            if (carried.size() < Integer.bitCount(mask)) {
                place.child(spread)
                        .refuse(
                                "queue %s with lossless and lossy priorities".formatted(name),
                                "queues with either lossless or lossy priorities, because a pause"
                                        + " stops a whole queue");
                return;
            }
        }
    }
}
