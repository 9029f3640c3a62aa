package io.headgate.testbed.topology.picture;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** An SVG drawing that grows to fit its content. */
final class Sheet {
    static final String INK = "#333";
    static final double CHAR = 6.2;
    private static final double EDGE = 8;
    private static final double TEXT_HEIGHT = 12;

    /** The place of a text with its background. */
    private record Box(double left, double right, double y) {
        boolean meets(Box other) {
            return left < other.right && other.left < right && Math.abs(y - other.y) < TEXT_HEIGHT;
        }
    }

    private final StringBuilder svg = new StringBuilder();
    private final List<Box> labels = new ArrayList<>();
    private double left = Double.MAX_VALUE;
    private double right = -Double.MAX_VALUE;
    private double top = Double.MAX_VALUE;
    private double bottom = -Double.MAX_VALUE;

    void add(String element) {
        svg.append(element).append('\n');
    }

    /** Extends the frame so that it includes a point. */
    void extend(double x, double y) {
        left = Math.min(left, x);
        right = Math.max(right, x);
        top = Math.min(top, y);
        bottom = Math.max(bottom, y);
    }

    /**
     * A text.
     *
     * @param anchor start or middle
     */
    void text(double x, double y, String words, String anchor, String colour) {
        double width = CHAR * words.length();
        double from = anchor.equals("middle") ? x - width / 2 : x;
        extend(from, y - TEXT_HEIGHT);
        extend(from + width, y + TEXT_HEIGHT / 3);
        add(
                String.format(
                        Locale.ROOT,
                        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">%s</text>",
                        x,
                        y,
                        anchor,
                        colour,
                        escaped(words)));
    }

    /** A text on a white background, so that lines end before it; not over another such text. */
    void label(double x, double y, String words) {
        double half = CHAR * words.length() / 2 + 1;
        Box box = new Box(x - half, x + half, y);
        if (labels.stream().anyMatch(box::meets)) {
            return;
        }
        labels.add(box);
        add(
                String.format(
                        Locale.ROOT,
                        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"12\" fill=\"white\"/>",
                        x - half,
                        y - 10,
                        2 * half));
        text(x, y, words, "middle", INK);
    }

    void box(double x, double y, double halfWidth, double halfHeight) {
        add(
                String.format(
                        Locale.ROOT,
                        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"4\""
                                + " fill=\"#DCE9F5\" stroke=\"#333\"/>",
                        x - halfWidth,
                        y - halfHeight,
                        2 * halfWidth,
                        2 * halfHeight));
        extend(x - halfWidth, y - halfHeight);
        extend(x + halfWidth, y + halfHeight);
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    String finished() {
        double width = right - left + 2 * EDGE;
        double height = bottom - top + 2 * EDGE;
        return String.format(
                        Locale.ROOT,
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\""
                                + " viewBox=\"%.1f %.1f %.1f %.1f\" font-family=\"sans-serif\""
                                + " font-size=\"11\">%n",
                        width,
                        height,
                        left - EDGE,
                        top - EDGE,
                        width,
                        height)
                + "<defs><marker id=\"stop\" markerWidth=\"9\" markerHeight=\"9\" refX=\"8\""
                + " refY=\"4\" orient=\"auto\"><path d=\"M0,0 L8,4 L0,8 z\" fill=\"#CC0000\"/>"
                + "</marker></defs>\n"
                + svg
                + "</svg>\n";
    }
}
