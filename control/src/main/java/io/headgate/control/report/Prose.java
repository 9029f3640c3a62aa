package io.headgate.control.report;

import java.util.ArrayList;
import java.util.List;

/** Breaks sentences into lines that fit a terminal of usual width. */
public final class Prose {
    /** The widest line of a report, in characters; a longer word has a line of its own. */
    public static final int COLUMNS = 110;

    private Prose() {}

    /**
     * A sentence broken into lines; lines after the first are indented by {@code spaces}. The last
     * line has no end.
     */
    public static String folded(String sentence, int spaces) {
        return String.join("\n" + " ".repeat(spaces), lines(sentence, COLUMNS, COLUMNS - spaces));
    }

    /**
     * A text in lines of at most {@code columns} characters, broken at its newlines and at spaces;
     * at least one line.
     */
    static List<String> lines(String text, int columns) {
        return lines(text, columns, columns);
    }

    private static List<String> lines(String text, int first, int others) {
        List<String> lines = new ArrayList<>();
        for (String line : text.stripTrailing().split("\n")) {
            String rest = line.stripTrailing();
            int end = end(rest, lines.isEmpty() ? first : others);
            while (end < rest.length()) {
                lines.add(rest.substring(0, end));
                rest = rest.substring(end).stripLeading();
                end = end(rest, others);
            }
            lines.add(rest);
        }
        return lines;
    }

    /** The end of the first line of a text, at most that many columns wide if it can be broken. */
    private static int end(String text, int columns) {
        if (width(text) <= columns) {
            return text.length();
        }
        int words = text.length() - text.stripLeading().length();
        int end = text.lastIndexOf(' ', text.offsetByCodePoints(0, columns));
        if (end < words) {
            end = text.indexOf(' ', words);
        }
        return end < 0 ? text.length() : end;
    }

    static int width(String text) {
        return text.codePointCount(0, text.length());
    }
}
