package io.headgate.control.cli;

import io.headgate.control.counters.CounterFile;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.daemon.HostDaemon;
import io.headgate.control.daemon.RunDirectory;
import io.headgate.control.daemon.SwitchClient;
import io.headgate.dataplane.engine.counter.CounterReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that says which running switch is meant. */
final class SwitchChoice {
    @Option(
            names = "--switch",
            paramLabel = "NAME",
            description = "The switch; may be left out while only one runs.")
    private @Nullable String name;

    @Option(
            names = "--host",
            paramLabel = "NAME",
            description = "Instead of a switch, the card of a host that an agent here serves.")
    private @Nullable String host;

    private final Path base = RunDirectory.base();

    /** Its name. */
    String name() throws DaemonException {
        if (host != null) {
            return host;
        }
        return SwitchClient.choose(base, name);
    }

    SwitchClient connect() throws DaemonException {
        if (host != null) {
            throw new DaemonException(
                    "the card of a host has counters to show, and nothing else; leave --host out");
        }
        return SwitchClient.connect(base, name());
    }

    /** Whether a host's card is meant, which has counters and nothing else. */
    boolean isHost() {
        return host != null;
    }

    /** Its counters, mapped. */
    CounterReader counters() throws DaemonException, CommandFailure {
        if (host != null) {
            return counters(HostDaemon.hosts(base), host, "host");
        }
        return counters(base, name(), "switch");
    }

    /** The counters of what has a run directory. */
    static CounterReader counters(Path base, String name, String what) throws CommandFailure {
        List<String> known = RunDirectory.names(base);
        if (!known.contains(name)) {
            throw new CommandFailure(
                    "no "
                            + what
                            + " named "
                            + name
                            + " runs here"
                            + (known.isEmpty() ? "" : "; there are: " + String.join(", ", known)));
        }
        try {
            return CounterFile.open(RunDirectory.counters(base, name));
        } catch (IOException | IllegalArgumentException e) {
            throw new CommandFailure(
                    "the counters of " + what + " " + name + " cannot be read: " + e.getMessage());
        }
    }
}
