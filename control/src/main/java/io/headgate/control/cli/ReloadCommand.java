package io.headgate.control.cli;

import io.headgate.control.daemon.DaemonException;
import io.headgate.control.daemon.RunDirectory;
import io.headgate.control.daemon.SwitchClient;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** {@code headgate reload}: has a running switch read its file again. */
@Command(
        name = "reload",
        mixinStandardHelpOptions = true,
        description = {
            "Has a running switch read its configuration file again, and takes what differs: all of"
                    + " it, or nothing. What may change is what 'headgate set' can change.",
            "kill -HUP does the same."
        })
public final class ReloadCommand implements Callable<Integer> {
    @Parameters(
            arity = "0..1",
            paramLabel = "NAME",
            description = "The switch; may be left out while only one runs.")
    private @Nullable String name;

    @Option(names = "--json", description = "For programs: one line of JSON.")
    private boolean json;

    @Spec private CommandSpec spec;

    /** Contributes the command. */
    public static final class Provider implements CommandProvider {
        @Override
        public Object command() {
            return new ReloadCommand();
        }
    }

    @Override
    public Integer call() throws DaemonException {
        JsonNode changes;
        try (SwitchClient client = SwitchClient.choose(RunDirectory.bases(), name).connect()) {
            changes = client.ask("reload", Map.of());
        }
        PrintWriter out = spec.commandLine().getOut();
        SetCommand.print(changes, json, out);
        return 0;
    }
}
