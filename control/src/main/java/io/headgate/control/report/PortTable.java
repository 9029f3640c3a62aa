package io.headgate.control.report;

import io.headgate.control.counters.CounterSnapshot;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.dataplane.counter.IngressCounter;
import java.util.ArrayList;
import java.util.List;

/** Ports and what passed them, as totals or, where a time is known, as rates. */
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
     * @param seconds over which totals came together; 0: no rates
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

    /** As text for a person. */
    public static String of(CounterSnapshot counters, double seconds) {
        boolean rates = seconds != 0;
        Table table =
                rates
                        ? new Table(
                                "port",
                                "link",
                                ">in (frames/s)",
                                ">in (Mb/s)",
                                ">out (frames/s)",
                                ">out (Mb/s)",
                                ">drops",
                                ">queue (bytes)",
                                ">peak (bytes)")
                        : new Table(
                                "port",
                                "link",
                                ">in (frames)",
                                ">in (bytes)",
                                ">out (frames)",
                                ">out (bytes)",
                                ">drops",
                                ">queue (bytes)",
                                ">peak (bytes)");
        for (Row row : rows(counters, seconds)) {
            table.row(
                    row.port,
                    row.up ? "up" : "down",
                    rates
                            ? String.format("%.0f", row.receivedFramesPerSec)
                            : Long.toString(row.receivedFrames),
                    rates
                            ? String.format("%.2f", row.receivedBps / 1e6)
                            : Long.toString(row.receivedBytes),
                    rates
                            ? String.format("%.0f", row.transmittedFramesPerSec)
                            : Long.toString(row.transmittedFrames),
                    rates
                            ? String.format("%.2f", row.transmittedBps / 1e6)
                            : Long.toString(row.transmittedBytes),
                    Long.toString(row.droppedFrames),
                    Long.toString(row.queueBytes),
                    Long.toString(row.queueMaxBytes));
        }
        return table.toString();
    }
}
