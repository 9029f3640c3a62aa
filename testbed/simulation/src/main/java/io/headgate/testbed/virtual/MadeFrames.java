package io.headgate.testbed.virtual;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;

/**
 * The frames of a node that have been created, in the order of their slots. Most slots of a node in
 * virtual time are never used, so going through these takes much less time than going through all
 * slots. The slots are searched only when there are more frames than before.
 */
final class MadeFrames {
    private final FrameRegion region;
    private Frame[] frames = {};

    MadeFrames(FrameRegion region) {
        this.region = region;
    }

    /** All that have been created up to now. */
    Frame[] all() {
        if (frames.length != region.madeFrames()) {
            search();
        }
        return frames;
    }

    private void search() {
        Frame[] found = new Frame[region.madeFrames()];
        int count = 0;
        for (int slot = 0; slot < region.slots(); slot++) {
            Frame frame = region.made(slot);
            if (frame != null) {
                found[count++] = frame;
            }
        }
        if (count != found.length) {
            throw new IllegalStateException(
                    count + " frames of a region that has created " + found.length);
        }
        frames = found;
    }
}
