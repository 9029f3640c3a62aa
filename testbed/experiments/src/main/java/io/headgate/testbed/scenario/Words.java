package io.headgate.testbed.scenario;

/** Foreign words in messages: made harmless. */
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
}
