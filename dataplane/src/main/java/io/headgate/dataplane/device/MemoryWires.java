package io.headgate.dataplane.device;

import io.headgate.dataplane.memory.FrameRegion;
import java.util.HashMap;
import java.util.Map;

/**
 * The in-memory wires of a switch, by pair name: the two ports that use the same name are
 * connected.
 */
public final class MemoryWires {
    private static final int WIRE_FRAMES = 1024;

    private final FrameRegion region;
    private final Map<String, MemoryWire> wires = new HashMap<>();
    private final Map<String, Integer> endsTaken = new HashMap<>();

    public MemoryWires(FrameRegion region) {
        this.region = region;
    }

    /** The wire of a pair, for code that uses the end that no port takes. */
    public synchronized MemoryWire wire(String pair) {
        return wires.computeIfAbsent(
                pair, name -> new MemoryWire(name, WIRE_FRAMES, region.maxFrameBytes()));
    }

    /** Takes the next free end of a pair. */
    public synchronized PortDevice end(String pair) throws DeviceException {
        int end = endsTaken.merge(pair, 1, Integer::sum) - 1;
        if (end > 1) {
            throw new DeviceException(
                    "in-memory pair '" + pair + "' has two ends, and both are taken");
        }
        return wire(pair).device(end, region);
    }
}
