package io.headgate.testbed.scenario.campaign;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Commands as text that a POSIX shell takes apart into the same words. */
public final class ShellWords {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

    private ShellWords() {}

    /** One word, in single quotes where it needs them. */
    public static String quoted(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /** A command. */
    public static String line(List<String> words) {
        return words.stream().map(ShellWords::quoted).collect(Collectors.joining(" "));
    }
}
