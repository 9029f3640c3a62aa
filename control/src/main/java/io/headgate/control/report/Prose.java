package io.headgate.control.report;

import java.util.ArrayList;
import java.util.List;

/** Sentences in lines that a terminal of usual width shows whole. */
public final class Prose {
    /** The widest line of a report, in characters; words that are longer stand alone. */
    public static final int COLUMNS = 110;

    private Prose() {}

    /** A sentence in lines, those after the first behind so many spaces; without the last's end. */
    public static String folded(String sentence, int spaces) {
        List<String> rest = new ArrayList<>();
        String first = lines(sentence, COLUMNS).getFirst();
        rest.add(first);
        if (first.length() < sentence.length()) {
            rest.addAll(lines(sentence.substring(first.length()).strip(), COLUMNS - spaces));
        }
        return String.join("\n" + " ".repeat(spaces), rest);
    }

    /** A text in lines of at most so many characters, broken at spaces; at least one line. */
    static List<String> lines(String text, int columns) {
        List<String> lines = new ArrayList<>();
        String rest = text;
        while (width(rest) > columns) {
            int most = rest.offsetByCodePoints(0, columns);
            int end = rest.lastIndexOf(' ', most);
            if (end <= 0) {
                end = rest.indexOf(' ');
            }
            if (end <= 0) {
                break;
            }
            lines.add(rest.substring(0, end));
            rest = rest.substring(end + 1).stripLeading();
        }
        lines.add(rest);
        return lines;
    }

    static int width(String text) {
        return text.codePointCount(0, text.length());
    }
}
