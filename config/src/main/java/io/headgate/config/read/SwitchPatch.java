package io.headgate.config.read;

import io.headgate.config.ConfigException;
import io.headgate.config.ConfigProblem;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.key.Text;
import io.headgate.config.yaml.ConfigSchema;
import io.headgate.config.yaml.YamlConfig;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A set of changes to a running switch: keys with new values, as in {@code p4.rate=2Gbps} or {@code
 * bridge.ageing=10s}, or a YAML mapping in which ports are keys by their names. A patch is applied
 * whole or not at all; then one exception says why.
 *
 * <p>Keys that a patch does not name keep the values in force, even if these once followed from a
 * named key: a port with another rate keeps its headroom. A key without a value ({@code
 * p4.watchdog=}) is as in a file that does not have it.
 */
public final class SwitchPatch {
    private static final String PORTS = "ports";

    /** The name that problems of assignments have instead of a file's. */
    private static final String SET = "set";

    private static final ConfigSchema ANY =
            ConfigSchema.of(
                    "patch",
                    Map.of(
                            "$id",
                            "urn:headgate:schema:patch",
                            "type",
                            "object",
                            "x-allowed",
                            "keys with new values, such as {p1: {rate: 1Gbps}}"));

    /** Patches follow each other: the result of one is what the next one changes. */
    private static volatile @Nullable Written last;

    private final SwitchConfig now;
    private final String name;
    private final boolean isAtRest;
    private final Map<String, Object> before;
    private final Map<String, Object> said;
    private final List<Assignment> assignments = new ArrayList<>();
    private final List<ConfigProblem> problems = new ArrayList<>();

    /**
     * The result of a patch.
     *
     * @param changes every key that has another value, in the order of the configuration
     */
    public record Patched(SwitchConfig config, List<SwitchChange> changes) {}

    /** A key's new value; null: as in a file that does not have the key. */
    private record Assignment(
            List<String> path, @Nullable Object value, String shown, int line, int column) {
        String valueInWords() {
            return Text.shorten(SwitchChange.words(value));
        }
    }

    /** A configuration in the form of a file, which nothing changes. */
    private record Written(SwitchConfig config, Map<String, Object> map) {}

    private SwitchPatch(SwitchConfig now, String name, boolean isAtRest) {
        this.now = now;
        this.name = name;
        this.isAtRest = isAtRest;
        this.before = written(now);
        this.said = copy(before);
    }

    /**
     * Applies assignments of the form {@code path=value}, the value being YAML.
     *
     * @throws ConfigException if any of it is wrong, or may not change while the switch runs
     */
    public static Patched apply(SwitchConfig now, List<String> assignments) {
        return apply(new SwitchPatch(now, SET, false), assignments);
    }

    /**
     * Applies assignments to a switch that does not run yet, which may have any other value.
     *
     * @throws ConfigException if any of it is wrong
     */
    public static SwitchConfig atRest(SwitchConfig now, List<String> assignments) {
        return apply(new SwitchPatch(now, SET, true), assignments).config();
    }

    @SuppressWarnings("ReferenceEquality") // comparing all keys would take as long as writing them
    private static Map<String, Object> written(SwitchConfig config) {
        Written known = last;
        return known != null && known.config == config ? known.map : SwitchConfigs.toMap(config);
    }

    private static Patched apply(SwitchPatch patch, List<String> assignments) {
        assignments.forEach(patch::add);
        return patch.apply();
    }

    /**
     * Applies a YAML mapping.
     *
     * @param name what to call the text in messages, such as its file's name
     * @throws ConfigException if any of it is wrong, or may not change while the switch runs
     */
    public static Patched apply(SwitchConfig now, String yaml, String name) {
        return apply(now, YamlConfig.read(yaml, name, ANY), name);
    }

    /**
     * Applies a mapping that has been read already.
     *
     * @param said as {@link SwitchConfigs#toMap} has it, ports by their names
     * @throws ConfigException if any of it is wrong, or may not change while the switch runs
     */
    public static Patched apply(SwitchConfig now, Map<String, Object> said, String name) {
        return apply(now, YamlConfig.of(said, name, ANY), name);
    }

    /**
     * Replaces the configuration in force.
     *
     * @param name what to call it in messages, such as its file
     * @throws ConfigException if anything that differs may not change while the switch runs
     */
    public static Patched replace(SwitchConfig now, SwitchConfig next, String name) {
        SwitchPatch patch = new SwitchPatch(now, name, false);
        List<SwitchChange> changes = SwitchChange.between(now, next);
        patch.refuseFixed(changes);
        patch.throwIfAny();
        return new Patched(next, changes);
    }

    private static Patched apply(SwitchConfig now, YamlConfig read, String name) {
        SwitchPatch patch = new SwitchPatch(now, name, false);
        read.throwIfAny();
        for (String key : read.keys("")) {
            String at = YamlConfig.child("", key);
            if (!key.equals(PORTS)) {
                patch.add(read, at, patch.resolve(key, read.line(at), read.column(at)));
            } else if (read.isMapping(at)) {
                for (String port : read.keys(at)) {
                    String portAt = YamlConfig.child(at, port);
                    patch.add(
                            read, portAt, patch.port(port, read.line(portAt), read.column(portAt)));
                }
            } else {
                patch.refuse(
                        read.line(at),
                        read.column(at),
                        PORTS,
                        "no mapping",
                        "ports by their names, such as {ports: {p1: {rate: 1Gbps}}}");
            }
        }
        return patch.apply();
    }

    // ---- what is asked for

    private void add(String assignment) {
        int equals = assignment.indexOf('=');
        if (equals < 1) {
            refuse(0, 0, "", Text.quote(assignment), "KEY=VALUE, such as p1.rate=1Gbps");
            return;
        }
        String key = assignment.substring(0, equals);
        try {
            YamlConfig value = YamlConfig.read("v: " + assignment.substring(equals + 1), name, ANY);
            value.throwIfAny();
            add(value, "/v", resolve(key, 0, 0));
        } catch (ConfigException e) {
            e.problems().forEach(bad -> refuse(0, 0, key, bad.found(), bad.allowed()));
        }
    }

    /** Adds the assignments of a mapping, one per key. */
    private void add(YamlConfig yaml, String at, Optional<List<String>> path) {
        if (path.isEmpty()) {
            return;
        }
        List<String> keys = yaml.keys(at);
        for (String key : keys) {
            List<String> longer = new ArrayList<>(path.get());
            longer.add(key);
            add(yaml, YamlConfig.child(at, key), Optional.of(longer));
        }
        if (keys.isEmpty()) {
            boolean stands = !name.equals(SET);
            add(
                    new Assignment(
                            path.get(),
                            yaml.place(at).said(),
                            shown(path.get()),
                            stands ? yaml.line(at) : 0,
                            stands ? yaml.column(at) : 0));
        }
    }

    /**
     * Adds an assignment. Refuses a second value for a key: only the sender knows which one was
     * meant.
     */
    private void add(Assignment assignment) {
        for (Assignment other : assignments) {
            if (other.path.equals(assignment.path)) {
                String values = other.valueInWords() + " and " + assignment.valueInWords();
                refuse(assignment, "two values, " + values, "one");
                return;
            }
            boolean isPart = startsWith(assignment.path, other.path);
            if (isPart || startsWith(other.path, assignment.path)) {
                Assignment part = isPart ? assignment : other;
                Assignment whole = isPart ? other : assignment;
                String both = part.valueInWords() + ", and " + whole.valueInWords();
                refuse(part, both + " for the whole of " + whole.shown, "one of the two");
                return;
            }
        }
        assignments.add(assignment);
    }

    private static boolean startsWith(List<String> path, List<String> head) {
        return path.size() >= head.size() && path.subList(0, head.size()).equals(head);
    }

    /** The path of a key from the root, a port by its number. */
    private Optional<List<String>> resolve(String key, int line, int column) {
        String head = key.contains(".") ? key.substring(0, key.indexOf('.')) : key;
        if (head.equals(PORTS) && key.length() > head.length()) {
            return port(key.substring(head.length() + 1), line, column);
        }
        return SwitchChange.topKeys().contains(head) && !head.equals(PORTS)
                ? Optional.of(List.of(key.split("\\.", -1)))
                : port(key, line, column);
    }

    /** A port's name, and keys behind it; names may have dots. */
    private Optional<List<String>> port(String key, int line, int column) {
        int best = -1;
        for (int i = 0; i < now.ports().size(); i++) {
            String port = now.ports().get(i).name();
            boolean fits = key.equals(port) || key.startsWith(port + ".");
            if (fits && (best < 0 || port.length() > now.ports().get(best).name().length())) {
                best = i;
            }
        }
        if (best >= 0) {
            List<String> path = new ArrayList<>(List.of(PORTS, String.valueOf(best)));
            String rest = key.substring(now.ports().get(best).name().length());
            if (!rest.isEmpty()) {
                path.addAll(List.of(rest.substring(1).split("\\.", -1)));
            }
            return Optional.of(path);
        }
        List<String> known = new ArrayList<>();
        now.ports().forEach(port -> known.add(port.name()));
        known.addAll(SwitchChange.topKeys());
        known.remove(PORTS);
        String head = key.contains(".") ? key.substring(0, key.indexOf('.')) : key;
        refuse(
                line,
                column,
                Text.shorten(key),
                "no port and no key " + Text.quote(head),
                Text.oneOf(head, known));
        return Optional.empty();
    }

    private String shown(List<String> path) {
        return SwitchChange.shown(path, now.ports());
    }

    // ---- what comes of it

    private Patched apply() {
        throwIfAny();
        assignments.forEach(this::assign);
        throwIfAny();
        SwitchConfig next;
        try {
            next = SwitchConfigReader.read(YamlConfig.of(said, name, SwitchConfigReader.SCHEMA));
        } catch (ConfigException e) {
            // That a key may not change matters more than that the value is wrong too.
            assignments.forEach(this::refuseIfFixed);
            throwIfAny();
            throw new ConfigException(e.problems().stream().map(this::placed).toList());
        }
        Map<String, Object> after = SwitchConfigs.toMap(next);
        List<SwitchChange> changes = SwitchChange.between(now, before, next, after);
        if (!now.ports().stream()
                .map(PortConfig::name)
                .toList()
                .equals(next.ports().stream().map(PortConfig::name).toList())) {
            assignments.forEach(this::refuseIfFixed); // no other than a port's name
            throwIfAny();
        }
        refuseFixed(changes);
        throwIfAny();
        last = new Written(next, after);
        return new Patched(next, changes);
    }

    private void refuseFixed(List<SwitchChange> changes) {
        for (SwitchChange change : changes) {
            String reason = isAtRest ? null : change.refusal();
            if (reason != null) {
                refuseChange(change, reason);
            }
        }
    }

    private void assign(Assignment assignment) {
        Object node = said;
        List<String> path = assignment.path;
        for (int i = 0; i < path.size() - 1; i++) {
            String key = path.get(i);
            if (node instanceof List<?> list) {
                node = list.get(Integer.parseInt(key));
                continue;
            }
            Map<String, Object> map = asMap(node);
            if (!(map.get(key) instanceof Map) && !(map.get(key) instanceof List)) {
                map.put(key, new LinkedHashMap<String, Object>());
            }
            node = map.get(key);
            if (node instanceof List && i > 0) {
                refuse(
                        assignment,
                        "a key in a list",
                        shown(path.subList(0, i + 1)) + " as a whole");
                return;
            }
        }
        String last = path.getLast();
        if (node instanceof List) {
            String example = assignment.shown + ".rate";
            refuse(assignment, "a whole port", "one of its keys, such as " + example);
        } else if (assignment.value == null) {
            asMap(node).remove(last);
        } else {
            asMap(node).put(last, assignment.value);
        }
    }

    @SuppressWarnings("unchecked") // said is maps by keys all the way down
    private static Map<String, Object> asMap(@Nullable Object node) {
        return (Map<String, Object>) Objects.requireNonNull(node);
    }

    /** Checks an assignment by itself, if its result cannot be checked. */
    private void refuseIfFixed(Assignment assignment) {
        Object before = SwitchChange.find(this.before, assignment.path);
        SwitchChange change =
                new SwitchChange(assignment.path, assignment.shown, before, assignment.value);
        String reason = isAtRest ? null : change.refusal();
        if (reason != null && !String.valueOf(before).equals(String.valueOf(assignment.value))) {
            refuseChange(change, reason);
        }
    }

    private void refuseChange(SwitchChange change, String reason) {
        Assignment by = assignmentOf(change.key());
        refuse(
                by == null ? 0 : by.line,
                by == null ? 0 : by.column,
                change.key(),
                Text.shorten(SwitchChange.words(change.after())),
                Text.shorten(SwitchChange.words(change.before()))
                        + ", until the switch restarts: "
                        + reason);
    }

    /** A problem of the whole configuration in the words of the patch. */
    private ConfigProblem placed(ConfigProblem problem) {
        String key = problem.path();
        for (int i = 0; i < now.ports().size(); i++) {
            String indexed = PORTS + "[" + i + "]";
            if (key.startsWith(indexed)) {
                key = shown(List.of(PORTS, String.valueOf(i))) + key.substring(indexed.length());
            }
        }
        Assignment by = assignmentOf(key);
        return new ConfigProblem(
                name,
                by == null ? 0 : by.line,
                by == null ? 0 : by.column,
                key,
                problem.found(),
                problem.allowed());
    }

    private @Nullable Assignment assignmentOf(String key) {
        for (Assignment assignment : assignments) {
            if (key.equals(assignment.shown)
                    || key.startsWith(assignment.shown + ".")
                    || key.startsWith(assignment.shown + "[")
                    || assignment.shown.startsWith(key + ".")) {
                return assignment;
            }
        }
        return null;
    }

    private void refuse(Assignment assignment, String found, String allowed) {
        refuse(assignment.line, assignment.column, assignment.shown, found, allowed);
    }

    private void refuse(int line, int column, String key, String found, String allowed) {
        problems.add(new ConfigProblem(name, line, column, key, found, allowed));
    }

    private void throwIfAny() {
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
    }

    /** A copy that can be changed. */
    private static Map<String, Object> copy(Map<?, ?> map) {
        Map<String, Object> copy = new LinkedHashMap<>();
        map.forEach((key, value) -> copy.put((String) key, copyOf(value)));
        return copy;
    }

    private static Object copyOf(Object value) {
        return switch (value) {
            case Map<?, ?> map -> copy(map);
            case List<?> list -> new ArrayList<>(list.stream().map(SwitchPatch::copyOf).toList());
            default -> value;
        };
    }
}
