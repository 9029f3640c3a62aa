package io.headgate.control.cli;

import io.headgate.control.counters.CounterFile;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.daemon.RunDirectory;
import io.headgate.control.daemon.SwitchClient;
import io.headgate.dataplane.engine.counter.CounterReader;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that says which running switch is meant. */
final class SwitchChoice {
    @Option(
            names = "--switch",
            paramLabel = "NAME",
            description = "The switch; may be left out while only one runs.")
    private @Nullable String name;

    private final Path base = RunDirectory.base();

    /** Its name. */
    String name() throws DaemonException {
        return SwitchClient.choose(base, name);
    }

    SwitchClient connect() throws DaemonException {
        return SwitchClient.connect(base, name());
    }

    /** Its counters, mapped. */
    CounterReader counters() throws DaemonException, CommandFailure {
        String chosen = name();
        try {
            return CounterFile.open(RunDirectory.counters(base, chosen));
        } catch (IOException | IllegalArgumentException e) {
            throw new CommandFailure(
                    "the counters of switch " + chosen + " cannot be read: " + e.getMessage());
        }
    }
}
