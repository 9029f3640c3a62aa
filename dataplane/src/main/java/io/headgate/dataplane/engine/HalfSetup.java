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
 * The parts from which an ingress or egress half is built.
 *
 * @param port its number
 * @param engine the engine's parts
 * @param shared state common to all halves of the engine
 * @param links channels and doorbells to and from other halves
 * @param counts its counters
 * @param host services of the engine's runner
 */
record HalfSetup(
        int port, EngineSetup engine, Shared shared, Links links, Counts counts, EngineHost host) {

    /**
     * State common to all halves of an engine.
     *
     * @param behaviours of all ports, by number
     */
    record Shared(List<PortBehaviour> behaviours, FrameRegion region, PortRegistry registry) {}

    /**
     * Channels and doorbells from and to a half.
     *
     * @param channels channels towards it, one per worker; towards an ingress half, one per other
     *     worker
     * @param doorbell doorbell that threads other than workers ring for it
     * @param buffer its worker's share of the pool of all ports, if there is one
     * @param notices ring for the notices of an egress half's congestion points, if they send any
     */
    @SuppressWarnings("ArrayRecordComponent") // built once, read once
    record Links(
            FrameChannel[] channels,
            FrameOutbox outbox,
            Doorbell doorbell,
            BufferPool.@Nullable Share buffer,
            @Nullable NoticeRing notices) {}

    /**
     * Counters of a half; null for a kind that it does not have.
     *
     * @param links counters of its link mechanisms
     * @param congestion counters of its congestion points
     * @param queues counters of single queues
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
