package io.headgate.testbed.scenario;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Foreign words in messages: made harmless, and the known word that was meant. */
public final class Words {
    private static final int SHOWN_CHARACTERS = 60;

    private Words() {}

    /** Foreign text cut short, with nothing in it that moves a terminal. */
    public static String shown(String text) {
        StringBuilder out = new StringBuilder();
        text.codePoints()
                .limit(SHOWN_CHARACTERS)
                .forEach(point -> {
                    boolean harmless =
                            Character.isLetterOrDigit(point)
                                    || (point >= ' ' && point < 0x7f)
                                    || Character.getType(point) == Character.MATH_SYMBOL;
                    if (harmless) {
                        out.appendCodePoint(point);
                    } else {
                        out.append(String.format("\\u%04x", point));
                    }
                });
        return text.codePointCount(0, text.length()) > SHOWN_CHARACTERS ? out + "…" : "" + out;
    }

    /** The known word nearest to a foreign one, or null where none is near. */
    public static @Nullable String nearest(String word, Collection<String> known) {
        String best = null;
        int bestDistance = Math.max(2, word.length() / 3) + 1;
        if (word.length() > SHOWN_CHARACTERS) {
            return null;
        }
        for (String candidate : known) {
            int distance = candidate.equalsIgnoreCase(word) ? 0 : distance(word, candidate);
            if (distance < bestDistance) {
                best = candidate;
                bestDistance = distance;
            }
        }
        return best;
    }

    /** Levenshtein's distance: insertions, deletions and substitutions between two words. */
    private static int distance(String a, String b) {
        int[] previous = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] current = new int[b.length() + 1];
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                current[j] =
                        Math.min(
                                Math.min(current[j - 1], previous[j]) + 1,
                                previous[j - 1] + change);
            }
            previous = current;
        }
        return previous[b.length()];
    }
}
