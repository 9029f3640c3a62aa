package io.headgate.control.cli;

import io.headgate.control.daemon.DaemonException;
import io.headgate.control.daemon.SwitchClient;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code headgate clear}: watermarks begin again. */
@Command(
        name = "clear",
        mixinStandardHelpOptions = true,
        description = {
            "Forgets the watermarks of a running switch: the longest queues, occupancies, duty"
                    + " cycles and late wake-ups. Totals go on."
        })
public final class ClearCommand implements Callable<Integer> {
    @Mixin private final SwitchChoice choice = new SwitchChoice();

    @Spec private CommandSpec spec;

    /** Contributes the command. */
    public static final class Provider implements CommandProvider {
        @Override
        public Object command() {
            return new ClearCommand();
        }
    }

    @Override
    public Integer call() throws DaemonException {
        try (SwitchClient client = choice.connect()) {
            client.ask("clear", Map.of());
        }
        spec.commandLine()
                .getOut()
                .println(
                        "watermarks begin again; 'headgate show --since' shows what happens from now on");
        return 0;
    }
}
