package io.headgate.control.report;

import static io.headgate.control.report.Table.column;

import io.headgate.config.MechanismRegistry;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.report.Table.Column;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.linkcontrol.LinkSpeaker;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The counters of mechanisms that exchange link control with the far ends of links, per port, for a
 * person.
 */
public final class LinkControlSection {
    /**
     * A port with such a mechanism.
     *
     * @param counts counts by label, such as {@code pool.own}, those of arriving frames first
     */
    public record Row(String mechanism, String port, Map<String, Long> counts) {}

    private LinkControlSection() {}

    /** All ports with such mechanisms, from counters alone. */
    public static List<Row> rows(CounterSnapshot counters) {
        List<Row> rows = new ArrayList<>();
        speakers().forEach(speaker -> rows.addAll(rows(counters, speaker)));
        return rows;
    }

    public static List<Row> rows(CounterSnapshot counters, String mechanism) {
        return rows(counters).stream().filter(row -> row.mechanism.equals(mechanism)).toList();
    }

    @SuppressWarnings("rawtypes") // nothing is asked that depends on their records
    private static List<LinkSpeaker> speakers() {
        return MechanismRegistry.all(LinkSpeaker.class);
    }

    private static List<Row> rows(CounterSnapshot counters, LinkSpeaker<?> speaker) {
        Map<String, Map<String, Long>> byPort = new LinkedHashMap<>();
        put(byPort, counters, Scope.INGRESS, speaker.name(), speaker.receiverCounters());
        put(byPort, counters, Scope.EGRESS, speaker.name(), speaker.senderCounters());
        return counters.owners(Scope.INGRESS).stream()
                .filter(byPort::containsKey)
                .map(port -> new Row(speaker.name(), port, byPort.getOrDefault(port, Map.of())))
                .toList();
    }

    private static void put(
            Map<String, Map<String, Long>> byPort,
            CounterSnapshot counters,
            Scope scope,
            String speaker,
            List<CounterText> texts) {
        for (CounterText text : texts) {
            String label = text.of(speaker).label();
            for (String port : counters.owners(scope, label::equals)) {
                byPort.computeIfAbsent(port, _ -> new LinkedHashMap<>())
                        .put(text.label(), counters.value(scope, port, label));
            }
        }
    }

    /** A table per mechanism, with its name if there are several, and a column per port. */
    public static String tables(List<Row> rows) {
        StringBuilder text = new StringBuilder();
        List<String> names = rows.stream().map(Row::mechanism).distinct().toList();
        for (LinkSpeaker<?> speaker : speakers()) {
            if (names.contains(speaker.name())) {
                Table table = table(speaker, rows);
                text.append(text.isEmpty() ? "" : "\n");
                text.append(names.size() > 1 ? speaker.name() + "\n" : "");
                text.append(table.indented(names.size() > 1 ? 2 : 0));
            }
        }
        return text.toString();
    }

    private static Table table(LinkSpeaker<?> speaker, List<Row> rows) {
        List<Column<CounterText>> columns = new ArrayList<>();
        columns.add(column("counted", CounterText::label));
        for (Row row : rows) {
            if (row.mechanism.equals(speaker.name())) {
                columns.add(
                        column(
                                ">" + row.port,
                                text -> String.valueOf(row.counts.getOrDefault(text.label(), 0L))));
            }
        }
        columns.add(column("what", CounterText::description));
        List<CounterText> texts = new ArrayList<>(speaker.receiverCounters());
        texts.addAll(speaker.senderCounters());
        return Table.of(texts, columns);
    }
}
