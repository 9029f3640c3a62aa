package io.headgate.control.cli;

import io.headgate.config.ConfigException;
import io.headgate.config.SwitchConfig;
import io.headgate.config.read.FileKind;
import io.headgate.config.read.SwitchChange;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.daemon.Hangup;
import io.headgate.control.daemon.RunDirectory;
import io.headgate.control.daemon.SwitchClient;
import io.headgate.control.daemon.SwitchDaemon;
import io.headgate.control.metrics.RunMetrics;
import io.headgate.control.run.SwitchOptions;
import io.headgate.control.web.LiveNetwork;
import io.headgate.control.web.WebOption;
import io.headgate.dataplane.device.DeviceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code headgate switch}: runs and stops switches. */
@Command(name = "switch", description = "Runs a switch on devices of this machine, or stops one.")
public final class SwitchCommand extends HeadgateCommand implements Runnable {
    private static final long STOP_TIMEOUT_NS = 20_000_000_000L;
    private static final long STOP_POLL_MS = 20;

    @Override
    public void run() {
        throw wrong("headgate switch needs run or stop.");
    }

    @Command(
            name = "run",
            mixinStandardHelpOptions = true,
            description =
                    "Runs a switch in the foreground until ^C, TERM or 'headgate switch stop'. On"
                            + " HUP it reads its file again, like 'headgate reload'.")
    int runSwitch(
            @Option(
                            names = {"-c", "--config"},
                            required = true,
                            paramLabel = "FILE",
                            description = "The switch's configuration, in YAML.")
                    Path file,
            @Option(
                            names = "--no-warm-up",
                            description = "Starts a second or two sooner, with slow first frames.")
                    boolean cold,
            @Mixin MetricsOption metrics,
            @Mixin WebOption web)
            throws DaemonException, DeviceException, InterruptedException, CommandFailure {
        SwitchConfig config = read(file, FileKind.SWITCH, () -> SwitchConfigReader.read(file));
        Foreground foreground = new Foreground(out());
        SwitchDaemon daemon =
                SwitchDaemon.start(
                        config,
                        RunDirectory.base(),
                        new SwitchOptions(!cold, true, null, foreground::say));
        daemon.source(file);
        Hangup.reloads(() -> reload(daemon, file, foreground));
        Runnable endServers =
                foreground.run(
                        daemon,
                        config.name(),
                        say -> {
                            Runnable endPage =
                                    web.start(
                                            () -> LiveNetwork.ofThisProcess(config.name()),
                                            config.name(),
                                            say);
                            try {
                                Runnable endMetrics =
                                        metrics.start(
                                                () -> RunMetrics.of(List.of(daemon.running())),
                                                config.name(),
                                                say);
                                return () -> {
                                    endMetrics.run();
                                    endPage.run();
                                };
                            } catch (DaemonException e) {
                                endPage.run();
                                throw e;
                            }
                        });
        daemon.awaitStop();
        endServers.run();
        daemon.close();
        return 0;
    }

    private static void reload(SwitchDaemon daemon, Path file, Foreground foreground) {
        try {
            List<SwitchChange> changes = daemon.running().reload(file);
            String keys = changes.size() == 1 ? " key changed" : " keys changed";
            foreground.say(file + ": read again, " + changes.size() + keys);
            changes.forEach(change -> foreground.say("  " + change));
        } catch (ConfigException | IllegalStateException e) {
            foreground.say(file + ": read again, and nothing changed: " + e.getMessage());
        }
    }

    @Command(
            name = "stop",
            mixinStandardHelpOptions = true,
            description = "Stops a running switch and waits until it has ended.")
    int stop(
            @Option(
                            names = "--switch",
                            paramLabel = "NAME",
                            description = "The switch; optional if only one runs.")
                    @Nullable String name,
            @Parameters(arity = "0..1", paramLabel = "NAME", description = "The same, in short.")
                    @Nullable String shortly,
            @Mixin JsonOption json)
            throws DaemonException, CommandFailure, InterruptedException {
        if (name != null && shortly != null && !name.equals(shortly)) {
            throw CommandFailure.badInput(
                    "--switch " + name + " and " + shortly + " are two switches; name one");
        }
        SwitchClient.Running chosen =
                SwitchClient.choose(RunDirectory.bases(), name == null ? shortly : name);
        chosen.ask("stop", Map.of());
        long endNs = System.nanoTime() + STOP_TIMEOUT_NS;
        while (Files.exists(chosen.base().resolve(chosen.name()))) {
            if (System.nanoTime() - endNs > 0) {
                throw new CommandFailure(
                        "switch "
                                + chosen.name()
                                + " was asked to stop, but has not stopped after 20 s");
            }
            Thread.sleep(STOP_POLL_MS);
        }
        print(json.answer(Map.of("stopped", chosen.name()), () -> ""));
        return 0;
    }
}
