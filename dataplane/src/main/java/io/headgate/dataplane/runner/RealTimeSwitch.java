package io.headgate.dataplane.runner;

import io.headgate.config.SwitchConfig;
import io.headgate.config.WorkerConfig;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.device.linux.Affinity;
import io.headgate.dataplane.engine.Doorbell;
import io.headgate.dataplane.engine.Duty;
import io.headgate.dataplane.engine.EgressHalf;
import io.headgate.dataplane.engine.EngineHost;
import io.headgate.dataplane.engine.IngressHalf;
import io.headgate.dataplane.engine.SwitchEngine;
import io.headgate.dataplane.engine.WorkerPlan;
import io.headgate.dataplane.engine.counter.CounterDirectory;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A switch that runs: the engine, its worker threads, and the devices that come and go. Its methods
 * may be called by any thread but a worker.
 */
public final class RealTimeSwitch implements AutoCloseable {
    /** How often devices are asked for link state and kernel drops. */
    private static final long HOUSEKEEPING_INTERVAL_NS = 20_000_000;

    /**
     * Most lateness a pacer makes up. A thread of a shared machine is held up for milliseconds now
     * and then; without a bound a port would burst at device speed after each.
     */
    private static final long MAX_CATCH_UP_NS = 1_000_000;

    private static final long ORDER_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long STOP_TIMEOUT_MS = 5_000;

    private final SwitchEngine engine;
    private final WorkerPlan plan;
    private final List<WakeUp> wakeUps = new ArrayList<>();
    private final List<Worker> workers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final @Nullable PortDevice[] devices;
    private final long originNs = System.nanoTime();
    private final long startedEpochMs = System.currentTimeMillis();
    private boolean started;

    /**
     * Builds the switch; nothing runs yet.
     *
     * @param counterMemory gives zeroed memory of a size, aligned to 128 bytes: a mapped file, or
     *     private memory
     * @param failures told of a duty that failed
     */
    public RealTimeSwitch(
            SwitchConfig config,
            LongFunction<MemorySegment> counterMemory,
            DutyFailureListener failures) {
        int[] cores = Affinity.allowedCores();
        this.plan = WorkerPlan.of(config, cores.length);
        for (int worker = 0; worker < plan.workers(); worker++) {
            wakeUps.add(new WakeUp());
        }
        this.engine = new SwitchEngine(config, plan, new Host(counterMemory));
        this.devices = new PortDevice[engine.ports()];
        WorkerConfig workerConfig = config.workers();
        for (int worker = 0; worker < plan.workers(); worker++) {
            List<Integer> pinTo = workerConfig.cores();
            int core = pinTo.isEmpty() ? -1 : pinTo.get(worker % pinTo.size());
            workers.add(
                    new Worker(
                            dutiesOf(worker),
                            engine.workerCounters(worker),
                            wakeUps.get(worker),
                            workerConfig,
                            core,
                            originNs,
                            (duty, failure) -> failures.failed(duty.name(), failure)));
        }
    }

    /** Told of a duty that failed and was stopped. */
    @FunctionalInterface
    public interface DutyFailureListener {
        void failed(String duty, Throwable failure);
    }

    private final class Host implements EngineHost {
        private final LongFunction<MemorySegment> counterMemory;

        Host(LongFunction<MemorySegment> counterMemory) {
            this.counterMemory = counterMemory;
        }

        @Override
        public void bindCounters(CounterDirectory directory) {
            directory.bind(
                    counterMemory.apply(directory.lengthBytes()),
                    ProcessHandle.current().pid(),
                    startedEpochMs);
        }

        @Override
        public Doorbell doorbell(int fromWorker, int toWorker, int duty) {
            // A worker that rings its own duties has done work, so it does not sleep.
            return fromWorker == toWorker ? inputs -> {} : wakeUps.get(toWorker);
        }

        @Override
        public long housekeepingIntervalNs() {
            return HOUSEKEEPING_INTERVAL_NS;
        }

        @Override
        public long maxCatchUpNs() {
            return MAX_CATCH_UP_NS;
        }
    }

    private Duty[] dutiesOf(int worker) {
        List<Duty> all = engine.duties();
        List<Duty> mine = new ArrayList<>();
        for (int duty = 0; duty < all.size(); duty++) {
            if (plan.workerOfDuty().get(duty) == worker) {
                mine.add(all.get(duty));
            }
        }
        return mine.toArray(Duty[]::new);
    }

    /** Starts the workers. */
    public void start() {
        started = true;
        for (int worker = 0; worker < workers.size(); worker++) {
            Thread thread = new Thread(workers.get(worker), "headgate-worker-" + worker);
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
    }

    /** Puts an opened device into use at a port that has none. */
    public synchronized void attach(int port, PortDevice device) {
        devices[port] = device;
        awaitBoth(port, half -> half.attach(device), half -> half.attach(device));
    }

    /**
     * Takes a port's device out of use, closes it, and reclaims the slots that it held. Does
     * nothing if the port has none.
     */
    public synchronized void detach(int port) {
        PortDevice device = devices[port];
        if (device == null) {
            return;
        }
        devices[port] = null;
        awaitBoth(port, IngressHalf::detach, half -> half.detach(nowNs()));
        device.close();
        awaitBoth(port, IngressHalf::reclaim, half -> half.reclaim(nowNs()));
    }

    /** The device in use at a port, or null. */
    public synchronized @Nullable PortDevice device(int port) {
        return devices[port];
    }

    /** Runs an order on each half of a port, by its owner, and waits until both are done. */
    public void awaitBoth(int port, Consumer<IngressHalf> in, Consumer<EgressHalf> out) {
        CountDownLatch done = new CountDownLatch(2);
        IngressHalf ingress = engine.ingress(port);
        EgressHalf egress = engine.egress(port);
        if (!started) {
            in.accept(ingress);
            out.accept(egress);
            return;
        }
        boolean offered =
                egress.order(half -> {
                    out.accept(half);
                    done.countDown();
                })
                        && ingress.order(half -> {
                            in.accept(half);
                            done.countDown();
                        });
        try {
            if (!offered || !done.await(ORDER_TIMEOUT_NS, TimeUnit.NANOSECONDS)) {
                throw new IllegalStateException(
                        "port " + port + " did not take an order within 10 s: its worker hangs");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for port " + port, e);
        }
    }

    /** The engine's clock, in ns. */
    public long nowNs() {
        return System.nanoTime() - originNs;
    }

    /** What is added to the engine's clock to get nanoseconds since 1970. */
    public long epochOffsetNs() {
        return startedEpochMs * 1_000_000;
    }

    public SwitchEngine engine() {
        return engine;
    }

    public WorkerPlan plan() {
        return plan;
    }

    /** The worker threads' ids, for measuring what they allocate. */
    public long[] workerThreadIds() {
        return threads.stream().mapToLong(Thread::threadId).toArray();
    }

    /** Detaches and closes all devices and stops the workers. */
    @Override
    public synchronized void close() {
        IllegalStateException stuck = null;
        List<PortDevice> unattended = new ArrayList<>();
        for (int port = 0; port < devices.length; port++) {
            PortDevice device = devices[port];
            try {
                detach(port);
            } catch (IllegalStateException hanging) {
                stuck = hanging;
                if (device != null) {
                    unattended.add(device);
                }
            }
        }
        for (Worker worker : workers) {
            worker.stop();
        }
        boolean interrupted = false;
        for (Thread thread : threads) {
            try {
                thread.join(STOP_TIMEOUT_MS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
            if (thread.isAlive()) {
                throw new IllegalStateException(thread.getName() + " does not stop");
            }
        }
        threads.clear();
        wakeUps.forEach(WakeUp::close);
        // No thread uses them any more.
        unattended.forEach(PortDevice::close);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (stuck != null) {
            throw stuck;
        }
    }
}
