package io.headgate.config.key;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Words for messages: foreign text made harmless, and the nearest known word. */
public final class Text {
    private static final int SHOWN_CHARACTERS = 40;

    /** More than a switch's ports and their keys. */
    private static final int LISTED_WORDS = 160;

    private Text() {}

    /** Foreign text in quotes, cut to 40 characters, without characters that control a terminal. */
    public static String quote(String text) {
        return '"' + shorten(text) + '"';
    }

    public static String shorten(String text) {
        return shorten(text, SHOWN_CHARACTERS);
    }

    public static String shorten(String text, int most) {
        StringBuilder out = new StringBuilder();
        int end = text.length();
        if (end > most) {
            end = most;
            if (Character.isHighSurrogate(text.charAt(end - 1))) {
                end--;
            }
        }
        text.substring(0, end)
                .codePoints()
                .forEach(point -> {
                    if (isPrintable(point)) {
                        out.appendCodePoint(point);
                    } else {
                        out.append(String.format("\\u%04x", point));
                    }
                });
        return end < text.length() ? out.append("…").toString() : out.toString();
    }

    private static boolean isPrintable(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.UNASSIGNED,
                    Character.PRIVATE_USE ->
                    false;
            default -> true;
        };
    }

    /** Words to choose from, as in {@code pfc, pause or credits}. */
    public static String either(List<String> words) {
        int last = words.size() - 1;
        return last < 1
                ? String.join("", words)
                : String.join(", ", words.subList(0, last)) + " or " + words.get(last);
    }

    /**
     * The known word nearest to a foreign one, or null if none is near: at most a third of its
     * letters are wrong, missing or too many, or change places with their neighbours.
     */
    public static @Nullable String nearest(String word, Collection<String> known) {
        String best = null;
        int bestDistance = word.length() / 3 + 1;
        if (word.length() > SHOWN_CHARACTERS) {
            return null;
        }
        for (String candidate : known) {
            int distance =
                    candidate.equalsIgnoreCase(word.replace('_', '-'))
                            ? 0
                            : distance(word, candidate);
            if (distance < bestDistance) {
                best = candidate;
                bestDistance = distance;
            }
        }
        return best;
    }

    /** What is allowed instead of a foreign word: the nearest, then all, or the first of many. */
    public static String oneOf(String word, List<String> known) {
        String near = nearest(word, known);
        int more = known.size() - LISTED_WORDS;
        String all =
                "one of "
                        + String.join(", ", more > 0 ? known.subList(0, LISTED_WORDS) : known)
                        + (more > 0 ? " and " + more + " more" : "");
        return near == null ? all : near + "? (" + all + ")";
    }

    /** Insertions, deletions, substitutions and swaps of neighbours between two words. */
    private static int distance(String a, String b) {
        int[] beforePrevious = new int[b.length() + 1];
        int[] previous = new int[b.length() + 1];
        int[] current = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int substitution = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                current[j] =
                        Math.min(
                                Math.min(current[j - 1], previous[j]) + 1,
                                previous[j - 1] + substitution);
                if (areSwapped(a, i, b, j)) {
                    current[j] = Math.min(current[j], beforePrevious[j - 2] + 1);
                }
            }
            int[] free = beforePrevious;
            beforePrevious = previous;
            previous = current;
            current = free;
        }
        return previous[b.length()];
    }

    /** Whether the two letters before these places are the same ones in another order. */
    private static boolean areSwapped(String a, int i, String b, int j) {
        return i > 1
                && j > 1
                && a.charAt(i - 1) == b.charAt(j - 2)
                && a.charAt(i - 2) == b.charAt(j - 1);
    }
}
