package io.headgate.testbed.figure;

import io.headgate.config.Reason;
import io.headgate.dataplane.device.linux.MemoryFile;
import java.awt.Font;
import java.awt.FontFormatException;
import java.awt.GraphicsEnvironment;
import java.awt.font.FontRenderContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;

/** The one family of letters: Liberation Sans, as wide as Helvetica and Arial, of free licence. */
final class Typeface {
    static final String FAMILY = "Liberation Sans";
    static final String FAMILIES = FAMILY + ", Arial, Helvetica, sans-serif";

    private static final String FILE =
            "/org/apache/pdfbox/resources/ttf/LiberationSans-Regular.ttf";

    /** Where no directory can be made. */
    private static final String NO_HOME = "/dev/null";

    private static final FontRenderContext UNHINTED = new FontRenderContext(null, true, true);
    private static final Font FONT = load();

    private Typeface() {}

    private static Font load() {
        // Java keeps what it finds out about the machine's fonts there: not a figure's business.
        System.setProperty("user.home", NO_HOME);
        try (InputStream in = url().openStream()) {
            // Given a stream, Java would write the font into the directory for temporary files.
            MemoryFile file = new MemoryFile("headgate-font", in.readAllBytes());
            Font font = Font.createFont(Font.TRUETYPE_FONT, file.path().toFile());
            // Or Batik would draw with another, where the machine has not got this one.
            GraphicsEnvironment.getLocalGraphicsEnvironment().registerFont(font);
            return font;
        } catch (FontFormatException e) {
            throw new IllegalStateException(
                    "the font " + FAMILY + " cannot be read: " + Reason.of(e), e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether it has a glyph for every letter of a text. */
    static boolean has(String text) {
        return FONT.canDisplayUpTo(text) < 0;
    }

    /** Where the font's file is. */
    static URL url() {
        URL url = Typeface.class.getResource(FILE);
        if (url == null) {
            throw new IllegalStateException("the font " + FAMILY + " is not on the class path");
        }
        return url;
    }

    /** Width of a text in points, in letters of {@code points} points. */
    static double width(String text, double points) {
        return FONT.deriveFont((float) points).getStringBounds(text, UNHINTED).getWidth();
    }

    /** The text, or as much of it as fits with an ellipsis behind. */
    static String fitting(String text, double points, double room) {
        if (width(text, points) <= room) {
            return text;
        }
        int length = text.length();
        while (length > 1 && width(text.substring(0, length) + "…", points) > room) {
            length--;
        }
        return text.substring(0, length).strip() + "…";
    }
}
