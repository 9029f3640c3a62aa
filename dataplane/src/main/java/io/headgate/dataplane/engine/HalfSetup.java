package io.headgate.dataplane.engine;

import io.headgate.config.PortConfig;
import io.headgate.dataplane.congestion.NoticeRing;
import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.DropCounters;
import io.headgate.dataplane.flowcontrol.BufferPool;
import io.headgate.dataplane.linkcontrol.PresentTime;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.queue.QueueCounters;
import io.headgate.dataplane.queue.WireFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a half is built from. {@code ports} and {@code behaviours}: of the whole switch. {@code
 * channels}: what comes towards it, one a worker; towards an ingress half, one each of the other
 * workers. {@code housekeepingIntervalNs}: how often devices are asked for link state, and every
 * eighth time for kernel drops; 0: never. {@code asksForGauges}: {@link EngineHost#asksForGauges}.
 * {@code editsTags}: whether VLAN tags come and go on the way through. {@code linkCounters}: what
 * its link mechanisms count into. {@code queueCounters}: what its queues count by themselves, if
 * they do. {@code notices}: of an egress half whose congestion points send some. {@code
 * hashesFlows}: whether some egress half of the switch asks for flow hashes. {@code seed}: of the
 * generators of its mechanisms.
 */
@SuppressWarnings("ArrayRecordComponent") // built once, read once
record HalfSetup(
        int port,
        List<PortConfig> ports,
        List<PortBehaviour> behaviours,
        FrameRegion region,
        FrameChannel[] channels,
        FrameOutbox outbox,
        PortRegistry registry,
        BufferPool.@Nullable Share buffer,
        CounterBlock counters,
        DropCounters drops,
        @Nullable CounterBlock priorityCounters,
        @Nullable CounterBlock linkCounters,
        @Nullable CounterBlock congestionCounters,
        @Nullable QueueCounters queueCounters,
        @Nullable NoticeRing notices,
        boolean hashesFlows,
        Doorbell doorbell,
        PresentTime time,
        long housekeepingIntervalNs,
        long maxCatchUpNs,
        boolean devicesRing,
        boolean asksForGauges,
        WireFormat wireFormat,
        boolean editsTags,
        long floodFramesPerSec,
        long seed) {

    PortConfig config() {
        return ports.get(port);
    }

    PortBehaviour behaviour() {
        return behaviours.get(port);
    }

    String portName() {
        return config().name();
    }
}
