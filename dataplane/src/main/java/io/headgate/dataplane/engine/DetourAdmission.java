package io.headgate.dataplane.engine;

import io.headgate.dataplane.congestion.CongestionPoint;
import io.headgate.dataplane.detour.FrameDetour;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.queue.Queues;
import org.jspecify.annotations.Nullable;

/**
 * Moves frames into the queues of a port with a detour: frames that came by a detour are offered to
 * it, and it may keep them; the others join the queues as at any port. Owned by the egress half.
 */
record DetourAdmission(FrameDetour detour, Admission admission) {

    /** Returns how many frames the queues or the detour have taken. */
    int admit(
            long nowNs,
            Frame[] frames,
            int from,
            int to,
            Queues queues,
            @Nullable CongestionPoint point) {
        if (!detour.arrived(frames, from, to)) {
            return admission.enqueueAll(nowNs, frames, from, to);
        }
        int admitted = 0;
        int first = from;
        for (int i = from; i < to; i++) {
            if (frames[i].detour != 0) {
                admitted += admission.enqueueAll(nowNs, frames, first, i);
                if (!detour.joinsQueues(nowNs, frames[i], queues, point)
                        || admission.enqueue(nowNs, frames, i)) {
                    admitted++;
                }
                first = i + 1;
            }
        }
        return admitted + admission.enqueueAll(nowNs, frames, first, to);
    }
}
