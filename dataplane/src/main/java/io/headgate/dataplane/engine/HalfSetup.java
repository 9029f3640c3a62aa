package io.headgate.dataplane.engine;

import io.headgate.config.PortConfig;
import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.DropCounters;
import io.headgate.dataplane.flowcontrol.PresentTime;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.queue.WireFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a half is built from. {@code ports}: of the whole switch. {@code channels}: what comes
 * towards it, one a worker; towards an ingress half, one each of the other workers. {@code
 * housekeepingIntervalNs}: how often devices are asked for link state, and every eighth time for
 * kernel drops; 0: never. {@code editsTags}: whether VLAN tags come and go on the way through.
 * {@code seed}: of the generators of its mechanisms.
 */
@SuppressWarnings("ArrayRecordComponent") // built once, read once
record HalfSetup(
        int port,
        List<PortConfig> ports,
        FrameRegion region,
        FrameChannel[] channels,
        Outbox outbox,
        PortRegistry registry,
        CounterBlock counters,
        DropCounters drops,
        @Nullable CounterBlock priorityCounters,
        @Nullable CounterBlock congestionCounters,
        Doorbell doorbell,
        PresentTime time,
        long housekeepingIntervalNs,
        long maxCatchUpNs,
        boolean devicesRing,
        WireFormat wireFormat,
        boolean editsTags,
        long floodFramesPerSec,
        long seed) {

    PortConfig config() {
        return ports.get(port);
    }

    String portName() {
        return config().name();
    }
}
