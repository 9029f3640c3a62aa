package io.headgate.control.cli.help;

import io.headgate.control.cli.CommandProvider;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code headgate completion}: what a shell needs to complete commands and options. */
@Command(
        name = "completion",
        mixinStandardHelpOptions = true,
        description = {
            "Prints what bash and zsh need to complete commands and options with the tab key.",
            "In ~/.bashrc or ~/.zshrc: source <(headgate completion)"
        })
public final class CompletionCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    /** Picocli fills it in. */
    @SuppressWarnings("NullAway.Init")
    CompletionCommand() {}

    /** Contributes the command. */
    public static final class Provider implements CommandProvider {
        @Override
        public Object command() {
            return new CompletionCommand();
        }
    }

    @Override
    public Integer call() {
        spec.commandLine().getOut().print(AutoComplete.bash("headgate", spec.root().commandLine()));
        spec.commandLine().getOut().flush();
        return 0;
    }
}
