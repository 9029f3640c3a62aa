package io.headgate.testbed.lab;

import io.headgate.control.report.Picture;
import io.headgate.control.report.Picture.Kind;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Section;
import io.headgate.testbed.figure.Column;
import io.headgate.testbed.figure.FigureFiles;
import io.headgate.testbed.lab.twin.RecordedNetwork;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.picture.LinkLoad;
import io.headgate.testbed.topology.picture.NetworkPicture;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes the files of a lab's report directory. */
final class LabFiles {
    /**
     * A network, and its use by a part of the lab.
     *
     * @param name of the picture's file, without its ending
     * @param caption a sentence
     * @param loads in the order of the links
     * @param seconds for which it was used
     */
    record Used(
            String name, String caption, NetworkPlan plan, List<LinkLoad> loads, double seconds) {
        Used {
            loads = List.copyOf(loads);
        }
    }

    private final Path directory;
    private final RunReport report;
    private final List<Figure> plotted = new ArrayList<>();

    LabFiles(Path directory, RunReport report) {
        this.directory = directory;
        this.report = report;
    }

    /** Writes a file of a name, and names it in the report. */
    void write(String name, String text) throws BedException {
        Path file = directory.resolve(name);
        report.file(name, file);
        put(name, text);
    }

    /** Writes a file that the report does not name. */
    void put(String name, String text) throws BedException {
        Path file = directory.resolve(name);
        BedException.unless("cannot write " + file, () -> Files.writeString(file, text));
    }

    /** What a figure shows, for programs: in the JSON as well as in the figure's CSV. */
    private static Map<String, Object> series(Figure figure) {
        Map<String, Object> lines = new LinkedHashMap<>();
        for (Figure.Line line : figure.lines()) {
            lines.put(line.name(), Map.of("x", line.x(), "y", line.y()));
        }
        return Map.of(
                "figure", figure.name(),
                "x", figure.x().heading(),
                "y", figure.y().heading(),
                "lines", lines);
    }

    /** A picture of a network and of how its links were used for a while. */
    void drawPart(Used used) throws BedException {
        String svg = NetworkPicture.of(used.plan, used.loads);
        String file = used.name + ".svg";
        put(file, svg);
        report.add(new Picture(used.name, svg, file, Kind.NETWORK, used.caption));
    }

    /** The same of a whole phase or run, which the lab's twin may begin with. */
    void draw(Used used) throws BedException {
        drawPart(used);
        String result = RecordedNetwork.RESULT + used.name;
        report.add(new Section(result, RecordedNetwork.of(used.plan, used.seconds), ""));
    }

    void plot(Figure figure) throws BedException {
        String name = figure.name();
        report.add(
                BedException.unless(
                        "cannot write the figure " + name + " into " + directory,
                        () -> FigureFiles.write(figure, Column.TWO, directory).titled()));
        plotted.add(figure);
    }

    /** Plots, in this order behind the other figures. */
    void plotAll(List<Figure> figures) throws BedException {
        for (Figure figure : figures) {
            plot(figure);
        }
    }

    /** Makes the directory, where nothing has. */
    void makeDirectory() throws BedException {
        make(directory);
    }

    static void make(Path directory) throws BedException {
        BedException.unless(
                "cannot make the directory " + directory, () -> Files.createDirectories(directory));
    }

    /** Writes the report as text, as JSON, and as a page: one file, nothing loaded. */
    void writeReport() throws BedException {
        report.add(new Section("Series", plotted.stream().map(LabFiles::series).toList(), ""));
        BedException.unless(
                "cannot write the report into " + directory,
                () -> {
                    report.write(directory, "report");
                    return directory;
                });
    }
}
