package io.headgate.hostagent;

import io.headgate.config.HostConfig;
import io.headgate.config.WorkerConfig;
import io.headgate.dataplane.counter.RdmaCounter;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.device.linux.ReservedMemory;
import io.headgate.dataplane.runner.DeviceFactory;
import io.headgate.dataplane.runner.RealTimeEngine;
import io.headgate.hostagent.card.HostCard;
import io.headgate.hostagent.rate.HostNotices;
import io.headgate.hostagent.rdma.RdmaDevice;
import io.headgate.hostagent.rdma.RdmaReport;
import io.headgate.hostagent.rdma.RdmaSetup;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Runs a host's card with RoCEv2 endpoints on its application side instead of a TAP: one card, one
 * worker thread. Any thread may query and close it.
 */
public final class RdmaAgent implements AutoCloseable {
    private final RealTimeEngine<HostCard> engine;
    private final RdmaDevice device;
    private final AtomicReference<@Nullable String> broken;

    private RdmaAgent(
            RealTimeEngine<HostCard> engine,
            RdmaDevice device,
            AtomicReference<@Nullable String> broken) {
        this.engine = engine;
        this.device = device;
        this.broken = broken;
    }

    /**
     * Starts a host's endpoints.
     *
     * @param counters gives zeroed memory of a size, aligned to 128 bytes
     * @param paths gives such memory for the paths of frames, if the frames report them
     * @throws DeviceException if the host's device cannot be opened; nothing is left open then
     */
    public static RdmaAgent start(
            HostConfig.Nic nic,
            WorkerConfig workers,
            List<RdmaSetup.End> ends,
            LongFunction<MemorySegment> counters,
            LongFunction<MemorySegment> paths,
            Consumer<String> log)
            throws DeviceException {
        HostAgent.warmUp(List.of(nic), log);
        AtomicReference<@Nullable String> broken = new AtomicReference<>();
        RealTimeEngine.Seat<HostCard> seat =
                new RealTimeEngine.Seat<>(
                        HostCard.ONE_WORKER,
                        0,
                        counters,
                        ReservedMemory.withinWhatThereIs(),
                        host ->
                                new HostCard(
                                        HostAgent.setup(nic),
                                        host,
                                        true,
                                        List.of(RdmaCounter.values())));
        RealTimeEngine<HostCard> engine =
                new RealTimeEngine<>(
                        List.of(seat),
                        workers,
                        (duty, failure) ->
                                broken.compareAndSet(null, duty + " failed: " + failure));
        try {
            HostCard card = engine.engines().getFirst();
            RdmaDevice device =
                    new RdmaDevice(
                            nic.name(),
                            ends,
                            engine::nowNs,
                            card.ingress(HostCard.APP).accounts(),
                            card.appDoorbell(),
                            card.hostCounters());
            card.takeNotices(new HostNotices(device, card.noticeCounters(), true));
            HostAgent.showPaths(engine, 0, paths);
            engine.start();
            PortDevice wire = new DeviceFactory(card.region()).open(card.port(HostCard.WIRE));
            engine.attach(HostCard.WIRE, wire);
            engine.attach(HostCard.APP, device);
            return new RdmaAgent(engine, device, broken);
        } catch (DeviceException failure) {
            engine.close();
            throw new DeviceException("host " + nic.name() + ": " + failure.getMessage(), failure);
        } catch (RuntimeException failure) {
            engine.close();
            throw failure;
        }
    }

    /** The result of an end, once it has nothing left to do; null before. */
    public @Nullable RdmaReport report(int end) {
        return device.report(end);
    }

    /** Why it cannot continue, in a sentence; null: it continues. */
    public @Nullable String trouble() {
        PortDevice wire = engine.device(HostCard.WIRE);
        if (wire != null && wire.isGone()) {
            return "the host's device " + wire.info().name() + " is gone";
        }
        return broken.get();
    }

    /** Closes the device and ends the thread. */
    @Override
    public void close() {
        engine.close();
    }
}
