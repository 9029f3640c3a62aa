package io.headgate.testbed.figure;

import java.awt.geom.Path2D;
import java.awt.geom.PathIterator;
import java.math.BigDecimal;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Writes drawings as SVG: text stays text, coordinates have two decimals, and equal drawings give
 * equal files.
 */
final class Svg {
    private static final Pattern END_BLANKS = Pattern.compile("^ +| +$");

    private final StringBuilder out = new StringBuilder();

    private Svg() {}

    static String of(Drawing drawing) {
        Svg svg = new Svg();
        svg.out.append(
                """
                <svg xmlns="http://www.w3.org/2000/svg" width="%1$spt" height="%2$spt" viewBox="0 0 %1$s %2$s" font-family="%3$s">
                """
                        .formatted(
                                number(drawing.width()),
                                number(drawing.height()),
                                Typeface.FAMILIES));
        for (Ink ink : drawing.ink()) {
            switch (ink) {
                case Ink.Shape shape -> svg.shape(shape);
                case Ink.Words words -> svg.words(words);
            }
        }
        return svg.out.append("</svg>\n").toString();
    }

    private void shape(Ink.Shape shape) {
        out.append("<path d=\"").append(path(shape.path())).append('"');
        attribute("fill", shape.fill() == null ? "none" : shape.fill());
        if (shape.opacity() < 1) {
            attribute("fill-opacity", number(shape.opacity()));
        }
        if (shape.stroke() != null) {
            attribute("stroke", shape.stroke());
            attribute("stroke-width", number(shape.width()));
            attribute("stroke-linejoin", "round");
        }
        if (!shape.dash().isEmpty()) {
            attribute("stroke-dasharray", dashes(shape.dash()));
        }
        out.append("/>\n");
    }

    private static String dashes(List<Double> dash) {
        return dash.stream().map(Svg::number).collect(Collectors.joining(" "));
    }

    private void words(Ink.Words words) {
        String x = number(words.x());
        String y = number(words.y());
        out.append("<text");
        attribute("x", x);
        attribute("y", y);
        attribute("font-size", number(words.points()));
        attribute("fill", words.colour());
        if (words.align() > 0) {
            attribute("text-anchor", words.align() < 1 ? "middle" : "end");
        }
        if (words.isUpright()) {
            attribute("transform", "rotate(-90 " + x + " " + y + ")");
        }
        out.append('>');
        double raised = 0;
        for (Typeface.Part part : Typeface.parts(words.text())) {
            String text = escaped(part.text());
            double up = part.raised() - raised;
            raised = part.raised();
            if (up == 0) {
                out.append(text);
            } else {
                out.append("<tspan");
                attribute("dy", number(-up * words.points()));
                attribute("font-size", number(part.size() * words.points()));
                out.append('>').append(text).append("</tspan>");
            }
        }
        out.append("</text>\n");
    }

    private void attribute(String name, String value) {
        out.append(' ').append(name).append("=\"").append(value).append('"');
    }

    private static String escaped(String text) {
        String plain = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
        // Blanks at an end would be taken for the file's layout.
        return END_BLANKS
                .matcher(plain)
                .replaceAll(blanks -> "\u00a0".repeat(blanks.group().length()));
    }

    private static String path(Path2D path) {
        StringBuilder d = new StringBuilder();
        double[] to = new double[6];
        for (PathIterator at = path.getPathIterator(null); !at.isDone(); at.next()) {
            int numbers =
                    switch (at.currentSegment(to)) {
                        case PathIterator.SEG_MOVETO -> draw(d, 'M', 2);
                        case PathIterator.SEG_LINETO -> draw(d, 'L', 2);
                        case PathIterator.SEG_QUADTO -> draw(d, 'Q', 4);
                        case PathIterator.SEG_CUBICTO -> draw(d, 'C', 6);
                        default -> draw(d, 'Z', 0);
                    };
            for (int i = 0; i < numbers; i++) {
                d.append(i == 0 ? "" : " ").append(number(to[i]));
            }
        }
        return d.toString();
    }

    private static int draw(StringBuilder d, char command, int numbers) {
        d.append(command);
        return numbers;
    }

    /** In hundredths, without useless zeros. */
    static String number(double value) {
        return BigDecimal.valueOf(Math.round(value * 100), 2).stripTrailingZeros().toPlainString();
    }
}
