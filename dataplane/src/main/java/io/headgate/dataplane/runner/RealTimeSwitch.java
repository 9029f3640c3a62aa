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
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
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

    /** The same for further orders, once the switch is being closed and one was not taken. */
    private static final long IMPATIENT_TIMEOUT_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long STOP_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);

    private final SwitchEngine engine;
    private final WorkerPlan plan;
    private final List<WakeUp> wakeUps = new ArrayList<>();

    // Per worker, by duty: rung by another duty of the same worker.
    private final List<boolean[]> due = new ArrayList<>();
    private final List<Worker> workers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile long orderTimeoutNs;

    /** The device of each port: also one that a worker which hangs has not given up yet. */
    private final AtomicReferenceArray<@Nullable PortDevice> devices;

    private final long originNs = System.nanoTime();
    private final long startedEpochMs = System.currentTimeMillis();
    private volatile boolean workersRun;

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
        this(config, counterMemory, failures, ORDER_TIMEOUT_NS);
    }

    /**
     * @param orderTimeoutNs how long a worker may take until it runs an order, in ns
     */
    RealTimeSwitch(
            SwitchConfig config,
            LongFunction<MemorySegment> counterMemory,
            DutyFailureListener failures,
            long orderTimeoutNs) {
        this.orderTimeoutNs = orderTimeoutNs;
        int[] cores = Affinity.allowedCores();
        this.plan = WorkerPlan.of(config, cores.length);
        for (int worker = 0; worker < plan.workers(); worker++) {
            wakeUps.add(new WakeUp());
            due.add(new boolean[plan.workerOfDuty().size()]);
        }
        this.engine = new SwitchEngine(config, plan, new Host(counterMemory));
        this.devices = new AtomicReferenceArray<>(engine.ports());
        WorkerConfig workerConfig = config.workers();
        for (int worker = 0; worker < plan.workers(); worker++) {
            List<Integer> pinTo = workerConfig.cores();
            int core = pinTo.isEmpty() ? -1 : pinTo.get(worker % pinTo.size());
            workers.add(
                    new Worker(
                            engine.duties(),
                            dutiesOf(worker),
                            due.get(worker),
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
            if (fromWorker != toWorker) {
                return wakeUps.get(toWorker);
            }
            boolean[] flags = due.get(toWorker);
            return inputs -> flags[duty] = true;
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

    /** Ingress halves first: a frame then leaves in the cycle that it came in, by any port. */
    private int[] dutiesOf(int worker) {
        List<Duty> all = engine.duties();
        return IntStream.range(0, all.size())
                .filter(duty -> plan.workerOfDuty().get(duty) == worker)
                .boxed()
                .sorted(Comparator.comparing(duty -> !(all.get(duty) instanceof IngressHalf)))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** Starts the workers. */
    public void start() {
        workersRun = true;
        for (int worker = 0; worker < workers.size(); worker++) {
            Thread thread = new Thread(workers.get(worker), "headgate-worker-" + worker);
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
    }

    /**
     * Puts an opened device into use at a port that has none. The device is the switch's from here
     * on: where this fails, it has been closed, or stays the port's until a {@link #detach}
     * succeeds.
     *
     * @throws IllegalStateException if the port has a device, its worker hangs, or the device fails
     */
    public synchronized void attach(int port, PortDevice device) {
        if (devices.get(port) != null) {
            throw new IllegalStateException("port " + port + " has a device already");
        }
        devices.set(port, device);
        try {
            awaitBoth(port, half -> half.attach(device), half -> half.attach(device));
        } catch (IllegalStateException failure) {
            try {
                detach(port);
            } catch (IllegalStateException alsoStuck) {
                failure.addSuppressed(alsoStuck);
            }
            throw failure;
        }
    }

    /**
     * Takes a port's device out of use, closes it, and reclaims the slots that it held. Does
     * nothing if the port has none. A device that a hanging worker may still use is not closed, and
     * stays the port's: to be called again.
     *
     * @throws IllegalStateException if the port's worker hangs, or the device failed while it was
     *     given up; {@link #device} then tells whether the port still has it
     */
    public synchronized void detach(int port) {
        PortDevice device = devices.get(port);
        if (device == null) {
            return;
        }
        // Every step may be repeated, so after a worker that hung all of them are.
        IllegalStateException failed = null;
        try {
            awaitBoth(port, IngressHalf::detach, half -> half.detach(nowNs()));
        } catch (OrderFailedException brokenDevice) {
            // Both halves have given it up nevertheless.
            failed = brokenDevice;
        }
        device.close();
        awaitBoth(port, IngressHalf::reclaim, half -> half.reclaim(nowNs()));
        devices.set(port, null);
        if (failed != null) {
            throw failed;
        }
    }

    /** The device in use at a port, or null. Never waits. */
    public @Nullable PortDevice device(int port) {
        return devices.get(port);
    }

    /**
     * Runs an order on each half of a port, by its owner, and waits until both are done.
     *
     * @throws IllegalStateException if a worker does not take its order in time, or an order
     *     throws; an order that had not begun by then never runs
     */
    public void awaitBoth(int port, Consumer<IngressHalf> in, Consumer<EgressHalf> out) {
        IngressHalf ingress = engine.ingress(port);
        EgressHalf egress = engine.egress(port);
        Order<IngressHalf> inOrder = new Order<>(in);
        Order<EgressHalf> outOrder = new Order<>(out);
        if (!workersRun) {
            outOrder.accept(egress);
            inOrder.accept(ingress);
        } else if (!offer(ingress, inOrder, egress, outOrder) || !bothRan(inOrder, outOrder)) {
            throw new IllegalStateException(
                    "port "
                            + port
                            + " did not take an order within "
                            + orderTimeoutNs / 1e9
                            + " s: its worker hangs");
        }
        RuntimeException failure =
                inOrder.failure() == null ? outOrder.failure() : inOrder.failure();
        if (failure != null) {
            throw new OrderFailedException(port, failure);
        }
    }

    private static boolean offer(
            IngressHalf ingress,
            Order<IngressHalf> inOrder,
            EgressHalf egress,
            Order<EgressHalf> outOrder) {
        if (!egress.order(outOrder)) {
            return false;
        }
        if (!ingress.order(inOrder)) {
            outOrder.takeBack();
            return false;
        }
        return true;
    }

    private boolean bothRan(Order<IngressHalf> in, Order<EgressHalf> out) {
        long untilNs = System.nanoTime() + orderTimeoutNs;
        try {
            boolean outRan = out.await(untilNs - System.nanoTime());
            return in.await(untilNs - System.nanoTime()) && outRan;
        } catch (InterruptedException e) {
            in.takeBack();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for a port", e);
        }
    }

    /** An order ran, and threw. */
    private static final class OrderFailedException extends IllegalStateException {
        private static final long serialVersionUID = 1;

        OrderFailedException(int port, RuntimeException failure) {
            super("an order to port " + port + " failed: " + failure, failure);
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

    /**
     * Detaches and closes all devices and stops the workers.
     *
     * @throws IllegalStateException if a worker hangs or a device fails; everything else is closed
     */
    @Override
    public synchronized void close() {
        List<IllegalStateException> failures = new ArrayList<>();
        detachAll(failures);
        workers.forEach(Worker::stop);
        failures.addAll(joinAll());
        if (threads.isEmpty()) {
            // Nobody runs the halves any more, so this thread may; who hung is of no concern now.
            workersRun = false;
            failures.removeIf(failure -> !(failure instanceof OrderFailedException));
            detachAll(failures);
            wakeUps.forEach(WakeUp::close);
        }
        if (!failures.isEmpty()) {
            IllegalStateException first = failures.removeFirst();
            failures.forEach(first::addSuppressed);
            throw first;
        }
    }

    private void detachAll(List<IllegalStateException> failures) {
        for (int port = 0; port < devices.length(); port++) {
            try {
                detach(port);
            } catch (IllegalStateException failure) {
                failures.add(failure);
                // Patience once is enough: ports often share a worker.
                orderTimeoutNs = Math.min(orderTimeoutNs, IMPATIENT_TIMEOUT_NS);
            }
        }
    }

    private List<IllegalStateException> joinAll() {
        List<IllegalStateException> alive = new ArrayList<>();
        boolean interrupted = false;
        long untilNs = System.nanoTime() + STOP_TIMEOUT_NS;
        for (Iterator<Thread> each = threads.iterator(); each.hasNext(); ) {
            Thread thread = each.next();
            try {
                // At least a millisecond: 0 would wait for ever.
                thread.join(Math.max(1, (untilNs - System.nanoTime()) / 1_000_000));
            } catch (InterruptedException e) {
                interrupted = true;
            }
            if (thread.isAlive()) {
                alive.add(new IllegalStateException(thread.getName() + " does not stop"));
            } else {
                each.remove();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return alive;
    }
}
