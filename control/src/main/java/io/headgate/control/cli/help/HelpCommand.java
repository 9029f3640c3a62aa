package io.headgate.control.cli.help;

import io.headgate.control.cli.CommandProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code headgate help WORDS…}: what {@code headgate WORDS… --help} shows. */
@Command(
        name = "help",
        mixinStandardHelpOptions = true,
        description = {
            "Shows what a command does, and its options.",
            "Example: headgate help lab four-port"
        })
public final class HelpCommand implements Callable<Integer> {
    private static final List<String> OF_THE_LAUNCHER = List.of("verify", "dist");

    @Parameters(arity = "0..*", paramLabel = "COMMAND", description = "The command's words.")
    private List<String> words = new ArrayList<>();

    @Spec private CommandSpec spec;

    /** Picocli fills it in. */
    @SuppressWarnings("NullAway.Init")
    HelpCommand() {}

    /** Contributes the command. */
    public static final class Provider implements CommandProvider {
        @Override
        public Object command() {
            return new HelpCommand();
        }
    }

    @Override
    public Integer call() {
        CommandLine command = spec.root().commandLine();
        if (words.size() == 1 && OF_THE_LAUNCHER.contains(words.getFirst())) {
            String launcher = words.getFirst();
            spec.commandLine()
                    .getOut()
                    .println("'headgate " + launcher + " --help' shows what it does.");
            return 0;
        }
        for (String word : words) {
            CommandLine next = command.getSubcommands().get(word);
            if (next == null) {
                throw new ParameterException(
                        spec.commandLine(),
                        "'"
                                + command.getCommandSpec().qualifiedName()
                                + "' has no command '"
                                + word
                                + "'; it has "
                                + String.join(", ", command.getSubcommands().keySet())
                                + ".");
            }
            command = next;
        }
        command.usage(spec.commandLine().getOut());
        return 0;
    }
}
