package io.headgate.control.cli.help;

import io.headgate.control.cli.HeadgateCommand;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;

/**
 * {@code headgate completion}: prints the script with which a shell completes commands and options.
 */
@Command(
        name = "completion",
        description = {
            "Prints a script with which bash and zsh complete commands and options with the tab"
                    + " key.",
            "In ~/.bashrc or ~/.zshrc: source <(headgate completion)"
        })
public final class CompletionCommand extends HeadgateCommand implements Callable<Integer> {
    @Override
    public boolean describesOthers() {
        return true;
    }

    @Override
    public Integer call() {
        out().print(AutoComplete.bash("headgate", spec().root().commandLine()));
        out().flush();
        return 0;
    }
}
