package io.headgate.dataplane.openqueue.language;

/**
 * A text, and what it is called in messages.
 *
 * @param name of the file, or what stands for it
 */
public record Source(String name, String text) {
    /** A policy is a few lines; a library may be a page. */
    static final int MOST_CHARACTERS = 1 << 16;

    /** A place in a text: its offset in characters. */
    record Place(Source source, int offset) {

        /** An error here, in one sentence; without values it is as it stands. */
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

    /** The line that an offset is in, on which tabs are blanks, so that what is below fits. */
    String lineText(int offset) {
        int end = text.indexOf('\n', offset);
        return text.substring(offset - column(offset) + 1, end < 0 ? text.length() : end)
                .replace('\t', ' ')
                .stripTrailing();
    }
}
