package io.headgate.dataplane.engine;

import io.headgate.config.PortConfig;
import io.headgate.dataplane.counter.CounterId;
import io.headgate.dataplane.domain.Domain;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an {@link Engine} is assembled from.
 *
 * @param name in counters
 * @param ports by number
 * @param plan which worker runs which duty
 * @param numbers which number each duty has
 * @param domain what owns the egress of all ports; null: each port its own
 * @param memory what its frames lie in
 * @param isSwitch whether its ports are a switch's: VLAN tags come and go on the way through, and
 *     link mechanisms reach from port to port
 * @param floodFramesPerSec frames that a port may flood in a second; 0: any number
 * @param seed of the generators of its mechanisms
 * @param countedWorkers of how many workers what they do is counted here, 0 for none
 * @param own what is counted of the whole, beside ports and workers, in blocks
 */
public record EngineSetup(
        String name,
        List<Port> ports,
        WorkerPlan plan,
        DutyNumbers numbers,
        @Nullable Domain domain,
        Memory memory,
        boolean isSwitch,
        long floodFramesPerSec,
        long seed,
        int countedWorkers,
        List<List<? extends CounterId>> own) {

    /**
     * A port.
     *
     * @param slots at home in its ingress half
     */
    public record Port(PortConfig config, PortBehaviour behaviour, int slots) {}

    /**
     * What frames lie in.
     *
     * @param slotBytes as {@link io.headgate.dataplane.memory.FrameRegion} takes it
     * @param isUmem whether an AF_XDP device maps it
     * @param reusesInOrder whether the slot that came home first is taken first; else the last
     * @param sharedBytes of a buffer that all ports share; 0: there is none
     */
    public record Memory(int slotBytes, boolean isUmem, boolean reusesInOrder, long sharedBytes) {}

    public EngineSetup {
        ports = List.copyOf(ports);
        own = List.copyOf(own);
    }

    List<PortConfig> configs() {
        return ports.stream().map(Port::config).toList();
    }

    List<PortBehaviour> behaviours() {
        return ports.stream().map(Port::behaviour).toList();
    }
}
