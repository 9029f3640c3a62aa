package io.headgate.testbed.scenario.report;

import io.headgate.control.report.Json;
import io.headgate.control.report.Prose;
import io.headgate.control.report.Table;
import io.headgate.testbed.scenario.Differences.Row;
import io.headgate.testbed.scenario.Numbers;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.bed.Change;
import io.headgate.testbed.scenario.trace.Divergence;
import io.headgate.testbed.scenario.trace.TraceReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Compares two results: configuration, measured numbers, and the first event in which each pair of
 * runs differs.
 */
public final class Comparison {
    /** Directory of recordings, next to a result. */
    public static final String TRACES = "trace";

    /** A place in a list, as paths have it. */
    private static final Pattern PLACE = Pattern.compile("(?<=/)(\\d+|\\[[^/\\]]*\\])(?=/|$)");

    /** Among names of parameters, which cannot be empty: what a run ran on. */
    private static final String BED = "";

    private static final Pattern LINE_END = Pattern.compile("\\r\\n|\\r|\\n");

    private static final int SHOWN = 40;

    /** The longest value, in characters, that fits a table. */
    private static final int SHORT = 24;

    /** The longest part of a line, in characters, that is shown where it differs. */
    private static final int PART = 80;

    /** The same of a line that the other has nothing of. */
    private static final int WHOLE = 200;

    /** What is shown of a line before the part that differs. */
    private static final int CONTEXT = 16;

    private static final int RUNS_SHOWN = 10;
    private static final Pattern OF_RUN =
            Pattern.compile("run (\\d+(?: \\(\\d+ of B\\))?), (.*)", Pattern.DOTALL);

    /**
     * One difference.
     *
     * @param where its place, such as {@code run 3, configuration/duration}
     * @param a A's value there; null: none
     * @param b B's value there; null: none
     */
    public record Difference(String where, @Nullable String a, @Nullable String b) {}

    private final List<Difference> made = new ArrayList<>();
    private final List<Difference> configured = new ArrayList<>();
    private final List<Difference> measured = new ArrayList<>();
    private final MeasuredDifferences measures = new MeasuredDifferences();

    /** Runs of A of which there is one in B. */
    private final Set<String> together = new LinkedHashSet<>();

    /** Runs whose frames differ, and of which there are no recordings. */
    private final List<String> parted = new ArrayList<>();

    private final Map<String, Divergence> partings = new LinkedHashMap<>();
    private final List<String> remarks = new ArrayList<>();

    // Where the recordings of each are, if it has any.
    private final Path fromA;
    private final Path fromB;

    private Comparison(Path fromA, Path fromB) {
        this.fromA = fromA;
        this.fromB = fromB;
    }

    /**
     * Compares two results, or two recordings. Recordings in a result's directory are compared only
     * if their digest shows that they are of its runs.
     *
     * @param a directory of a result, its {@code result.json}, or a recording
     * @throws ScenarioException if one of them cannot be read
     */
    public static Comparison of(Path a, Path b) throws ScenarioException {
        Comparison comparison = new Comparison(a, b);
        boolean recordingA = isRecording(a);
        boolean recordingB = isRecording(b);
        if (recordingA != recordingB) {
            throw new ScenarioException(
                    (recordingA ? b : a)
                            + " is a result, but the other is a recording; compare two of the same"
                            + " kind");
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
            comparison.results(ResultReader.tree(a), ResultReader.tree(b));
        }
        return comparison;
    }

    /**
     * Compares the runs of one result with its runs that have one change.
     *
     * @throws ScenarioException if it cannot be read, or nothing was changed in it
     */
    public static Comparison ofChange(Path result) throws ScenarioException {
        JsonNode tree = ResultReader.tree(result);
        JsonNode whatIf = tree.path("request").path("whatIf");
        if (!whatIf.isString()) {
            throw new ScenarioException(
                    result
                            + " has no runs with a change: give a second result, or make such runs"
                            + " with headgate reproduce --what-if CHANGE");
        }
        Comparison comparison = new Comparison(result, result);
        comparison.results(runsOf(tree, true), runsOf(tree, false));
        return comparison;
    }

    /** A result's runs without the change, or those with it, without the parameter that says so. */
    private static JsonNode runsOf(JsonNode tree, boolean asItIs) {
        ObjectNode part = (ObjectNode) tree.deepCopy();
        part.remove("parts");
        if (part.path("parameters") instanceof ArrayNode all) {
            all.removeIf(one -> one.path("name").asString("").equals(Change.PARAMETER));
        }
        ArrayNode runs = part.putArray(ResultJson.RUNS);
        for (JsonNode run : tree.path(ResultJson.RUNS)) {
            String value = value(run, Change.PARAMETER);
            if (value.equals(Change.NOTHING) == asItIs) {
                ObjectNode copy = (ObjectNode) run.deepCopy();
                copy.withObject("parameters").remove(Change.PARAMETER);
                runs.add(copy);
            }
        }
        return part;
    }

    private static boolean isRecording(Path path) {
        return path.toString().endsWith(".hgtrace");
    }

    /** Whether the settings and the measured values are all equal. */
    public boolean isSame() {
        return configured.isEmpty()
                && measured.isEmpty()
                && partings.values().stream().allMatch(Divergence::isNone);
    }

    private Divergence recordings(String what, Path a, Path b) throws ScenarioException {
        Divergence parting = Divergence.of(a, b);
        partings.put(what, parting);
        return parting;
    }

    private void results(JsonNode treeA, JsonNode treeB) throws ScenarioException {
        compare(made, "parts", treeA.path("parts"), treeB.path("parts"));
        // Never the same, and never why results differ; how many runs there are is said below.
        made.removeIf(one -> one.where.matches("parts/\\d+/(started|wallSeconds|runs)"));
        for (String key : List.of("scenario", "scenarioFile", "parameters")) {
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
        Set<String> varied = varied(runsA);
        Deque<JsonNode> restA =
                runsA.valueStream().collect(Collectors.toCollection(ArrayDeque::new));
        Deque<JsonNode> restB =
                runsB.valueStream().collect(Collectors.toCollection(ArrayDeque::new));
        // Where none are of the same values, what is wanted is what the values make of them.
        if (!pair(restA, restB, varied, Comparison::values)) {
            varied.retainAll(varied(runsB));
            if (!bySetting(restA, restB, varied, true) && !bySetting(restA, restB, varied, false)) {
                inOrder(restA, restB);
            }
        }
        if (!parted.isEmpty()) {
            remarks.add(
                    "The frames of "
                            + (parted.size() == 1 ? "run " : "runs ")
                            + numbered(parted)
                            + " differ; with recordings of both (headgate reproduce --trace), the"
                            + " first different event is shown here.");
        }
        addAlone("A", restA);
        addAlone("B", restB);
    }

    /**
     * Pairs runs that are alike in what both results vary. Where that does not tell all runs of one
     * result apart, none are: some would be compared with other settings.
     *
     * @param withSeed whether their seeds must be alike, too
     * @return whether there were any
     */
    private boolean bySetting(
            Deque<JsonNode> runsA, Deque<JsonNode> runsB, Set<String> varied, boolean withSeed)
            throws ScenarioException {
        return isEachOnce(runsA, varied)
                && isEachOnce(runsB, varied)
                && pair(runsA, runsB, varied, run -> key(run, varied, withSeed));
    }

    /** Takes away and compares runs of one key; whether there were any. */
    private boolean pair(
            Deque<JsonNode> runsA,
            Deque<JsonNode> runsB,
            Set<String> varied,
            Function<JsonNode, String> key)
            throws ScenarioException {
        Map<String, Deque<JsonNode>> byKey = new LinkedHashMap<>();
        for (JsonNode run : runsB) {
            byKey.computeIfAbsent(key.apply(run), _ -> new ArrayDeque<>()).add(run);
        }
        Set<JsonNode> paired = Collections.newSetFromMap(new IdentityHashMap<>());
        for (JsonNode run : runsA) {
            JsonNode other = byKey.getOrDefault(key.apply(run), new ArrayDeque<>()).pollFirst();
            if (other != null) {
                run(run, other, setting(run, varied));
                paired.add(run);
                paired.add(other);
            }
        }
        // The others stay in their order, which may be all that tells which belong together.
        runsA.removeIf(paired::contains);
        runsB.removeIf(paired::contains);
        return !paired.isEmpty();
    }

    private static boolean isEachOnce(Collection<JsonNode> runs, Set<String> varied) {
        return runs.stream().map(run -> key(run, varied, true)).distinct().count() == runs.size();
    }

    private static String key(JsonNode run, Set<String> varied, boolean withSeed) {
        List<String> values = new ArrayList<>();
        varied.forEach(name -> values.add(value(run, name)));
        return values + (withSeed ? " seed " + run.path("seed").asString("") : "");
    }

    /** What a run has of what its result varies. */
    private static String value(JsonNode run, String name) {
        return name.equals(BED)
                ? run.path("bed").asString("")
                : run.path("parameters").path(name).path("text").asString("");
    }

    /** Names of what differs between runs of a result but for their seeds. */
    private static Set<String> varied(JsonNode runs) {
        Set<String> names = new LinkedHashSet<>();
        for (JsonNode run : runs) {
            names.addAll(run.path("parameters").propertyNames());
        }
        names.add(BED);
        names.removeIf(name -> runs.valueStream().map(r -> value(r, name)).distinct().count() < 2);
        return names;
    }

    /** Pairs runs by nothing but their places in the results. */
    private void inOrder(Deque<JsonNode> runsA, Deque<JsonNode> runsB) throws ScenarioException {
        if (!runsA.isEmpty() && !runsB.isEmpty()) {
            remarks.add(
                    "Runs are compared only by their order, because no parameter that both results"
                            + " vary shows which runs belong together: their measurements are not"
                            + " tested.");
        }
        while (!runsA.isEmpty() && !runsB.isEmpty()) {
            run(runsA.removeFirst(), runsB.removeFirst(), null);
        }
    }

    /** What runs have of which the other result has none, all of them in one line. */
    private void addAlone(String side, Collection<JsonNode> runs) {
        if (runs.isEmpty()) {
            return;
        }
        Map<String, Set<String>> values = new LinkedHashMap<>();
        for (JsonNode run : runs) {
            for (String key : List.of("seed", "bed")) {
                values.computeIfAbsent(key, _ -> new LinkedHashSet<>())
                        .add(run.path(key).asString(""));
            }
            run.path("parameters")
                    .propertyStream()
                    .forEach(one ->
                            values.computeIfAbsent(one.getKey(), _ -> new LinkedHashSet<>())
                                    .add(one.getValue().path("text").asString("")));
        }
        List<String> said = new ArrayList<>();
        values.forEach((name, all) -> {
            String first = String.join(", ", all.stream().limit(RUNS_SHOWN).toList());
            said.add(name + " " + first + (all.size() > RUNS_SHOWN ? " and so on" : ""));
        });
        List<String> numbers = runs.stream().map(run -> run.path("run").asString("")).toList();
        String where =
                (runs.size() == 1 ? "run " : "runs ")
                        + numbered(numbers)
                        + " of "
                        + side
                        + " alone";
        String text = String.join("; ", said);
        configured.add(
                new Difference(
                        where, side.equals("A") ? text : null, side.equals("A") ? null : text));
    }

    /** What a run was made with, as far as it tells runs of one result apart. */
    private static String values(JsonNode run) {
        List<String> values = new ArrayList<>();
        List.of("parameters", "seed", "bed", "scale").forEach(k -> values.add(run.path(k) + ""));
        return String.join(" ", values);
    }

    /**
     * Two runs that are compared.
     *
     * @param setting of both, whose measures are tested; null: they are of different ones
     */
    private void run(JsonNode a, JsonNode b, @Nullable String setting) throws ScenarioException {
        int inA = a.path("run").asInt(0);
        int inB = b.path("run").asInt(0);
        String run = "run " + inA + (inA == inB ? "" : " (" + inB + " of B)");
        together.add(run.substring("run ".length()));
        for (Map.Entry<String, JsonNode> one : a.path("parameters").properties()) {
            // Its number says no more than its text.
            compare(
                    configured,
                    run + ", parameter " + one.getKey(),
                    one.getValue().path("text"),
                    b.path("parameters").path(one.getKey()).path("text"));
        }
        for (String key : List.of("seed", "bed", "scale", "configuration")) {
            compare(configured, run + ", " + key, a.path(key), b.path(key));
        }
        if (setting != null) {
            measures.add(setting, a, b);
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

    /** What tells a run's setting from the others of its result. */
    private static String setting(JsonNode run, Set<String> varied) {
        return varied.stream()
                .map(name -> (name.equals(BED) ? "" : name + " ") + value(run, name))
                .collect(Collectors.joining(", "));
    }

    /**
     * Whether a recording exists and is of this very run: a result whose file was renamed or copied
     * may have recordings of another one in its directory.
     */
    private boolean isOf(JsonNode run, Path trace, String what) throws ScenarioException {
        if (!Files.exists(trace)) {
            return false;
        }
        String digest = String.format("%016x", TraceReader.digestOf(trace));
        if (digest.equals(run.path("digest").asString(""))) {
            return true;
        }
        remarks.add(
                what
                        + ": "
                        + trace
                        + " is not compared; it belongs to another run than the result, or is"
                        + " truncated");
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

    private static Map<String, JsonNode> byName(JsonNode list) {
        Map<String, JsonNode> byName = new LinkedHashMap<>();
        for (JsonNode one : list) {
            byName.put(name(one), one);
        }
        return byName;
    }

    /** What something is called, a link by its ends; empty: nothing. */
    private static String name(JsonNode one) {
        String ends = one.path("a").asString("") + "-" + one.path("b").asString("");
        return one.path("name").asString(ends.length() > 2 ? ends : "");
    }

    /** Whether all in a list have names, no two the same: then what is new moves nothing else. */
    private static boolean isNamed(JsonNode list) {
        Map<String, JsonNode> byName = byName(list);
        return byName.size() == list.size()
                && byName.keySet().stream().allMatch(name -> name.matches("[^/\\[\\]]{1,64}"));
    }

    private static @Nullable String number(@Nullable JsonNode measure) {
        return measure == null
                ? null
                : Numbers.text(
                        measure.path("value").asDouble(Double.NaN),
                        measure.path("unit").asString(""));
    }

    /** Compares two trees, descending as far as they have the same structure. */
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
        } else if (a.isArray() && b.isArray() && isNamed(a) && isNamed(b)) {
            Map<String, JsonNode> inA = byName(a);
            Map<String, JsonNode> inB = byName(b);
            Set<String> names = new LinkedHashSet<>(inA.keySet());
            names.addAll(inB.keySet());
            for (String name : names) {
                compare(
                        into,
                        where + "/[" + name + "]",
                        inA.getOrDefault(name, MissingNode.getInstance()),
                        inB.getOrDefault(name, MissingNode.getInstance()));
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
        return some.isEmpty() ? null : String.join("\n", some);
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
        return node.isValueNode() ? node.asString("") : summary(node);
    }

    /** What is there on one side alone: names and plain values, and not all that is below them. */
    private static String summary(JsonNode node) {
        if (node.isArray()) {
            List<String> names = new ArrayList<>();
            node.forEach(one -> names.add(one.isValueNode() ? one.asString("") : name(one)));
            names.removeIf(String::isEmpty);
            return names.isEmpty() ? node.size() + " entries" : String.join(", ", names);
        }
        List<String> values = new ArrayList<>();
        node.propertyStream()
                .forEach(one ->
                        values.add(
                                one.getKey()
                                        + (one.getValue().isValueNode()
                                                ? " " + one.getValue().asString("")
                                                : " {…}")));
        return String.join(", ", values);
    }

    /** The part of each of two lines that the other has not, with a little of what is before it. */
    private static String[] differing(String a, String b) {
        int same = 0;
        while (same < Math.min(a.length(), b.length()) && a.charAt(same) == b.charAt(same)) {
            same++;
        }
        int from = Math.max(0, same - CONTEXT);
        // Half a word says little.
        int blank = a.lastIndexOf(' ', from);
        from =
                a.length() <= PART && b.length() <= PART
                        ? 0
                        : from - blank < CONTEXT ? blank + 1 : from;
        return new String[] {part(a, from, PART), part(b, from, PART)};
    }

    private static String part(String text, int from, int most) {
        String rest = (from > 0 ? "…" : "") + text.substring(Math.min(from, text.length()));
        return rest.length() > most ? rest.substring(0, most) + "…" : rest;
    }

    /** The whole comparison as lines for a person, measured values first. */
    public String describe() {
        StringBuilder text = new StringBuilder();
        List<Row> rows = measures.rows();
        if (!rows.isEmpty()) {
            String tests = MeasuredDifferences.tests(rows);
            text.append(Prose.folded("Measured differently; " + tests, 2)).append('\n');
            List<Row> shown = rows.subList(0, Math.min(rows.size(), SHOWN));
            text.append(MeasuredDifferences.table(shown).indented(2));
            more(text, rows.size());
        }
        section(
                text,
                "Ended differently",
                measured.stream().filter(one -> one.where.endsWith(", failure")).toList());
        section(text, "Configured differently", configured);
        section(text, "Made differently", made);
        partings.forEach((what, parting) ->
                text.append(what).append(": ").append(parting.describe()).append('\n'));
        remarks.forEach(one -> text.append(Prose.folded(one, 2)).append('\n'));
        text.append(isSame() ? "A and B are the same.\n" : "A and B differ.\n");
        return text.toString();
    }

    private static void more(StringBuilder text, int all) {
        if (all > SHOWN) {
            text.append("  and ").append(all - SHOWN).append(" more; --json has all\n");
        }
        text.append('\n');
    }

    private void section(StringBuilder text, String heading, List<Difference> differences) {
        if (differences.isEmpty()) {
            return;
        }
        text.append(heading).append('\n');
        List<Difference> shown = together(differences, together);
        Table table = new Table("", "A", "B");
        StringBuilder wide = new StringBuilder();
        for (Difference one : shown.stream().limit(SHOWN).toList()) {
            if (isShort(one.a) && isShort(one.b)) {
                table.row(one.where, shown(one.a), shown(one.b));
            } else {
                Difference parts = parts(one);
                wide.append(
                        String.format(
                                "  %s%n    A  %s%n    B  %s%n",
                                one.where, shown(parts.a), shown(parts.b)));
            }
        }
        text.append(wide);
        if (!table.rows().isEmpty()) {
            text.append(table.indented(2));
        }
        more(text, shown.size());
    }

    /** What is shown of two texts: of lines that stand against each other what differs. */
    private static Difference parts(Difference one) {
        String a = one.a;
        String b = one.b;
        List<String> inA = a == null ? List.of() : a.lines().toList();
        List<String> inB = b == null ? List.of() : b.lines().toList();
        List<String> ofA = new ArrayList<>();
        List<String> ofB = new ArrayList<>();
        for (int i = 0; i < Math.max(inA.size(), inB.size()); i++) {
            boolean both = i < inA.size() && i < inB.size();
            String[] parts = both ? differing(inA.get(i), inB.get(i)) : new String[0];
            if (i < inA.size()) {
                ofA.add(both ? parts[0] : part(inA.get(i), 0, WHOLE));
            }
            if (i < inB.size()) {
                ofB.add(both ? parts[1] : part(inB.get(i), 0, WHOLE));
            }
        }
        return new Difference(
                one.where,
                a == null ? null : String.join("\n", ofA),
                b == null ? null : String.join("\n", ofB));
    }

    private static boolean isShort(@Nullable String text) {
        return text == null || (text.length() <= SHORT && text.indexOf('\n') < 0);
    }

    /**
     * Lists the same difference in several runs, ports or switches once: places that have it in
     * exactly the same runs are combined.
     */
    static List<Difference> together(List<Difference> differences, Set<String> compared) {
        Map<Difference, Map<String, Set<String>>> all = new LinkedHashMap<>();
        for (Difference one : differences) {
            Matcher run = OF_RUN.matcher(one.where);
            boolean ofRun = run.matches();
            String path = ofRun ? run.group(2) : one.where;
            String alike = PLACE.matcher(path).replaceAll("*");
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
                    together.add(new Difference(places(runs, paths, compared), one.a, one.b)));
        });
        return together;
    }

    private static String places(Set<String> runs, List<String> paths, Set<String> compared) {
        boolean all = runs.size() > 1 && runs.equals(compared);
        String of = runs.isEmpty() ? "" : (runs.size() > 1 ? "runs " : "run ");
        return (all ? "all " + runs.size() + " runs" : of + numbered(List.copyOf(runs)))
                + (runs.isEmpty() ? "" : ", ")
                + starred(paths).replaceAll("[\\[\\]]", "")
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

    /** The whole comparison for programs. */
    public String toJson() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("same", isSame());
        map.put("measures", MeasuredDifferences.maps(measures.rows()));
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
