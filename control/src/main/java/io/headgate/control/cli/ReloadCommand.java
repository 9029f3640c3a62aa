package io.headgate.control.cli;

import io.headgate.control.daemon.DaemonException;
import io.headgate.control.daemon.RunDirectory;
import io.headgate.control.daemon.SwitchClient;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code headgate reload}: makes a running switch read its file again. */
@Command(
        name = "reload",
        description = {
            "Makes a running switch read its configuration file again and apply the differences:"
                    + " all of them, or none. The same keys can change as with 'headgate set'.",
            "kill -HUP does the same."
        })
public final class ReloadCommand extends HeadgateCommand implements Callable<Integer> {
    @Mixin private final JsonOption json = new JsonOption();

    @Parameters(
            arity = "0..1",
            paramLabel = "NAME",
            description = "The switch; optional if only one runs.")
    private @Nullable String name;

    @Override
    public Integer call() throws DaemonException {
        print(
                SetCommand.text(
                        SwitchClient.choose(RunDirectory.bases(), name).ask("reload", Map.of()),
                        json.isGiven()));
        return 0;
    }
}
