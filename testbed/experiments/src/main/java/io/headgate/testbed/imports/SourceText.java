package io.headgate.testbed.imports;

import io.headgate.config.key.Text;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** A file of another program, split into words, with their line numbers. */
public final class SourceText {
    private static final long MOST_BYTES = 64L << 20;
    private static final int MOST_OF_LINE = 1 << 16;
    private static final Pattern BLANKS = Pattern.compile("[ \\t\\r]+");
    private static final Pattern WHOLE = Pattern.compile("[0-9]{1,15}");
    private static final Pattern DECIMAL =
            Pattern.compile("[0-9]{1,15}(\\.[0-9]{0,15})?([eE][-+]?[0-9]{1,2})?");

    private final String name;
    private final List<Line> lines = new ArrayList<>();

    /**
     * A line with words.
     *
     * @param number from 1
     */
    record Line(int number, List<String> words) {
        Line {
            words = List.copyOf(words);
        }

        String first() {
            return words.getFirst();
        }
    }

    /**
     * @param name name of the file in messages
     * @throws IllegalArgumentException in a sentence, if lines are too long
     */
    public SourceText(String name, String text) {
        this.name = name;
        int number = 0;
        for (String line : (Iterable<String>) text.lines()::iterator) {
            number++;
            if (line.length() > MOST_OF_LINE) {
                throw wrong(number, line.length() + " characters", "at most " + MOST_OF_LINE);
            }
            List<String> words =
                    BLANKS.splitAsStream(line.strip()).filter(word -> !word.isEmpty()).toList();
            if (!words.isEmpty()) {
                lines.add(new Line(number, words));
            }
        }
    }

    /**
     * Reads a file.
     *
     * @throws IllegalArgumentException in a sentence, if it cannot be read
     */
    public static SourceText read(Path file) {
        try {
            if (!Files.isRegularFile(file)) {
                throw new IllegalArgumentException("no file " + file);
            }
            if (Files.size(file) > MOST_BYTES) {
                throw new IllegalArgumentException(
                        file + ": " + Files.size(file) + " bytes; allowed: at most " + MOST_BYTES);
            }
            byte[] bytes = Files.readAllBytes(file);
            String text =
                    StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            return new SourceText(file.toString(), text);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(
                    file + " is not text in UTF-8; allowed: the text forms of these files", e);
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot read " + file, e);
        }
    }

    String name() {
        return name;
    }

    List<Line> lines() {
        return lines;
    }

    /** The exception for an error: file and line, the text found, the text allowed. */
    IllegalArgumentException wrong(int line, String found, String allowed) {
        return new IllegalArgumentException(
                name + ":" + line + ": " + found + "; allowed: " + allowed);
    }

    /** A word of a line that must be there. */
    String word(Line line, int place, String what) {
        if (place >= line.words().size()) {
            throw wrong(
                    line.number(), "no " + what, "a line with this value as word " + (place + 1));
        }
        return line.words().get(place);
    }

    /** A whole number within a range. */
    long whole(int line, String word, String what, long least, long most) {
        long value = WHOLE.matcher(word).matches() ? Long.parseLong(word) : -1;
        if (value < least || value > most) {
            throw wrong(
                    line,
                    what + " " + Text.quote(word),
                    "a whole number from " + least + " to " + most);
        }
        return value;
    }

    int count(int line, String word, String what, int least, int most) {
        return (int) whole(line, word, what, least, most);
    }

    /** A number of a unit, in its smallest parts, rounded. */
    long scaled(int line, String word, String what, long parts, long most) {
        if (DECIMAL.matcher(word).matches()) {
            BigDecimal value = new BigDecimal(word).multiply(BigDecimal.valueOf(parts));
            if (value.compareTo(BigDecimal.valueOf(most)) <= 0) {
                return value.setScale(0, RoundingMode.HALF_UP).longValueExact();
            }
        }
        throw wrong(line, what + " " + Text.quote(word), "a number from 0 to " + most / parts);
    }
}
