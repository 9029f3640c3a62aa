package io.headgate.testbed.scenario.report;

import io.headgate.control.report.Json;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Findings;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.Series;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JacksonSerializable;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.jsontype.TypeSerializer;

/** A result as JSON. Numbers that are none (not measured) are null. */
public final class ResultJson {
    static final String FORMAT = "headgate-result";
    static final int VERSION = 1;
    static final String RUNS = "runs";

    private ResultJson() {}

    /** Writes all of it, series too, run by run: of all of them it would be too much at once. */
    static void write(Result result, Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file);
                JsonGenerator json = Json.INDENTED.writer().createGenerator(out)) {
            json.writeStartObject();
            head(result)
                    .forEach((name, value) -> {
                        json.writeName(name);
                        json.writePOJO(value);
                    });
            json.writeName(RUNS);
            json.writeStartArray();
            for (CellResult run : result.results()) {
                json.writePOJO(run(result.sweep(), run, true));
            }
            json.writeEndArray();
            json.writeEndObject();
        }
    }

    /** All of it but series and configurations: what a program wants on its standard input. */
    public static String brief(Result result) {
        Map<String, @Nullable Object> map = head(result);
        map.put(RUNS, result.results().stream().map(r -> run(result.sweep(), r, false)).toList());
        return Json.INDENTED.writeValueAsString(map);
    }

    /** All but the runs. */
    private static Map<String, @Nullable Object> head(Result result) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("format", FORMAT);
        map.put("version", VERSION);
        map.put("scenario", result.scenario().about().name());
        map.put("title", result.scenario().about().title());
        map.put("source", result.scenario().about().source());
        map.put("claim", result.scenario().about().claim());
        map.put("scenarioFile", result.sweep().file());
        map.put("request", result.sweep().request());
        map.put("verdict", result.verdict().name());
        map.put("failures", result.failures());
        Findings findings = result.findings();
        map.put("statements", findings == null ? List.of() : findings.statements());
        map.put(
                "checks",
                findings == null
                        ? List.of()
                        : findings.checks().stream().map(ResultJson::check).toList());
        map.put(
                "figures",
                findings == null
                        ? List.of()
                        : findings.figures().stream().map(ResultJson::figure).toList());
        map.put(
                "tables",
                findings == null
                        ? List.of()
                        : findings.tables().stream().map(ResultJson::table).toList());
        map.put("sweepId", result.sweep().id());
        map.put("runsInAll", result.sweep().cellsInAll());
        map.put("varied", result.sweep().varied());
        map.put(
                "parameters",
                result.scenario().parameters().stream().map(ResultJson::parameter).toList());
        map.put("parts", result.parts());
        return map;
    }

    private static Map<String, @Nullable Object> check(Check check) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("what", check.what());
        map.put("unit", check.unit());
        map.put("relation", check.relation().name());
        map.put("measured", number(check.measured()));
        map.put("expected", number(check.expected()));
        map.put("difference", number(check.difference()));
        map.put("tolerance", number(check.tolerance()));
        map.put("source", check.source());
        map.put("passed", check.passed());
        return map;
    }

    private static Map<String, Object> figure(Figure figure) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", figure.name());
        map.put("title", figure.title());
        map.put("paperSays", figure.paperSays());
        map.put("measured", figure.measured());
        map.put("files", "figures/" + figure.name() + ".svg, .png, .csv");
        return map;
    }

    private static Map<String, Object> table(Findings.Titled titled) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("title", titled.title());
        map.put("headings", titled.table().headings());
        map.put("rows", titled.table().rows());
        return map;
    }

    private static Map<String, Object> parameter(Parameter parameter) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", parameter.name());
        map.put("unit", parameter.unit() == null ? "word" : parameter.unit().symbol());
        map.put("default", parameter.defaultText());
        map.put("allowed", parameter.range());
        map.put("meaning", parameter.meaning());
        return map;
    }

    /** One run. */
    static Map<String, @Nullable Object> run(
            SweepDescription sweep, CellResult run, boolean whole) {
        Cell cell = run.cell();
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("run", cell.index());
        Map<String, Object> values = new LinkedHashMap<>();
        for (String name : cell.values().names()) {
            Object value = cell.values().value(name);
            values.put(
                    name,
                    Map.of(
                            "value",
                            value instanceof Double number ? plain(number) : value,
                            "text",
                            cell.values().text(name)));
        }
        map.put("parameters", values);
        map.put("seed", cell.seed());
        map.put("bed", cell.bed().word());
        map.put("scale", number(cell.scale()));
        map.put("wallSeconds", number(run.wallSeconds()));
        map.put("again", sweep.replay(cell));
        map.put("failure", run.failure());
        if (run.outcome() != null) {
            outcome(map, run.outcome(), whole);
        }
        return map;
    }

    private static void outcome(Map<String, @Nullable Object> map, Outcome outcome, boolean whole) {
        map.put("digest", outcome.digest());
        List<Object> measures = new ArrayList<>();
        for (Measure measure : outcome.measures()) {
            Map<String, @Nullable Object> one = new LinkedHashMap<>();
            one.put("name", measure.name());
            one.put("unit", measure.unit());
            one.put("value", number(measure.value()));
            measures.add(one);
        }
        map.put("measures", measures);
        map.put("statements", outcome.statements());
        if (!whole) {
            return;
        }
        List<Object> series = new ArrayList<>();
        for (Series one : outcome.series()) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("name", one.name());
            entry.put("unit", one.unit());
            entry.put("timesUs", new Doubles(one.timesUs()));
            entry.put("values", new Doubles(one.values()));
            series.add(entry);
        }
        map.put("series", series);
        map.put("configuration", outcome.configuration());
        map.put("links", outcome.links());
    }

    private static @Nullable Object number(double value) {
        return Double.isFinite(value) ? plain(value) : null;
    }

    private static boolean isWhole(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15;
    }

    /** Whole numbers without fraction. */
    private static Object plain(double value) {
        return isWhole(value)
                ? (Object) Long.valueOf((long) value)
                : (Object) Double.valueOf(value);
    }

    /** A series has thousands of numbers: none of them becomes an object on its way into JSON. */
    private static final class Doubles extends JacksonSerializable.Base {
        private final double[] values;

        Doubles(double[] values) {
            this.values = values;
        }

        @Override
        public void serialize(JsonGenerator json, SerializationContext context) {
            json.writeStartArray();
            for (double value : values) {
                if (!Double.isFinite(value)) {
                    json.writeNull();
                } else if (isWhole(value)) {
                    json.writeNumber((long) value);
                } else {
                    json.writeNumber(value);
                }
            }
            json.writeEndArray();
        }

        @Override
        public void serializeWithType(
                JsonGenerator json, SerializationContext context, TypeSerializer type) {
            serialize(json, context);
        }
    }
}
