package io.headgate.testbed.figure;

import io.headgate.config.Reason;
import java.awt.Color;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringReader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.batik.transcoder.Transcoder;
import org.apache.batik.transcoder.TranscoderException;
import org.apache.batik.transcoder.TranscoderInput;
import org.apache.batik.transcoder.TranscoderOutput;
import org.apache.batik.transcoder.image.PNGTranscoder;
import org.jetbrains.letsPlot.awt.plot.PlotSvgExport;

/** Plots as SVG, whose text stays text, and that as PDF and as PNG. */
final class Drawing {
    private static final float DOTS_PER_INCH = 300;
    private static final float MM_PER_INCH = 25.4f;

    private static final Pattern ID = Pattern.compile("(?<= id=\")[A-Za-z0-9]+(?=\")");
    private static final Pattern USE = Pattern.compile("(?<=[\"#])[A-Za-z0-9]+(?=[\") ])");
    private static final Pattern SIZE = Pattern.compile("width=\"([0-9.]+)\" height=\"([0-9.]+)\"");
    private static final Pattern POWER = Pattern.compile("10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)([^<]*)");
    private static final Pattern COORDINATE = Pattern.compile("([0-9]\\.[0-9]{2})[0-9]+");

    /** Kept, or what is set here would be forgotten. */
    private static final List<Logger> QUIET =
            Stream.of("org.apache.fop", "org.apache.batik", "org.apache.pdfbox")
                    .map(Logger::getLogger)
                    .toList();

    static {
        // For example, that a font has no glyph for a letter of a user's title.
        QUIET.forEach(logger -> logger.setLevel(Level.SEVERE));
    }

    private Drawing() {}

    /**
     * Draws a plot.
     *
     * @param name before all ids, which are unique in a page with several figures, then
     */
    static String svg(Map<String, Object> plot, String name) {
        // Nothing is shown: a machine without display is the usual one.
        System.setProperty("java.awt.headless", "true");
        return tidied(PlotSvgExport.INSTANCE.buildSvgImageFromRawSpecs(plot, null, false), name);
    }

    /** Size in points, ids that are the same in every run, one font, coordinates in hundredths. */
    static String tidied(String svg, String name) {
        Map<String, String> ids = new LinkedHashMap<>();
        Matcher id = ID.matcher(svg);
        while (id.find()) {
            ids.putIfAbsent(id.group(), name + "-" + ids.size());
        }
        String renamed =
                USE.matcher(svg).replaceAll(use -> ids.getOrDefault(use.group(), use.group()));
        Matcher size = SIZE.matcher(renamed);
        if (!size.find()) {
            throw new IllegalStateException("Lets-Plot made a drawing without size");
        }
        double width = Double.parseDouble(size.group(1));
        double height = Double.parseDouble(size.group(2));
        String sized =
                size.replaceFirst(
                        String.format(
                                Locale.ROOT,
                                "width=\"%spt\" height=\"%spt\" viewBox=\"0 0 %s %s\"",
                                width / PlotSpec.UNITS_PER_POINT,
                                height / PlotSpec.UNITS_PER_POINT,
                                width,
                                height));
        String plain =
                sized.replaceAll("(-webkit-|-moz-|-ms-)?user-select: none;\\s*", "")
                        .replace("text-rendering: optimizeLegibility;", "")
                        .replaceFirst(
                                "\\.plt-container \\{", "$0 shape-rendering: geometricPrecision;")
                        .replace("Lucida Grande, sans-serif", Typeface.FAMILIES);
        return raised(COORDINATE.matcher(plain).replaceAll("$1"));
    }

    /**
     * Exponents as small letters higher up: the font, as most, has not got all superscripts, and
     * where it has none, another one would be put in, or nothing.
     */
    private static String raised(String svg) {
        return POWER.matcher(svg)
                .replaceAll(power ->
                        "10<tspan dy=\"-0.5em\" font-size=\"70%\">"
                                + Scale.exponent(power.group(1))
                                + "</tspan>"
                                + lowered(power.group(2).stripTrailing()));
    }

    /** Batik would move what is before an empty one. */
    private static String lowered(String rest) {
        // A blank at the beginning would be taken for the file's layout.
        return rest.isEmpty()
                ? ""
                : "<tspan dy=\"0.35em\">" + rest.replace(' ', '\u00a0') + "</tspan>";
    }

    /** As wide as in print, with its fonts inside, as camera-ready checks demand. */
    static byte[] pdf(String svg) throws IOException {
        return transcoded(new CachelessPdf(), svg);
    }

    /** At 300 dots per inch. */
    static byte[] png(String svg) throws IOException {
        // Registers the font that Batik needs.
        Typeface.width("", 1);
        PNGTranscoder png = new PNGTranscoder();
        png.addTranscodingHint(
                PNGTranscoder.KEY_PIXEL_UNIT_TO_MILLIMETER, MM_PER_INCH / DOTS_PER_INCH);
        png.addTranscodingHint(PNGTranscoder.KEY_BACKGROUND_COLOR, Color.WHITE);
        return transcoded(png, svg);
    }

    private static byte[] transcoded(Transcoder transcoder, String svg) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            transcoder.transcode(
                    new TranscoderInput(new StringReader(svg)), new TranscoderOutput(bytes));
        } catch (TranscoderException e) {
            throw new IOException("a figure cannot be converted: " + Reason.of(e), e);
        }
        return bytes.toByteArray();
    }
}
