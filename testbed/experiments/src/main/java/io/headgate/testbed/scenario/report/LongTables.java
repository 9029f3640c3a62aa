package io.headgate.testbed.scenario.report;

import io.headgate.control.report.Json;
import io.headgate.testbed.figure.Csv;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Flows;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.Parameter;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Writes tables for programs, with one value per row and the same columns for every scenario:
 * {@code measures.csv}, {@code parameters.csv} and {@code flows.csv}. Units have a column of their
 * own.
 */
final class LongTables {
    /** A measure of something: of a group of flows, of a counter of a port, or of a series. */
    private static final Pattern OF =
            Pattern.compile(
                    "(.+?) of ("
                            + "(?:(?:throughput|queue|buffer|headroom|stopped|rate) )?"
                            + "[A-Za-z0-9_-]+(?:/[A-Za-z0-9]+)?(?: [A-Za-z0-9_.-]+)?(?: [0-9]+)?)");

    private static final double PS_PER_US = 1e6;

    private LongTables() {}

    static String measures(Result result) {
        StringBuilder csv = new StringBuilder();
        Csv.row(csv, "run", "seed", "bed", "parameters", "measure", "of", "unit", "value");
        for (CellResult run : result.results()) {
            List<String> settings = new ArrayList<>();
            run.cell().values().texts().forEach((name, text) -> settings.add(name + "=" + text));
            for (Measure measure : run.measures()) {
                Matcher of = OF.matcher(measure.name());
                boolean matches = of.matches();
                Csv.row(
                        csv,
                        Integer.toString(run.cell().index()),
                        Long.toString(run.cell().seed()),
                        run.cell().bed().word(),
                        String.join(" ", settings),
                        matches ? of.group(1) : measure.name(),
                        matches ? of.group(2) : "",
                        measure.unit(),
                        Csv.number(measure.value()));
            }
        }
        return csv.toString();
    }

    /**
     * A table with a row for each parameter of each run: numbers in base units, words unchanged.
     */
    static String parameters(Result result) {
        StringBuilder csv = new StringBuilder();
        Csv.row(csv, "run", "parameter", "unit", "value");
        for (CellResult run : result.results()) {
            for (Parameter parameter : result.scenario().parameters()) {
                Object value = run.cell().values().value(parameter.name());
                Csv.row(
                        csv,
                        Integer.toString(run.cell().index()),
                        parameter.name(),
                        parameter.unit() == null ? "" : parameter.unit().symbol(),
                        value instanceof Double number ? Csv.number(number) : value.toString());
            }
        }
        return csv.toString();
    }

    static void writeFlows(Result result, Path file) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            StringBuilder row = new StringBuilder();
            Csv.row(
                    row,
                    "run",
                    "flows",
                    "source",
                    "destination",
                    "path",
                    "start_us",
                    "finish_us",
                    "size_bytes",
                    "completion_us",
                    "ideal_us",
                    "slowdown");
            out.append(row);
            for (CellResult run : result.results()) {
                Outcome outcome = run.outcome();
                if (outcome != null) {
                    writeFlows(run.cell().index(), outcome, row, out);
                }
            }
        }
    }

    private static void writeFlows(int run, Outcome outcome, StringBuilder row, Appendable out)
            throws IOException {
        // In a run that was read back, they are trees already.
        JsonNode hosts = Json.INDENTED.valueToTree(outcome.configuration().get("hosts"));
        JsonNode paths = Json.INDENTED.valueToTree(outcome.configuration().get(Flows.PATHS));
        for (Flows flows : Flows.all(outcome)) {
            for (int i = 0; i < flows.count(); i++) {
                row.setLength(0);
                String from = host(hosts, (int) flows.source()[i]);
                String to = host(hosts, (int) flows.destination()[i]);
                double ideal = flows.idealUs()[i];
                Csv.row(
                        row,
                        Integer.toString(run),
                        flows.group(),
                        from,
                        to,
                        paths.path(from + " " + to).asString(""),
                        us(flows.startUs()[i]),
                        us(flows.startUs()[i] + flows.completionUs()[i]),
                        Csv.number(flows.sizeBytes()[i]),
                        us(flows.completionUs()[i]),
                        ideal > 0 ? us(ideal) : "",
                        Csv.rounded(flows.slowdown(i)));
                out.append(row);
            }
        }
    }

    /** Whole picoseconds: a sum of two has digits behind them that say nothing. */
    private static String us(double us) {
        return Csv.number(Math.rint(us * PS_PER_US) / PS_PER_US);
    }

    private static String host(JsonNode hosts, int number) {
        return hosts.path(number).path("name").asString("h" + (number + 1));
    }
}
