package io.headgate.testbed.scenario;

/** Makes text from outside safe to show in messages. */
public final class Words {
    private static final int SHOWN_CHARACTERS = 60;

    private Words() {}

    /** The text, shortened, with escapes for characters that could control a terminal. */
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
}
