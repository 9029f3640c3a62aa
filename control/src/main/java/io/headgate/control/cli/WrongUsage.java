package io.headgate.control.cli;

import io.headgate.config.Reason;
import io.headgate.config.key.Text;
import io.headgate.control.report.Prose;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Shows a mistake in a command line as one sentence, with the command that shows what is allowed. A
 * page of help would push the sentence off the screen, so only commands that need another word
 * after them show help: the list of these words.
 */
final class WrongUsage implements IParameterExceptionHandler {
    /**
     * Start of picocli's message; for an option that can have several values, the name of its value
     * follows.
     */
    private static final String INVALID_VALUE =
            "Invalid value for (?:option|positional parameter[^(]*) ?['(]([^')]+)[')]"
                    + "(?: \\([^)]*\\))?: ";

    private static final Pattern NO_NUMBER =
            Pattern.compile(INVALID_VALUE + "'(.*)' is not an? (?:int|long)");
    private static final Pattern NONE_OF =
            Pattern.compile(INVALID_VALUE + "expected one of \\[(.*)] \\(case.*\\) but was '(.*)'");
    private static final Pattern INVALID = Pattern.compile("^" + INVALID_VALUE);

    @Override
    public int handleParseException(ParameterException wrong, String[] args) {
        CommandLine command = wrong.getCommandLine();
        PrintWriter err = command.getErr();
        String message = sentence(wrong);
        Failures.printJson(new IllegalArgumentException(message), command, List.of(args));
        String whole = message.startsWith("headgate ") ? message : "headgate: " + message;
        err.println(Prose.folded(whole, 2));
        String near = suggestion(wrong);
        if (near != null) {
            err.println("Did you mean " + near + "?");
        } else {
            if (command.getParent() != null && !needsAnotherWord(command)) {
                String name = command.getCommandSpec().qualifiedName();
                err.println("'" + name + " --help' shows what is allowed.");
            } else {
                command.usage(err);
            }
        }
        err.flush();
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    /** A suggestion; null if nothing is near. */
    private static @Nullable String suggestion(ParameterException wrong) {
        if (!(wrong instanceof UnmatchedArgumentException unmatched)) {
            return null;
        }
        CommandLine command = wrong.getCommandLine();
        Map<String, String> known = new LinkedHashMap<>();
        if (unmatched.isUnknownOption()) {
            for (OptionSpec option : command.getCommandSpec().options()) {
                if (!option.hidden()) {
                    known.put(withoutDashes(option.longestName()), option.longestName());
                }
            }
        } else {
            command.getSubcommands().keySet().forEach(name -> known.put(name, name));
        }
        String word = unmatched.getUnmatched().getFirst().replaceFirst("=.*", "");
        String near = Text.nearest(withoutDashes(word), known.keySet());
        return near == null ? null : known.get(near);
    }

    private static String withoutDashes(String option) {
        return option.replaceFirst("^-+", "");
    }

    /**
     * Replaces the library's own sentences, which use programmers' terms: types, indexes,
     * parameters.
     */
    private static String sentence(ParameterException wrong) {
        String said = Reason.of(wrong);
        if (wrong instanceof UnmatchedArgumentException unmatched) {
            String word = unmatched.getUnmatched().getFirst();
            return unmatched.isUnknownOption()
                    ? "there is no option '" + word + "'"
                    : "'" + word + "' is not understood here";
        }
        if (wrong instanceof MissingParameterException missing && !missing.getMissing().isEmpty()) {
            ArgSpec first = missing.getMissing().getFirst();
            String what =
                    first instanceof OptionSpec option
                            ? option.longestName() + " " + option.paramLabel()
                            : first.paramLabel();
            return said.contains("parameter for option")
                    ? ((OptionSpec) first).longestName() + " needs a value: " + first.paramLabel()
                    : what + " is missing";
        }
        if (wrong instanceof OverwrittenOptionException) {
            return ((OptionSpec) wrong.getArgSpec()).longestName() + " is given twice";
        }
        Matcher noNumber = NO_NUMBER.matcher(said);
        if (noNumber.matches()) {
            return noNumber.group(1) + " '" + noNumber.group(2) + "' is not a whole number";
        }
        Matcher noneOf = NONE_OF.matcher(said);
        if (noneOf.matches()) {
            return noneOf.group(1) + " '" + noneOf.group(3) + "' is not one of: " + noneOf.group(2);
        }
        // The name of a word's place, such as WHAT, is of help's pages alone.
        boolean isWord = wrong.getArgSpec() instanceof PositionalParamSpec;
        return INVALID.matcher(said).replaceFirst(isWord ? "" : "$1: ");
    }

    private static boolean needsAnotherWord(CommandLine command) {
        return !command.getSubcommands().isEmpty()
                && command.getCommandSpec().positionalParameters().isEmpty();
    }
}
