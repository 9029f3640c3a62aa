package io.headgate.testbed.scenario.report;

import io.headgate.config.Reason;
import io.headgate.testbed.figure.Column;
import io.headgate.testbed.figure.Csv;
import io.headgate.testbed.figure.FigureFiles;
import io.headgate.testbed.figure.FigureFiles.Drawn;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Findings;
import io.headgate.testbed.scenario.Flows;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Series;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes the files of a result into a directory: {@code result.json} with everything, {@code
 * runs.csv} with a row for each run, {@code measures.csv} and {@code parameters.csv} with a row for
 * each value, {@code series.csv}, {@code flows.csv}, {@code figures/}, and {@code report.html}.
 */
public final class ResultFiles {
    static final String JSON = "result.json";
    static final String FIGURES = "figures";
    private static final String RUNS = "runs.csv";
    private static final String SERIES = "series.csv";
    static final String REPORT = "report.html";
    private static final String MEASURES = "measures.csv";
    private static final String PARAMETERS = "parameters.csv";
    private static final String FLOWS = "flows.csv";

    /** Files in the directory of {@link #JSON}. */
    static final List<String> SINGLE = List.of(RUNS, MEASURES, PARAMETERS, SERIES, FLOWS, REPORT);

    private ResultFiles() {}

    /**
     * Writes all files, over those of an earlier result; result.json last, in one step: if it
     * exists, all others do.
     *
     * @param left links to files that the run left elsewhere
     * @throws ScenarioException if a file cannot be written
     */
    public static void write(Result result, Path directory, Column column, List<String> left)
            throws ScenarioException {
        try {
            Path figures = directory.resolve(FIGURES);
            Files.createDirectories(figures);
            Files.writeString(directory.resolve(RUNS), runs(result));
            Files.writeString(directory.resolve(MEASURES), LongTables.measures(result));
            Files.writeString(directory.resolve(PARAMETERS), LongTables.parameters(result));
            LongTables.writeFlows(result, directory.resolve(FLOWS));
            writeSeries(result, directory.resolve(SERIES));
            Map<String, Drawn> drawings = new LinkedHashMap<>();
            Findings findings = result.findings();
            if (findings != null) {
                for (Figure figure : findings.figures()) {
                    drawings.put(figure.name(), FigureFiles.write(figure, column, figures));
                }
            }
            Files.writeString(
                    directory.resolve(REPORT),
                    HtmlReport.of(result, drawings, NetworkPictures.write(result, figures), left));
            Path part = directory.resolve(JSON + ".part");
            ResultJson.write(result, part);
            Files.move(part, directory.resolve(JSON), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new ScenarioException(
                    "cannot write the result into " + directory + ": " + Reason.of(e), e);
        }
    }

    /** A table with a row for each run: parameters, seed, bed, every measured number, digest. */
    static String runs(Result result) {
        Map<String, String> columns = result.units();
        StringBuilder csv = new StringBuilder();
        List<String> row = new ArrayList<>(List.of("run"));
        for (Parameter parameter : result.scenario().parameters()) {
            String unit = parameter.unit() == null ? "" : parameter.unit().symbol();
            row.add(heading(parameter.name(), unit));
        }
        row.addAll(List.of("seed", "bed", "scale", "wall time (s)"));
        columns.forEach((name, unit) -> row.add(heading(name, unit)));
        row.addAll(List.of("digest", "failure"));
        Csv.row(csv, row.toArray(String[]::new));
        for (CellResult run : result.results()) {
            row.clear();
            row.add(Integer.toString(run.cell().index()));
            for (String name : run.cell().values().names()) {
                Object value = run.cell().values().value(name);
                row.add(value instanceof Double number ? Csv.number(number) : (String) value);
            }
            row.add(Long.toString(run.cell().seed()));
            row.add(run.cell().bed().word());
            row.add(Csv.number(run.cell().scale()));
            row.add(Csv.number(run.wallSeconds()));
            columns.keySet().forEach(name -> row.add(Csv.number(run.measure(name))));
            Outcome outcome = run.outcome();
            row.add(outcome == null ? "" : outcome.digest());
            row.add(run.failure() == null ? "" : run.failure());
            Csv.row(csv, row.toArray(String[]::new));
        }
        return csv.toString();
    }

    private static String heading(String name, String unit) {
        return unit.isEmpty() ? name : name + " (" + unit + ")";
    }

    private static void writeSeries(Result result, Path file) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            StringBuilder row = new StringBuilder();
            Csv.row(row, "run", "series", "unit", "time (us)", "value");
            out.append(row);
            row.setLength(0);
            for (CellResult run : result.results()) {
                for (Series series : run.series()) {
                    // Those have a table of their own.
                    if (series.name().startsWith(Flows.PREFIX)) {
                        continue;
                    }
                    Csv.row(
                            row,
                            Integer.toString(run.cell().index()),
                            series.name(),
                            series.unit());
                    String head = row.substring(0, row.length() - 1);
                    row.setLength(0);
                    for (int i = 0; i < series.values().length; i++) {
                        row.append(head).append(',').append(Csv.number(series.timesUs()[i]));
                        row.append(',').append(Csv.number(series.values()[i])).append('\n');
                        out.append(row);
                        row.setLength(0);
                    }
                }
            }
        }
    }
}
