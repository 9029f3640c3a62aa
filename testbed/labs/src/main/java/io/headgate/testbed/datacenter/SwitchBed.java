package io.headgate.testbed.datacenter;

import io.headgate.config.SwitchConfig;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.run.RunningSwitch;
import io.headgate.control.run.SwitchOptions;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.IngressCounter;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.LabRecords;
import io.headgate.testbed.netns.NetnsNetwork;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.Topologies;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Four hosts in namespaces at a switch of this process, made for one test and removed after it. Any
 * thread may call {@link #close}; one thread calls everything else.
 */
final class SwitchBed implements AutoCloseable {
    static final int PORTS = 4;

    private static final long TIMEOUT_NS = 20_000_000_000L;
    private static final long POLL_NS = 50_000;

    private final NetnsNetwork network;
    private @Nullable RunningSwitch running;
    private boolean closed;

    /** A bed that is yet to be built; its namespaces' names begin with the prefix. */
    SwitchBed(String prefix, LabRecords records, Consumer<String> say) throws BedException {
        network =
                NetnsNetwork.of(
                        Topologies.singleSwitch(PORTS, LinkSpec.DEFAULT),
                        NetnsNetwork.Options.of(prefix, 1),
                        records,
                        say);
    }

    /** Makes hosts and links, starts the switch, and waits until all its ports have a link. */
    void start(SwitchConfig config, Consumer<String> say) throws BedException {
        network.build();
        RunningSwitch started;
        try {
            started = RunningSwitch.start(config, SwitchOptions.DEFAULT.withLog(say));
        } catch (DeviceException failure) {
            throw new BedException(failure);
        }
        keep(started);
        await(
                () -> started.counters().total(Scope.INGRESS, IngressCounter.DEVICE_UP) >= PORTS,
                "the switch's ports have no link");
    }

    private void keep(RunningSwitch started) throws BedException {
        synchronized (this) {
            if (!closed) {
                running = started;
                return;
            }
        }
        started.close();
        throw new BedException("the benchmark is being closed");
    }

    NetnsNetwork network() {
        return network;
    }

    synchronized RunningSwitch running() {
        RunningSwitch started = running;
        if (started == null) {
            throw new IllegalStateException("not started, or closed");
        }
        return started;
    }

    CounterSnapshot counters() {
        return running().counters();
    }

    /**
     * Waits until something is so.
     *
     * @throws BedException if it is not after twenty seconds, saying {@code otherwise}
     */
    static void await(BooleanSupplier condition, String otherwise) throws BedException {
        long endNs = System.nanoTime() + TIMEOUT_NS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - endNs > 0) {
                throw new BedException(otherwise + " after 20 s");
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new BedException("interrupted");
            }
            LockSupport.parkNanos(POLL_NS);
        }
    }

    /** Ends the switch and removes hosts and links. Idempotent. */
    @Override
    public void close() {
        RunningSwitch started;
        synchronized (this) {
            closed = true;
            started = running;
            running = null;
        }
        if (started != null) {
            started.close();
        }
        network.close();
    }
}
