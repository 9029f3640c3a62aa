package io.headgate.dataplane.runner;

import io.headgate.config.PortConfig;
import io.headgate.config.Reason;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Watches the devices of ports on a thread of its own: closes a device that is gone, reclaims its
 * slots, and opens it again once its interface is back. Writes one log line per change. Other ports
 * continue meanwhile.
 */
public final class PortSupervisor implements AutoCloseable {
    private static final long PERIOD_MS = 100;

    /** Endings of the names of a port's halves. */
    private static final String INGRESS = ".ingress";

    private static final String EGRESS = ".egress";

    /**
     * Period, in rounds, at which the namespace of a device is checked, and its {@link
     * PortDevice#trouble} is read.
     */
    private static final int ROUNDS_PER_CHECK = 20;

    private static final long STOP_TIMEOUT_MS = 15_000;

    /**
     * Rounds for which a port stays closed after one of its halves failed. The number doubles each
     * time that it fails soon again, so that a port that always fails does not fill the log.
     */
    private static final long FIRST_CLOSED_ROUNDS = 1;

    private static final long MOST_CLOSED_ROUNDS = 300;

    /** A port that has run for this number of rounds counts as sound. */
    private static final long SOUND_ROUNDS = 600;

    /** State of a port. */
    private enum State {
        UP,
        DOWN,
        GONE,
        /** A half has failed; the port has no device until both halves have been restarted. */
        FAILED
    }

    /** The ports whose devices are watched. Called by the supervisor's thread. */
    public interface Ports {
        /** The ports' names, in the order of their numbers. */
        List<String> names();

        /** Name of the network namespace of a port's device; null: our own, or none. */
        @Nullable String netns(int port);

        PortDevice open(int port) throws DeviceException;
    }

    private final RealTimeEngine<?> running;
    private final Ports ports;
    private final List<String> names;
    private final Consumer<String> log;
    private final ErrorRecord errors;
    private final State[] states;

    /** By port: {@link NetworkNamespace#identity} when its device was opened. */
    private final long[] namespaces;

    private final String[] lastFailure;

    /** By port; read by any thread. */
    private final AtomicReferenceArray<String> trouble;

    /** Ports whose device must be detached, and whose worker has not done so yet. */
    private final boolean[] leaving;

    private final Set<Integer> failed = ConcurrentHashMap.newKeySet();

    /**
     * By port: rounds for which it was closed after a half had failed, and the round of its
     * restart.
     */
    private final long[] closedRounds;

    private final long[] restartRound;
    private final Thread thread;
    private long round;
    private final CountDownLatch stop = new CountDownLatch(1);

    /**
     * @param log takes one line per change, without its end
     * @param errors where changes for the worse are recorded
     */
    public PortSupervisor(
            RealTimeSwitch running,
            DeviceFactory devices,
            Consumer<String> log,
            ErrorRecord errors) {
        this(running, new OfSwitch(running, devices), log, errors);
    }

    /**
     * @param log takes one line per change, without its end
     * @param errors where changes for the worse are recorded
     */
    public PortSupervisor(
            RealTimeEngine<?> running, Ports ports, Consumer<String> log, ErrorRecord errors) {
        this.running = running;
        this.ports = ports;
        this.names = ports.names();
        this.log = log;
        this.errors = errors;
        this.states = new State[names.size()];
        this.namespaces = new long[names.size()];
        this.lastFailure = new String[names.size()];
        this.trouble = new AtomicReferenceArray<>(names.size());
        this.leaving = new boolean[names.size()];
        this.closedRounds = new long[names.size()];
        this.restartRound = new long[names.size()];
        for (int port = 0; port < states.length; port++) {
            namespaces[port] = NetworkNamespace.identity(ports.netns(port));
            PortDevice device = running.device(port);
            states[port] = device == null ? State.GONE : look(device);
            lastFailure[port] = "";
            trouble.set(port, "");
        }
        this.thread = Thread.ofPlatform().daemon().name("headgate-ports").unstarted(this::run);
    }

    private record OfSwitch(RealTimeSwitch running, DeviceFactory devices) implements Ports {
        @Override
        public List<String> names() {
            return ports().stream().map(PortConfig::name).toList();
        }

        @Override
        public @Nullable String netns(int port) {
            return ports().get(port).device().netns();
        }

        @Override
        public PortDevice open(int port) throws DeviceException {
            return devices.open(ports().get(port));
        }

        private List<PortConfig> ports() {
            return running.engine().config().ports();
        }
    }

    public void start() {
        thread.start();
    }

    private void run() {
        for (; stop.getCount() > 0; round++) {
            for (int port = 0; port < states.length && stop.getCount() > 0; port++) {
                watch(port);
            }
            try {
                // No interrupt ends this thread: it would close files that devices are opening.
                if (stop.await(PERIOD_MS, TimeUnit.MILLISECONDS)) {
                    return;
                }
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** Any thread: {@link PortDevice#trouble} at the last check; empty: no trouble. */
    public String trouble(int port) {
        return trouble.get(port);
    }

    static boolean isHalf(String duty) {
        return duty.endsWith(INGRESS) || duty.endsWith(EGRESS);
    }

    /** Any thread: notes a failed duty; if it is a port's half, the port is closed. */
    public void dutyFailed(String duty) {
        for (int port = 0; port < names.size(); port++) {
            String name = names.get(port);
            if (duty.equals(name + INGRESS) || duty.equals(name + EGRESS)) {
                failed.add(port);
            }
        }
    }

    private void watch(int port) {
        try {
            if (failed.contains(port) && states[port] != State.FAILED) {
                noteFailed(port);
            }
            if (leaving[port]) {
                running.detach(port);
                leaving[port] = false;
            }
            PortDevice device = running.device(port);
            if (device == null) {
                if (states[port] != State.FAILED || isRestarted(port)) {
                    reopen(port);
                }
                return;
            }
            boolean check = round % ROUNDS_PER_CHECK == 0;
            noteState(port, check && isElsewhere(port) ? State.GONE : look(device));
            if (check && states[port] != State.GONE) {
                noteTrouble(port, device.trouble());
            }
        } catch (RuntimeException | Error e) {
            // A worker was delayed for long, or a device fails: try again. An Error, too (no memory
            // for a moment, for example): without this thread no port would be watched, and nothing
            // would report it.
            leaving[port] = running.device(port) != null;
            String why = "cannot be tended: " + (e instanceof Error ? e : Reason.of(e));
            if (!why.equals(lastFailure[port])) {
                lastFailure[port] = why;
                sayError(port, ErrorRecord.Kind.PORT_STUCK, why);
            }
            if (states[port] != State.FAILED) {
                states[port] = State.GONE;
            }
        }
    }

    private void noteFailed(int port) {
        states[port] = State.FAILED;
        leaving[port] = true;
        boolean soonAgain = closedRounds[port] > 0 && round - restartRound[port] < SOUND_ROUNDS;
        closedRounds[port] =
                soonAgain
                        ? Math.min(2 * closedRounds[port], MOST_CLOSED_ROUNDS)
                        : FIRST_CLOSED_ROUNDS;
        restartRound[port] = round + closedRounds[port];
        say(
                port,
                String.format(
                        Locale.ROOT,
                        "closed, because one of its halves failed; frames for it are dropped as"
                                + " PORT_DOWN; in %.1f s it is opened again with new state, once all"
                                + " frames that it let in have left",
                        closedRounds[port] * PERIOD_MS / 1e3));
    }

    private boolean isRestarted(int port) {
        if (round < restartRound[port]) {
            return false;
        }
        // Before it is done: what fails from then on is another failure.
        failed.remove(port);
        if (!running.restart(port)) {
            return false;
        }
        restartRound[port] = round;
        // Its device was there: that it cannot be opened is news.
        states[port] = State.GONE;
        lastFailure[port] = "restarted";
        return true;
    }

    private void noteState(int port, State now) {
        if (now == states[port]) {
            return;
        }
        states[port] = now;
        switch (now) {
            case UP -> say(port, "up");
            case DOWN -> say(port, "down; frames for it are dropped as PORT_DOWN");
            case GONE -> {
                boolean withNamespace = isElsewhere(port);
                leaving[port] = true;
                running.detach(port);
                leaving[port] = false;
                sayError(
                        port,
                        ErrorRecord.Kind.DEVICE_GONE,
                        withNamespace
                                ? "gone, with network namespace '"
                                        + ports.netns(port)
                                        + "'; it is opened again when that is back"
                                : "gone; it is opened again when it is back");
            }
            case FAILED -> throw new IllegalStateException("a device does not fail");
        }
    }

    private void noteTrouble(int port, String now) {
        if (!now.equals(trouble.get(port))) {
            if (now.isEmpty()) {
                say(port, "in order again");
            } else {
                sayError(port, ErrorRecord.Kind.DEVICE_UNFIT, now);
            }
            trouble.set(port, now);
        }
    }

    private void reopen(int port) {
        PortDevice device;
        // Before it is opened: should another have the name meanwhile, that is seen later.
        namespaces[port] = NetworkNamespace.identity(ports.netns(port));
        try {
            device = ports.open(port);
        } catch (DeviceException e) {
            String why = Reason.of(e);
            // The first failure is what is known already: the interface is not there.
            if (states[port] == State.GONE && !why.equals(lastFailure[port])) {
                if (!lastFailure[port].isEmpty()) {
                    sayError(port, ErrorRecord.Kind.DEVICE_NOT_OPENED, "not opened: " + why);
                }
                lastFailure[port] = why;
            }
            return;
        }
        running.attach(port, device);
        lastFailure[port] = "";
        trouble.set(port, "");
        states[port] = look(device);
        say(port, "opened again, " + (states[port] == State.UP ? "up" : "its link still down"));
    }

    private static State look(PortDevice device) {
        if (device.isGone()) {
            return State.GONE;
        }
        return device.isUp() ? State.UP : State.DOWN;
    }

    /**
     * Whether the namespace in which a port's device was opened has lost its name. The device's own
     * sockets keep the namespace and its interface alive: up, but unreachable.
     */
    private boolean isElsewhere(int port) {
        long now = NetworkNamespace.identity(ports.netns(port));
        return now != namespaces[port]
                && now != NetworkNamespace.UNKNOWN
                && namespaces[port] != NetworkNamespace.UNKNOWN;
    }

    private void sayError(int port, ErrorRecord.Kind kind, String what) {
        errors.add(kind, "port " + names.get(port) + ": " + what);
        say(port, what);
    }

    private void say(int port, String what) {
        log.accept("port " + names.get(port) + ": " + what);
    }

    /**
     * Stops watching, has the devices closed, and reports problems that are known only then: a file
     * that could not be written completely, or one that ended early just before.
     */
    public void close(Runnable closeDevices) {
        close();
        List<@Nullable PortDevice> devices = new ArrayList<>();
        for (int port = 0; port < states.length; port++) {
            devices.add(running.device(port));
        }
        try {
            closeDevices.run();
        } finally {
            for (int port = 0; port < states.length && !thread.isAlive(); port++) {
                PortDevice closed = devices.get(port);
                String now = closed == null ? "" : closed.trouble();
                if (!now.isEmpty()) {
                    noteTrouble(port, now);
                }
            }
        }
    }

    /** Stops watching; devices stay as they are. */
    @Override
    public void close() {
        stop.countDown();
        boolean interrupted = false;
        try {
            thread.join(STOP_TIMEOUT_MS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
