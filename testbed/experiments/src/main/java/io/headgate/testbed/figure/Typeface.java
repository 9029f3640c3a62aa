package io.headgate.testbed.figure;

import java.awt.geom.AffineTransform;
import java.awt.geom.Path2D;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.fontbox.ttf.CmapLookup;
import org.apache.fontbox.ttf.TTFParser;
import org.apache.fontbox.ttf.TrueTypeFont;
import org.apache.pdfbox.io.RandomAccessReadBuffer;

/**
 * The only font family: Liberation Sans, with the widths of Helvetica and Arial and a free licence.
 */
final class Typeface {
    static final String FAMILIES = "Liberation Sans, Arial, Helvetica, sans-serif";

    private static final String FILE =
            "/org/apache/pdfbox/resources/ttf/LiberationSans-Regular.ttf";
    private static final TrueTypeFont FONT = load();
    private static final CmapLookup GLYPHS;
    private static final double UNITS_PER_EM;

    static {
        try {
            GLYPHS = FONT.getUnicodeCmapLookup();
            UNITS_PER_EM = FONT.getUnitsPerEm();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ten to a power, and what follows it. */
    private static final Pattern POWER = Pattern.compile("10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)");

    private static final double EXPONENT = 0.7;
    private static final double RAISED = 0.5;

    private Typeface() {}

    /**
     * A part of a text.
     *
     * @param size size of its letters, as a share of the text's
     * @param raised height of the letters above the base line, as such a share
     */
    record Part(String text, double size, double raised) {}

    private static TrueTypeFont load() {
        try (InputStream in = open()) {
            return new TTFParser().parse(new RandomAccessReadBuffer(in));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The font's file. */
    static InputStream open() {
        InputStream in = Typeface.class.getResourceAsStream(FILE);
        if (in == null) {
            throw new IllegalStateException("Liberation Sans is not on the class path");
        }
        return in;
    }

    /** Whether it has a glyph for every letter of a text. */
    static boolean has(String text) {
        return text.codePoints().allMatch(letter -> GLYPHS.getGlyphId(letter) > 0);
    }

    /** The text with question marks for letters without a glyph. */
    static String printable(String text) {
        return text.codePoints()
                .map(letter -> GLYPHS.getGlyphId(letter) > 0 ? letter : '?')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /**
     * Splits a text so that exponents are small raised letters: the font, like most, does not have
     * all superscripts, and a missing one would be drawn in another font, or not at all.
     */
    static List<Part> parts(String text) {
        List<Part> parts = new ArrayList<>();
        int from = 0;
        Matcher power = POWER.matcher(text);
        while (power.find()) {
            parts.add(new Part(text.substring(from, power.start(1)), 1, 0));
            parts.add(new Part(Scale.exponent(power.group(1)), EXPONENT, RAISED));
            from = power.end();
        }
        if (from < text.length() || parts.isEmpty()) {
            parts.add(new Part(text.substring(from), 1, 0));
        }
        return parts;
    }

    /** Width of a text in points, in letters of {@code points} points. */
    static double width(String text, double points) {
        double width = 0;
        for (Part part : parts(text)) {
            width += part.size() * advance(printable(part.text()));
        }
        return width * points;
    }

    /** Width of letters as a share of their size. */
    private static double advance(String text) {
        try {
            int units = 0;
            for (int letter : text.codePoints().toArray()) {
                units += FONT.getAdvanceWidth(GLYPHS.getGlyphId(letter));
            }
            return units / UNITS_PER_EM;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The outline of a text in letters of one point that begin at 0 on the base line; y goes
     * downwards.
     */
    static Path2D outline(String text) {
        double scale = 1 / UNITS_PER_EM;
        Path2D outline = new Path2D.Double();
        double x = 0;
        try {
            for (int letter : printable(text).codePoints().toArray()) {
                int glyph = GLYPHS.getGlyphId(letter);
                var drawn = FONT.getGlyph().getGlyph(glyph);
                if (drawn != null) {
                    AffineTransform at = AffineTransform.getTranslateInstance(x, 0);
                    at.scale(scale, -scale);
                    outline.append(drawn.getPath().getPathIterator(at), false);
                }
                x += FONT.getAdvanceWidth(glyph) * scale;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return outline;
    }

    /** The text, or as much of it as fits with an ellipsis. */
    static String fitting(String text, double points, double room) {
        if (width(text, points) <= room) {
            return text;
        }
        int length =
                IntStream.iterate(text.length(), left -> left > 1, left -> left - 1)
                        .filter(left -> width(text.substring(0, left) + "…", points) <= room)
                        .findFirst()
                        .orElse(1);
        return text.substring(0, length).strip() + "…";
    }
}
