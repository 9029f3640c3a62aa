package io.headgate.dataplane.engine;

import io.headgate.config.PortConfig;
import io.headgate.dataplane.congestion.NoticeRing;
import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.DropCounters;
import io.headgate.dataplane.flowcontrol.BufferPool;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.queue.QueueCounters;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a half is built from.
 *
 * @param port its number
 * @param engine of which it is a part
 * @param shared with all other halves of the engine
 * @param links whom it hands frames and calls to, and who does so to it
 * @param counts what it counts
 * @param host what the engine's runner gives
 */
record HalfSetup(
        int port, EngineSetup engine, Shared shared, Links links, Counts counts, EngineHost host) {

    /**
     * What all halves of an engine have.
     *
     * @param behaviours of all ports, by number
     */
    record Shared(List<PortBehaviour> behaviours, FrameRegion region, PortRegistry registry) {}

    /**
     * Ways from and to a half.
     *
     * @param channels channels towards it, one per worker; towards an ingress half, one per other
     *     worker
     * @param doorbell rung for it by threads other than workers
     * @param buffer its worker's share of the pool of all ports, if there is one
     * @param notices notices of an egress half whose congestion points send them
     */
    @SuppressWarnings("ArrayRecordComponent") // built once, read once
    record Links(
            FrameChannel[] channels,
            FrameOutbox outbox,
            Doorbell doorbell,
            BufferPool.@Nullable Share buffer,
            @Nullable NoticeRing notices) {}

    /**
     * What a half counts into, where it counts any.
     *
     * @param links what its link mechanisms count
     * @param congestion what its congestion points count
     * @param queues what its queues count by themselves
     */
    record Counts(
            CounterBlock half,
            DropCounters drops,
            @Nullable CounterBlock priorities,
            @Nullable CounterBlock links,
            @Nullable CounterBlock congestion,
            @Nullable QueueCounters queues) {}

    PortConfig config() {
        return engine.ports().get(port).config();
    }

    PortBehaviour behaviour() {
        return engine.ports().get(port).behaviour();
    }

    String portName() {
        return config().name();
    }
}
