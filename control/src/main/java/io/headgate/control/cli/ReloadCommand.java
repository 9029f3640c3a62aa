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
            "Has a running switch read its configuration file again, and takes what differs: all of"
                    + " it, or nothing. What may change is what 'headgate set' can change.",
            "kill -HUP does the same."
        })
public final class ReloadCommand extends HeadgateCommand implements Callable<Integer> {
    @Mixin private final JsonOption json = new JsonOption();

    @Parameters(
            arity = "0..1",
            paramLabel = "NAME",
            description = "The switch; may be left out while only one runs.")
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
