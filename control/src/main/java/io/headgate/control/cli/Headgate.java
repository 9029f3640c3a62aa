package io.headgate.control.cli;

import io.headgate.config.Devices;
import io.headgate.config.Mechanism;
import io.headgate.config.MechanismRegistry;
import io.headgate.control.show.ShowTables;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The main program of Headgate. It does no work itself: each word after {@code headgate} is a
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
            "                  Builds, and runs the tests: one kind, or all except the long",
            "                  ones.",
            "  dist [FILE]     Makes a tar, or a Debian package (FILE.deb), with its own",
            "                  Java, for machines without Java.",
            "  plugin new DIR  Copies an example of a mechanism or scenario, to change it;",
            "                  'plugin build DIR' makes a jar of it.",
            "  class-path      Prints the class path, to compile a mechanism or scenario.",
            "  --plugins DIR   With any command: adds the mechanisms and scenarios of the",
            "                  jars in DIR."
        })
public final class Headgate implements Runnable {

    private static final List<String> OF_VERSION = List.of("-V", "--version");

    /** The declarations that classes read as they are made. */
    private static final Map<String, String> READ_BY =
            Map.of(
                    Devices.class.getName(), "kind of device",
                    MechanismRegistry.class.getName(), "mechanism",
                    ShowTables.class.getName(), "table");

    @Spec private CommandSpec spec;

    private Headgate() {}

    /** Runs one command and exits with its code. */
    public static void main(String[] args) {
        System.exit(run(args));
    }

    /** Runs one command in this process, which prints like {@link #main}; returns its exit code. */
    public static int run(String... args) {
        // Numbers are for programs too: a point before decimals, whatever the language.
        Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT);
        // What libraries log names their classes; what a person must know, commands say.
        Logger.getLogger("").setLevel(Level.SEVERE);
        StandardOutput output = StandardOutput.install();
        try {
            if (System.getenv("HEADGATE_PLUGINS") != null) {
                readDeclarations();
            }
            CommandLine commandLine =
                    commandLine(asked(ServiceLoader.load(CommandProvider.class), args));
            // Not picocli's own, which cannot say whether anything was lost.
            commandLine.setOut(new PrintWriter(System.out, true, System.out.charset()));
            return output.exitCode(commandLine.execute(args));
        } catch (CommandLine.InitializationException
                | ServiceConfigurationError
                | ExceptionInInitializerError e) {
            String what = unusable(e);
            if (what == null) {
                throw e;
            }
            System.err.println("headgate: " + what);
            return output.exitCode(CommandLine.ExitCode.USAGE);
        }
    }

    /**
     * The command that the first word names, with its subcommands: loading all commands takes
     * longer than most commands run. No command for the version alone. All commands, if that word
     * names none, or one that describes the others.
     */
    static Iterable<CommandProvider> asked(Iterable<CommandProvider> all, String... args) {
        String first = args.length == 0 ? "" : args[0];
        if (args.length == 1 && OF_VERSION.contains(first)) {
            return List.of();
        }
        List<CommandProvider> named = new ArrayList<>();
        boolean isAlone = false;
        for (CommandProvider provider : all) {
            if (provider.below().equals(first)) {
                named.add(provider);
            } else if (provider.below().isEmpty() && isNamed(provider.command(), first)) {
                named.add(provider);
                isAlone = !provider.describesOthers();
            }
        }
        return isAlone ? named : all;
    }

    private static boolean isNamed(Object command, String word) {
        Command said = command.getClass().getAnnotation(Command.class);
        return said != null && (said.name().equals(word) || List.of(said.aliases()).contains(word));
    }

    /**
     * Has a jar of --plugins that cannot be used reported before the command reads or runs
     * anything. Our own are read when they are needed: to read all of them takes a quarter of a
     * short command's time.
     */
    private static void readDeclarations() {
        Devices.kinds();
        MechanismRegistry.all(Mechanism.class);
        ShowTables.all();
    }

    /**
     * Which declaration in a jar cannot be used, and why; null: that is not the failure's cause,
     * which is a fault of ours.
     */
    static @Nullable String unusable(Throwable failure) {
        Throwable error = failure;
        while (error instanceof Exception && error.getCause() != null) {
            error = error.getCause();
        }
        // What a class's own making throws is within the error.
        Throwable cause = error.getCause();
        Throwable why = error.getMessage() == null && cause != null ? cause : error;
        for (StackTraceElement frame : why.getStackTrace()) {
            String what = READ_BY.get(frame.getClassName());
            if (what != null && frame.getMethodName().equals("<clinit>")) {
                return "a " + what + " in a jar cannot be used: " + why.getMessage();
            }
        }
        return null;
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
