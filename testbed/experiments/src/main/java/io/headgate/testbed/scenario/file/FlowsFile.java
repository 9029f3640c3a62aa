package io.headgate.testbed.scenario.file;

import io.headgate.config.key.Quantity;
import io.headgate.config.key.Text;
import io.headgate.testbed.traffic.spec.FlowSpec.After;
import io.headgate.testbed.traffic.spec.Workloads;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file of single flows, for example from a trace or a program of collective operations:
 * comma-separated text with a heading, then a line for each flow.
 */
final class FlowsFile {
    private static final List<String> COLUMNS =
            List.of("start", "source", "destination", "bytes", "priority", "depends-on");
    private static final List<String> NEEDED = List.of("source", "destination", "bytes");
    private static final long MOST_BYTES = 1_000_000_000_000L;
    private static final long LATEST_PS = 1_000_000_000_000_000L;
    private static final int MOST_AWAITED = 1000;
    private static final int MOST_SHOWN = 8;
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,15}");
    private static final Pattern PRIORITY = Pattern.compile("[0-7]");
    private static final Pattern BETWEEN = Pattern.compile("[; ]+");

    /**
     * A flow.
     *
     * @param line its line in the file
     * @param priority priority of its tag; null: not given
     * @param after flows that must be complete before it begins, by index from 0
     */
    record Row(
            int line,
            int source,
            int destination,
            long startPs,
            long sizeBytes,
            @Nullable Integer priority,
            List<After> after) {}

    private final String file;
    private final List<String> hosts;
    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<Row> rows = new ArrayList<>();
    private List<String> columns = List.of();

    private FlowsFile(String file, List<String> hosts) {
        this.file = file;
        this.hosts = hosts;
        hosts.forEach(host -> numbers.put(host, numbers.size()));
    }

    /**
     * Reads a text.
     *
     * @param file name of the file in messages
     * @param acknowledged whether senders know when a flow is complete
     * @throws IllegalArgumentException with file and line, what is there and what is allowed
     */
    static List<Row> read(
            String file, String text, List<String> hosts, int mostFlows, boolean acknowledged) {
        FlowsFile flows = new FlowsFile(file, hosts);
        int line = 0;
        for (String said : (Iterable<String>) text.lines()::iterator) {
            line++;
            String words =
                    (line == 1 && said.startsWith("\uFEFF") ? said.substring(1) : said).strip();
            if (words.isEmpty() || words.startsWith("#")) {
                continue;
            }
            if (flows.columns.isEmpty()) {
                flows.heading(line, words);
            } else if (flows.rows.size() == mostFlows) {
                throw flows.wrong(line, "flow " + (mostFlows + 1), "at most " + mostFlows);
            } else {
                flows.row(line, words);
            }
        }
        if (flows.rows.isEmpty()) {
            throw flows.wrong(
                    Math.max(line, 1),
                    "no flow",
                    "a heading such as " + String.join(",", COLUMNS) + ", then one line per flow");
        }
        for (Row row : flows.rows) {
            flows.checkAwaited(row, acknowledged);
        }
        flows.checkNoCircle();
        return flows.rows;
    }

    private void heading(int line, String words) {
        List<String> names = cells(words).stream().map(w -> w.toLowerCase(Locale.ROOT)).toList();
        for (String name : names) {
            if (!COLUMNS.contains(name) || names.indexOf(name) != names.lastIndexOf(name)) {
                throw wrong(
                        line,
                        "the column " + Text.quote(name),
                        "each once of " + String.join(", ", COLUMNS));
            }
        }
        if (!names.containsAll(NEEDED)) {
            throw wrong(
                    line,
                    "the columns " + Text.quote(words),
                    "at least " + String.join(", ", NEEDED) + "; and start, priority, depends-on");
        }
        columns = names;
    }

    private static List<String> cells(String words) {
        List<String> cells = new ArrayList<>();
        for (String cell : words.split(",", -1)) {
            String bare = cell.strip();
            boolean isQuoted = bare.length() > 1 && bare.startsWith("\"") && bare.endsWith("\"");
            cells.add(isQuoted ? bare.substring(1, bare.length() - 1) : bare);
        }
        return cells;
    }

    private void row(int line, String words) {
        List<String> cells = cells(words);
        if (cells.size() != columns.size()) {
            throw wrong(
                    line,
                    cells.size() + " values",
                    columns.size() + ", as in the heading: " + String.join(",", columns));
        }
        int source = host(line, cell(cells, "source"));
        int destination = host(line, cell(cells, "destination"));
        if (source == destination) {
            throw wrong(
                    line, "a flow from " + hosts.get(source) + " to itself", "two different hosts");
        }
        String priority = cell(cells, "priority");
        if (!priority.isEmpty() && !PRIORITY.matcher(priority).matches()) {
            throw wrong(line, "the priority " + Text.quote(priority), "0 to 7, or nothing");
        }
        rows.add(
                new Row(
                        line,
                        source,
                        destination,
                        start(line, cell(cells, "start")),
                        bytes(line, cell(cells, "bytes")),
                        priority.isEmpty() ? null : Integer.valueOf(priority),
                        awaited(line, cell(cells, "depends-on"))));
    }

    private String cell(List<String> cells, String column) {
        int at = columns.indexOf(column);
        return at < 0 ? "" : cells.get(at);
    }

    private int host(int line, String name) {
        Integer number = numbers.get(name);
        if (number == null) {
            String near = Text.nearest(name, hosts);
            throw wrong(
                    line,
                    "the unknown host " + Text.quote(name),
                    (near == null ? "" : near + "? ")
                            + "a host of the topology, such as "
                            + hosts.getFirst());
        }
        return number;
    }

    private long start(int line, String text) {
        Long ps = text.isEmpty() ? Long.valueOf(0) : Quantity.DELAY.parse(text);
        if (ps == null || ps > LATEST_PS) {
            throw wrong(
                    line,
                    "the start " + Text.quote(text),
                    "a time from 0s to 1000s with its unit, such as 12.5us, or nothing for 0s");
        }
        return ps;
    }

    private long bytes(int line, String text) {
        long bytes = NUMBER.matcher(text).matches() ? Long.parseLong(text) : 0;
        if (bytes < 1 || bytes > MOST_BYTES) {
            throw wrong(
                    line,
                    Text.quote(text) + " bytes",
                    "a whole number from 1 to " + MOST_BYTES + ", without a unit");
        }
        return bytes;
    }

    private List<After> awaited(int line, String text) {
        List<After> after = new ArrayList<>();
        for (String word : text.isEmpty() ? new String[0] : BETWEEN.split(text.strip())) {
            int plus = word.indexOf('+');
            String flow = plus < 0 ? word : word.substring(0, plus);
            long number = NUMBER.matcher(flow).matches() ? Long.parseLong(flow) : 0;
            Long delayPs =
                    plus < 0 ? Long.valueOf(0) : Quantity.DELAY.parse(word.substring(plus + 1));
            if (number < 1
                    || number > Integer.MAX_VALUE
                    || delayPs == null
                    || delayPs > LATEST_PS
                    || after.size() == MOST_AWAITED) {
                throw wrong(
                        line,
                        "depends-on " + Text.quote(text),
                        "numbers of flows, counted from 1, such as 3 or 3+10us, separated by blanks"
                                + " or semicolons, at most "
                                + MOST_AWAITED);
            }
            after.add(new After((int) number - 1, delayPs));
        }
        return after.stream().distinct().toList();
    }

    /** A host begins a flow by what it knows itself: nothing tells it of others' flows. */
    private void checkAwaited(Row row, boolean acknowledged) {
        for (After awaited : row.after()) {
            int place = awaited.flow();
            String which = "depends-on " + (place + 1);
            if (place >= rows.size()) {
                throw wrong(
                        row.line(),
                        which + ", of " + rows.size() + " flows",
                        "1 to " + rows.size() + ", the numbers of the file's flows");
            }
            Row earlier = rows.get(place);
            boolean sends = earlier.source() == row.source();
            if (!sends && earlier.destination() != row.source()) {
                throw wrong(
                        row.line(),
                        which
                                + ", which "
                                + hosts.get(row.source())
                                + " neither sends nor receives",
                        "flows that the source sends or receives: it does not know other flows");
            }
            if (sends && !acknowledged) {
                throw wrong(
                        row.line(),
                        which + ", which its source sends without acknowledgements",
                        "transport: rocev2 or a window, so that the source knows when the flow has"
                                + " arrived");
            }
        }
    }

    /** Takes away flows that wait for none, again and again; the first left is in a circle. */
    private void checkNoCircle() {
        int[] awaited = new int[rows.size()];
        List<List<Integer>> followers = new ArrayList<>();
        rows.forEach(_ -> followers.add(new ArrayList<>()));
        Deque<Integer> free = new ArrayDeque<>();
        for (int i = 0; i < awaited.length; i++) {
            awaited[i] = rows.get(i).after().size();
            for (After one : rows.get(i).after()) {
                followers.get(one.flow()).add(i);
            }
            if (awaited[i] == 0) {
                free.add(i);
            }
        }
        for (Integer next = free.poll(); next != null; next = free.poll()) {
            for (int follower : followers.get(next)) {
                if (--awaited[follower] == 0) {
                    free.add(follower);
                }
            }
        }
        for (int i = 0; i < awaited.length; i++) {
            if (awaited[i] > 0) {
                List<Integer> circle = circle(i, awaited);
                throw wrong(
                        rows.get(circle.getFirst()).line(),
                        "flow "
                                + (circle.getFirst() + 1)
                                + ", which waits for itself: "
                                + circle.stream()
                                        .limit(MOST_SHOWN)
                                        .map(place -> "" + (place + 1))
                                        .collect(Collectors.joining(" after ")),
                        "depends-on without a circle");
            }
        }
    }

    /**
     * From a flow that never begins, by those that it waits for, to the first that is there twice.
     */
    private List<Integer> circle(int from, int[] awaited) {
        Set<Integer> way = new LinkedHashSet<>();
        int at = from;
        while (way.add(at)) {
            at =
                    rows.get(at).after().stream()
                            .map(After::flow)
                            .filter(of -> awaited[of] > 0)
                            .findFirst()
                            .orElseThrow();
        }
        List<Integer> circle = new ArrayList<>(way);
        circle = new ArrayList<>(circle.subList(circle.indexOf(at), circle.size()));
        circle.add(at);
        return circle;
    }

    private IllegalArgumentException wrong(int line, String found, String allowed) {
        return new IllegalArgumentException(
                file + ":" + line + ": " + found + Workloads.ALLOWED + allowed);
    }
}
