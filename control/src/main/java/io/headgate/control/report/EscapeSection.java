package io.headgate.control.report;

import static io.headgate.control.report.Table.column;

import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.report.Table.Column;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.escape.Escape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Escape as a person sees it: tokens, pools and frames of each port that has it. */
public final class EscapeSection {
    private static final Escape ESCAPE = new Escape();
    private static final String PREFIX = ESCAPE.name() + ".";

    /**
     * A port with Escape, on or off.
     *
     * @param counts by label, such as {@code pool.own}, in the order in which they are shown
     */
    public record Row(String port, Map<String, Long> counts) {
        public Row {
            counts = new LinkedHashMap<>(counts);
        }
    }

    private EscapeSection() {}

    /** All ports that have it, from counters alone. */
    public static List<Row> rows(CounterSnapshot counters) {
        List<Row> rows = new ArrayList<>();
        for (String port : counters.owners(Scope.EGRESS, label -> label.startsWith(PREFIX))) {
            Map<String, Long> counts = new LinkedHashMap<>();
            for (CounterText text : ESCAPE.receiverCounters()) {
                counts.put(
                        text.label(), counters.value(Scope.INGRESS, port, PREFIX + text.label()));
            }
            for (CounterText text : ESCAPE.senderCounters()) {
                counts.put(text.label(), counters.value(Scope.EGRESS, port, PREFIX + text.label()));
            }
            rows.add(new Row(port, counts));
        }
        return rows;
    }

    /** One line for each counter, one column for each port; says so if there is no port. */
    public static String table(List<Row> rows) {
        if (rows.isEmpty()) {
            return "no port has Escape; detour: {escape: {}} in the configuration of ports with"
                    + " flow-control: pfc gives it to them\n";
        }
        List<Column<CounterText>> columns = new ArrayList<>();
        columns.add(column("counted", CounterText::label));
        rows.forEach(row ->
                columns.add(
                        column(
                                ">" + row.port,
                                text -> String.valueOf(row.counts.get(text.label())))));
        columns.add(column("what", CounterText::description));
        List<CounterText> texts = new ArrayList<>(ESCAPE.receiverCounters());
        texts.addAll(ESCAPE.senderCounters());
        return Table.of(texts, columns).toString();
    }
}
