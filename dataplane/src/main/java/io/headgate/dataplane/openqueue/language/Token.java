package io.headgate.dataplane.openqueue.language;

/**
 * A word of a text.
 *
 * @param text the text as written; for a string, without its quotes
 */
record Token(Kind kind, String text, Source.Place place) {

    enum Kind {
        NAME,
        NUMBER,
        STRING,
        SIGN,
        END
    }

    boolean is(String sign) {
        return kind == Kind.SIGN && text.equals(sign);
    }

    boolean isName(String name) {
        return kind == Kind.NAME && text.equals(name);
    }

    /** An error at the token, as {@link Source.Place#error}. */
    PolicyException error(String sentence, Object... values) {
        return place.error(sentence, values);
    }

    /** The place after the token. */
    Source.Place end() {
        int quotes = kind == Kind.STRING ? 2 : 0;
        return place.source().at(place.offset() + text.length() + quotes);
    }

    /** Its form in messages. */
    String shown() {
        return switch (kind) {
            case END -> "the end of the file";
            case STRING -> "the text \"" + text + "\"";
            default -> "\"" + text + "\"";
        };
    }
}
