package io.headgate.testbed.lab;

import java.util.List;
import java.util.Locale;

/** A line chart over time as SVG: nothing to install, sharp at any size, fits into HTML. */
final class SvgChart {
    private static final int WIDTH = 960;
    private static final int HEIGHT = 300;
    private static final int LEFT = 70;
    private static final int RIGHT = 20;
    private static final int TOP = 46;
    private static final int BOTTOM = 40;
    private static final int GRID_LINES = 5;
    private static final int LEGEND_MARK = 40;
    private static final int LEGEND_LETTER = 7;
    private static final List<String> COLOURS =
            List.of("#1f77b4", "#d95f02", "#2ca02c", "#9467bd", "#8c564b", "#e377c2");

    private final StringBuilder svg = new StringBuilder();
    private final double maxSeconds;
    private final double maxValue;
    private int lines;
    private int nextLegendX = LEFT;

    /**
     * @param maxSeconds where the time axis ends
     * @param maxValue largest value that will be drawn
     */
    SvgChart(String title, String unit, double maxSeconds, double maxValue) {
        this.maxSeconds = Math.max(0.1, maxSeconds);
        this.maxValue = niceAbove(maxValue);
        svg.append(
                String.format(
                        Locale.ROOT,
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\""
                                + " font-family=\"sans-serif\" font-size=\"12\">%n",
                        WIDTH,
                        HEIGHT));
        svg.append(
                String.format(
                        Locale.ROOT,
                        "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>%n",
                        WIDTH,
                        HEIGHT));
        text(LEFT, 16, "start", title + " (" + unit + ")");
        for (int i = 0; i <= GRID_LINES; i++) {
            double value = this.maxValue * i / GRID_LINES;
            svg.append(
                    String.format(
                            Locale.ROOT,
                            "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>%n",
                            LEFT,
                            WIDTH - RIGHT,
                            y(value),
                            y(value)));
            text(LEFT - 6, y(value) + 4, "end", trimmed(value));
        }
        double step = niceAbove(this.maxSeconds / 10);
        for (int i = 0; i * step <= this.maxSeconds; i++) {
            text(x(i * step), HEIGHT - BOTTOM + 16, "middle", trimmed(i * step));
        }
        text(WIDTH - RIGHT, HEIGHT - 6, "end", "seconds");
    }

    /** 1, 2 or 5 times a power of ten, not below a value. */
    private static double niceAbove(double value) {
        if (value <= 0) {
            return 1;
        }
        double power = Math.pow(10, Math.floor(Math.log10(value)));
        for (double factor : new double[] {1, 2, 5}) {
            if (factor * power >= value) {
                return factor * power;
            }
        }
        return 10 * power;
    }

    private static String trimmed(double value) {
        String text = String.format(Locale.ROOT, "%.2f", value);
        return text.replaceAll("\\.?0+$", "");
    }

    /** Draws where something began. */
    void mark(double seconds, String name) {
        svg.append(
                String.format(
                        Locale.ROOT,
                        "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" stroke=\"#999\""
                                + " stroke-dasharray=\"3 3\"/>%n",
                        x(seconds),
                        x(seconds),
                        TOP,
                        HEIGHT - BOTTOM));
        svg.append(
                String.format(
                        Locale.ROOT,
                        "<text x=\"%.1f\" y=\"%d\" fill=\"#666\" font-size=\"10\">%s</text>%n",
                        x(seconds) + 3,
                        TOP + 10,
                        escaped(name)));
    }

    /** Draws a line, with its name in the legend. */
    void line(String name, double[] seconds, double[] values) {
        String colour = COLOURS.get(lines % COLOURS.size());
        int legendX = nextLegendX;
        nextLegendX += LEGEND_MARK + LEGEND_LETTER * name.length();
        lines++;
        svg.append(
                String.format(
                        Locale.ROOT,
                        "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" points=\"",
                        colour));
        for (int i = 0; i < seconds.length; i++) {
            svg.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(seconds[i]), y(values[i])));
        }
        svg.append(
                String.format(
                        Locale.ROOT,
                        "\"/>%n<rect x=\"%d\" y=\"26\" width=\"14\" height=\"4\" fill=\"%s\"/>%n",
                        legendX,
                        colour));
        text(legendX + 18, 33, "start", name);
    }

    String finish() {
        return svg + "</svg>\n";
    }

    private double x(double seconds) {
        return LEFT + (WIDTH - LEFT - RIGHT) * Math.min(1, seconds / maxSeconds);
    }

    private double y(double value) {
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * Math.min(1, value / maxValue);
    }

    private void text(double x, double y, String anchor, String text) {
        svg.append(
                String.format(
                        Locale.ROOT,
                        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n",
                        x,
                        y,
                        anchor,
                        escaped(text)));
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
