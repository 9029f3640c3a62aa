package io.headgate.dataplane.runner;

import io.headgate.config.WorkerConfig;
import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.engine.Doorbell;
import io.headgate.dataplane.engine.Duty;
import io.headgate.dataplane.engine.EgressHalf;
import io.headgate.dataplane.engine.Engine;
import io.headgate.dataplane.engine.EngineHost;
import io.headgate.dataplane.engine.IngressHalf;
import io.headgate.dataplane.engine.WorkerPlan;
import io.headgate.dataplane.linkcontrol.PresentTime;
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
 * Runs engines in real time: starts their worker threads, and attaches and detaches devices. Ports
 * are numbered through all engines: first those of the first, then those of the next. Any thread
 * except a worker may call its methods.
 *
 * @param <E> kind of the engines: switches, or hosts' cards
 */
public class RealTimeEngine<E extends Engine> implements AutoCloseable {
    /**
     * Interval at which devices are asked for link state, and every eighth time for kernel drops.
     */
    public static final long HOUSEKEEPING_INTERVAL_NS = 20_000_000;

    /**
     * Time after which kernel drops are in the counters: halves read their devices in turn, and two
     * more intervals allow for late workers.
     */
    public static final long KERNEL_DROPS_KNOWN_NS =
            (Engine.DROPS_INTERVALS + 2) * HOUSEKEEPING_INTERVAL_NS;

    /**
     * Maximum lateness that a pacer makes up. On a shared machine a thread is sometimes delayed for
     * milliseconds; without a bound a port would then burst at device speed.
     */
    public static final long MAX_CATCH_UP_NS = 1_000_000;

    /**
     * Number of slots of each port that are resident from the start: more than it needs without
     * congestion. For each page that becomes resident later, the kernel takes 0.5 to 3 µs, once,
     * for two slots.
     */
    private static final int RESIDENT_SLOTS = 128;

    private static final int EPOCH_READINGS = 10;

    private final List<E> engines = new ArrayList<>();
    private final List<Duty> duties = new ArrayList<>();
    private final List<Place> places = new ArrayList<>();

    // By duty, numbered through all engines: the worker that runs it.
    private final int[] workerOfDuty;
    private final List<WakeUp> wakeUps = new ArrayList<>();

    // Per worker, by duty: rung by another duty of the same worker.
    private final List<boolean[]> due = new ArrayList<>();
    private final RunningPorts ports;
    private final List<CounterBlock> workerCounters = new ArrayList<>();

    /** The latest recording. */
    private @Nullable DutyTrace trace;

    private final long originNs = System.nanoTime();
    private final long startedEpochMs = System.currentTimeMillis();

    /** Assembles an engine for the host that runs it. */
    @FunctionalInterface
    public interface Assembly<E extends Engine> {
        E on(EngineHost host);
    }

    /**
     * One engine to run, with its workers and memory.
     *
     * @param plan which of its workers runs which of its duties
     * @param firstWorker number of its first worker among all workers; if several engines have the
     *     same, the first of them has the counters of the workers
     * @param counterMemory allocates zeroed memory of a size, aligned to 128 bytes: a mapped file,
     *     or private memory
     * @param slotMemory the source of its slots' memory
     */
    public record Seat<E extends Engine>(
            WorkerPlan plan,
            int firstWorker,
            LongFunction<MemorySegment> counterMemory,
            SlotMemory slotMemory,
            Assembly<E> assembly) {}

    /** Notified of a duty that failed. */
    @FunctionalInterface
    public interface DutyFailureListener {
        void failed(String duty, Throwable failure);

        /** Notes that a service of a switch failed; it is made again after a while. */
        default void serviceFailed(String service, Throwable failure) {
            failed("service " + service, failure);
        }
    }

    /**
     * Builds the engines; nothing runs yet.
     *
     * @param how idle behaviour of the workers, and the cores that they are pinned to
     * @param failures notified of a duty that failed
     */
    public RealTimeEngine(List<Seat<E>> seats, WorkerConfig how, DutyFailureListener failures) {
        workerOfDuty =
                seats.stream()
                        .flatMapToInt(seat ->
                                seat.plan.workerOfDuty().stream()
                                        .mapToInt(worker -> seat.firstWorker + worker))
                        .toArray();
        int count = Arrays.stream(workerOfDuty).max().orElseThrow() + 1;
        for (int worker = 0; worker < count; worker++) {
            wakeUps.add(new WakeUp(numbersOf(worker)));
            due.add(new boolean[workerOfDuty.length]);
        }
        for (Seat<E> seat : seats) {
            E engine = seat.assembly.on(new Host(seat, duties.size(), failures));
            engines.add(engine);
            for (int port = 0; port < engine.ports(); port++) {
                places.add(new Place(engine, port, duties.size()));
            }
            duties.addAll(engine.duties());
            for (int worker = 0; worker < seat.plan.workers(); worker++) {
                if (seat.firstWorker + worker == workerCounters.size()) {
                    workerCounters.add(engine.workerCounters(worker));
                }
            }
        }
        List<Worker> workers = new ArrayList<>();
        for (int worker = 0; worker < count; worker++) {
            List<Integer> pinTo = how.cores();
            int core = pinTo.isEmpty() ? -1 : pinTo.get(worker % pinTo.size());
            workers.add(
                    new Worker(
                            duties,
                            inOrder(numbersOf(worker)),
                            egressHalves(worker),
                            due.get(worker),
                            workerCounters.get(worker),
                            wakeUps.get(worker),
                            how,
                            core,
                            originNs,
                            (duty, failure) -> failures.failed(duty.name(), failure)));
        }
        List<IngressHalf> ingress =
                places.stream().map(place -> place.engine.ingress(place.port)).toList();
        ports =
                new RunningPorts(
                        ingress,
                        places.stream().map(place -> place.engine.egress(place.port)).toList(),
                        workers,
                        wakeUps,
                        this::workerOf,
                        this::nowNs);
        ingress.forEach(RealTimeEngine::findPages);
    }

    /** A port of one of the engines, and the number of that engine's first duty. */
    private record Place(Engine engine, int port, int firstDuty) {
        int ingressDuty() {
            return firstDuty + engine.numbers().ingress(port);
        }

        int egressDuty() {
            return firstDuty + engine.numbers().egress(port);
        }
    }

    /** Makes the pages of the slots that a port will take first resident. */
    private static void findPages(IngressHalf half) {
        Frame[] first = new Frame[RESIDENT_SLOTS];
        int count = half.peekSlots(first, 0, RESIDENT_SLOTS);
        for (int i = 0; i < count; i++) {
            for (int at = 0; at < first[i].region.slotBytes(); at += SlotMemory.PAGE_BYTES) {
                FrameRegion.MEMORY.set(ValueLayout.JAVA_BYTE, first[i].slotOffset + at, (byte) 0);
            }
        }
    }

    private int workerOf(Duty duty) {
        int number = duties.indexOf(duty);
        return number < 0 ? -1 : workerOfDuty[number];
    }

    private int[] numbersOf(int worker) {
        return IntStream.range(0, workerOfDuty.length)
                .filter(duty -> workerOfDuty[duty] == worker)
                .toArray();
    }

    /**
     * Orders duties with ingress halves first: a frame then leaves by any port in the cycle in
     * which it came.
     */
    private int[] inOrder(int[] numbers) {
        return Arrays.stream(numbers)
                .boxed()
                .sorted(Comparator.comparing(duty -> !(duties.get(duty) instanceof IngressHalf)))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** The egress halves that a worker calls, including those within the duty of a domain. */
    private List<EgressHalf> egressHalves(int worker) {
        return places.stream()
                .filter(place -> workerOfDuty[place.egressDuty()] == worker)
                .map(place -> place.engine.egress(place.port))
                .toList();
    }

    private final class Host implements EngineHost {
        private final Seat<E> seat;
        private final int firstDuty;
        private final DutyFailureListener failures;

        Host(Seat<E> seat, int firstDuty, DutyFailureListener failures) {
            this.seat = seat;
            this.firstDuty = firstDuty;
            this.failures = failures;
        }

        @Override
        public void serviceFailed(String service, Throwable failure) {
            failures.serviceFailed(service, failure);
        }

        @Override
        public void bindCounters(CounterDirectory directory) {
            directory.bind(
                    seat.counterMemory.apply(directory.lengthBytes()),
                    ProcessHandle.current().pid(),
                    startedEpochMs);
        }

        @Override
        public Doorbell doorbell(int fromWorker, int toWorker, int duty) {
            int worker = seat.firstWorker + toWorker;
            int number = firstDuty + duty;
            if (fromWorker != toWorker) {
                return wakeUps.get(worker).doorbell(number);
            }
            boolean[] flags = due.get(worker);
            return inputs -> flags[number] = true;
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

        @Override
        public SlotMemory slotMemory() {
            return seat.slotMemory;
        }
    }

    /** Sets the time within which a worker must run an order, in ns. */
    final void orderTimeoutNs(long timeoutNs) {
        ports.orderTimeoutNs(timeoutNs);
    }

    public final void start() {
        ports.start();
    }

    /**
     * Attaches an opened device to a port that has none. From then on the engine owns the device:
     * if this fails, the device has been closed, or stays with the port until a {@link #detach}
     * succeeds.
     *
     * @throws IllegalStateException if the port has a device, its worker hangs, or the device fails
     */
    public final void attach(int port, PortDevice device) {
        ports.attach(port, device);
    }

    /**
     * Detaches a port's device, closes it, and reclaims the slots that it held. Does nothing if the
     * port has none. A device that a hanging worker may still use is not closed and stays with the
     * port: call this again.
     *
     * @throws IllegalStateException if the port's worker hangs, or the device failed while it was
     *     detached; {@link #device} then shows whether the port still has it
     */
    public final void detach(int port) {
        ports.detach(port);
    }

    /**
     * Restarts both halves of a port after one of them has failed. The port must have no device.
     *
     * @return false, without effect, while frames that the port has received are still in the
     *     switch
     * @throws IllegalStateException if the port has a device, its worker hangs, or it cannot be
     */
    public final synchronized boolean restart(int port) {
        if (ports.device(port) != null) {
            throw new IllegalStateException("port " + port + " has a device");
        }
        if (!ports.isAtRest(port)) {
            return false;
        }
        Place place = places.get(port);
        Engine.Restart restart = place.engine.restart(place.port);
        ports.awaitBoth(port, restart::accept, half -> restart.accept(half, nowNs()));
        return true;
    }

    /** The device of a port, or null. Never waits. */
    public final @Nullable PortDevice device(int port) {
        return ports.device(port);
    }

    /**
     * Runs an order on each half of a port, by its owner, and waits until both are done.
     *
     * @throws IllegalStateException if a worker does not take its order in time, or an order
     *     throws; an order that had not begun by then never runs
     */
    public final void awaitBoth(int port, Consumer<IngressHalf> in, Consumer<EgressHalf> out) {
        ports.awaitBoth(port, in, out);
    }

    /**
     * Resets the maxima of queues, occupancies, cycles and lateness, by orders to the halves and
     * workers that write them.
     *
     * @throws IllegalStateException as {@link #awaitBoth} does
     */
    public final void clearWatermarks() {
        for (int port = 0; port < places.size(); port++) {
            CounterBlock in = countersOf(places.get(port).ingressDuty());
            CounterBlock out = countersOf(places.get(port).egressDuty());
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

    /** The counters of the worker that runs a duty. */
    private CounterBlock countersOf(int duty) {
        return workerCounters.get(workerOfDuty[duty]);
    }

    /** The engine's clock, in ns. */
    public final long nowNs() {
        return System.nanoTime() - originNs;
    }

    /**
     * Offset from the engine's clock to the machine's present time in ns since 1970. The machine's
     * time of day is adjusted and may be set, so each capture reads the offset itself.
     */
    public final long epochOffsetNs() {
        long offsetNs = 0;
        long narrowestNs = Long.MAX_VALUE;
        for (int i = 0; i < EPOCH_READINGS; i++) {
            long beforeNs = nowNs();
            Instant epoch = Instant.now();
            long tookNs = nowNs() - beforeNs;
            // A reading that was interrupted compares two different moments; the shortest is the
            // best.
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

    /** The engines, in the order in which they were given. */
    public final List<E> engines() {
        return List.copyOf(engines);
    }

    /**
     * Begins to record the workers' time.
     *
     * @param intervals number of last intervals kept for each worker; more than one
     * @throws IllegalStateException in one sentence, if a recording is already running
     */
    public final synchronized DutyTrace trace(int intervals) {
        if (trace != null && trace.isOpen()) {
            throw new IllegalStateException("its workers are being traced already");
        }
        trace = new DutyTrace(ports.workers(), intervals, this::nowNs, originNs);
        return trace;
    }

    /** The worker threads' ids, for measurements of their allocation. */
    public final long[] workerThreadIds() {
        return ports.threadIds();
    }

    /**
     * Detaches and closes all devices and stops the workers.
     *
     * @throws IllegalStateException if a worker hangs or a device fails; everything else is closed
     */
    @Override
    public final void close() {
        ports.close();
    }
}
