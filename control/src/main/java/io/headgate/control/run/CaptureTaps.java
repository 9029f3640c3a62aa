package io.headgate.control.run;

import io.headgate.dataplane.capture.CaptureRing;
import io.headgate.dataplane.memory.SlotMemory;
import io.headgate.dataplane.runner.RealTimeSwitch;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The taps of one capture: a ring for each half of its ports, and their memory, which is freed once
 * no half can show a frame to it any more. Used by one thread at a time.
 */
final class CaptureTaps {
    private final RealTimeSwitch realTime;
    private final List<Integer> ports;
    private final Arena arena = Arena.ofShared();
    private final List<CaptureRing> rings = new ArrayList<>();

    /** Ports whose halves may have taps of this capture. */
    private final Set<Integer> tapped = new TreeSet<>();

    /** Makes rings for the halves of some ports, without attaching them yet. */
    CaptureTaps(RealTimeSwitch realTime, List<Integer> ports, int ringBytes, int snapBytes) {
        this.realTime = realTime;
        this.ports = List.copyOf(ports);
        try {
            for (int half = 0; half < 2 * ports.size(); half++) {
                rings.add(new CaptureRing(arena, realTime.engine().region(), ringBytes, snapBytes));
            }
        } catch (RuntimeException | Error e) {
            arena.close();
            throw e;
        }
    }

    /** The rings, two per port. */
    List<CaptureRing> rings() {
        return rings;
    }

    /** Ports that are captured, or whose halves may still have their taps. */
    Set<Integer> ports() {
        return Set.copyOf(tapped);
    }

    /** Memory that is freed with the rings. */
    SlotMemory memory() {
        return bytes -> arena.allocate(bytes, SlotMemory.PAGE_BYTES);
    }

    /**
     * Makes the halves show the frames that a capture asks for.
     *
     * @throws IllegalStateException if a port's worker hangs; the ports before it have their taps
     */
    void attach(CaptureRequest request) {
        for (int i = 0; i < ports.size(); i++) {
            PointTap in = new PointTap(rings.get(2 * i), request);
            PointTap out = new PointTap(rings.get(2 * i + 1), request);
            // Also where it fails: one half may have its own.
            tapped.add(ports.get(i));
            realTime.awaitBoth(ports.get(i), half -> half.tap(in), half -> half.tap(out));
        }
    }

    /**
     * Removes the taps from every port for which this is possible.
     *
     * @throws IllegalStateException if a port's worker hangs
     */
    void detach() {
        IllegalStateException stuck = null;
        for (int port : ports()) {
            try {
                realTime.awaitBoth(port, half -> half.tap(null), half -> half.tap(null));
                tapped.remove(port);
            } catch (IllegalStateException e) {
                stuck = e;
            }
        }
        if (stuck != null) {
            throw stuck;
        }
    }

    /**
     * Frees the memory if no half has a tap; returns whether it did. The rings must no longer be
     * read.
     */
    boolean free() {
        if (!tapped.isEmpty()) {
            return false;
        }
        arena.close();
        return true;
    }

    /** Frees the memory, because no half is called any more. */
    void freeAfterTheWorkers() {
        tapped.clear();
        arena.close();
    }
}
