package io.headgate.control.daemon;

import io.headgate.config.Reason;
import io.headgate.config.SwitchConfig;
import io.headgate.control.run.RunningSwitch;
import io.headgate.control.run.SwitchOptions;
import io.headgate.dataplane.device.DeviceException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * Runs a switch that other processes can observe and send requests to: a {@link RunningSwitch} with
 * a run directory and a control socket. Closing removes both.
 */
public final class SwitchDaemon implements AutoCloseable {
    private final RunDirectory directory;
    private final RunningSwitch running;
    private final ControlServer server;
    private final ControlApi api;
    private final Consumer<String> log;
    private final CountDownLatch stopAsked;
    private boolean closed;

    private SwitchDaemon(
            RunDirectory directory,
            RunningSwitch running,
            ControlServer server,
            ControlApi api,
            Consumer<String> log,
            CountDownLatch stopAsked) {
        this.directory = directory;
        this.running = running;
        this.server = server;
        this.api = api;
        this.log = log;
        this.stopAsked = stopAsked;
    }

    /**
     * Starts a daemon in this process.
     *
     * @param base directory of the running switches' directories, see {@link RunDirectory#base}
     * @param how options of the run; counters always go into the run directory
     * @throws DaemonException if a switch of that name runs, or the directory cannot be used
     * @throws DeviceException if a device cannot be opened; nothing is left behind in either case
     */
    public static SwitchDaemon start(SwitchConfig config, Path base, SwitchOptions how)
            throws DaemonException, DeviceException {
        Consumer<String> log = how.log();
        List<String> swept = RunDirectory.leftOvers(base, true);
        if (!swept.isEmpty()) {
            log.accept("removed what killed switches left: " + String.join(", ", swept));
        }
        RunDirectory directory = RunDirectory.claim(base, config.name());
        RunningSwitch running = null;
        try {
            SwitchOptions options = how.withCounterFile(directory.file("counters"));
            running = RunningSwitch.start(config, options);
            CountDownLatch stopAsked = new CountDownLatch(1);
            ControlApi api = new ControlApi(running, stopAsked);
            ControlServer server = ControlServer.start(directory.file("control"), api);
            directory.open();
            return new SwitchDaemon(directory, running, server, api, log, stopAsked);
        } catch (DeviceException | RuntimeException | IOException failure) {
            if (running != null) {
                running.close();
            }
            directory.close();
            switch (failure) {
                case DeviceException device -> throw device;
                case UncheckedIOException io -> throw cannotUse(directory, io);
                case IOException io -> throw cannotUse(directory, io);
                case RuntimeException other -> throw other;
                default -> throw new IllegalStateException(failure);
            }
        }
    }

    private static DaemonException cannotUse(RunDirectory directory, Exception failure) {
        return new DaemonException(
                "cannot make " + directory.file("control") + ": " + Reason.of(failure), failure);
    }

    /** Allows clients to have the configuration read again, from this file. */
    public void source(Path file) {
        api.source(file.toAbsolutePath().normalize());
    }

    public RunningSwitch running() {
        return running;
    }

    /** Waits until a client asks the switch to stop. */
    public void awaitStop() throws InterruptedException {
        stopAsked.await();
    }

    /** Closes devices and socket, ends threads, removes files. Idempotent. */
    @Override
    public synchronized void close() throws DaemonException {
        if (closed) {
            return;
        }
        closed = true;
        try {
            server.close();
            running.close();
        } finally {
            directory.close();
            stopAsked.countDown();
        }
        log.accept(running.config().name() + ": stopped, nothing left behind");
    }
}
