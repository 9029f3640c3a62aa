package io.headgate.control.report;

import static io.headgate.control.report.Table.column;

import io.headgate.config.TrafficConfig;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.report.Table.Column;
import io.headgate.dataplane.counter.CounterDirectory.Entry;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.CounterId.Kind;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.dataplane.counter.PriorityCounter.Egress;
import io.headgate.dataplane.counter.PriorityCounter.Ingress;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Queues, pauses and watermarks in the columns that engineers of switches know. */
public final class QueueTables {
    /**
     * Priority-based flow control of a port, frames by priority; a frame that names several counts
     * for each of them. Empty lists: the port does not pause.
     */
    public record Pfc(String port, List<Long> received, List<Long> sent) {}

    /**
     * What waits at a port.
     *
     * @param droppedFrames by its egress half, for whatever reason
     * @param stopped priorities that are paused or without credits now
     */
    public record Queue(
            String port,
            long waitingFrames,
            long waitingBytes,
            long longestBytes,
            long enqueuedFrames,
            long transmittedFrames,
            long droppedFrames,
            List<Integer> stopped) {}

    private QueueTables() {}

    public static List<Pfc> pfc(CounterSnapshot counters) {
        List<String> withPfc =
                counters.owners(Scope.EGRESS, label -> label.equals(Egress.XOFF_SENT.label(0)));
        List<Pfc> rows = new ArrayList<>();
        for (String port : counters.owners(Scope.EGRESS)) {
            if (!withPfc.contains(port)) {
                rows.add(new Pfc(port, List.of(), List.of()));
                continue;
            }
            List<Long> received = new ArrayList<>();
            List<Long> sent = new ArrayList<>();
            for (int priority = 0; priority < TrafficConfig.PRIORITIES; priority++) {
                long in = 0;
                for (Ingress id :
                        List.of(
                                Ingress.XOFF_RECEIVED,
                                Ingress.REFRESH_RECEIVED,
                                Ingress.XON_RECEIVED)) {
                    in += counters.value(Scope.INGRESS, port, id.label(priority));
                }
                long out = 0;
                for (Egress id : List.of(Egress.XOFF_SENT, Egress.REFRESH_SENT, Egress.XON_SENT)) {
                    out += counters.value(Scope.EGRESS, port, id.label(priority));
                }
                received.add(in);
                sent.add(out);
            }
            rows.add(new Pfc(port, received, sent));
        }
        return rows;
    }

    public static String pfcText(List<Pfc> rows) {
        record Line(String port, String direction, List<Long> frames) {}
        List<Column<Line>> columns = new ArrayList<>();
        columns.add(column("port", Line::port));
        columns.add(column("frames", Line::direction));
        for (int each = 0; each < TrafficConfig.PRIORITIES; each++) {
            int priority = each;
            columns.add(
                    column(
                            ">PFC" + priority,
                            line -> line.frames.isEmpty() ? "-" : line.frames.get(priority)));
        }
        return Table.of(
                        rows.stream()
                                .flatMap(row ->
                                        Stream.of(
                                                new Line(row.port, "received", row.received),
                                                new Line(row.port, "sent", row.sent)))
                                .toList(),
                        columns)
                .toString();
    }

    public static List<Queue> queues(CounterSnapshot counters) {
        List<String> stoppable =
                counters.owners(
                        Scope.EGRESS, label -> label.equals(Egress.STOPPED_NOW_NS.label(0)));
        List<Queue> rows = new ArrayList<>();
        for (String port : counters.owners(Scope.EGRESS)) {
            rows.add(
                    new Queue(
                            port,
                            counters.value(Scope.EGRESS, port, EgressCounter.QUEUE_FRAMES),
                            counters.value(Scope.EGRESS, port, EgressCounter.QUEUE_BYTES),
                            counters.value(Scope.EGRESS, port, EgressCounter.QUEUE_MAX_BYTES),
                            counters.value(Scope.EGRESS, port, EgressCounter.FRAMES_ENQUEUED),
                            counters.value(Scope.EGRESS, port, EgressCounter.FRAMES_TRANSMITTED),
                            counters.drops().stream()
                                    .filter(drop -> drop.port().equals(port) && !drop.ingress())
                                    .mapToLong(CounterSnapshot.Drop::frames)
                                    .sum(),
                            stoppable.contains(port) ? stopped(counters, port) : List.of()));
        }
        return rows;
    }

    private static List<Integer> stopped(CounterSnapshot counters, String port) {
        return IntStream.range(0, TrafficConfig.PRIORITIES)
                .filter(priority ->
                        counters.value(Scope.EGRESS, port, Egress.STOPPED_NOW_NS.label(priority))
                                != 0)
                .boxed()
                .toList();
    }

    public static String queueText(List<Queue> rows) {
        return Table.of(
                        rows,
                        column("port", row -> row.port),
                        column(">waiting (frames)", row -> row.waitingFrames),
                        column(">waiting (bytes)", row -> row.waitingBytes),
                        column(">longest (bytes)", row -> row.longestBytes),
                        column(">queued (frames)", row -> row.enqueuedFrames),
                        column(">sent (frames)", row -> row.transmittedFrames),
                        column(">dropped (frames)", row -> row.droppedFrames),
                        column(
                                "stopped priorities",
                                row ->
                                        row.stopped.isEmpty()
                                                ? "none"
                                                : row.stopped.stream()
                                                        .map(String::valueOf)
                                                        .collect(Collectors.joining(", "))))
                .toString();
    }

    /** The largest of everything since the switch started, or was told to clear them. */
    public static List<SwitchSection.Counter> watermarks(CounterSnapshot counters) {
        List<SwitchSection.Counter> all = new ArrayList<>();
        for (int i = 0; i < counters.entries().size(); i++) {
            Entry entry = counters.entries().get(i);
            if (entry.kind() == Kind.MAXIMUM) {
                all.add(SwitchSection.Counter.of(entry, counters.value(i)));
            }
        }
        return all;
    }
}
