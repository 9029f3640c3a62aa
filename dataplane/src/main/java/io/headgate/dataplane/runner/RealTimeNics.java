package io.headgate.dataplane.runner;

import io.headgate.config.WorkerConfig;
import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.counter.CounterId;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.engine.Doorbell;
import io.headgate.dataplane.engine.Duty;
import io.headgate.dataplane.engine.EgressHalf;
import io.headgate.dataplane.engine.EngineHost;
import io.headgate.dataplane.engine.IngressHalf;
import io.headgate.dataplane.engine.NicEngine;
import io.headgate.dataplane.engine.NicSetup;
import io.headgate.dataplane.flowcontrol.PresentTime;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Network cards that run: the engines of some hosts, their worker threads, and the devices that
 * come and go. Card n is worker n modulo the workers' number. Its methods may be called by any
 * thread but a worker.
 */
public final class RealTimeNics implements AutoCloseable {
    private static final int DUTIES = 4;
    private static final int PORTS = 2;

    /** Gives zeroed memory for a card's counters, aligned to 128 bytes. */
    @FunctionalInterface
    public interface CounterMemory {
        MemorySegment of(int nic, long lengthBytes);
    }

    private final List<NicEngine> engines = new ArrayList<>();
    private final List<Duty> duties = new ArrayList<>();
    private final List<WakeUp> wakeUps = new ArrayList<>();
    private final boolean[] due;
    private final RunningPorts ports;
    private final long originNs = System.nanoTime();
    private final long startedEpochMs = System.currentTimeMillis();

    /**
     * Builds the cards; nothing runs yet.
     *
     * @param workers number of threads, 1 to the number of cards
     * @param how what they do when idle, and which cores they are pinned to
     * @param hostCounters what each card counts beside, see {@link NicEngine#hostCounters}
     * @param failures told of a duty that failed
     */
    public RealTimeNics(
            List<NicSetup> setups,
            int workers,
            WorkerConfig how,
            CounterMemory memory,
            List<? extends CounterId> hostCounters,
            RealTimeSwitch.DutyFailureListener failures) {
        due = new boolean[DUTIES * setups.size()];
        for (int worker = 0; worker < workers; worker++) {
            wakeUps.add(new WakeUp(numbersOf(worker, workers, setups.size())));
        }
        for (int nic = 0; nic < setups.size(); nic++) {
            Host host = new Host(nic, wakeUps.get(nic % workers), memory);
            // The first card on a worker has that worker's counters.
            engines.add(new NicEngine(setups.get(nic), host, nic < workers, hostCounters));
            duties.addAll(engines.get(nic).duties());
        }
        List<Worker> threads = new ArrayList<>();
        for (int worker = 0; worker < workers; worker++) {
            List<Integer> pinTo = how.cores();
            threads.add(
                    new Worker(
                            duties,
                            dutiesOf(worker, workers),
                            due,
                            engines.get(worker).workerCounters(),
                            wakeUps.get(worker),
                            how,
                            pinTo.isEmpty() ? -1 : pinTo.get(worker % pinTo.size()),
                            originNs,
                            (duty, failure) -> failures.failed(duty.name(), failure)));
        }
        ports =
                new RunningPorts(
                        IntStream.range(0, PORTS * setups.size())
                                .mapToObj(port -> engines.get(port / PORTS).ingress(port % PORTS))
                                .toList(),
                        IntStream.range(0, PORTS * setups.size())
                                .mapToObj(port -> engines.get(port / PORTS).egress(port % PORTS))
                                .toList(),
                        threads,
                        wakeUps,
                        this::nowNs,
                        RealTimeSwitch.ORDER_TIMEOUT_NS);
    }

    private final class Host implements EngineHost {
        private final int nic;
        private final WakeUp wakeUp;
        private final CounterMemory memory;

        Host(int nic, WakeUp wakeUp, CounterMemory memory) {
            this.nic = nic;
            this.wakeUp = wakeUp;
            this.memory = memory;
        }

        @Override
        public void bindCounters(CounterDirectory directory) {
            directory.bind(
                    memory.of(nic, directory.lengthBytes()),
                    ProcessHandle.current().pid(),
                    startedEpochMs);
        }

        @Override
        public Doorbell doorbell(int fromWorker, int toWorker, int duty) {
            int number = DUTIES * nic + duty;
            if (fromWorker == OUTSIDE) {
                return wakeUp.doorbell(number);
            }
            return inputs -> due[number] = true;
        }

        @Override
        public long housekeepingIntervalNs() {
            return RealTimeSwitch.HOUSEKEEPING_INTERVAL_NS;
        }

        @Override
        public PresentTime presentTime() {
            return calledNs -> nowNs();
        }

        @Override
        public long maxCatchUpNs() {
            return RealTimeSwitch.MAX_CATCH_UP_NS;
        }
    }

    /** Ingress halves first, as in a switch. */
    private int[] dutiesOf(int worker, int workers) {
        return Arrays.stream(numbersOf(worker, workers, engines.size()))
                .boxed()
                .sorted(Comparator.comparing(duty -> !(duties.get(duty) instanceof IngressHalf)))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private static int[] numbersOf(int worker, int workers, int cards) {
        return IntStream.range(0, DUTIES * cards)
                .filter(duty -> duty / DUTIES % workers == worker)
                .toArray();
    }

    /** Starts the workers. */
    public void start() {
        ports.start();
    }

    /**
     * Puts an opened device into use at a side of a card; as {@link RealTimeSwitch#attach}.
     *
     * @param side {@link NicEngine#APP} or {@link NicEngine#WIRE}
     */
    public void attach(int nic, int side, PortDevice device) {
        ports.attach(PORTS * nic + side, device);
    }

    /** Takes a side's device out of use and closes it; as {@link RealTimeSwitch#detach}. */
    public void detach(int nic, int side) {
        ports.detach(PORTS * nic + side);
    }

    /** The device in use at a side of a card, or null. Never waits. */
    public @Nullable PortDevice device(int nic, int side) {
        return ports.device(PORTS * nic + side);
    }

    /** Runs an order on each half of a side; as {@link RealTimeSwitch#awaitBoth}. */
    public void awaitBoth(int nic, int side, Consumer<IngressHalf> in, Consumer<EgressHalf> out) {
        ports.awaitBoth(PORTS * nic + side, in, out);
    }

    /** As {@link RealTimeSwitch#clearWatermarks}. */
    public void clearWatermarks() {
        for (int nic = 0; nic < engines.size(); nic++) {
            CounterBlock worker = engines.get(nic % workers()).workerCounters();
            for (int side = 0; side < PORTS; side++) {
                awaitBoth(
                        nic,
                        side,
                        half -> {
                            half.clearWatermarks();
                            Worker.clearMaxima(worker);
                        },
                        EgressHalf::clearWatermarks);
            }
        }
    }

    public NicEngine engine(int nic) {
        return engines.get(nic);
    }

    /** Number of cards. */
    public int cards() {
        return engines.size();
    }

    /** Number of worker threads. */
    public int workers() {
        return wakeUps.size();
    }

    /** The engines' clock, in ns. */
    public long nowNs() {
        return System.nanoTime() - originNs;
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
