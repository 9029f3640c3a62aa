package io.headgate.control.cli.help;

import io.headgate.control.cli.HeadgateCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code headgate help WORDS…}: shows the same as {@code headgate WORDS… --help}. */
@Command(
        name = "help",
        description = {
            "Shows what a command does, and its options.",
            "Example: headgate help lab four-port"
        })
public final class HelpCommand extends HeadgateCommand implements Callable<Integer> {
    private static final List<String> OF_THE_LAUNCHER = List.of("verify", "dist");

    @Parameters(arity = "0..*", paramLabel = "COMMAND", description = "The command's words.")
    private List<String> words = new ArrayList<>();

    @Override
    public boolean describesOthers() {
        return true;
    }

    @Override
    public Integer call() {
        CommandLine command = spec().root().commandLine();
        if (words.size() == 1 && OF_THE_LAUNCHER.contains(words.getFirst())) {
            String launcher = words.getFirst();
            out().println("'headgate " + launcher + " --help' shows what it does.");
            return 0;
        }
        for (String word : words) {
            CommandLine next = command.getSubcommands().get(word);
            if (next == null) {
                throw wrong(
                        "'%s' has no command '%s'; it has %s."
                                .formatted(
                                        command.getCommandSpec().qualifiedName(),
                                        word,
                                        String.join(", ", command.getSubcommands().keySet())));
            }
            command = next;
        }
        command.usage(out());
        return 0;
    }
}
