package io.headgate.control.cli;

import io.headgate.config.Devices;
import io.headgate.config.Mechanism;
import io.headgate.config.MechanismRegistry;
import io.headgate.control.show.ShowTables;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The one program of Headgate. It has no work of its own: each word after {@code headgate} is a
 * command that some module contributes through {@link CommandProvider}.
 */
@Command(
        name = "headgate",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "A lossless-Ethernet software switch.",
        footer = {
            "",
            "The launcher itself adds:",
            "  verify [--unit|--netns|--swarm|--long]",
            "                  Build and run the tests: of one kind, or all but the long.",
            "  dist [FILE]     Make a tar with a runtime of its own, for machines without Java.",
            "  plugin new DIR  Copy an example of a mechanism or scenario of your own; 'plugin build"
                    + " DIR' makes a jar of it.",
            "  class-path      Print the class path, to compile a mechanism or scenario of your"
                    + " own.",
            "  --plugins DIR   Anywhere: with the mechanisms and scenarios of the jars in DIR."
        })
public final class Headgate implements Runnable {

    @Spec private CommandSpec spec;

    private Headgate() {}

    /** Runs one command and exits with its code. */
    public static void main(String[] args) {
        // Numbers are for programs too: a point before decimals, whatever the language.
        Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT);
        // What libraries log names their classes; what a person must know, commands say.
        Logger.getLogger("").setLevel(Level.SEVERE);
        StandardOutput output = StandardOutput.install();
        requireUsable("kind of device", Devices::kinds);
        requireUsable("mechanism", () -> MechanismRegistry.all(Mechanism.class));
        requireUsable("table", ShowTables::all);
        CommandLine commandLine = commandLine(ServiceLoader.load(CommandProvider.class));
        // Not picocli's own, which cannot say whether anything was lost.
        commandLine.setOut(new PrintWriter(System.out, true, System.out.charset()));
        System.exit(output.exitCode(commandLine.execute(args)));
    }

    /** Reports a jar that cannot be used before the command reads or runs anything. */
    private static void requireUsable(String what, Runnable registry) {
        try {
            registry.run();
        } catch (ServiceConfigurationError | ExceptionInInitializerError e) {
            // What a class's own making throws is within the latter.
            Throwable why = e.getMessage() == null && e.getCause() != null ? e.getCause() : e;
            System.err.println(
                    "headgate: a " + what + " in a jar cannot be used: " + why.getMessage());
            System.exit(2);
        }
    }

    /** The command line with these commands: what {@link #main} runs, for tests and embedding. */
    public static CommandLine commandLine(Iterable<CommandProvider> providers) {
        CommandLine commandLine = new CommandLine(new Headgate());
        for (CommandProvider provider : providers) {
            if (provider.below().isEmpty()) {
                commandLine.addSubcommand(provider.command());
            }
        }
        for (CommandProvider provider : providers) {
            CommandLine above = commandLine.getSubcommands().get(provider.below());
            if (above != null) {
                above.addSubcommand(provider.command());
            }
        }
        commandLine.setExecutionExceptionHandler(new Failures());
        commandLine.setParameterExceptionHandler(new WrongUsage());
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        // Such as a directory named list, which is a command of reproduce too.
        commandLine.setAllowSubcommandsAsOptionParameters(true);
        return commandLine;
    }

    /** The command line with just these commands. */
    static CommandLine commandLine(CommandProvider... providers) {
        return commandLine(List.of(providers));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "headgate needs a command.");
    }
}
