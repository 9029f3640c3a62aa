package io.headgate.dataplane.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.assembly.SwitchEngine;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.device.MemoryWire;
import io.headgate.dataplane.linkcontrol.PresentTime;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class LearnRequestsTest {
    private static final long HOST = 0x0200_0000_0000L;

    /**
     * Counts how often an ingress half's worker rings for the owner of the table, the last duty.
     */
    private static final class CountingHost implements EngineHost {
        int rings;

        @Override
        public void bindCounters(CounterDirectory directory) {
            directory.bindPrivately();
        }

        @Override
        public Doorbell doorbell(int fromWorker, int toWorker, int duty) {
            return inputs -> rings += fromWorker == 0 && duty == 6 ? 1 : 0;
        }

        @Override
        public long housekeepingIntervalNs() {
            return 0;
        }

        @Override
        public PresentTime presentTime() {
            return PresentTime.OF_THE_CALL;
        }

        @Override
        public long maxCatchUpNs() {
            return 0;
        }
    }

    @Test
    void theOwnerIsRungForOnceABatchHoweverManyAddressesAreNew() {
        CountingHost host = new CountingHost();
        WorkerPlan plan = new WorkerPlan(2, List.of(0, 0, 0, 0, 1, 1, 1));
        SwitchEngine engine = new SwitchEngine(TestSwitch.bridge(2), plan, host);
        MemoryWire wire = new MemoryWire("p0", 256, 2000);
        engine.ingress(0).attach(wire.device(0, engine.region()));
        MemoryWire.FarEnd far = wire.farEnd(1);
        for (int i = 0; i < Arrivals.RECEIVE_BURST; i++) {
            assertThat(far.inject(from(HOST + i))).isTrue();
        }
        engine.ingress(0).doWork(0);
        assertThat(host.rings).isEqualTo(1);
        assertThat(TestSwitch.value(engine.counters(), "p0", "learn.requests"))
                .isEqualTo(Arrivals.RECEIVE_BURST);
        // Nothing new: no duty is woken.
        assertThat(far.inject(from(HOST))).isTrue();
        engine.ingress(0).doWork(1);
        assertThat(host.rings).isEqualTo(1);
    }

    private static byte[] from(long source) {
        ByteBuffer frame = ByteBuffer.allocate(60);
        frame.putShort((short) -1).putInt(-1);
        frame.putShort((short) (source >>> 32)).putInt((int) source);
        frame.putShort((short) 0x88B6);
        return frame.array();
    }
}
