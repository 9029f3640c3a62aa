package io.headgate.control.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.read.SwitchConfigReader;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.dataplane.congestion.Congestion;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.CounterId;
import io.headgate.dataplane.counter.CounterReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What {@code headgate show congestion} has of a port's counters. */
final class CongestionSectionTest {
    private final CounterDirectory directory = new CounterDirectory();
    private final List<CounterId> counters =
            Congestion.counters(
                    SwitchConfigReader.read(
                                    """
                                    name: s1
                                    address: 10.0.0.1/24
                                    ports:
                                      - {name: p1, device: {tap: t1}, congestion: {rocc: {}, red: {}}}
                                    """,
                                    "test")
                            .ports()
                            .getFirst()
                            .mechanisms());
    private final int first = directory.reserve(Scope.EGRESS, 0, "p1", counters);

    private MemorySegment memory() {
        MemorySegment memory = Arena.ofAuto().allocate(directory.lengthBytes(), 128);
        directory.bind(memory, 1, 1);
        return memory;
    }

    private void set(String label, long value) {
        for (CounterId counter : counters) {
            if (counter.label().equals(label)) {
                directory.block(first).set(counter.ordinal(), value);
            }
        }
    }

    @Test
    void aQueueIsShownOnceSomebodyWasToldOrAFrameMarked() {
        MemorySegment memory = memory();
        set("rocc.rate.p3", 3_330_000);
        set("rocc.rate.p4", 10_000_000);
        set("rocc.queue.p3", 75_600);
        set("rocc.flows.p3", 3);
        assertThat(CongestionSection.rows(CounterSnapshot.of(new CounterReader(memory)))).isEmpty();
        set("rocc.notices.p3", 12);
        set("red.marked.p2", 7);
        List<CongestionSection.Row> rows =
                CongestionSection.rows(CounterSnapshot.of(new CounterReader(memory)));
        assertThat(rows).hasSize(2);
        assertThat(CongestionSection.tables(rows))
                .isEqualTo(
                        """
                        red
                          port  priority  marked (frames)  incapable (frames)  came.marked (frames)
                          p1           2                7                   0                     0

                        rocc
                          port  priority  rate (kb/s)  queue (bytes)  flows (flows)  notices (notices)  refused (frames)
                          p1           3      3330000          75600              3                 12                 0
                        """);
    }
}
