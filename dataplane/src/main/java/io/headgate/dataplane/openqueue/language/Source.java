package io.headgate.dataplane.openqueue.language;

/**
 * A text, and its name in messages.
 *
 * @param name name of the file, or a substitute
 */
public record Source(String name, String text) {
    /** Maximum length of a text; a policy is a few lines, a library may be a page. */
    static final int MOST_CHARACTERS = 1 << 16;

    /** A place in a text: its offset in characters. */
    record Place(Source source, int offset) {

        /**
         * An error at this place, in one sentence; without values, the sentence is used unchanged.
         */
        @SuppressWarnings("AnnotateFormatMethod") // that would allow constant sentences only
        PolicyException error(String sentence, Object... values) {
            return new PolicyException(
                    source,
                    Math.min(offset, source.text.length()),
                    values.length == 0 ? sentence : sentence.formatted(values));
        }
    }

    Place at(int offset) {
        return new Place(this, offset);
    }

    int line(int offset) {
        return 1 + (int) text.substring(0, offset).chars().filter(c -> c == '\n').count();
    }

    int column(int offset) {
        return offset - text.lastIndexOf('\n', offset - 1);
    }

    /** The line of an offset, with tabs replaced by blanks, so that a marker below it fits. */
    String lineText(int offset) {
        int end = text.indexOf('\n', offset);
        return text.substring(offset - column(offset) + 1, end < 0 ? text.length() : end)
                .replace('\t', ' ')
                .stripTrailing();
    }
}
