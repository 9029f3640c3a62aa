package io.headgate.dataplane.openqueue.language;

/** An error in a policy: its place, a sentence about it, and the line of text. */
public final class PolicyException extends Exception {
    private static final long serialVersionUID = 1;
    private static final int MOST_SHOWN = 120;
    private static final String EXPECTED = "expected ";

    private final transient Source source;
    private final int offset;
    private final String sentence;

    PolicyException(Source source, int offset, String sentence) {
        super(message(source, offset, sentence));
        this.source = source;
        this.offset = offset;
        this.sentence = sentence;
    }

    private static String message(Source source, int offset, String sentence) {
        int column = source.column(offset);
        String shown = source.lineText(offset);
        String where =
                "%s:%d:%d: %s".formatted(source.name(), source.line(offset), column, sentence);
        int from = column > MOST_SHOWN ? column - MOST_SHOWN / 2 : 1;
        shown = shown.substring(Math.min(from - 1, shown.length()));
        shown = shown.substring(0, Math.min(MOST_SHOWN, shown.length()));
        return where + "\n    " + shown + "\n    " + " ".repeat(column - from) + "^";
    }

    /** Merges the errors of two parse alternatives that failed at the same position. */
    PolicyException or(PolicyException other) {
        int end = sentence.lastIndexOf(", found");
        boolean isExpected = end >= 0 && other.sentence.startsWith(EXPECTED);
        return !isExpected
                ? this
                : new PolicyException(
                        source,
                        offset,
                        sentence.substring(0, end)
                                + " or "
                                + other.sentence.substring(EXPECTED.length()));
    }

    /** Line of the place, from 1. */
    public int line() {
        return source.line(offset);
    }

    /** Column of the place in characters, from 1. */
    public int column() {
        return source.column(offset);
    }

    /** The error's sentence, without the place. */
    public String sentence() {
        return sentence;
    }
}
