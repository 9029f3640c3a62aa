package io.headgate.control.sonic;

import static io.headgate.control.report.Table.column;
import static io.headgate.control.report.Table.number;

import io.headgate.config.TrafficConfig;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.report.Table.Column;
import io.headgate.control.show.CounterTable;
import io.headgate.control.show.Heading;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.dataplane.counter.PriorityCounter.Egress;
import java.util.ArrayList;
import java.util.List;

/**
 * The frames that each queue of each port sent, and how long it was stopped, UC0 to UC7 by
 * priority; for a port without flow control, which does not count by priority, all queues together.
 */
public final class QueueCountersTable implements CounterTable<QueueCountersTable.Row> {
    private static final double NS_PER_MS = 1e6;

    /**
     * A queue.
     *
     * @param queue {@code UC0} to {@code UC7}, or {@code all}
     */
    public record Row(
            String port,
            String queue,
            long startedFrames,
            long stops,
            double stoppedMs,
            double longestStopMs) {}

    @Override
    public Heading heading() {
        return Heading.of(
                "queue-counters",
                "packets and bytes that each queue of each port sent, UC0 to UC7, and how long it"
                        + " was stopped");
    }

    @Override
    public String key() {
        return "queues";
    }

    @Override
    public List<Row> rows(CounterSnapshot counters, double seconds) {
        List<String> byPriority =
                counters.owners(
                        Scope.EGRESS, label -> label.equals(Egress.FRAMES_STARTED.label(0)));
        List<Row> rows = new ArrayList<>();
        for (String port : counters.owners(Scope.EGRESS)) {
            if (!byPriority.contains(port)) {
                long sent = counters.value(Scope.EGRESS, port, EgressCounter.FRAMES_TRANSMITTED);
                rows.add(new Row(port, "all", sent, 0, 0, 0));
                continue;
            }
            for (int priority = 0; priority < TrafficConfig.PRIORITIES; priority++) {
                rows.add(
                        new Row(
                                port,
                                "UC" + priority,
                                value(counters, port, Egress.FRAMES_STARTED, priority),
                                value(counters, port, Egress.STOPS, priority),
                                value(counters, port, Egress.STOPPED_NS, priority) / NS_PER_MS,
                                value(counters, port, Egress.STOPPED_MAX_NS, priority)
                                        / NS_PER_MS));
            }
        }
        return rows;
    }

    private static long value(CounterSnapshot counters, String port, Egress id, int priority) {
        return counters.value(Scope.EGRESS, port, id.label(priority));
    }

    @Override
    public List<Column<Row>> columns(List<Row> rows, double seconds) {
        return List.of(
                column("port", Row::port),
                column("queue", Row::queue),
                column(">sent (frames)", Row::startedFrames),
                column(">stopped (times)", Row::stops),
                number(">stopped (ms)", "%.3f", Row::stoppedMs),
                number(">longest (ms)", "%.3f", Row::longestStopMs));
    }
}
