package io.headgate.dataplane.engine;

import io.headgate.dataplane.capture.Tap;
import io.headgate.dataplane.counter.DropCounters;
import io.headgate.dataplane.detour.FrameDetour;
import io.headgate.dataplane.linkcontrol.PresentTime;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import org.jspecify.annotations.Nullable;

/**
 * Drops the frames that an egress half does not send: counts them, shows them to a capture, and
 * sends their slots home. Owned by the egress half.
 */
final class EgressDrops {
    private final int port;
    private final int half;
    private final FrameOutbox outbox;
    private final PresentTime time;
    private final LinkControlSlots linkControl;
    private final DropCounters counters;
    private final @Nullable FrameDetour detour;
    private @Nullable Tap tap;

    EgressDrops(HalfSetup setup, LinkControlSlots linkControl, @Nullable FrameDetour detour) {
        this.detour = detour;
        this.port = setup.port();
        this.half = FrameOutbox.egressHalf(port);
        this.outbox = setup.links().outbox();
        this.time = setup.host().presentTime();
        this.linkControl = linkControl;
        this.counters = setup.counts().drops();
    }

    /**
     * Drops a frame. A frame that the half made itself does not count as a loss: its slot is only
     * freed.
     */
    void drop(long nowNs, Frame frame, DropReason reason) {
        if (frame.home == half) {
            linkControl.takeBack(frame);
            return;
        }
        if (detour != null) {
            detour.left(frame);
        }
        counters.add(reason, 1);
        if (tap != null) {
            tap.dropped(port, reason, frame, time.presentNs(nowNs));
        }
        outbox.sendHome(frame);
    }

    /** Drops the frames that the port's detour gives up; returns their number. */
    int dropLost(long nowNs, FrameDetour from) {
        int count = 0;
        for (Frame frame = from.lost(); frame != null; frame = from.lost()) {
            drop(nowNs, frame, DropReason.DEADLOCK);
            count++;
        }
        return count;
    }

    /** Drops the frames that wait in the detour when the port goes down; returns their number. */
    int dropDetoured(long nowNs) {
        int count = 0;
        FrameDetour from = detour;
        if (from == null) {
            return count;
        }
        for (Frame frame = from.drain(); frame != null; frame = from.drain()) {
            drop(nowNs, frame, DropReason.PORT_DOWN);
            count++;
        }
        return count;
    }

    void tap(@Nullable Tap newTap) {
        tap = newTap;
    }
}
