package io.headgate.control.counters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.read.SwitchConfigReader;
import io.headgate.control.report.FlowControlSection;
import io.headgate.dataplane.assembly.SwitchEngine;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.CounterReader;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.dataplane.counter.IngressCounter;
import io.headgate.dataplane.engine.Doorbell;
import io.headgate.dataplane.engine.EngineHost;
import io.headgate.dataplane.engine.WorkerPlan;
import io.headgate.dataplane.linkcontrol.PresentTime;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reading a counter that does not exist is an error, by label and by id. */
final class CounterSnapshotTest {
    private static final int FIRST_LABEL = 64 + 48;
    private static final int DESCRIPTOR_BYTES = 256;

    /** Has the counters of a switch in memory that a test may write. */
    private static final class Host implements EngineHost {
        private MemorySegment memory = MemorySegment.NULL;

        @Override
        public void bindCounters(CounterDirectory directory) {
            memory = Arena.ofAuto().allocate(directory.lengthBytes(), 128);
            directory.bind(memory, 1, 1);
        }

        @Override
        public Doorbell doorbell(int fromWorker, int toWorker, int duty) {
            return inputs -> {};
        }

        @Override
        public long housekeepingIntervalNs() {
            return 0;
        }

        @Override
        public PresentTime presentTime() {
            return calledNs -> calledNs;
        }

        @Override
        public long maxCatchUpNs() {
            return 0;
        }
    }

    private final Host host = new Host();
    private final SwitchEngine engine =
            new SwitchEngine(
                    SwitchConfigReader.read(
                            """
                            name: s1
                            defaults: {lossless: [3]}
                            ports:
                              - {name: a, device: {tap: a}, flow-control: pfc}
                              - {name: b, device: {tap: b}, flow-control: credits}
                            """,
                            "test"),
                    WorkerPlan.single(2),
                    host);

    /** As a reader sees it whose own version has another name for one counter. */
    private List<FlowControlSection.Row> rowsWithout(int counter) {
        long at = FIRST_LABEL + (long) counter * DESCRIPTOR_BYTES;
        byte first = host.memory.get(ValueLayout.JAVA_BYTE, at);
        host.memory.set(ValueLayout.JAVA_BYTE, at, (byte) '_');
        try {
            return FlowControlSection.rows(CounterSnapshot.of(new CounterReader(host.memory)));
        } finally {
            host.memory.set(ValueLayout.JAVA_BYTE, at, first);
        }
    }

    @Test
    void flowControlIsNotShownAsZerosWhereACounterHasAnotherName() {
        CounterReader reader = new CounterReader(host.memory);
        for (CounterDirectory.Entry entry : reader.entries()) {
            long values = host.memory.get(ValueLayout.JAVA_LONG, 32);
            host.memory.set(
                    ValueLayout.JAVA_LONG,
                    values + 8L * entry.valueIndex(),
                    1 + entry.valueIndex());
        }
        List<FlowControlSection.Row> full = FlowControlSection.rows(CounterSnapshot.of(reader));
        assertThat(full).hasSize(16);
        int missed = 0;
        for (int i = 0; i < reader.entries().size(); i++) {
            CounterDirectory.Entry entry = reader.entries().get(i);
            try {
                assertThat(rowsWithout(i)).as("without %s", entry).isEqualTo(full);
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageContaining("no counter " + entry.label());
                missed++;
            }
        }
        assertThat(missed).isGreaterThan(150);
        assertThat(engine.counters().entries()).hasSameSizeAs(reader.entries());
    }

    @Test
    void totalsAndDropsOfWhatIsNotThereAreErrors() {
        CounterSnapshot counters = CounterSnapshot.of(new CounterReader(host.memory));
        assertThat(counters.total(Scope.EGRESS, EgressCounter.QUEUE_BYTES)).isZero();
        assertThatThrownBy(() -> counters.total(Scope.INGRESS, EgressCounter.QUEUE_BYTES))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no counter queue.bytes of any INGRESS");
        assertThatThrownBy(() -> counters.value(Scope.INGRESS, "c", IngressCounter.DEVICE_UP))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("of INGRESS c");
        assertThat(counters.dropsAt("a")).isZero();
        assertThatThrownBy(() -> counters.dropsAt("c"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no counters of a port c");
    }
}
