package io.headgate.control.cli;

import io.headgate.config.HostConfig;
import io.headgate.config.read.FileKind;
import io.headgate.config.read.HostConfigReader;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.daemon.HostDaemon;
import io.headgate.control.daemon.RunDirectory;
import io.headgate.control.metrics.RunMetrics;
import io.headgate.dataplane.counter.CounterReader;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.hostagent.NicStatistics;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code headgate host}: gives hosts network cards that lose nothing. */
@Command(
        name = "host",
        description =
                "Runs lossless network cards for hosts of this machine, or shows their state.")
public final class HostCommand extends HeadgateCommand implements Runnable {
    @Override
    public void run() {
        throw wrong("headgate host needs run, list or stats.");
    }

    @Command(
            name = "run",
            mixinStandardHelpOptions = true,
            description = "Runs an agent in the foreground until ^C or TERM.")
    int runAgent(
            @Option(
                            names = {"-c", "--config"},
                            required = true,
                            paramLabel = "FILE",
                            description = "The agent's configuration, in YAML.")
                    Path file,
            @Mixin MetricsOption metrics)
            throws DaemonException, DeviceException, InterruptedException, CommandFailure {
        HostConfig config = read(file, FileKind.HOSTS, () -> HostConfigReader.read(file));
        Foreground foreground = new Foreground(out());
        HostDaemon daemon = HostDaemon.start(config, RunDirectory.base(), foreground::say);
        Runnable _ =
                foreground.run(
                        daemon,
                        config.name(),
                        say -> metrics.start(() -> RunMetrics.of(daemon), config.name(), say));
        // Waits until a signal ends the process.
        new CountDownLatch(1).await();
        return 0;
    }

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "Lists the hosts that agents on this machine serve.")
    int list(@Mixin JsonOption json) {
        List<String> names =
                RunDirectory.bases().stream()
                        .flatMap(base -> RunDirectory.names(HostDaemon.hosts(base)).stream())
                        .toList();
        print(json.answer(names, () -> names.isEmpty() ? "" : String.join("\n", names) + "\n"));
        if (names.isEmpty() && !json.isGiven()) {
            // Not among the names, which are for programs too.
            err().println("no host agent runs here; start one with 'headgate host run -c FILE'");
        }
        return 0;
    }

    @Command(
            name = "stats",
            mixinStandardHelpOptions = true,
            description = "Shows the counters of a host's card, with the names of ethtool -S.")
    int stats(
            @Parameters(paramLabel = "HOST", description = "The host's name.") String host,
            @Mixin JsonOption json)
            throws DaemonException {
        CounterReader reader = SwitchChoice.countersOfHost(host);
        Map<String, Long> statistics = NicStatistics.of(host, reader.entries(), reader::value);
        StringBuilder text = new StringBuilder("NIC statistics:\n");
        statistics.forEach((name, value) -> text.append("     " + name + ": " + value + "\n"));
        print(json.answer(statistics, text::toString));
        return 0;
    }
}
