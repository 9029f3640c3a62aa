package io.headgate.testbed.figure;

import io.headgate.testbed.scenario.Figure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Writes figures as SVG, PDF, PNG, and what is drawn as CSV. */
public final class FigureFiles {
    /** What follows a figure's name. */
    public static final List<String> ENDINGS = List.of("svg", "pdf", "png", "csv");

    private FigureFiles() {}

    /**
     * A figure that was drawn.
     *
     * @param svg to be put into a page
     * @param notes sentences for its caption
     */
    public record Drawn(Figure figure, String svg, List<String> notes) {
        public Drawn {
            notes = List.copyOf(notes);
        }
    }

    /** Draws a figure without writing it. */
    public static Drawn draw(Figure figure, Column column) {
        return draw(figure, new PlotSpec(figure, column));
    }

    private static Drawn draw(Figure figure, PlotSpec plot) {
        return new Drawn(figure, Drawing.svg(plot.toMap(), figure.name()), plot.notes());
    }

    /** Draws a figure, and writes all its files. */
    public static Drawn write(Figure figure, Column column, Path directory) throws IOException {
        PlotSpec plot = new PlotSpec(figure, column);
        Drawn drawn = draw(figure, plot);
        String name = figure.name();
        Files.writeString(directory.resolve(name + ".svg"), drawn.svg());
        Files.write(directory.resolve(name + ".pdf"), Drawing.pdf(drawn.svg()));
        Files.write(directory.resolve(name + ".png"), Drawing.png(drawn.svg()));
        Files.writeString(directory.resolve(name + ".csv"), plot.csv());
        return drawn;
    }
}
