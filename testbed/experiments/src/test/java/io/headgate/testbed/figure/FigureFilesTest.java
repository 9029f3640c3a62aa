package io.headgate.testbed.figure;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.figure.Panels.Placed;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Figure.Axis;
import io.headgate.testbed.scenario.Figure.Limit;
import io.headgate.testbed.scenario.Figure.Line;
import io.headgate.testbed.scenario.Figure.Style;
import java.awt.geom.Point2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FigureFilesTest {
    @TempDir private Path directory;

    private static Line line(String name, int points, double scale) {
        double[] x = IntStream.range(0, points).mapToDouble(i -> i).toArray();
        return new Line(name, Style.LINE, x, Arrays.stream(x).map(v -> v * scale % 97).toArray());
    }

    private static Figure figure(List<Line> lines, Limit... limits) {
        return new Figure(
                        "queue",
                        "Queue",
                        Axis.linear("time", "us"),
                        Axis.linear("queue", "kB"),
                        lines,
                        "",
                        "")
                .withLimits(List.of(limits));
    }

    @Test
    void thereAreSvgPdfPngAndNumbersOfOneColumn() throws Exception {
        Figure figure = figure(List.of(line("queue", 500, 1.3)), new Limit("xoff 80 kB", 80));
        FigureFiles.write(figure, Column.FITTING, directory);
        String svg = Files.readString(directory.resolve("queue.svg"));
        assertThat(svg).contains("width=\"238pt\"", "time (µs)", "xoff 80 kB", "<text");
        assertThat(svg).isEqualTo(FigureFiles.draw(figure, Column.FITTING).svg());
        BufferedImage png = ImageIO.read(directory.resolve("queue.png").toFile());
        assertThat(png.getWidth()).isEqualTo((int) Math.round(238 / 72.0 * 300));
        String pdf = Files.readString(directory.resolve("queue.pdf"), StandardCharsets.ISO_8859_1);
        assertThat(pdf).startsWith("%PDF").contains("LiberationSans").containsPattern("238\\b");
        assertThat(Files.readAllLines(directory.resolve("queue.csv")))
                .startsWith("panel,series,time (µs),queue (kB),low,high", ",queue,0,0,,")
                .endsWith(",xoff 80 kB,,80,,");
        assertThat(FigureFiles.draw(figure, Column.TWO).svg()).contains("width=\"504pt\"");
    }

    @Test
    void powersOfTenAreOfLettersThatTheFontHas() throws Exception {
        double[] x = {1e-7, 1e-3, 1e5};
        Line line = new Line("ccdf", Style.LINE, x, new double[] {1, 1e-3, 1e-6});
        Figure figure =
                new Figure(
                        "ccdf",
                        "Tail",
                        new Axis("slowdown", "", true),
                        new Axis("ccdf", "", true),
                        List.of(line),
                        "",
                        "");
        FigureFiles.write(figure, Column.ONE, directory);
        String svg = Files.readString(directory.resolve("ccdf.svg"));
        assertThat(svg).contains("10<tspan", ">−6</tspan>", ">0</tspan>").doesNotContain("⁻", "⁰");
        String texts = svg.replaceAll("(?s)<style.*?</style>|<[^>]*>|\\s", "");
        assertThat(Typeface.has(texts)).as(texts).isTrue();
    }

    @Test
    void aLongNameIsBrokenBetweenWords() {
        Line one = line("buffer of the sender, here (flow-control pfc)", 90, 1);
        Line two = line("queue to the receiver of all (flow-control credits)", 90, 2);
        String svg = FigureFiles.draw(figure(List.of(one, two)), Column.ONE).svg();
        assertThat(svg.replace('\u00a0', ' '))
                .containsPattern(">\\s*buffer of the sender, here\\s*<")
                .containsPattern(">\\s*\\(flow-control credits\\)\\s*<");
    }

    @Test
    void moreThanSixSeriesBecomePanelsWithoutTwoOfOneColour() throws Exception {
        List<Line> lines = new ArrayList<>();
        for (String control : List.of("pfc", "credits")) {
            for (int senders = 2; senders <= 32; senders *= 2) {
                String name = "queue (flow-control " + control + ", senders " + senders + ")";
                lines.add(line(name, 300, senders + control.length()));
            }
        }
        Panels panels = Panels.of(figure(lines));
        assertThat(panels.names())
                .containsExactly("senders 2", "senders 4", "senders 8", "senders 16", "senders 32");
        assertThat(panels.series()).containsExactly("flow-control pfc", "flow-control credits");
        List<String> colours = Palette.colours(panels.series());
        assertThat(colours).containsExactly("#E69F00", "#0072B2");
        assertThat(FigureCheck.mistakes(FigureFiles.draw(figure(lines), Column.FITTING).svg()))
                .isEmpty();
        List<String> many = List.of("rocc", "RoCC 2", "none", "a", "b", "c");
        assertThat(new HashSet<>(Palette.colours(many))).hasSize(many.size());
    }

    @Test
    void seedsBecomeTheirMeanWithAnInterval() {
        List<Line> lines =
                List.of(
                        line("queue (load 1, seed 1)", 3, 1),
                        line("queue (load 1, seed 2)", 3, 2),
                        line("queue (load 1, seed 3)", 3, 3));
        Panels panels = Panels.of(figure(lines));
        assertThat(panels.lines()).hasSize(1);
        Placed mean = panels.lines().getFirst();
        assertThat(mean.line().y()).containsExactly(0, 2, 4);
        // 4.303 standard deviations of 1 and 2, over the root of 3.
        assertThat(mean.line().high()[1]).isCloseTo(2 + 4.303 / Math.sqrt(3), offset());
        assertThat(panels.notes()).containsExactly("Mean and 95 % t-interval over 3 seeds.");
    }

    private static Offset<Double> offset() {
        return Offset.offset(1e-9);
    }

    @Test
    void aCurveUnderAnotherOneGetsItsOwnPanel() {
        List<Line> lines =
                List.of(line("rate (senders 3)", 99, 1), line("rate (senders 7)", 99, 1));
        assertThat(Panels.of(figure(lines)).names()).containsExactly("senders 3", "senders 7");
    }

    @Test
    void aFormulaIsDashedAndMeasurementsArePoints() throws Exception {
        double[] x = {0, 1, 2};
        List<Line> lines =
                List.of(
                        new Line("formula", Style.DASHED, x, new double[] {0, 1, 4}),
                        new Line("measured", Style.POINTS, x, new double[] {0, 1.1, 3.9}));
        String svg = FigureFiles.draw(figure(lines), Column.FITTING).svg();
        assertThat(FigureCheck.mistakes(svg)).isEmpty();
        assertThat(svg).contains("formula", "measured", "stroke-dasharray", "#0072B2");
    }

    /** All styles, axes, widths, with few and many lines, limits, marks and long names. */
    @Test
    void everyKindOfFigureIsFitForPrint() throws Exception {
        List<String> mistakes = new ArrayList<>();
        for (Style style : Style.values()) {
            List<Figure> figures = new ArrayList<>();
            for (int lines : new int[] {1, 2, 5, 13}) {
                figures.add(kind(style, lines, false, false));
                if (style != Style.BARS) {
                    figures.add(kind(style, lines, true, false));
                    figures.add(kind(style, lines, false, true));
                }
            }
            for (Figure figure : figures) {
                for (Column column : Column.values()) {
                    String what = figure.title() + " in " + column + ": ";
                    FigureCheck.mistakes(FigureFiles.draw(figure, column).svg())
                            .forEach(one -> mistakes.add(what + one));
                }
            }
        }
        assertThat(mistakes).isEmpty();
    }

    private static Figure kind(Style style, int count, boolean many, boolean logarithmic) {
        int points = many ? 400 : 5;
        double[] x = IntStream.range(0, points).mapToDouble(i -> 1 + 3.7 * i).toArray();
        List<Line> lines = new ArrayList<>();
        for (int number = 1; number <= count; number++) {
            int line = number;
            double[] y = Arrays.stream(x).map(at -> 0.3 + at * line % 97 + at).toArray();
            double[] low = Arrays.stream(y).map(at -> at * 0.9).toArray();
            double[] high = Arrays.stream(y).map(at -> at * 1.1).toArray();
            boolean bars = style == Style.BARS;
            String name = "what comes of it (senders " + number + ", flow-control credits)";
            double[] none = {};
            lines.add(
                    new Line(
                            name,
                            style,
                            bars ? IntStream.range(0, 5).asDoubleStream().toArray() : x,
                            y,
                            many ? none : low,
                            many ? none : high,
                            ""));
        }
        Axis words = Axis.words("flow control", List.of("none", "pfc", "credits", "gfc", "rocc"));
        return new Figure(
                        "kind",
                        style + ", " + count + " lines of " + points + (logarithmic ? ", log" : ""),
                        style == Style.BARS ? words : new Axis("time", "us", logarithmic),
                        new Axis("share of the time that it takes", "%", logarithmic),
                        lines,
                        "",
                        "")
                .withLimits(List.of(Limit.of("limit", 90, "%"), Limit.of("other limit", 96, "%")))
                .withMarks(
                        style == Style.BARS ? List.of() : List.of(new Limit("second phase", 12)));
    }

    @Test
    void theCheckFindsEachKindOfMistake() throws Exception {
        String head =
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100pt\" height=\"50pt\""
                        + " viewBox=\"0 0 100 50\">";
        String text = "<text x=\"%d\" y=\"25\" font-size=\"%d\">label</text>";
        assertThat(FigureCheck.mistakes(head + text.formatted(20, 7) + "</svg>")).isEmpty();
        assertThat(
                        FigureCheck.mistakes(
                                head + text.formatted(20, 7) + text.formatted(25, 7) + "</svg>"))
                .containsExactly("labels overlap: label and label");
        assertThat(FigureCheck.mistakes(head + text.formatted(95, 7) + "</svg>"))
                .containsExactly("label outside: label");
        assertThat(FigureCheck.mistakes(head + "<path d=\"M50 20L101 20\"/></svg>"))
                .containsExactly("something is cut at the edge: at 101 20");
        assertThat(FigureCheck.mistakes(head + text.formatted(20, 5) + "</svg>"))
                .containsExactly("text of 5.0 points");
    }

    /** In print without colours, and where one lies on another. */
    @Test
    void linesOfOnePanelAreDashedInTheirOwnWay() throws Exception {
        List<Line> lines =
                List.of(line("a", 90, 1), line("b", 90, 2), line("c", 90, 3), line("d", 90, 4));
        Figure all = figure(lines.stream().map(line -> line.withPanel("one")).toList());
        String svg = FigureFiles.draw(all, Column.ONE).svg();
        Matcher dashes = Pattern.compile("stroke-dasharray=\"([0-9. ,]+)\"").matcher(svg);
        Set<String> kinds = dashes.results().map(one -> one.group(1)).collect(Collectors.toSet());
        assertThat(kinds).hasSize(3);
        assertThat(FigureFiles.draw(figure(lines.subList(0, 1)), Column.ONE).svg())
                .doesNotContain("stroke-dasharray");
    }

    /** Bars of one place stand next to each other, and so do the intervals at their ends. */
    @Test
    void eachBarHasItsIntervalAtItsMiddle() {
        List<Line> lines =
                Stream.of("a", "b")
                        .map(name ->
                                new Line(
                                        name,
                                        Style.BARS,
                                        new double[] {0},
                                        new double[] {5},
                                        new double[] {4},
                                        new double[] {6},
                                        ""))
                        .toList();
        Figure bars =
                new Figure(
                        "bars",
                        "bars",
                        Axis.words("control", List.of("rocc")),
                        Axis.linear("queue", "kB"),
                        lines,
                        "",
                        "");
        List<Rectangle2D> all =
                Painter.paint(new Plot(bars, Column.FITTING)).ink().stream()
                        .filter(ink -> ink instanceof Ink.Shape shape && isOfABar(shape))
                        .map(ink -> ((Ink.Shape) ink).path().getBounds2D())
                        .toList();
        assertThat(all).hasSize(4);
        assertThat(all.get(2).getCenterX()).isCloseTo(all.get(0).getCenterX(), offset());
        assertThat(all.get(3).getCenterX()).isCloseTo(all.get(1).getCenterX(), offset());
        assertThat(all.get(0).getMaxX()).isLessThan(all.get(1).getMinX());
    }

    private static boolean isOfABar(Ink.Shape shape) {
        boolean isBar = shape.fill() != null && shape.path().getBounds2D().getHeight() > 20;
        return isBar || (shape.stroke() != null && shape.stroke().equals(Palette.LIMIT));
    }

    @Test
    void manyMeansOverIntervalsBecomeThoseOverLongerOnes() {
        Line fine = new Line("rate", Style.STEP, line("", 250, 1).x(), line("", 250, 1).y());
        Line thin = Thinned.of(fine, figure(List.of()), 500);
        assertThat(thin.x()).hasSize(84).startsWith(1, 4, 7).endsWith(250);
        assertThat(thin.y()).startsWith(1, 4, 7);
        assertThat(FigureFiles.draw(figure(List.of(fine)), Column.ONE).notes())
                .containsExactly("Means over 3 µs.");
        Line coarse = new Line("coarse", Style.STEP, line("", 9, 1).x(), line("", 9, 1).y());
        assertThat(FigureFiles.draw(figure(List.of(fine, coarse)), Column.ONE).notes())
                .containsExactly("Means over intervals from 1 µs to 3 µs.");
    }

    @Test
    void aMissingSampleLeavesTheMeanOfTheOthers() {
        double[] y = line("", 250, 1).y();
        y[3] = Double.NaN;
        Arrays.fill(y, 6, 9, Double.NaN);
        Line thin =
                Thinned.of(
                        new Line("rate", Style.STEP, line("", 250, 1).x(), y),
                        figure(List.of()),
                        500);
        assertThat(thin.y()).startsWith(1, 4.5, Double.NaN, 10);
    }

    @Test
    void aLimitThatIsNoNumberIsNotDrawn() {
        Line line = line("a", 9, 1);
        Figure bare = figure(List.of(line));
        Figure figure = figure(List.of(line), new Limit("none", Double.NaN));
        assertThat(FigureFiles.draw(figure, Column.ONE).svg())
                .isEqualTo(FigureFiles.draw(bare, Column.ONE).svg());
    }

    @Test
    void numbersHaveTheDigitsThatAreDrawn() throws Exception {
        double[] y = {0.1 + 0.2, 1.0 / 3};
        Line line = new Line("l", Style.LINE, new double[] {1, 2}, y);
        FigureFiles.write(figure(List.of(line)), Column.ONE, directory);
        assertThat(Files.readAllLines(directory.resolve("queue.csv")))
                .contains(",l,1,300,,", ",l,2,333.333333,,");
    }

    @Test
    void eachPanelHasTheLimitOfItsLine() throws Exception {
        List<Line> lines = List.of(line("queue (rate 40)", 99, 1), line("queue (rate 100)", 99, 1));
        Figure figure =
                figure(
                        lines,
                        new Limit("reference 15 kB", 15)
                                .withLine(line("queue (rate 40, seed 1)", 99, 1)),
                        new Limit("reference 30 kB", 30)
                                .withLine(line("queue (rate 100, seed 1)", 99, 1)));
        FigureFiles.write(figure, Column.TWO, directory);
        assertThat(Files.readAllLines(directory.resolve("queue.csv")))
                .contains("rate 40,reference 15 kB,,15,,", "rate 100,reference 30 kB,,30,,")
                .noneMatch(row -> row.startsWith("rate 40,reference 30"));
        String svg = Files.readString(directory.resolve("queue.svg"));
        assertThat(FigureCheck.mistakes(svg)).isEmpty();
        assertThat(svg).containsOnlyOnce("reference 15 kB").containsOnlyOnce("reference 30 kB");
        assertThat(svg.split("stroke-dasharray", -1)).hasSize(3);
    }

    @Test
    void aPeakAboveACutAxisIsSaidAndEndsAtTheFrame() throws Exception {
        Line line =
                new Line(
                        "l",
                        Style.LINE,
                        new double[] {0, 10, 20, 30},
                        new double[] {0, 60_000, 160, 150});
        Figure whole = figure(List.of(line));
        Figure cut =
                new Figure("cut", "Cut", whole.x(), whole.y().withCut(500), whole.lines(), "", "");
        Plot plot = new Plot(cut, Column.ONE);
        assertThat(plot.notes()).containsExactly("The axis is cut: at most there are 60 MB.");
        assertThat(new Plot(whole, Column.ONE).notes()).isEmpty();
        assertThat(Curves.parts(plot, line))
                .extracting(part -> part.stream().map(Point2D::getY).toList())
                .containsExactly(List.of(0.0, 500.0), List.of(500.0, 160.0, 150.0));
        assertThat(FigureCheck.mistakes(FigureFiles.draw(cut, Column.ONE).svg())).isEmpty();
    }

    @Test
    void gapsStayGapsAndPeaksStay() {
        double[] x = IntStream.range(0, 10_000).mapToDouble(i -> i).toArray();
        double[] y = new double[x.length];
        y[7_777] = 42;
        Line thin = Thinned.of(new Line("l", Style.LINE, x, y), figure(List.of()), 200);
        assertThat(thin.x()).hasSizeLessThanOrEqualTo(200);
        assertThat(thin.y()).contains(42);
    }
}
