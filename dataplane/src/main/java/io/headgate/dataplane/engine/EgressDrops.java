package io.headgate.dataplane.engine;

import io.headgate.dataplane.capture.Tap;
import io.headgate.dataplane.counter.DropCounters;
import io.headgate.dataplane.escape.TokenManager;
import io.headgate.dataplane.linkcontrol.PresentTime;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import org.jspecify.annotations.Nullable;

/**
 * Where frames end that an egress half does not send: counted, shown to a capture, their slots sent
 * home. Owned by the egress half.
 */
final class EgressDrops {
    private final int port;
    private final int half;
    private final FrameOutbox outbox;
    private final PresentTime time;
    private final LinkControlSlots linkControl;
    private final DropCounters counters;
    private final @Nullable TokenManager escape;
    private @Nullable Tap tap;

    EgressDrops(HalfSetup setup, LinkControlSlots linkControl, @Nullable TokenManager escape) {
        this.escape = escape;
        this.port = setup.port();
        this.half = FrameOutbox.egressHalf(port);
        this.outbox = setup.outbox();
        this.time = setup.time();
        this.linkControl = linkControl;
        this.counters = setup.drops();
    }

    /** Ends a frame. What the half made itself is nobody's loss: its slot is free again. */
    void drop(long nowNs, Frame frame, DropReason reason) {
        if (frame.home == half) {
            linkControl.takeBack(frame);
            return;
        }
        if (escape != null) {
            escape.left(frame);
        }
        counters.add(reason, 1);
        if (tap != null) {
            tap.dropped(port, reason, frame, time.presentNs(nowNs));
        }
        outbox.sendHome(frame);
    }

    void tap(@Nullable Tap newTap) {
        tap = newTap;
    }
}
