package io.headgate.control.cli.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine;

/** Writes commands as text that a POSIX shell splits into the same words. */
public final class ShellWords {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

    private ShellWords() {}

    /** One word, in single quotes where it needs them. */
    public static String quoted(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /** The command line of the running command, as it was given. */
    public static String given(CommandLine command) {
        List<String> words = new ArrayList<>(List.of("headgate"));
        // All words, also those of the commands above.
        words.addAll(command.getParseResult().originalArgs());
        return line(words);
    }

    public static String line(List<String> words) {
        return words.stream().map(ShellWords::quoted).collect(Collectors.joining(" "));
    }
}
