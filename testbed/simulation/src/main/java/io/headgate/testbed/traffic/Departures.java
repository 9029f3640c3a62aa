package io.headgate.testbed.traffic;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.SlotPlace;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The last frames of closed-loop flows that are still in the network card, at most its slots. When
 * the slot of such a frame is free again, the flow's origin is notified. Owned by the host's
 * device.
 */
final class Departures {
    private @Nullable Frame[] frames = new Frame[4];
    private Flow.@Nullable Origin[] origins = new Flow.Origin[4];
    private int count;

    boolean awaitsAny() {
        return count > 0;
    }

    void await(Frame last, Flow.Origin origin) {
        if (count == frames.length) {
            frames = Arrays.copyOf(frames, 2 * count);
            origins = Arrays.copyOf(origins, 2 * count);
        }
        frames[count] = last;
        origins[count++] = origin;
    }

    /** Tells the origins of those that have left. */
    void notice(long nowPs) {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            Frame frame = frames[i];
            Flow.Origin origin = origins[i];
            if (frame == null || origin == null) {
                throw new IllegalStateException("entry " + i + " of " + count + " is empty");
            }
            if (frame.place == SlotPlace.FREE) {
                origin.onDeparture(nowPs);
            } else {
                frames[kept] = frame;
                origins[kept++] = origin;
            }
        }
        count = kept;
    }
}
