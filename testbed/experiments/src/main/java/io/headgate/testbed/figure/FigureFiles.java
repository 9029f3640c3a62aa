package io.headgate.testbed.figure;

import io.headgate.control.report.HtmlPage.Headline;
import io.headgate.control.report.Picture;
import io.headgate.testbed.scenario.Figure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Writes figures as SVG, PDF and PNG, and their data as CSV. */
public final class FigureFiles {
    private FigureFiles() {}

    /**
     * A figure that was drawn.
     *
     * @param svg SVG for inclusion in a page
     * @param notes sentences for its caption
     */
    public record Drawn(Figure figure, String svg, List<String> notes) {
        public Drawn {
            notes = List.copyOf(notes);
        }

        /**
         * For a page, with its caption.
         *
         * @param directory the way to the figure's files, with a slash at its end
         * @param source what the source says; empty: nothing
         */
        public Picture picture(String directory, String source) {
            return new Picture(
                    figure.name(),
                    svg,
                    directory + figure.name() + ".svg",
                    Picture.Kind.PLOT,
                    List.of(
                            new Headline("Shown", figure.title() + ". " + String.join(" ", notes)),
                            new Headline("The source says", source),
                            new Headline("Measured", figure.measured())));
        }

        /** For a page in the directory of the figure's files, with its title alone. */
        public Picture titled() {
            String name = figure.name();
            return new Picture(name, svg, name + ".svg", Picture.Kind.PLOT, figure.title() + ".");
        }
    }

    /** Draws a figure without writing it. */
    public static Drawn draw(Figure figure, Column column) {
        Plot plot = new Plot(figure, column);
        return new Drawn(figure, Svg.of(Painter.paint(plot)), plot.notes());
    }

    /** Draws a figure, and writes all its files. */
    public static Drawn write(Figure figure, Column column, Path directory) throws IOException {
        Plot plot = new Plot(figure, column);
        Drawing drawing = Painter.paint(plot);
        String svg = Svg.of(drawing);
        String name = figure.name();
        Files.writeString(directory.resolve(name + ".svg"), svg);
        Files.write(directory.resolve(name + ".pdf"), Pdf.of(drawing));
        Files.write(directory.resolve(name + ".png"), Png.of(drawing));
        Files.writeString(directory.resolve(name + ".csv"), plot.csv());
        return new Drawn(figure, svg, plot.notes());
    }
}
