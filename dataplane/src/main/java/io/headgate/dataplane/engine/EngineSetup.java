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
 * @param duties who runs what
 * @param memory what its frames lie in
 * @param switching what a switch has beside its ports; null: a host's card, on whose way through
 *     VLAN tags neither come nor go, and no link mechanism reaches from port to port
 * @param seed of the generators of its mechanisms
 * @param own what is counted of the whole, beside ports and workers, in blocks
 */
public record EngineSetup(
        String name,
        List<Port> ports,
        Duties duties,
        Memory memory,
        @Nullable Switching switching,
        long seed,
        List<List<? extends CounterId>> own) {

    /**
     * A port.
     *
     * @param slots at home in its ingress half
     */
    public record Port(PortConfig config, PortBehaviour behaviour, int slots) {}

    /**
     * Who runs what.
     *
     * @param plan which worker runs which duty
     * @param numbers which number each duty has
     * @param countedWorkers of how many workers what they do is counted here, 0 for none
     */
    public record Duties(WorkerPlan plan, DutyNumbers numbers, int countedWorkers) {}

    /**
     * What a switch has beside its ports.
     *
     * @param domain what owns the egress of all ports; null: each port its own
     * @param floodFramesPerSec frames that a port may flood in a second; 0: any number
     */
    public record Switching(@Nullable Domain domain, long floodFramesPerSec) {}

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

    boolean isSwitch() {
        return switching != null;
    }

    @Nullable Domain domain() {
        return switching == null ? null : switching.domain();
    }

    long floodFramesPerSec() {
        return switching == null ? 0 : switching.floodFramesPerSec();
    }

    List<PortConfig> configs() {
        return ports.stream().map(Port::config).toList();
    }

    List<PortBehaviour> behaviours() {
        return ports.stream().map(Port::behaviour).toList();
    }
}
