package io.headgate.testbed.imports;

import io.headgate.config.key.Text;
import io.headgate.testbed.imports.Imported.Flow;
import io.headgate.testbed.imports.SourceText.Line;
import io.headgate.testbed.traffic.spec.FlowSpec.After;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads connection matrices of csg-htsim (Broadcom/csg-htsim, {@code connection_matrix.cpp}). They
 * have the numbers of nodes, connections and triggers; for each connection its two nodes, its start
 * in picoseconds or the trigger that starts it, its size, and the triggers that its completion
 * fires; for each trigger the condition on which it starts the waiting connections.
 */
final class ConnectionMatrix {
    private static final int MOST_IDS = Integer.MAX_VALUE;
    private static final Pattern ENDS = Pattern.compile("([0-9]{1,9})->([0-9]{1,9})");
    private static final List<String> HEAD =
            List.of("Nodes", "Connections", "Triggers", "Failures");
    private static final List<String> KEYS =
            List.of(
                    "start",
                    "size",
                    "id",
                    "addon",
                    "trigger",
                    "send_done_trigger",
                    "recv_done_trigger",
                    "prio");

    /** A connection, and what its end fires. */
    private record Connection(
            int line,
            int source,
            int destination,
            long startPs,
            long bytes,
            int trigger,
            int sent,
            int received) {}

    private record Trigger(int line, String kind, int count) {}

    private final SourceText text;
    private final List<Connection> connections = new ArrayList<>();
    private final Map<Integer, Trigger> triggers = new HashMap<>();
    private final Map<String, Integer> head = new HashMap<>();

    /** Sentences with the first line that each is of, and how often. */
    private final Map<String, List<Integer>> notes = new TreeMap<>();

    private ConnectionMatrix(SourceText text) {
        this.text = text;
    }

    static Imported flows(SourceText text) {
        return new ConnectionMatrix(text).flows();
    }

    private void note(int line, String sentence) {
        notes.computeIfAbsent(sentence, _ -> new ArrayList<>()).add(line);
    }

    private Imported flows() {
        for (Line line : text.lines()) {
            String first = line.first();
            if (first.startsWith("#")) {
                continue;
            }
            if (HEAD.contains(first)) {
                head.put(
                        first,
                        text.count(line.number(), text.word(line, 1, first), first, 0, MOST_IDS));
            } else if (first.contains("->")) {
                connection(line);
            } else if (first.equals("trigger")) {
                trigger(line);
            } else if (first.equals("failure")) {
                note(line.number(), "failures are not converted; use 'down' of orders instead");
            } else {
                throw text.wrong(
                        line.number(),
                        Text.quote(first),
                        "Nodes, Connections, Triggers, Failures, SOURCE->DESTINATION, trigger or failure");
            }
        }
        int nodes = head.getOrDefault("Nodes", 0);
        int lastLine = text.lines().getLast().number();
        if (nodes < 2 || nodes > Imported.MOST_HOSTS) {
            throw text.wrong(lastLine, "Nodes " + nodes, "2 to " + Imported.MOST_HOSTS);
        }
        int said = head.getOrDefault("Connections", connections.size());
        if (said != connections.size() || connections.isEmpty()) {
            throw text.wrong(
                    lastLine,
                    connections.size() + " connections",
                    said + ", the number of Connections, at least 1");
        }
        List<Flow> flows = new ArrayList<>();
        Map<Integer, List<Integer>> firing = firing();
        for (Connection one : connections) {
            if (one.source >= nodes || one.destination >= nodes) {
                throw text.wrong(
                        one.line,
                        one.source + "->" + one.destination,
                        "nodes from 0 to " + (nodes - 1));
            }
            flows.add(
                    new Flow(
                            one.source,
                            one.destination,
                            one.startPs,
                            one.bytes,
                            -1,
                            after(one, firing)));
        }
        note(
                0,
                "flows are reliable connections (transport: rocev2) instead of the simulator's"
                        + " transport");
        return new Imported(null, Htsim.hosts(nodes), flows, sentences());
    }

    private List<String> sentences() {
        List<String> all = new ArrayList<>();
        notes.forEach((sentence, lines) -> {
            int line = lines.getFirst();
            String more = lines.size() == 1 ? "" : " (and " + (lines.size() - 1) + " more)";
            all.add(text.name() + (line == 0 ? ": " : ":" + line + more + ": ") + sentence);
        });
        return all;
    }

    private void connection(Line line) {
        int number = line.number();
        if (connections.size() == Imported.MOST_FLOWS) {
            throw text.wrong(number, "one connection more", "at most " + Imported.MOST_FLOWS);
        }
        Matcher ends = ENDS.matcher(line.first());
        if (!ends.matches() || ends.group(1).equals(ends.group(2))) {
            throw text.wrong(number, Text.quote(line.first()), "two different nodes, such as 3->7");
        }
        Map<String, String> said = new HashMap<>();
        for (int i = 1; i < line.words().size(); i++) {
            String key = line.words().get(i);
            if (!KEYS.contains(key)) {
                throw text.wrong(number, Text.quote(key), Text.oneOf(key, KEYS));
            }
            String value = key.equals("addon") ? "" : text.word(line, ++i, "value of " + key);
            if (said.put(key, value) != null) {
                throw text.wrong(number, key + " twice", "each once");
            }
        }
        if (said.containsKey("start") == said.containsKey("trigger")) {
            throw text.wrong(number, "exactly one of start and trigger", "one of them");
        }
        if (!said.containsKey("size")) {
            throw text.wrong(number, "no size", "size in bytes, 0: no end");
        }
        for (String lost : List.of("addon", "prio")) {
            if (said.containsKey(lost)) {
                note(number, lost + " is not kept");
            }
        }
        long startPs =
                said.containsKey("start")
                        ? text.scaled(number, said.get("start"), "start", 1, Imported.LATEST_PS)
                        : 0;
        connections.add(
                new Connection(
                        number,
                        Integer.parseInt(ends.group(1)),
                        Integer.parseInt(ends.group(2)),
                        startPs,
                        text.whole(number, said.get("size"), "size", 0, Imported.MOST_BYTES),
                        id(number, said, "trigger"),
                        id(number, said, "send_done_trigger"),
                        id(number, said, "recv_done_trigger")));
    }

    /** 0: not given. */
    private int id(int line, Map<String, String> said, String key) {
        return said.containsKey(key) ? text.count(line, said.get(key), key, 1, MOST_IDS) : 0;
    }

    private void trigger(Line line) {
        int number = line.number();
        int id = 0;
        int count = 0;
        String kind = "";
        for (int i = 1; i < line.words().size(); i++) {
            String key = line.words().get(i);
            switch (key) {
                case "id" -> id = text.count(number, text.word(line, ++i, "id"), "id", 1, MOST_IDS);
                case "count" ->
                        count =
                                text.count(
                                        number,
                                        text.word(line, ++i, "count"),
                                        "count",
                                        0,
                                        MOST_IDS);
                case "oneshot", "multishot", "barrier" -> kind = key;
                default ->
                        throw text.wrong(
                                number,
                                Text.quote(key),
                                "id, count, oneshot, multishot or barrier");
            }
        }
        if (id == 0
                || kind.isEmpty()
                || triggers.put(id, new Trigger(number, kind, count)) != null) {
            throw text.wrong(number, "a trigger", "a new id, and oneshot, multishot or barrier");
        }
    }

    /** The connections whose end fires each trigger. */
    private Map<Integer, List<Integer>> firing() {
        Map<Integer, List<Integer>> firing = new HashMap<>();
        for (int i = 0; i < connections.size(); i++) {
            for (int trigger :
                    new TreeSet<>(List.of(connections.get(i).sent, connections.get(i).received))) {
                firing.computeIfAbsent(trigger, _ -> new ArrayList<>()).add(i);
            }
        }
        return firing;
    }

    private List<After> after(Connection one, Map<Integer, List<Integer>> firing) {
        if (one.trigger == 0) {
            return List.of();
        }
        Trigger trigger = triggers.get(one.trigger);
        List<Integer> by = firing.getOrDefault(one.trigger, List.of());
        if (trigger == null || by.isEmpty()) {
            throw text.wrong(
                    one.line,
                    "trigger "
                            + one.trigger
                            + (trigger == null
                                    ? ", which is not defined"
                                    : ", which no connection fires"),
                    "a trigger of the file that a connection fires");
        }
        boolean isBarrier = trigger.kind.equals("barrier");
        if (by.size() != (isBarrier ? trigger.count : 1)) {
            note(
                    trigger.line,
                    "a trigger that does not fire with the last of its connections: here,"
                            + " connections that wait for it wait for all of them");
        }
        List<After> after = new ArrayList<>();
        for (int earlier : by) {
            Connection fired = connections.get(earlier);
            if (fired.source != one.source && fired.destination != one.source) {
                note(
                        one.line,
                        "a wait for a connection that the source neither sends nor receives: it is"
                                + " left out, because a host does not know other connections");
                continue;
            }
            if (fired.source == one.source && fired.received == one.trigger) {
                note(
                        one.line,
                        "a wait for data that another node received: it ends when the sender gets"
                                + " the acknowledgement");
            }
            if (fired.bytes == 0) {
                throw text.wrong(
                        one.line, "a wait for a connection without end", "one with a size");
            }
            after.add(new After(earlier, 0));
        }
        return after;
    }
}
