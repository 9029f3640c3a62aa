package io.headgate.control.web;

import io.headgate.control.report.Json;
import io.headgate.dataplane.counter.CounterDirectory.Entry;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.CounterId;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.dataplane.counter.IngressCounter;
import io.headgate.dataplane.counter.PriorityCounter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes the counters of a network's ports as lines of JSON for the page: a whole line describes
 * the network and has all values, every other line only the values that changed since the line
 * before. A counter gets a number, and a place in the lines, when it is first not 0, so counters of
 * unused priorities and mechanisms cost nothing. Used by one thread.
 */
public final class StateLines {
    /** The counters of a switch, and how to read them. */
    public record Counted(String node, List<Entry> entries, ToLongFunction<Entry> value) {}

    private static final class Series {
        private final Counted of;
        private final Entry entry;
        private final int port;
        private long value;
        private int number = -1;

        Series(Counted of, Entry entry, int port) {
            this.of = of;
            this.entry = entry;
            this.port = port;
        }

        /** A unique name: both sides of a port have counters of the same label. */
        String name() {
            return (entry.scope() == Scope.INGRESS ? "in " : "out ") + entry.label();
        }
    }

    /** The port counters that the page shows. */
    private static final Set<String> SHOWN =
            Set.of(
                    "bytes.received",
                    "frames.received",
                    "bytes.transmitted",
                    "frames.transmitted",
                    "queue.bytes",
                    "device.up");

    private static final Set<String> EVERY_PORT =
            Stream.concat(
                            Arrays.stream(IngressCounter.values()),
                            Arrays.stream(EgressCounter.values()))
                    .map(CounterId::label)
                    .collect(Collectors.toSet());

    private static final List<String> LEFT_OUT =
            List.of("pfc.refresh", "pfc.xon", "buffer.slots", "frames.started");

    /**
     * The head of a whole line; a record, so that a repeated recording gives the same file: a
     * mapping's order differs by JVM.
     */
    private record Head(String title, boolean live, List<PortView> ports) {}

    private final String network;
    private final List<Series> all = new ArrayList<>();
    private final List<Series> numbered = new ArrayList<>();
    private String deadlock = "null";
    private boolean isDeadlockNew;
    private double seconds;

    /**
     * Begins with all values 0.
     *
     * @param isLive whether its end is not known
     */
    StateLines(String title, boolean isLive, List<PortView> ports, List<Counted> counters) {
        this.network = Json.COMPACT.writeValueAsString(new Head(title, isLive, ports));
        Map<String, Integer> numbers = new HashMap<>();
        for (int i = 0; i < ports.size(); i++) {
            numbers.put(ports.get(i).node() + ":" + ports.get(i).name(), i);
        }
        for (Counted of : counters) {
            for (Entry entry : of.entries) {
                Integer port = numbers.get(of.node + ":" + entry.owner());
                if (port != null && isShown(entry)) {
                    all.add(new Series(of, entry, port));
                }
            }
        }
    }

    private static boolean isShown(Entry entry) {
        String label = entry.label();
        if (entry.scope() != Scope.INGRESS && entry.scope() != Scope.EGRESS) {
            return false;
        }
        if (EVERY_PORT.contains(label)) {
            return SHOWN.contains(label);
        }
        boolean isLeftOut =
                PriorityCounter.isLabel(label) && LEFT_OUT.stream().anyMatch(label::startsWith);
        return entry.kind() != CounterId.Kind.MAXIMUM && !isLeftOut;
    }

    /**
     * Sets the queues that wait for one another, from the next line on.
     *
     * @param json a mapping with {@code cycle} and {@code says}, or {@code null}
     */
    void deadlock(String json) {
        isDeadlockNew |= !json.equals(deadlock);
        deadlock = json;
    }

    /** Reads all counters; returns the line with the changes since the last call. */
    String next(double now) {
        seconds = now;
        StringBuilder names = new StringBuilder();
        StringBuilder changes = new StringBuilder();
        for (Series series : all) {
            long value = series.of.value.applyAsLong(series.entry);
            if (value == series.value) {
                continue;
            }
            series.value = value;
            if (series.number < 0) {
                series.number = numbered.size();
                numbered.add(series);
                name(names, series);
            }
            separate(changes).append(series.number).append(',').append(value);
        }
        StringBuilder line = new StringBuilder("{\"t\":").append(now);
        if (!names.isEmpty()) {
            line.append(",\"names\":[").append(names).append(']');
        }
        if (isDeadlockNew) {
            line.append(",\"deadlock\":").append(deadlock);
            isDeadlockNew = false;
        }
        return line.append(",\"changes\":[").append(changes).append("]}").toString();
    }

    /** The whole line, as of the last call of {@link #next}. */
    String whole() {
        StringBuilder names = new StringBuilder();
        StringBuilder changes = new StringBuilder();
        for (Series series : numbered) {
            name(names, series);
            separate(changes).append(series.number).append(',').append(series.value);
        }
        return "{\"network\":%s,\"t\":%s,\"names\":[%s],\"deadlock\":%s,\"changes\":[%s]}"
                .formatted(network, seconds, names, deadlock, changes);
    }

    private static void name(StringBuilder names, Series series) {
        separate(names)
                .append('[')
                .append(series.port)
                .append(',')
                .append(Json.COMPACT.writeValueAsString(series.name()))
                .append(",\"")
                .append(series.entry.kind() == CounterId.Kind.TOTAL ? 't' : 'g')
                .append("\"]");
    }

    private static StringBuilder separate(StringBuilder list) {
        return list.isEmpty() ? list : list.append(',');
    }
}
