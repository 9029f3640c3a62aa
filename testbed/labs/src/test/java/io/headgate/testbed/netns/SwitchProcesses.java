package io.headgate.testbed.netns;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.SwitchConfig;
import io.headgate.config.read.SwitchConfigs;
import io.headgate.control.cli.OwnProgram;
import io.headgate.control.daemon.Answers;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.daemon.RunDirectory;
import io.headgate.control.daemon.SwitchClient;
import io.headgate.control.daemon.SwitchDaemon;
import io.headgate.control.report.Json;
import io.headgate.control.run.SwitchOptions;
import io.headgate.dataplane.runner.RealTimeEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

/** The switches of a network, a process each: as users run them. They end with its programs. */
public final class SwitchProcesses {
    private static final long READY_NS = 180_000_000_000L;
    private static final long POLL_NS = 20_000_000;

    private SwitchProcesses() {}

    /** How a network is planned whose switches are such: with the workers that they have. */
    public static NetnsNetwork.Options planned(NetnsNetwork.Options options) {
        return options.withAdjust(plan -> plan.withWorkers(ConfigDefaults.WORKERS));
    }

    /**
     * Starts those of a network that is built, and waits until they take requests and their ports
     * have links.
     *
     * @param directory for their configurations, and what they leave while they run
     * @return where they are found
     */
    public static Path start(NetnsNetwork network, Path directory)
            throws BedException, DaemonException, IOException {
        return start(network, directory, UnaryOperator.identity());
    }

    /**
     * The same, of switches that are configured a little otherwise than planned.
     *
     * @param adjust has the last word on each switch's configuration
     */
    public static Path start(
            NetnsNetwork network, Path directory, UnaryOperator<SwitchConfig> adjust)
            throws BedException, DaemonException, IOException {
        for (SwitchConfig planned : network.plan().switches()) {
            SwitchConfig config = adjust.apply(planned);
            Path file = directory.resolve(config.name() + ".yaml");
            Files.writeString(file, SwitchConfigs.toYaml(config));
            Programs.Running process = network.programs().start(null, command(file, directory));
            long endNs = System.nanoTime() + READY_NS;
            SwitchClient.Running wanted =
                    new SwitchClient.Running(directory.resolve("switches"), config.name(), true);
            while (!SwitchClient.running(List.of(wanted.base())).contains(wanted)) {
                if (!process.isAlive()) {
                    throw new AssertionError(process.await(0).output());
                }
                assertThat(System.nanoTime()).as(config.name()).isLessThan(endNs);
                LockSupport.parkNanos(POLL_NS);
            }
        }
        Path base = directory.resolve("switches");
        awaitLinks(network, base);
        return base;
    }

    /**
     * Starts them in this process, without warming up, where it is not the process that is tested,
     * and waits until their ports have links.
     *
     * @param directory for what they leave while they run
     * @return ends them
     */
    public static AutoCloseable startHere(
            NetnsNetwork network, Path directory, UnaryOperator<SwitchConfig> adjust)
            throws Exception {
        Path base = directory.resolve("switches");
        Deque<AutoCloseable> started = new ArrayDeque<>();
        try {
            for (SwitchConfig planned : network.plan().switches()) {
                started.push(
                        SwitchDaemon.start(
                                adjust.apply(planned),
                                base,
                                new SwitchOptions(false, true, null, line -> {})));
            }
            awaitLinks(network, base);
        } catch (Exception e) {
            closeAll(started);
            throw e;
        }
        return () -> closeAll(started);
    }

    private static void awaitLinks(NetnsNetwork network, Path base) throws DaemonException {
        long endNs = System.nanoTime() + READY_NS;
        for (SwitchConfig one : network.plan().switches()) {
            try (SwitchClient client = SwitchClient.connect(base, one.name())) {
                while (!areUp(client)) {
                    assertThat(System.nanoTime()).as("links of " + one.name()).isLessThan(endNs);
                    LockSupport.parkNanos(POLL_NS);
                }
            }
        }
        // An egress half looks at its link at the same interval as its port's ingress half.
        LockSupport.parkNanos(5 * RealTimeEngine.HOUSEKEEPING_INTERVAL_NS);
    }

    private static boolean areUp(SwitchClient client) throws DaemonException {
        return Json.list(client.ask("ports", Map.of()), Answers.Port[].class).stream()
                .allMatch(Answers.Port::up);
    }

    /** Each is closed, also where another's end fails. */
    private static void closeAll(Deque<AutoCloseable> all) throws Exception {
        if (!all.isEmpty()) {
            try (AutoCloseable _ = all.pop()) {
                closeAll(all);
            }
        }
    }

    private static List<String> command(Path config, Path runDirectory) {
        return OwnProgram.command(
                List.of("-D" + RunDirectory.PROPERTY + "=" + runDirectory),
                "switch",
                "run",
                "-c",
                config.toString(),
                "--no-warm-up");
    }
}
