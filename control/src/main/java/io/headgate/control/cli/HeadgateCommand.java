package io.headgate.control.cli;

import io.headgate.config.ConfigException;
import io.headgate.config.read.FileKind;
import io.headgate.control.report.Json;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Base of the commands that are their own provider, with {@code --help} and the streams to print
 * to.
 */
@Command(mixinStandardHelpOptions = true)
public abstract class HeadgateCommand implements CommandProvider {
    /** The option that makes a command answer with a line of JSON. */
    public static final class JsonOption {
        @Option(names = "--json", description = "Prints one line of JSON, for programs.")
        private boolean given;

        public boolean isGiven() {
            return given;
        }

        /**
         * A value as a line of JSON, if the command line has the option; otherwise whole lines of
         * text.
         */
        public String answer(Object value, Supplier<String> text) {
            return given ? Json.COMPACT.writeValueAsString(value) + "\n" : text.get();
        }
    }

    @Spec private CommandSpec spec;

    @Override
    public final Object command() {
        return this;
    }

    protected final CommandSpec spec() {
        return spec;
    }

    protected final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    protected final PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /** Whether a person reads what is printed, so that a line may be written over. */
    protected static boolean isTerminal() {
        return StandardOutput.isTerminal();
    }

    /** The date and time, as part of a directory's name. */
    public static String now() {
        DateTimeFormatter form = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss-SSS", Locale.ROOT);
        return LocalDateTime.now(ZoneId.systemDefault()).format(form);
    }

    /** Prints a text at once. */
    protected final void print(Object text) {
        out().print(text);
        out().flush();
    }

    /** An exception about a mistake in the command line, for the caller to throw. */
    protected final ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }

    /**
     * Reads a file of one kind.
     *
     * @throws CommandFailure if it is of another kind, with the command that takes it
     */
    protected static <T> T read(Path file, FileKind kind, Supplier<T> reader)
            throws CommandFailure {
        try {
            return reader.get();
        } catch (ConfigException e) {
            String other = kind.refusal(file);
            if (other != null) {
                throw CommandFailure.badInput(other);
            }
            throw e;
        }
    }
}
