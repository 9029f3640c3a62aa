package io.headgate.dataplane.device;

import io.headgate.dataplane.memory.FrameRegion;
import java.util.HashMap;
import java.util.Map;

/** The in-memory pairs of a switch: each is two ports that name it. */
public final class MemoryWires {
    private static final int WIRE_FRAMES = 1024;

    private final FrameRegion region;
    private final Map<String, MemoryWire> wires = new HashMap<>();
    private final Map<String, Integer> endsTaken = new HashMap<>();

    public MemoryWires(FrameRegion region) {
        this.region = region;
    }

    /** The wire of a pair, for the code that holds the end that no port takes. */
    public synchronized MemoryWire wire(String pair) {
        return wires.computeIfAbsent(
                pair, name -> new MemoryWire(name, WIRE_FRAMES, region.maxFrameBytes()));
    }

    /** The next end of a pair. */
    public synchronized PortDevice end(String pair) throws DeviceException {
        int end = endsTaken.merge(pair, 1, Integer::sum) - 1;
        if (end > 1) {
            throw new DeviceException(
                    "in-memory pair '" + pair + "' has two ends, and both are taken");
        }
        return wire(pair).device(end, region);
    }
}
