package io.headgate.dataplane.engine;

import io.headgate.config.PortConfig;
import io.headgate.dataplane.counter.CounterId;
import io.headgate.dataplane.domain.Domain;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parts from which an {@link Engine} is assembled.
 *
 * @param name name in counters
 * @param ports by port number
 * @param duties which worker runs what
 * @param memory memory of its frames
 * @param switching the parts of a switch that are not ports; null: a host's card, which neither
 *     adds nor removes VLAN tags, and whose link mechanisms do not reach other ports
 * @param seed seed of its mechanisms' generators
 * @param own counters of the engine as a whole, in blocks; those of ports and workers are separate
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
     * Assigns duties to workers.
     *
     * @param plan which worker runs which duty
     * @param numbers which number each duty has
     * @param countedWorkers number of workers whose work is counted here, 0 for none
     */
    public record Duties(WorkerPlan plan, DutyNumbers numbers, int countedWorkers) {}

    /**
     * The parts of a switch that are not ports.
     *
     * @param domain the owner of the egress of all ports; null: each port owns its egress
     * @param floodFramesPerSec frames that a port may flood per second; 0: any number
     */
    public record Switching(@Nullable Domain domain, long floodFramesPerSec) {}

    /**
     * Layout of the frame memory.
     *
     * @param slotBytes as {@link io.headgate.dataplane.memory.FrameRegion} takes it
     * @param isUmem whether an AF_XDP device maps it
     * @param reusesInOrder whether the slot that came home first is taken first; else the last
     * @param sharedBytes size of the buffer that all ports share; 0: no shared buffer
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
