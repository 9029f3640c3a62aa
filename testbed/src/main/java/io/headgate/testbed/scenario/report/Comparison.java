package io.headgate.testbed.scenario.report;

import io.headgate.control.report.Json;
import io.headgate.control.report.Prose;
import io.headgate.control.report.Table;
import io.headgate.testbed.scenario.Numbers;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.trace.Divergence;
import io.headgate.testbed.scenario.trace.TraceException;
import io.headgate.testbed.scenario.trace.TraceReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Compares two results: configuration, measured numbers, and the first event in which each pair of
 * runs differs.
 */
public final class Comparison {
    /** Directory of recordings, next to a result. */
    public static final String TRACES = "trace";

    /** A place in a list, as paths have it. */
    private static final Pattern NUMBER = Pattern.compile("(?<=/)\\d+(?=/|$)");

    private static final Pattern LINE_END = Pattern.compile("\\r\\n|\\r|\\n");

    private static final int SHOWN = 40;

    /** The longest value, in characters, that fits a table. */
    private static final int SHORT = 24;

    private static final int RUNS_SHOWN = 10;
    private static final Pattern OF_RUN = Pattern.compile("run (\\d+), (.*)", Pattern.DOTALL);

    /**
     * One difference.
     *
     * @param where such as {@code run 3, configuration/duration}
     * @param a what A has there; null: nothing
     * @param b what B has there; null: nothing
     */
    public record Difference(String where, @Nullable String a, @Nullable String b) {}

    private final List<Difference> made = new ArrayList<>();
    private final List<Difference> configured = new ArrayList<>();
    private final List<Difference> measured = new ArrayList<>();

    /** Runs whose frames differ, and of which there are no recordings. */
    private final List<String> parted = new ArrayList<>();

    private final Map<String, Divergence> partings = new LinkedHashMap<>();
    private final List<String> remarks = new ArrayList<>();

    private Comparison() {}

    /**
     * Compares two results, or two recordings. Of results, only recordings that are of their runs
     * are compared, which their digest shows.
     *
     * @param a directory of a result, its {@code result.json}, or a recording
     * @throws ScenarioException if one of them cannot be read
     */
    public static Comparison of(Path a, Path b) throws ScenarioException {
        Comparison comparison = new Comparison();
        boolean recordingA = isRecording(a);
        boolean recordingB = isRecording(b);
        if (recordingA != recordingB) {
            throw new ScenarioException(
                    (recordingA ? b : a)
                            + " is a result and the other a recording; two of the same are"
                            + " compared");
        }
        if (recordingA) {
            Divergence parting = comparison.recordings("recordings", a, b);
            // For recordings that belong to a result, these are in the result, too.
            compare(
                    comparison.configured,
                    "header",
                    Json.INDENTED.valueToTree(parting.headerA().details()),
                    Json.INDENTED.valueToTree(parting.headerB().details()));
        } else {
            comparison.results(a, b);
        }
        return comparison;
    }

    private static boolean isRecording(Path path) {
        return path.toString().endsWith(".hgtrace");
    }

    /** Whether nothing is different in what was done and measured. */
    public boolean isSame() {
        return configured.isEmpty()
                && measured.isEmpty()
                && partings.values().stream().allMatch(Divergence::isNone);
    }

    private Divergence recordings(String what, Path a, Path b) throws ScenarioException {
        try {
            Divergence parting = Divergence.of(a, b);
            partings.put(what, parting);
            return parting;
        } catch (TraceException e) {
            throw new ScenarioException(e);
        }
    }

    private void results(Path a, Path b) throws ScenarioException {
        JsonNode treeA = ResultReader.tree(a);
        JsonNode treeB = ResultReader.tree(b);
        compare(made, "parts", treeA.path("parts"), treeB.path("parts"));
        // Never the same, and never why results differ.
        made.removeIf(one -> one.where.matches("parts/\\d+/(started|wallSeconds)"));
        for (String key : List.of("scenario", "scenarioFile", "runsInAll", "parameters")) {
            compare(configured, key, treeA.path(key), treeB.path(key));
        }
        JsonNode runsA = treeA.path("runs");
        JsonNode runsB = treeB.path("runs");
        if (runsA.size() != runsB.size()) {
            configured.add(
                    new Difference(
                            "number of runs",
                            Integer.toString(runsA.size()),
                            Integer.toString(runsB.size())));
        }
        Map<String, Deque<JsonNode>> byValues = new LinkedHashMap<>();
        for (JsonNode run : runsB) {
            byValues.computeIfAbsent(values(run), _ -> new ArrayDeque<>()).add(run);
        }
        Deque<JsonNode> restA = new ArrayDeque<>();
        for (JsonNode run : runsA) {
            Deque<JsonNode> alike = byValues.get(values(run));
            JsonNode other = alike == null ? null : alike.pollFirst();
            if (other == null) {
                restA.add(run);
            } else {
                run(run, other, a, b);
            }
        }
        Deque<JsonNode> restB = new ArrayDeque<>();
        byValues.values().forEach(restB::addAll);
        // Where none are of the same values, what is wanted is what the values make of them.
        boolean noneAlike = restA.size() == runsA.size();
        while (noneAlike && !restA.isEmpty() && !restB.isEmpty()) {
            run(restA.removeFirst(), restB.removeFirst(), a, b);
        }
        if (!parted.isEmpty()) {
            remarks.add(
                    "The frames of "
                            + (parted.size() == 1 ? "run " : "runs ")
                            + numbered(parted)
                            + " differ; with recordings (headgate reproduce --trace) of both, the"
                            + " first event in which they part is named here.");
        }
        for (JsonNode run : restA) {
            configured.add(new Difference(alone(run, "A"), shortValues(run), null));
        }
        for (JsonNode run : restB) {
            configured.add(new Difference(alone(run, "B"), null, shortValues(run)));
        }
    }

    private static String shortValues(JsonNode run) {
        String parameters = Objects.requireNonNullElse(text(run.path("parameters")), "");
        return "seed "
                + run.path("seed").asString("")
                + ", bed "
                + run.path("bed").asString("")
                + ", "
                + parameters;
    }

    private static String values(JsonNode run) {
        List<String> values = new ArrayList<>();
        List.of("parameters", "seed", "bed", "scale").forEach(k -> values.add(run.path(k) + ""));
        return String.join(" ", values);
    }

    private static String alone(JsonNode run, String side) {
        return "run " + run.path("run").asInt(0) + " of " + side + " alone";
    }

    private void run(JsonNode a, JsonNode b, Path fromA, Path fromB) throws ScenarioException {
        int inA = a.path("run").asInt(0);
        int inB = b.path("run").asInt(0);
        String run = "run " + inA + (inA == inB ? "" : " (" + inB + " of B)");
        for (String key : List.of("parameters", "seed", "bed", "scale", "configuration")) {
            compare(configured, run + ", " + key, a.path(key), b.path(key));
        }
        for (String key : List.of("failure", "digest")) {
            compare(measured, run + ", " + key, a.path(key), b.path(key));
        }
        measures(run, a.path("measures"), b.path("measures"));
        Path traceA = trace(fromA, a);
        Path traceB = trace(fromB, b);
        boolean ofA = isOf(a, traceA, "run " + inA + " of A");
        boolean ofB = isOf(b, traceB, "run " + inB + " of B");
        if (ofA && ofB) {
            recordings(run, traceA, traceB);
        } else if (!a.path("digest").equals(b.path("digest"))) {
            parted.add(inA == inB ? Integer.toString(inA) : inA + " (" + inB + " of B)");
        }
    }

    /**
     * Whether a recording exists and is of this very run: a result whose file was renamed or copied
     * may have recordings of another one in its directory.
     */
    private boolean isOf(JsonNode run, Path trace, String what) throws ScenarioException {
        if (!Files.exists(trace)) {
            return false;
        }
        try {
            String digest = String.format("%016x", TraceReader.digestOf(trace));
            if (digest.equals(run.path("digest").asString(""))) {
                return true;
            }
        } catch (TraceException e) {
            throw new ScenarioException(e);
        }
        remarks.add(
                what
                        + ": "
                        + trace
                        + " is not compared; it is of another run than the result, or cut short");
        return false;
    }

    private static Path trace(Path from, JsonNode run) {
        Path directory =
                Objects.requireNonNullElse(
                        ResultReader.fileIn(from).toAbsolutePath().getParent(), Path.of("."));
        String name =
                String.format(
                        "run-%04d-%s.hgtrace",
                        run.path("run").asInt(0), run.path("bed").asString(""));
        // Words from a file become part of a path: only characters of a bed's name may stay.
        return directory.resolve(TRACES).resolve(name.replaceAll("[^a-z0-9.-]", ""));
    }

    private void measures(String run, JsonNode a, JsonNode b) {
        Map<String, JsonNode> byNameA = byName(a);
        Map<String, JsonNode> byNameB = byName(b);
        TreeSet<String> names = new TreeSet<>(byNameA.keySet());
        names.addAll(byNameB.keySet());
        for (String name : names) {
            JsonNode inA = byNameA.get(name);
            JsonNode inB = byNameB.get(name);
            if (inA == null || inB == null || !inA.equals(inB)) {
                measured.add(new Difference(run + ", " + name, number(inA), number(inB)));
            }
        }
    }

    private static Map<String, JsonNode> byName(JsonNode measures) {
        Map<String, JsonNode> byName = new LinkedHashMap<>();
        for (JsonNode measure : measures) {
            byName.put(measure.path("name").asString(""), measure);
        }
        return byName;
    }

    private static @Nullable String number(@Nullable JsonNode measure) {
        return measure == null
                ? null
                : Numbers.text(
                        measure.path("value").asDouble(Double.NaN),
                        measure.path("unit").asString(""));
    }

    /** Goes down both trees as far as they are alike. */
    static void compare(List<Difference> into, String where, JsonNode a, JsonNode b) {
        if (a.equals(b)) {
            return;
        }
        if (a.isObject() && b.isObject()) {
            TreeSet<String> keys = new TreeSet<>();
            a.propertyNames().forEach(keys::add);
            b.propertyNames().forEach(keys::add);
            for (String key : keys) {
                compare(into, where + "/" + key, a.path(key), b.path(key));
            }
        } else if (a.isArray() && b.isArray()) {
            for (int i = 0; i < Math.max(a.size(), b.size()); i++) {
                compare(into, where + "/" + i, a.path(i), b.path(i));
            }
        } else if (isLines(a) && isLines(b)) {
            List<LineDifference.Part> parts = LineDifference.of(lines(a), lines(b));
            for (LineDifference.Part part : parts) {
                into.add(
                        new Difference(
                                where + ", line " + part.first(),
                                lines(part.a()),
                                lines(part.b())));
            }
            if (parts.isEmpty()) {
                into.add(new Difference(where + ", line ends", lineEnds(a), lineEnds(b)));
            }
        } else {
            into.add(new Difference(where, text(a), text(b)));
        }
    }

    private static boolean isLines(JsonNode node) {
        return node.isString() && node.asString().indexOf('\n') >= 0;
    }

    private static List<String> lines(JsonNode text) {
        return text.asString().lines().toList();
    }

    private static @Nullable String lines(List<String> some) {
        return some.isEmpty()
                ? null
                : some.stream().map(Comparison::shortened).collect(Collectors.joining("\n"));
    }

    /** How many lines end in what, such as {@code 3 LF, 1 CRLF}; a last one may have no end. */
    private static String lineEnds(JsonNode text) {
        Map<String, Long> ends =
                LINE_END.matcher(text.asString())
                        .results()
                        .map(end -> end.group().replace("\r", "CR").replace("\n", "LF"))
                        .collect(Collectors.groupingBy(end -> end, Collectors.counting()));
        return Stream.of("LF", "CRLF", "CR")
                .filter(ends::containsKey)
                .map(end -> ends.get(end) + " " + end)
                .collect(Collectors.joining(", "));
    }

    private static @Nullable String text(JsonNode node) {
        if (node.isMissingNode() || node.isNull()) {
            return null;
        }
        String text = node.isValueNode() ? node.asString("") : node.toString();
        return shortened(text);
    }

    private static String shortened(String text) {
        return text.length() > 80 ? text.substring(0, 80) + "…" : text;
    }

    /** All of it as lines for a person. */
    public String describe() {
        StringBuilder text = new StringBuilder();
        section(text, "Made differently", made);
        section(text, "Configured differently", configured);
        section(
                text,
                "Measured differently",
                measured.stream().filter(one -> !one.where.endsWith(", digest")).toList());
        partings.forEach((what, parting) ->
                text.append(what).append(": ").append(parting.describe()).append('\n'));
        remarks.forEach(one -> text.append(Prose.folded(one, 2)).append('\n'));
        text.append(isSame() ? "A and B are the same.\n" : "A and B differ.\n");
        return text.toString();
    }

    private static void section(StringBuilder text, String heading, List<Difference> differences) {
        if (differences.isEmpty()) {
            return;
        }
        text.append(heading).append('\n');
        List<Difference> shown = together(differences);
        Table table = new Table("", "A", "B");
        StringBuilder wide = new StringBuilder();
        for (Difference one : shown.stream().limit(SHOWN).toList()) {
            if (isShort(one.a) && isShort(one.b)) {
                table.row(one.where, shown(one.a), shown(one.b));
            } else {
                wide.append(
                        String.format(
                                "  %s%n    A  %s%n    B  %s%n",
                                one.where, shown(one.a), shown(one.b)));
            }
        }
        text.append(wide);
        if (!table.rows().isEmpty()) {
            text.append(table.indented(2));
        }
        if (shown.size() > SHOWN) {
            text.append("  and ").append(shown.size() - SHOWN).append(" more\n");
        }
        text.append('\n');
    }

    private static boolean isShort(@Nullable String text) {
        return text == null || (text.length() <= SHORT && text.indexOf('\n') < 0);
    }

    /**
     * The same difference in several runs, ports or switches stands once: together are places that
     * have it in exactly the same runs.
     */
    static List<Difference> together(List<Difference> differences) {
        Map<Difference, Map<String, Set<String>>> all = new LinkedHashMap<>();
        for (Difference one : differences) {
            Matcher run = OF_RUN.matcher(one.where);
            boolean ofRun = run.matches();
            String path = ofRun ? run.group(2) : one.where;
            String alike = NUMBER.matcher(path).replaceAll("*");
            Set<String> runs =
                    all.computeIfAbsent(
                                    new Difference(alike, one.a, one.b), _ -> new LinkedHashMap<>())
                            .computeIfAbsent(path, _ -> new LinkedHashSet<>());
            if (ofRun) {
                runs.add(run.group(1));
            }
        }
        List<Difference> together = new ArrayList<>();
        all.forEach((one, runsOfPath) -> {
            Map<Set<String>, List<String>> pathsOfRuns = new LinkedHashMap<>();
            runsOfPath.forEach((path, runs) ->
                    pathsOfRuns.computeIfAbsent(runs, _ -> new ArrayList<>()).add(path));
            pathsOfRuns.forEach((runs, paths) ->
                    together.add(new Difference(places(runs, paths), one.a, one.b)));
        });
        return together;
    }

    private static String places(Set<String> runs, List<String> paths) {
        String of = runs.isEmpty() ? "" : (runs.size() > 1 ? "runs " : "run ");
        return of
                + (runs.isEmpty() ? "" : numbered(List.copyOf(runs)) + ", ")
                + starred(paths)
                + (paths.size() == 1 ? "" : " (" + paths.size() + " places)");
    }

    /** One path for paths that differ in numbers only: a star for each number that differs. */
    private static String starred(List<String> paths) {
        String[] starred = paths.getFirst().split("/");
        for (String path : paths) {
            String[] steps = path.split("/");
            for (int i = 0; i < starred.length; i++) {
                starred[i] = starred[i].equals(steps[i]) ? starred[i] : "*";
            }
        }
        return String.join("/", starred);
    }

    private static String numbered(List<String> runs) {
        String first = String.join(", ", runs.subList(0, Math.min(runs.size(), RUNS_SHOWN)));
        int more = runs.size() - RUNS_SHOWN;
        return more <= 0 ? first : first + " and " + more + " more";
    }

    private static String shown(@Nullable String text) {
        return text == null ? "(nothing)" : text.replace("\n", "\n       ");
    }

    /** All of it for programs. */
    public String toJson() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("same", isSame());
        map.put("made", made);
        map.put("configured", configured);
        map.put("measured", measured);
        Map<String, Object> parted = new LinkedHashMap<>();
        partings.forEach((what, parting) -> parted.put(what, partingMap(parting)));
        map.put("partings", parted);
        map.put("remarks", remarks);
        return Json.INDENTED.writeValueAsString(map);
    }

    private static Map<String, @Nullable Object> partingMap(Divergence parting) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("sameEvents", parting.same());
        map.put("a", parting.first());
        map.put("b", parting.second());
        map.put("before", parting.before());
        map.put("linksOfA", parting.isNone() ? List.of() : parting.headerA().links());
        map.put("linksOfB", parting.isNone() ? List.of() : parting.headerB().links());
        return map;
    }
}
