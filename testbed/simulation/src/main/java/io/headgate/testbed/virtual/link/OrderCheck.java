package io.headgate.testbed.virtual.link;

import io.headgate.dataplane.detour.DetourMechanism;
import io.headgate.dataplane.frame.FiveTuple;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks that frames that arrived at one port with one priority leave a port in the order of their
 * arrival. This is stronger than the promise for flows, and holds for every queue that is first in,
 * first out. After a detour it may hold only within one flow.
 */
final class OrderCheck {
    /**
     * Frames whose order is checked; without words if the order of all frames is checked, or for
     * frames outside any flow.
     */
    private record Key(int home, int priority, List<Long> words) {}

    private final String where;
    private final @Nullable DetourMechanism<?> detour;
    private final FiveTuple flow = new FiveTuple();
    private final Map<Key, Long> last = new HashMap<>();

    /**
     * @param detour the detour that identifies flows; null: the order of all frames is checked
     */
    OrderCheck(String where, @Nullable DetourMechanism<?> detour) {
        this.where = where;
        this.detour = detour;
    }

    void leaves(Frame frame) {
        // What an egress half has made itself is link control, and goes before all else.
        if ((frame.home & 1) != 0) {
            return;
        }
        boolean byFlow = detour != null && detour.flow(FrameRegion.MEMORY, frame, flow);
        Key key = new Key(frame.ingressPort, frame.priority, byFlow ? words() : List.of());
        Long before = last.put(key, frame.packetId);
        if (before != null && frame.packetId <= before) {
            throw new IllegalStateException(
                    "%s: %s (packet %x) leaves after packet %x of the same port and %s"
                            .formatted(
                                    where,
                                    frame,
                                    frame.packetId,
                                    before,
                                    byFlow ? "flow" : "priority"));
        }
    }

    private List<Long> words() {
        List<Long> words = new ArrayList<>();
        for (int word = 0; word < FiveTuple.WORDS; word++) {
            words.add(flow.word(word));
        }
        return words;
    }
}
