package io.headgate.dataplane.runner;

import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.engine.Duty;
import io.headgate.dataplane.engine.EgressHalf;
import io.headgate.dataplane.engine.IngressHalf;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The running ports of engines: knows the threads that own their halves, and attaches and detaches
 * devices by orders to those threads. Any thread except a worker may call its methods.
 */
final class RunningPorts {
    private static final long STOP_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);

    /** Timeout of an order while ports are being closed, after one order was not run. */
    private static final long IMPATIENT_TIMEOUT_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final String HANGS = "its worker hangs";

    private final List<IngressHalf> ingressHalves;
    private final List<EgressHalf> egressHalves;
    private final LongSupplier nowNs;
    private final List<Worker> workers;
    private final List<WakeUp> wakeUps;
    private final List<Thread> threads = new ArrayList<>();
    private volatile List<Thread> started = List.of();
    private volatile long orderTimeoutNs = TimeUnit.SECONDS.toNanos(10);

    /** The device of each port, including one that a hanging worker has not released yet. */
    private final AtomicReferenceArray<@Nullable PortDevice> devices;

    private final ToIntFunction<Duty> workerOf;
    private volatile boolean workersRun;

    /**
     * @param workerOf number of the worker that calls a duty; -1: none does
     * @param nowNs the engines' clock
     */
    RunningPorts(
            List<IngressHalf> ingressHalves,
            List<EgressHalf> egressHalves,
            List<Worker> workers,
            List<WakeUp> wakeUps,
            ToIntFunction<Duty> workerOf,
            LongSupplier nowNs) {
        this.ingressHalves = List.copyOf(ingressHalves);
        this.egressHalves = List.copyOf(egressHalves);
        this.workers = List.copyOf(workers);
        this.wakeUps = List.copyOf(wakeUps);
        this.workerOf = workerOf;
        this.nowNs = nowNs;
        this.devices = new AtomicReferenceArray<>(ingressHalves.size());
    }

    void orderTimeoutNs(long timeoutNs) {
        orderTimeoutNs = timeoutNs;
    }

    void start() {
        for (int worker = 0; worker < workers.size(); worker++) {
            Thread thread = new Thread(workers.get(worker), "headgate-worker-" + worker);
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        started = List.copyOf(threads);
        workersRun = true;
    }

    List<Worker> workers() {
        return workers;
    }

    long[] threadIds() {
        return threads.stream().mapToLong(Thread::threadId).toArray();
    }

    /** As {@link RealTimeEngine#attach}. */
    synchronized void attach(int port, PortDevice device) {
        if (devices.get(port) != null) {
            throw new IllegalStateException("port " + port + " has a device already");
        }
        devices.set(port, device);
        try {
            awaitBoth(port, half -> half.attach(device), half -> half.attach(device));
        } catch (IllegalStateException failure) {
            try {
                detach(port);
            } catch (IllegalStateException e) {
                failure.addSuppressed(e);
            }
            throw failure;
        }
    }

    /** As {@link RealTimeEngine#detach}. */
    synchronized void detach(int port) {
        PortDevice device = devices.get(port);
        if (device == null) {
            return;
        }
        // Every step may be repeated, so after a worker that hung all of them are.
        IllegalStateException failed = null;
        try {
            awaitBoth(port, IngressHalf::detach, half -> half.detach(nowNs.getAsLong()));
        } catch (OrderFailedException e) {
            // Both halves have given it up nevertheless.
            failed = e;
        }
        device.close();
        awaitBoth(port, IngressHalf::reclaim, EgressHalf::reclaim);
        devices.set(port, null);
        if (failed != null) {
            throw failed;
        }
    }

    /** Whether all slots of a port are home; throws as {@link #awaitBoth} does. */
    boolean isAtRest(int port) {
        boolean[] isAtRest = new boolean[1];
        awaitBoth(port, half -> isAtRest[0] = half.isAtRest(), _ -> {});
        return isAtRest[0];
    }

    @Nullable PortDevice device(int port) {
        return devices.get(port);
    }

    /** As {@link RealTimeEngine#awaitBoth}. */
    void awaitBoth(int port, Consumer<IngressHalf> in, Consumer<EgressHalf> out) {
        IngressHalf ingress = ingressHalves.get(port);
        EgressHalf egress = egressHalves.get(port);
        Order<IngressHalf> inOrder = new Order<>(in);
        Order<EgressHalf> outOrder = new Order<>(out);
        List<Thread> owners = Stream.of(ingress, egress).flatMap(this::owner).toList();
        long[] ranNs = owners.stream().mapToLong(RunningPorts::cpuNs).toArray();
        if (!workersRun) {
            outOrder.accept(egress);
            inOrder.accept(ingress);
        } else if (!offer(ingress, inOrder, egress, outOrder) || !bothRan(inOrder, outOrder)) {
            throw new WorkerBusyException(
                    "port "
                            + port
                            + " did not take an order within "
                            + orderTimeoutNs / 1e9
                            + " s: "
                            + why(owners, ranNs));
        }
        RuntimeException failure =
                inOrder.failure() == null ? outOrder.failure() : inOrder.failure();
        if (failure != null) {
            throw new OrderFailedException(port, failure);
        }
    }

    private static long cpuNs(Thread worker) {
        return ManagementFactory.getThreadMXBean().getThreadCpuTime(worker.threadId());
    }

    private Stream<Thread> owner(Duty half) {
        int worker = workerOf.applyAsInt(half);
        return worker < 0 || !workersRun ? Stream.of() : Stream.of(started.get(worker));
    }

    /**
     * The reason why an order was not run.
     *
     * @param ranNs time for which each of the halves' workers had run when the order was given
     */
    private String why(List<Thread> owners, long[] ranNs) {
        long mostNs = 0;
        for (int i = 0; i < ranNs.length; i++) {
            if (owners.get(i).getState() != Thread.State.RUNNABLE) {
                // It waits for something in Java.
                return HANGS;
            }
            mostNs = Math.max(mostNs, cpuNs(owners.get(i)) - ranNs[i]);
        }
        if (ranNs.length == 0 || mostNs > orderTimeoutNs / 2) {
            return HANGS;
        }
        return String.format(
                Locale.ROOT,
                "of that time its worker had a core for %.1f s; what else runs on this machine"
                        + " keeps it from the cores, or a call into the kernel does not return",
                mostNs / 1e9);
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

    /** Thrown for an order that ran and threw. */
    private static final class OrderFailedException extends IllegalStateException {
        private static final long serialVersionUID = 1;

        OrderFailedException(int port, RuntimeException failure) {
            super("an order to port " + port + " failed: " + failure, failure);
        }
    }

    /** As {@link RealTimeEngine#close}. */
    synchronized void close() {
        List<IllegalStateException> failures = new ArrayList<>();
        detachAll(failures);
        workers.forEach(Worker::stop);
        failures.addAll(joinAll());
        if (threads.isEmpty()) {
            // No worker runs the halves any more, so this thread may; which worker hung no longer
            // matters.
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
                // At least a millisecond: 0 would wait without a limit.
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
