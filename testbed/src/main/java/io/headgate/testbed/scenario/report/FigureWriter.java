package io.headgate.testbed.scenario.report;

import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Figure.Line;
import io.headgate.testbed.scenario.Figure.Style;
import java.awt.BasicStroke;
import java.awt.Color;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.Styler.YAxisPosition;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws figures by XChart, and writes their numbers beside them. */
public final class FigureWriter {
    private static final int WIDTH = 900;
    private static final int HEIGHT = 480;

    /** More points than pixels make files large and show nothing. */
    private static final int DRAWN_POINTS = 2_000;

    /** More markers than this hide the line. */
    private static final int MARKED_POINTS = 40;

    /** Distinct also for the colour-blind (Okabe and Ito, 2008). */
    private static final List<Color> COLOURS =
            List.of(
                    new Color(0x0072B2),
                    new Color(0xD55E00),
                    new Color(0x009E73),
                    new Color(0xCC79A7),
                    new Color(0xE69F00),
                    new Color(0x56B4E9),
                    new Color(0x000000));

    private static final Pattern CLIP = Pattern.compile("clip-?[0-9]+");
    private static final Pattern COORDINATE = Pattern.compile("([0-9]\\.[0-9]{2})[0-9]+");

    private FigureWriter() {}

    /**
     * Writes a figure as SVG, PNG and CSV.
     *
     * @return the SVG, to be put into a page
     */
    public static String write(Figure figure, Path directory) throws IOException {
        XYChart chart = chart(figure);
        ByteArrayOutputStream svg = new ByteArrayOutputStream();
        ChartEncoder.saveChart(chart, svg, "svg");
        String drawn = tidied(svg.toString(StandardCharsets.UTF_8), figure.name());
        Files.writeString(directory.resolve(figure.name() + ".svg"), drawn);
        try (OutputStream png = Files.newOutputStream(directory.resolve(figure.name() + ".png"))) {
            ChartEncoder.saveChart(chart, png, "png");
        }
        Files.writeString(directory.resolve(figure.name() + ".csv"), csv(figure));
        return drawn;
    }

    /**
     * Coordinates to a hundredth of a pixel, which halves the file, and names of clip paths that
     * are the same in every run and unique in a page with several figures.
     */
    static String tidied(String svg, String name) {
        Map<String, String> names = new HashMap<>();
        String renamed =
                CLIP.matcher(svg)
                        .replaceAll(found ->
                                names.computeIfAbsent(
                                        found.group(), id -> name + "-clip" + names.size()));
        return COORDINATE.matcher(renamed).replaceAll("$1");
    }

    private static XYChart chart(Figure figure) {
        XYChart chart =
                new XYChartBuilder()
                        .width(WIDTH)
                        .height(HEIGHT)
                        .title(figure.title())
                        .xAxisTitle(figure.x().heading())
                        .yAxisTitle(figure.y().heading())
                        .build();
        chart.getStyler()
                .setChartBackgroundColor(Color.WHITE)
                .setLegendPosition(LegendPosition.OutsideE)
                .setLegendBorderColor(Color.WHITE)
                .setPlotBorderVisible(false)
                .setMarkerSize(6);
        chart.getStyler()
                .setXAxisLogarithmic(figure.x().logarithmic())
                .setYAxisLogarithmic(figure.y().logarithmic())
                .setPlotGridLinesColor(new Color(0xDDDDDD));
        if (!figure.y().logarithmic() && smallest(figure, false) >= 0) {
            chart.getStyler().setYAxisMin(0, 0.0);
        }
        if (figure.right() != null) {
            chart.setYAxisGroupTitle(1, figure.right().heading());
            chart.getStyler().setYAxisGroupPosition(1, YAxisPosition.Right);
            if (smallest(figure, true) >= 0) {
                chart.getStyler().setYAxisMin(1, 0.0);
            }
        }
        Set<String> names = new HashSet<>();
        int number = 0;
        for (Line line : figure.lines()) {
            add(chart, line, figure, names, number++);
        }
        if (names.isEmpty()) {
            // XChart draws no chart without a series; an empty one still shows its axes.
            chart.addSeries("nothing recorded", new double[] {0, 1}, new double[] {0, 0});
        }
        return chart;
    }

    private static double smallest(Figure figure, boolean right) {
        return figure.lines().stream()
                .filter(line -> line.onRight() == right)
                .flatMapToDouble(line -> Arrays.stream(line.y()))
                .min()
                .orElse(0);
    }

    private static void add(
            XYChart chart, Line line, Figure figure, Set<String> names, int number) {
        int[] drawn = drawable(line, figure);
        if (drawn.length == 0) {
            return;
        }
        double[] x = Arrays.stream(drawn).mapToDouble(i -> line.x()[i]).toArray();
        double[] y = Arrays.stream(drawn).mapToDouble(i -> line.y()[i]).toArray();
        String name = line.name();
        for (int again = 2; !names.add(name); again++) {
            name = line.name() + " (" + again + ")";
        }
        XYSeries series = chart.addSeries(name, x, y);
        Color colour = COLOURS.get(number % COLOURS.size());
        boolean points = line.style() == Style.POINTS;
        Marker marker =
                points || x.length <= MARKED_POINTS ? SeriesMarkers.CIRCLE : SeriesMarkers.NONE;
        series.setMarker(marker);
        series.setMarkerColor(colour);
        series.setLineColor(colour);
        series.setLineStyle(stroke(line.style()));
        series.setYAxisGroup(line.onRight() ? 1 : 0);
        if (points) {
            series.setXYSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.Scatter);
        }
    }

    private static BasicStroke stroke(Style style) {
        return style == Style.DASHED
                ? new BasicStroke(
                        1.5f,
                        BasicStroke.CAP_BUTT,
                        BasicStroke.JOIN_ROUND,
                        10f,
                        new float[] {6f, 4f},
                        0f)
                : new BasicStroke(1.5f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND);
    }

    /**
     * Indices of points to draw: finite, positive on a logarithmic axis, and where there are too
     * many, the largest and the smallest of each stretch, so that no peak is lost.
     */
    static int[] drawable(Line line, Figure figure) {
        int[] good =
                IntStream.range(0, line.x().length)
                        .filter(i ->
                                fits(line.x()[i], figure.x())
                                        && fits(line.y()[i], figure.axisOf(line)))
                        .toArray();
        if (good.length <= DRAWN_POINTS || line.style() == Style.POINTS) {
            return good;
        }
        int stretches = DRAWN_POINTS / 2;
        int[] kept = new int[2 * stretches];
        int count = 0;
        for (int stretch = 0; stretch < stretches; stretch++) {
            int from = (int) ((long) good.length * stretch / stretches);
            int to = (int) ((long) good.length * (stretch + 1) / stretches);
            int low = good[from];
            int high = good[from];
            for (int i = from; i < to; i++) {
                low = line.y()[good[i]] < line.y()[low] ? good[i] : low;
                high = line.y()[good[i]] > line.y()[high] ? good[i] : high;
            }
            kept[count++] = Math.min(low, high);
            if (low != high) {
                kept[count++] = Math.max(low, high);
            }
        }
        return Arrays.copyOf(kept, count);
    }

    private static boolean fits(double value, Figure.Axis axis) {
        return Double.isFinite(value) && (!axis.logarithmic() || value > 0);
    }

    private static String csv(Figure figure) {
        StringBuilder csv = new StringBuilder();
        String right = figure.right() == null ? "" : " or " + figure.right().heading();
        Csv.row(csv, "line", figure.x().heading(), figure.y().heading() + right);
        for (Line line : figure.lines()) {
            for (int i = 0; i < line.x().length; i++) {
                Csv.row(csv, line.name(), Csv.number(line.x()[i]), Csv.number(line.y()[i]));
            }
        }
        return csv.toString();
    }
}
