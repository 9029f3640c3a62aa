package io.headgate.testbed.lab;

import io.headgate.control.report.HtmlPage;
import io.headgate.control.report.HtmlPage.Headline;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Section;
import io.headgate.testbed.figure.Column;
import io.headgate.testbed.figure.FigureFiles;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.scenario.Figure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a lab leaves in its report directory. */
final class LabFiles {
    private final Path directory;
    private final RunReport report;

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

    private void put(String name, String text) throws BedException {
        try {
            Files.writeString(directory.resolve(name), text);
        } catch (IOException e) {
            throw new BedException("cannot write " + directory.resolve(name) + ": " + e, e);
        }
    }

    /** What a figure shows, for programs: beside its CSV also in the JSON. */
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

    private String draw(Figure figure) throws BedException {
        try {
            return FigureFiles.write(figure, Column.TWO, directory).svg();
        } catch (IOException e) {
            throw new BedException(
                    "cannot write the figure " + figure.name() + " into " + directory + ": " + e,
                    e);
        }
    }

    /**
     * Writes the report as text, as JSON, and as a page with the plots: one file, nothing loaded.
     */
    void writeReport(List<Figure> figures) throws BedException {
        writeReport("", figures);
    }

    /**
     * The same.
     *
     * @param network a picture of the network, as SVG, before the plots; empty: none
     */
    void writeReport(String network, List<Figure> figures) throws BedException {
        for (String name : List.of("report.json", "report.txt", "report.html")) {
            report.file(name, directory.resolve(name));
        }
        HtmlPage page = report.page();
        if (!network.isEmpty()) {
            put("network.svg", network);
            page.figure(
                    "network",
                    network,
                    "network.svg",
                    List.of(new Headline("", "The network, and how its links were used.")));
        }
        for (Figure figure : figures) {
            String svg = draw(figure);
            String file = figure.name() + ".svg";
            page.figure(figure.name(), svg, file, List.of(new Headline("", figure.title() + ".")));
        }
        report.add(new Section("Series", figures.stream().map(LabFiles::series).toList(), ""));
        put("report.txt", report.toText());
        put("report.html", report.finish(page));
        put("report.json", report.toJson());
    }
}
