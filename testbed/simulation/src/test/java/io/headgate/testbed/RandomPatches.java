package io.headgate.testbed;

import io.headgate.config.ConfigException;
import io.headgate.config.FlowControlConfig.Buffers;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.read.SwitchConfigs;
import io.headgate.config.read.SwitchPatch;
import io.headgate.config.read.SwitchPatch.Patched;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Draws changes that a switch may be asked for while it carries lossless traffic: a random key of a
 * random port, with a value with which nothing may be lost. In each round every key that the switch
 * has comes once, in random order.
 */
public final class RandomPatches {
    private static final String PORT = "ports[]";
    private static final String SWITCH = "";
    private static final String RED = PORT + ".congestion.red";
    private static final String TCD = PORT + ".congestion.tcd";
    private static final String FECN = PORT + ".congestion.fecn";
    private static final String PI = PORT + ".congestion.pi";
    private static final String PCN = PORT + ".congestion.pcn";
    private static final String QCN = PORT + ".congestion.qcn";
    private static final String ROCC = PORT + ".congestion.rocc";
    private static final String ICC = PORT + ".congestion.icc";
    private static final String POLICY = PORT + ".queues.policy";
    private static final String BUFFERS = PORT + ".buffers";
    private static final String ESCAPE = PORT + ".detour.escape";
    private static final String GFC = PORT + ".link-control.gfc";
    private static final String WATCHDOG = PORT + ".watchdog";

    private static final String[] PRIORITIES = {"[3, 4]", "[0, 3, 5]", "[0, 1, 2]"};
    private static final String[] MARKS = {"ecn", "bth", "both"};
    private static final String[] FIELDS = {
        "none",
        "priority",
        "tos",
        "dscp",
        "ttl",
        "protocol",
        "id",
        "length",
        "flow",
        "ingress",
        "source",
        "destination"
    };

    /** For each key: values that may lose no frame; words in angle brackets are drawn. */
    private static final List<Template> ALL =
            Stream.of(
                            ofPorts(),
                            ofFlowControl(),
                            ofMarking(),
                            ofPublishedMarking(),
                            ofFairRates(),
                            ofIcc(),
                            ofPolicies(),
                            ofSwitch())
                    .flatMap(List::stream)
                    .toList();

    /** Keys that can be given where a port does not have them, and taken away. */
    private static final Set<String> COMING_AND_GOING =
            Set.of(PORT + ".priority-rates", WATCHDOG, POLICY + ".carries");

    private final Random random;
    private final List<Template> templates;
    private final List<Template> round = new ArrayList<>();
    private final long rateMbps;
    private final long headroomBytes;
    private final int headroomSlots;

    /** Ways to set a key: {@code KEY=VALUE}. */
    private record Template(String key, List<String> assignments) {}

    /**
     * A change.
     *
     * @param key as in the table of all keys, such as {@code ports[].rate}
     * @param assignment as {@code headgate set} takes it
     */
    public record Patch(String key, String assignment) {
        @Override
        public String toString() {
            return assignment;
        }
    }

    /** A change that a switch can take, and its configuration with it. */
    public record Change(Patch patch, SwitchConfig after) {}

    private static Template of(String section, String name, String... values) {
        String key = section.isEmpty() ? name : section + "." + name;
        return new Template(key, Stream.of(values).map(value -> key + "=" + value).toList());
    }

    /** With the action that it has of itself, a watchdog drops what a slow host has paused. */
    private static Template watchdog(String name, String value) {
        String all = "%s={action: alert, %s: %s}".formatted(WATCHDOG, name, value);
        return new Template(WATCHDOG + "." + name, List.of(all));
    }

    private static List<Template> ofPorts() {
        return List.of(
                of(PORT, "rate", "<rate>"),
                of(PORT, "queue-limit", "<size>"),
                of(PORT, "account-cap", "<size>"),
                of(PORT, "account-cap-slots", "<slots>"),
                of(PORT, "scheduler", "strict", "dwrr", "[1, 1, 1, <n>, 1, 1, strict, strict]"),
                of(PORT, "priority-rates", "", "[{priority: 3, rate: <rate>}]"));
    }

    private static List<Template> ofFlowControl() {
        return List.of(
                of(BUFFERS, "xoff", "<size>"),
                of(BUFFERS, "xoff-slots", "<slots>"),
                of(BUFFERS, "xon", "<size>"),
                of(BUFFERS, "xon-slots", "<slots>"),
                of(BUFFERS, "headroom", "<headroom>"),
                of(BUFFERS, "headroom-slots", "<headroom-slots>"),
                of(BUFFERS, "alpha", "1/4", "1", "2"),
                of(BUFFERS, "reserved", "<size>"),
                of(BUFFERS, "reserved-slots", "<n>"),
                of(BUFFERS, "shared", "<size>"),
                of(BUFFERS, "shared-slots", "<slots>"),
                of(PORT + ".pause", "quanta", "<quanta>"),
                of(PORT + ".pause", "refresh", "<n>ms", ""),
                of(PORT + ".credits", "update", "periodic", "on-change"),
                of(PORT + ".credits", "period", "<hundreds>us"),
                of(PORT + ".credits", "min-gap", "<n>us"),
                new Template(
                        WATCHDOG + ".action",
                        List.of(WATCHDOG + "=", WATCHDOG + "={action: alert}")),
                watchdog("detection", "<hundreds>ms"),
                watchdog("restoration", "<hundreds>ms"),
                watchdog("poll", "<n>0ms"),
                of(ESCAPE, "enabled", "<on>"),
                of(ESCAPE, "selection", "turn", "weight"),
                of(ESCAPE, "period", "<n>us"),
                of(ESCAPE, "reclaim", "<hundreds>us"),
                of(GFC, "form", "buffer", "time"),
                of(GFC, "bm", "<size>"),
                of(GFC, "bm-slots", "<hundreds>"),
                of(GFC, "b1", "<size>"),
                of(GFC, "stages", "<n>"),
                of(GFC, "b0", "<size>"),
                of(GFC, "period", "<hundreds>us"));
    }

    private static List<Template> ofMarking() {
        return List.of(
                of(RED, "enabled", "<on>"),
                of(RED, "kmin", "<size>"),
                of(RED, "kmax", "<size>"),
                of(RED, "pmax", "0.<n>"),
                of(RED, "weight", "0.<n>"),
                of(RED, "priorities", PRIORITIES),
                of(TCD, "enabled", "<on>"),
                of(TCD, "kmin", "<size>"),
                of(TCD, "kmax", "<size>"),
                of(TCD, "pmax", "0.<n>"),
                of(TCD, "low", "<size>"),
                of(TCD, "epsilon", "0.0<n>"),
                of(TCD, "reaction", "<time>"),
                of(TCD, "max-on", "<time>"),
                of(TCD, "trend", "period", "sliding"),
                of(TCD, "mark", MARKS),
                of(TCD, "priorities", PRIORITIES),
                of(FECN, "enabled", "<on>"),
                of(FECN, "threshold", "<size>"),
                of(FECN, "victim-mask", "<on>"),
                of(FECN, "mark", MARKS),
                of(FECN, "priorities", PRIORITIES));
    }

    private static List<Template> ofPublishedMarking() {
        return List.of(
                of(PI, "enabled", "<on>"),
                of(PI, "form", "published", "dissertation"),
                of(PI, "reference", "<size>"),
                of(PI, "every", "<n>us"),
                of(PI, "a", "0.0<n>"),
                of(PI, "b", "0.000<n>"),
                of(PI, "most", "0.<n>"),
                of(PI, "full", "0B", "<size>"),
                of(PI, "priorities", PRIORITIES),
                of(PCN, "enabled", "<on>"),
                of(PCN, "threshold", "<size>"),
                of(PCN, "priorities", PRIORITIES),
                of(QCN, "enabled", "<on>"),
                of(QCN, "set-point", "<size>"),
                of(QCN, "w", "<n>.5"),
                of(QCN, "sample", "<size>"),
                of(QCN, "priorities", PRIORITIES));
    }

    private static List<Template> ofFairRates() {
        return List.of(
                of(ROCC, "enabled", "<on>"),
                of(ROCC, "qref", "<size>"),
                of(ROCC, "qmid", "<size>"),
                of(ROCC, "qmax", "<size>"),
                of(ROCC, "alpha", "0.<n>"),
                of(ROCC, "beta", "<n>.5"),
                of(ROCC, "period", "<time>"),
                of(ROCC, "rate-step", "<n>Mbps"),
                of(ROCC, "queue-step", "<hundreds>B"),
                of(ROCC, "fmin", "<n>Mbps"),
                of(ROCC, "start", "<rate>"),
                of(ROCC, "flow-table", "queued", "aged", "afd-ft", "elephant-trap", "bubble-cache"),
                of(ROCC, "flows", "<slots>"),
                of(ROCC, "age", "<time>"),
                of(ROCC, "sample-one-of", "<n>"),
                of(ROCC, "elephant", "<n>"),
                of(ROCC, "computed-by", "switch", "host"),
                of(ROCC, "priorities", PRIORITIES));
    }

    private static List<Template> ofIcc() {
        return List.of(
                of(ICC, "enabled", "<on>"),
                of(ICC, "sample", "<n>us"),
                of(ICC, "timer", "<time>"),
                of(ICC, "load", "0.<n>"),
                of(ICC, "flow-age", "<time>"),
                of(ICC, "priorities", PRIORITIES));
    }

    /** Policies that drop nothing and keep the order: no other is for lossless priorities. */
    private static List<Template> ofPolicies() {
        return List.of(
                of(POLICY, "enabled", "<on>"),
                of(POLICY, "file", "fifo.oq", "lossless.oq"),
                of(
                        POLICY,
                        "carries",
                        "",
                        "[{queue: q1, priorities: [0, 1, 2, 3, 4, 5, 6, 7]}]",
                        "[{queue: q1, priorities: [0, 1, 2, 3]},"
                                + " {queue: q2, priorities: [4, 5, 6, 7]}]"),
                of(POLICY, "value", FIELDS),
                of(POLICY, "processing", FIELDS),
                of(POLICY, "slack", FIELDS),
                of(POLICY, "flow", FIELDS),
                of(POLICY, "size-unit", "bytes", "packets"),
                of(POLICY, "admission-order", "value", "drop-first"),
                of(POLICY, "reorders", "<on>"),
                of(POLICY, "seed", "<n>"));
    }

    private static List<Template> ofSwitch() {
        return List.of(
                of(SWITCH, "bridge.ageing", "<n>000s"),
                of(SWITCH, "bridge.flood-limit", "<n>k/s"),
                of(SWITCH, "bridge.move-limit", "<n>/s"),
                of(SWITCH, "routed.neighbour-timeout", "<n>000s"));
    }

    /** All keys for which there are values, of whatever switch. */
    public static Set<String> allKeys() {
        return keys(ALL);
    }

    private static Set<String> keys(List<Template> templates) {
        Set<String> keys = new LinkedHashSet<>();
        templates.forEach(template -> keys.add(template.key));
        return keys;
    }

    /**
     * For a switch all of whose ports have the same protocol and mechanisms.
     *
     * @param config at the start: no later change makes headroom less than what it has there
     * @param rateBps of its links
     */
    public RandomPatches(long seed, SwitchConfig config, long rateBps) {
        this.random = new Random(seed);
        this.rateMbps = rateBps / 1_000_000;
        long bytes = 0;
        int slots = 0;
        for (PortConfig port : config.ports()) {
            Buffers buffers = port.flowControl().buffers();
            if (buffers != null) {
                bytes = Math.max(bytes, buffers.headroomBytes());
                slots = Math.max(slots, buffers.headroomSlots());
            }
        }
        headroomBytes = bytes;
        headroomSlots = slots;
        Map<String, Object> file = SwitchConfigs.toMap(config);
        String otherMode = config.mode() == SwitchConfig.Mode.BRIDGE ? "routed." : "bridge.";
        templates =
                ALL.stream()
                        .filter(template -> !template.key.startsWith(otherMode))
                        .filter(template -> isKeyOf(file, template))
                        .toList();
    }

    private static boolean isKeyOf(Map<String, Object> file, Template template) {
        String assignment = template.assignments.getFirst();
        String key = assignment.substring(0, assignment.indexOf('='));
        List<String> path = List.of(key.split("\\.", -1));
        Object section = file;
        for (String name : path.subList(0, path.size() - 1)) {
            Object inner =
                    section instanceof Map<?, ?> map ? map.get(name.replace("[]", "")) : null;
            section = inner instanceof List<?> list ? list.getFirst() : inner;
        }
        return section instanceof Map<?, ?> map
                && (map.containsKey(path.getLast()) || COMING_AND_GOING.contains(key));
    }

    /** The keys that this switch has: those that are drawn. */
    public Set<String> keys() {
        return keys(templates);
    }

    /** A change that the switch can take as it is. */
    public Change next(SwitchConfig now) {
        while (true) {
            Template template = nextTemplate();
            // Thresholds hang on each other: some have no value until others have changed.
            for (int attempt = 0; attempt < 20; attempt++) {
                Patch patch = draw(template, now);
                try {
                    Patched patched = SwitchPatch.apply(now, List.of(patch.assignment));
                    if (!patched.changes().isEmpty()) {
                        return new Change(patch, patched.config());
                    }
                } catch (ConfigException refused) {
                    // The next attempt has other values: xon is below xoff.
                }
            }
        }
    }

    /** A change that the switch may have to refuse: thresholds hang on each other. */
    public Patch draw(SwitchConfig now) {
        return draw(nextTemplate(), now);
    }

    private Template nextTemplate() {
        if (round.isEmpty()) {
            round.addAll(templates);
            Collections.shuffle(round, random);
        }
        return round.removeLast();
    }

    private Patch draw(Template template, SwitchConfig now) {
        String port = now.ports().get(random.nextInt(now.ports().size())).name();
        String assignment =
                template.assignments
                        .get(random.nextInt(template.assignments.size()))
                        .replace(PORT, port)
                        .replace("<rate>", between(rateMbps / 2, rateMbps) + "Mbps")
                        .replace("<size>", between(10, 410) + "kB")
                        .replace("<slots>", between(20, 320))
                        .replace("<headroom>", headroomBytes + 1_000L * random.nextInt(64) + "B")
                        .replace(
                                "<headroom-slots>",
                                String.valueOf(headroomSlots + random.nextInt(64)))
                        .replace("<quanta>", between(30_000, 65_000))
                        .replace("<hundreds>", between(100, 300))
                        .replace("<time>", timeUs() + "us")
                        .replace("<n>", between(1, 10))
                        .replace("<on>", String.valueOf(random.nextBoolean()));
        return new Patch(template.key, assignment);
    }

    /** 100 to 300 us at 10 Gb/s; the slower the link, the longer. */
    private long timeUs() {
        return (100 + random.nextInt(200)) * Math.max(1, 10_000 / rateMbps);
    }

    private String between(long least, long end) {
        return String.valueOf(least + random.nextLong(end - least));
    }
}
