package io.headgate.control.show;

import static io.headgate.control.report.Table.column;

import io.headgate.config.TrafficConfig;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.report.Table.Column;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.dataplane.counter.PriorityCounter.Egress;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The frames that wait at each port, in the columns of other switches' command lines. */
public final class QueueTable implements CounterTable<QueueTable.Row> {
    /**
     * The frames that wait at a port.
     *
     * @param droppedFrames frames dropped by its egress half, for any reason
     * @param stopped priorities that are paused or without credits now
     */
    public record Row(
            String port,
            long waitingFrames,
            long waitingBytes,
            long longestBytes,
            long enqueuedFrames,
            long transmittedFrames,
            long droppedFrames,
            List<Integer> stopped) {}

    @Override
    public Heading heading() {
        return Heading.of("queue", "what waits at each port", "queues", "queue-watermark");
    }

    @Override
    public String key() {
        return "queues";
    }

    @Override
    public List<Row> rows(CounterSnapshot counters, double seconds) {
        List<String> stoppable =
                counters.owners(
                        Scope.EGRESS, label -> label.equals(Egress.STOPPED_NOW_NS.label(0)));
        List<Row> rows = new ArrayList<>();
        for (String port : counters.owners(Scope.EGRESS)) {
            rows.add(
                    new Row(
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

    @Override
    public List<Column<Row>> columns(List<Row> rows, double seconds) {
        return List.of(
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
                                                .collect(Collectors.joining(", "))));
    }
}
