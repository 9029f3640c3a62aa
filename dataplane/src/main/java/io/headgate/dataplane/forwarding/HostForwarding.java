package io.headgate.dataplane.forwarding;

import io.headgate.dataplane.memory.Frame;
import org.jspecify.annotations.Nullable;

/**
 * A card with two sides: what comes in by one leaves by the other, tags and all, whatever it is.
 * Only notices end at the card, where there is somebody who takes them.
 */
public final class HostForwarding implements Forwarding {
    private static final long[] NOBODY = {};

    private final int opposite;
    private final Runnable doorbell;

    // Set by whoever opens the application's device, read by the half.
    private volatile @Nullable NoticeTaker taker;

    /**
     * @param opposite the port on the other side
     * @param doorbell rings the half that receives there: what it has to send, and when, may follow
     *     from a notice
     */
    public HostForwarding(int opposite, Runnable doorbell) {
        this.opposite = opposite;
        this.doorbell = doorbell;
    }

    /** Says who takes notices from now on. Any thread. */
    public void takeNotices(NoticeTaker by) {
        taker = by;
    }

    @Override
    public void decide(long nowNs, Frame[] batch, int[] answers, int count) {
        NoticeTaker notices = taker;
        boolean taken = false;
        for (int i = 0; i < count; i++) {
            if (answers[i] == UNDECIDED) {
                Frame frame = batch[i];
                if (notices != null && notices.takes(frame)) {
                    notices.take(nowNs, frame);
                    answers[i] = CONSUMED;
                    taken = true;
                    continue;
                }
                // To the egress half no frame here has a tag that it could have to edit.
                frame.tagged = false;
                frame.vlan = 0;
                answers[i] = opposite;
            }
        }
        if (taken) {
            doorbell.run();
        }
    }

    @Override
    public long[] floodPorts(Frame frame) {
        return NOBODY;
    }
}
