package io.headgate.control.report;

import static io.headgate.control.report.Table.column;
import static io.headgate.control.report.Table.number;

import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.report.Table.Column;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.dataplane.counter.IngressCounter;
import java.util.ArrayList;
import java.util.List;

/** The traffic of ports, as totals or, if a time is known, as rates. */
public final class PortTable {
    /** One port; frames and bytes without FCS, since the switch started or in the time shown. */
    public record Row(
            String port,
            boolean up,
            long receivedFrames,
            long receivedBytes,
            long transmittedFrames,
            long transmittedBytes,
            long droppedFrames,
            long queueBytes,
            long queueMaxBytes,
            double receivedFramesPerSec,
            double receivedBps,
            double transmittedFramesPerSec,
            double transmittedBps) {}

    private PortTable() {}

    /**
     * All ports, the local one last.
     *
     * @param seconds time over which the totals were counted; 0: no rates
     */
    public static List<Row> rows(CounterSnapshot counters, double seconds) {
        double perSec = seconds == 0 ? 0 : 1 / seconds;
        List<Row> rows = new ArrayList<>();
        for (String port : counters.owners(Scope.INGRESS)) {
            long in = counters.value(Scope.INGRESS, port, IngressCounter.FRAMES_RECEIVED);
            long inBytes = counters.value(Scope.INGRESS, port, IngressCounter.BYTES_RECEIVED);
            long out = counters.value(Scope.EGRESS, port, EgressCounter.FRAMES_TRANSMITTED);
            long outBytes = counters.value(Scope.EGRESS, port, EgressCounter.BYTES_TRANSMITTED);
            rows.add(
                    new Row(
                            port,
                            counters.value(Scope.INGRESS, port, IngressCounter.DEVICE_UP) != 0,
                            in,
                            inBytes,
                            out,
                            outBytes,
                            counters.dropsAt(port),
                            counters.value(Scope.EGRESS, port, EgressCounter.QUEUE_BYTES),
                            counters.value(Scope.EGRESS, port, EgressCounter.QUEUE_MAX_BYTES),
                            in * perSec,
                            8.0 * inBytes * perSec,
                            out * perSec,
                            8.0 * outBytes * perSec));
        }
        return rows;
    }

    /** The columns for a person: totals, or rates if a time is known. */
    public static List<Column<Row>> columns(double seconds) {
        List<Column<Row>> columns = new ArrayList<>();
        columns.add(column("port", Row::port));
        columns.add(column("link", row -> row.up ? "up" : "down"));
        if (seconds == 0) {
            columns.add(column(">in (frames)", Row::receivedFrames));
            columns.add(column(">in (bytes)", Row::receivedBytes));
            columns.add(column(">out (frames)", Row::transmittedFrames));
            columns.add(column(">out (bytes)", Row::transmittedBytes));
        } else {
            columns.add(number(">in (frames/s)", "%.0f", Row::receivedFramesPerSec));
            columns.add(number(">in (Mb/s)", "%.2f", row -> row.receivedBps / 1e6));
            columns.add(number(">out (frames/s)", "%.0f", Row::transmittedFramesPerSec));
            columns.add(number(">out (Mb/s)", "%.2f", row -> row.transmittedBps / 1e6));
        }
        columns.add(column(">drops", Row::droppedFrames));
        columns.add(column(">queue (bytes)", Row::queueBytes));
        columns.add(column(">peak (bytes)", Row::queueMaxBytes));
        return columns;
    }
}
