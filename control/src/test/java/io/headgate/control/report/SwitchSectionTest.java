package io.headgate.control.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.counters.CounterSnapshot;
import io.headgate.dataplane.counter.CounterDirectory.Entry;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.CounterId;
import io.headgate.dataplane.counter.IngressCounter;
import io.headgate.dataplane.counter.WorkerCounter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a report says of workers, from hand-made counters. */
final class SwitchSectionTest {
    private static final long SECOND_NS = 1_000_000_000;

    private static Entry entry(Scope scope, String owner, CounterId id) {
        return new Entry(scope, 0, owner, id.label(), "", CounterId.Kind.TOTAL, "", 0);
    }

    private static String perFrame(long frames, long seconds) {
        Map<Entry, Long> values = new LinkedHashMap<>();
        values.put(entry(Scope.INGRESS, "p1", IngressCounter.FRAMES_RECEIVED), frames);
        for (WorkerCounter each : WorkerCounter.values()) {
            values.put(entry(Scope.WORKER, "worker 0", each), 0L);
        }
        long busyNs = 400 * 5000;
        values.put(entry(Scope.WORKER, "worker 0", WorkerCounter.BUSY_NS), busyNs);
        values.put(
                entry(Scope.WORKER, "worker 0", WorkerCounter.IDLE_NS),
                seconds * SECOND_NS - busyNs);
        CounterSnapshot counters = CounterSnapshot.of(List.copyOf(values.keySet()), values::get);
        String row =
                RunReport.workerTable(SwitchSection.workers(counters))
                        .toString()
                        .lines()
                        .filter(line -> line.startsWith("worker 0"))
                        .findFirst()
                        .orElseThrow();
        return row.split(" {2,}")[2];
    }

    @Test
    void aFramesTimeIsNotSaidOfAWorkerThatTimersKeptBusy() {
        assertThat(perFrame(5000, 5)).isEqualTo("400");
        assertThat(perFrame(5000, 6)).isEqualTo("-");
        assertThat(perFrame(999, 1)).isEqualTo("-");
    }
}
