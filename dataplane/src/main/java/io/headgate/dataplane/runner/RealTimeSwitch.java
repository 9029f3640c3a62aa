package io.headgate.dataplane.runner;

import io.headgate.config.SwitchConfig;
import io.headgate.config.WorkerConfig;
import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.device.linux.Affinity;
import io.headgate.dataplane.device.linux.ReservedMemory;
import io.headgate.dataplane.engine.Doorbell;
import io.headgate.dataplane.engine.Duty;
import io.headgate.dataplane.engine.EgressHalf;
import io.headgate.dataplane.engine.EngineHost;
import io.headgate.dataplane.engine.IngressHalf;
import io.headgate.dataplane.engine.SwitchEngine;
import io.headgate.dataplane.engine.WorkerPlan;
import io.headgate.dataplane.flowcontrol.PresentTime;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.SlotMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A switch that runs: the engine, its worker threads, and the devices that come and go. Its methods
 * may be called by any thread but a worker.
 */
public final class RealTimeSwitch implements AutoCloseable {
    /** How often devices are asked for link state, and every eighth time for kernel drops. */
    static final long HOUSEKEEPING_INTERVAL_NS = 20_000_000;

    /**
     * After so long, what kernels had dropped is in the counters, of this switch and of cards that
     * run as it does: halves ask in turn, and two intervals are for workers that are late.
     */
    public static final long KERNEL_DROPS_KNOWN_NS =
            (SwitchEngine.DROPS_INTERVALS + 2) * HOUSEKEEPING_INTERVAL_NS;

    /**
     * Most lateness a pacer makes up. A thread of a shared machine is held up for milliseconds now
     * and then; without a bound a port would burst at device speed after each.
     */
    static final long MAX_CATCH_UP_NS = 1_000_000;

    /**
     * Slots of each port that are there from the start: more than it needs without congestion. Each
     * page that is found later costs the kernel 0.5 to 3 µs, once, for two slots.
     */
    private static final int RESIDENT_SLOTS = 128;

    private static final int EPOCH_READINGS = 10;

    static final long ORDER_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);

    private final SwitchEngine engine;
    private final WorkerPlan plan;
    private final List<WakeUp> wakeUps = new ArrayList<>();

    // Per worker, by duty: rung by another duty of the same worker.
    private final List<boolean[]> due = new ArrayList<>();
    private final RunningPorts ports;

    private final long originNs = System.nanoTime();
    private final long startedEpochMs = System.currentTimeMillis();

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
        int[] cores = Affinity.allowedCores();
        this.plan = WorkerPlan.of(config, cores.length);
        for (int worker = 0; worker < plan.workers(); worker++) {
            wakeUps.add(new WakeUp(numbersOf(worker)));
            due.add(new boolean[plan.workerOfDuty().size()]);
        }
        this.engine = new SwitchEngine(config, plan, new Host(counterMemory));
        findPages();
        List<Worker> workers = new ArrayList<>();
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
        this.ports =
                new RunningPorts(
                        IntStream.range(0, engine.ports()).mapToObj(engine::ingress).toList(),
                        IntStream.range(0, engine.ports()).mapToObj(engine::egress).toList(),
                        workers,
                        wakeUps,
                        this::nowNs,
                        orderTimeoutNs);
    }

    /** Has the kernel find the pages of the slots that each port will take first. */
    private void findPages() {
        Frame[] first = new Frame[RESIDENT_SLOTS];
        for (int port = 0; port < engine.ports(); port++) {
            int count = engine.ingress(port).peekSlots(first, 0, RESIDENT_SLOTS);
            for (int i = 0; i < count; i++) {
                for (int at = 0; at < engine.region().slotBytes(); at += SlotMemory.PAGE_BYTES) {
                    FrameRegion.MEMORY.set(
                            ValueLayout.JAVA_BYTE, first[i].slotOffset + at, (byte) 0);
                }
            }
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
                return wakeUps.get(toWorker).doorbell(duty);
            }
            boolean[] flags = due.get(toWorker);
            return inputs -> flags[duty] = true;
        }

        @Override
        public long housekeepingIntervalNs() {
            return HOUSEKEEPING_INTERVAL_NS;
        }

        @Override
        public PresentTime presentTime() {
            return calledNs -> nowNs();
        }

        @Override
        public long maxCatchUpNs() {
            return MAX_CATCH_UP_NS;
        }

        /**
         * Slots take up room as they are first used, and then for good: the last that came home is
         * taken first, so that a port has as many as it ever needed at a time.
         */
        @Override
        public SlotMemory slotMemory() {
            return ReservedMemory.withinWhatThereIs();
        }
    }

    /** Ingress halves first: a frame then leaves in the cycle that it came in, by any port. */
    private int[] dutiesOf(int worker) {
        List<Duty> all = engine.duties();
        return Arrays.stream(numbersOf(worker))
                .boxed()
                .sorted(Comparator.comparing(duty -> !(all.get(duty) instanceof IngressHalf)))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private int[] numbersOf(int worker) {
        return IntStream.range(0, plan.workerOfDuty().size())
                .filter(duty -> plan.workerOfDuty().get(duty) == worker)
                .toArray();
    }

    /** Starts the workers. */
    public void start() {
        ports.start();
    }

    /**
     * Puts an opened device into use at a port that has none. The device is the switch's from here
     * on: where this fails, it has been closed, or stays the port's until a {@link #detach}
     * succeeds.
     *
     * @throws IllegalStateException if the port has a device, its worker hangs, or the device fails
     */
    public void attach(int port, PortDevice device) {
        ports.attach(port, device);
    }

    /**
     * Takes a port's device out of use, closes it, and reclaims the slots that it held. Does
     * nothing if the port has none. A device that a hanging worker may still use is not closed, and
     * stays the port's: to be called again.
     *
     * @throws IllegalStateException if the port's worker hangs, or the device failed while it was
     *     given up; {@link #device} then tells whether the port still has it
     */
    public void detach(int port) {
        ports.detach(port);
    }

    /** The device in use at a port, or null. Never waits. */
    public @Nullable PortDevice device(int port) {
        return ports.device(port);
    }

    /**
     * Runs an order on each half of a port, by its owner, and waits until both are done.
     *
     * @throws IllegalStateException if a worker does not take its order in time, or an order
     *     throws; an order that had not begun by then never runs
     */
    public void awaitBoth(int port, Consumer<IngressHalf> in, Consumer<EgressHalf> out) {
        ports.awaitBoth(port, in, out);
    }

    /**
     * Forgets the largest queues, occupancies, cycles and latenesses seen, by order to whoever
     * writes them.
     *
     * @throws IllegalStateException as {@link #awaitBoth} does
     */
    public void clearWatermarks() {
        for (int port = 0; port < engine.ports(); port++) {
            CounterBlock in = engine.workerCounters(plan.workerOfDuty().get(2 * port));
            CounterBlock out = engine.workerCounters(plan.workerOfDuty().get(2 * port + 1));
            awaitBoth(
                    port,
                    half -> {
                        half.clearWatermarks();
                        Worker.clearMaxima(in);
                    },
                    half -> {
                        half.clearWatermarks();
                        Worker.clearMaxima(out);
                    });
        }
    }

    /** The engine's clock, in ns. */
    public long nowNs() {
        return System.nanoTime() - originNs;
    }

    /**
     * What is added to the engine's clock to get nanoseconds since 1970, as the machine has them
     * now: its time of day is steered, and may be set, so each capture asks for itself.
     */
    public long epochOffsetNs() {
        long offsetNs = 0;
        long narrowestNs = Long.MAX_VALUE;
        for (int i = 0; i < EPOCH_READINGS; i++) {
            long beforeNs = nowNs();
            Instant epoch = Instant.now();
            long tookNs = nowNs() - beforeNs;
            // Whoever is held up between the readings has set two clocks side by side that are not.
            if (tookNs < narrowestNs) {
                narrowestNs = tookNs;
                offsetNs =
                        TimeUnit.SECONDS.toNanos(epoch.getEpochSecond())
                                + epoch.getNano()
                                - (beforeNs + tookNs / 2);
            }
        }
        return offsetNs;
    }

    public SwitchEngine engine() {
        return engine;
    }

    public WorkerPlan plan() {
        return plan;
    }

    /** The worker threads' ids, for measuring what they allocate. */
    public long[] workerThreadIds() {
        return ports.threadIds();
    }

    /**
     * Detaches and closes all devices and stops the workers.
     *
     * @throws IllegalStateException if a worker hangs or a device fails; everything else is closed
     */
    @Override
    public void close() {
        ports.close();
    }
}
