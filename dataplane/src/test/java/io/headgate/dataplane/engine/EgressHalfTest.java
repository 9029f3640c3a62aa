package io.headgate.dataplane.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.DeviceConfig;
import io.headgate.dataplane.device.FaultInjector;
import io.headgate.dataplane.device.FaultyDevice;
import io.headgate.dataplane.device.MemoryWire;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.memory.DropReason;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** When an egress half wants to be called, and what it counts. */
class EgressHalfTest {
    private static final long HOST = 0x0200_0000_0000L;

    /** Below this a worker does not sleep. */
    private static final long SHORTEST_SLEEP_NS = 30_000;

    private final TestSwitch s = new TestSwitch(TestSwitch.bridge(2));
    private final FaultyDevice device = new FaultyDevice();

    private static byte[] broadcast(int lengthBytes) {
        ByteBuffer frame = ByteBuffer.allocate(lengthBytes);
        frame.putShort((short) -1).putInt(-1);
        frame.putShort((short) (HOST >>> 32)).putInt((int) HOST);
        frame.putShort((short) 0x88B6);
        return frame.array();
    }

    private void inject(int frames, int lengthBytes) {
        for (int frame = 0; frame < frames; frame++) {
            assertThat(s.hosts.get(0).inject(broadcast(lengthBytes))).isTrue();
        }
    }

    /** Lets time pass from one deadline of the half to the next. Answers how often it was due. */
    private int runToDeadlines(long durationNs) {
        EgressHalf half = s.engine.egress(1);
        long endNs = s.nowNs + durationNs;
        int calls = 0;
        while (half.deadlineNs() < endNs) {
            s.nowNs = Math.max(s.nowNs + 1, half.deadlineNs());
            half.doWork(s.nowNs);
            calls++;
        }
        return calls;
    }

    @Test
    void aWorkerSleepsWhileADeviceHoldsFramesForLong() {
        s.reattach(1, device);
        inject(1, 60);
        s.settle();
        assertThat(s.engine.egress(1).heldFrames()).isEqualTo(1);
        // Once is soon, as most devices are quick; then the intervals grow.
        runToDeadlines(SHORTEST_SLEEP_NS);
        assertThat(s.engine.egress(1).deadlineNs() - s.nowNs).isGreaterThan(SHORTEST_SLEEP_NS);
        // Housekeeping alone takes a hundred calls.
        assertThat(runToDeadlines(100_000_000)).isLessThan(200);
    }

    @Test
    void burstsWaitForOtherCyclesOnlyWithoutFlowControl() {
        device.collects = true;
        s.reattach(1, device);
        s.engine.egress(1).flush(s.nowNs, 7);
        assertThat(device.flushedCycle).isEqualTo(7);
        FaultyDevice paused = new FaultyDevice();
        paused.collects = true;
        TestSwitch lossless = LosslessTraffic.lossless(2, LosslessTraffic.PFC);
        lossless.reattach(1, paused);
        lossless.engine.egress(1).flush(lossless.nowNs, 7);
        assertThat(paused.flushedCycle).isEqualTo(PortDevice.LAST_CYCLE);
    }

    @Test
    void theNextFrameStartsInTimeWhileTheDeviceHoldsOthers() {
        s.reattach(1, device);
        inject(3, 1514);
        s.settle();
        assertThat(s.engine.egress(1).heldFrames()).isEqualTo(3);
        // 1,538 bytes on the wire at 10 Gb/s.
        assertThat(s.engine.egress(1).deadlineNs() - s.nowNs).isEqualTo(1230);
    }

    @Test
    void framesThatACopyingDeviceCouldNotSendAreTriedAgain() {
        device.copies = true;
        s.reattach(1, device);
        device.status.setUnsent(true);
        inject(1, 60);
        s.settle();
        int before = device.collections;
        assertThat(s.engine.egress(1).deadlineNs() - s.nowNs).isLessThan(SHORTEST_SLEEP_NS);
        runToDeadlines(1_000_000);
        assertThat(device.collections - before).isBetween(1, 10);
        device.status.setUnsent(false);
        int tried = device.collections;
        runToDeadlines(100_000_000);
        assertThat(device.collections - tried).isLessThanOrEqualTo(1);
    }

    @Test
    void aFrameThatTheDeviceRefusesIsCountedOnce() {
        s.reattach(1, new MemoryWire("narrow", 64, 100).device(0, s.engine.region()));
        inject(2, 60);
        inject(3, 101);
        s.run(10_000);
        assertThat(s.value("p1", "frames.transmitted")).isEqualTo(2);
        assertThat(s.value("p1", "bytes.transmitted")).isEqualTo(120);
        assertThat(s.drops("p1", DropReason.DEVICE_REFUSED)).isEqualTo(3);
        assertThat(s.value("p0", "frames.forwarded")).isEqualTo(5);
        s.assertAtRest();
    }

    @Test
    void aFrameThatADeviceMayStillSendIsNotReusedAfterItFailed() {
        s.reattach(1, device);
        device.transmitFails = true;
        device.marksBeforeFailing = true;
        inject(1, 60);
        s.engine.ingress(0).doWork(s.nowNs);
        EgressHalf half = s.engine.egress(1);
        try {
            half.doWork(s.nowNs);
        } catch (IllegalStateException madeToFail) {
            half.windDown(s.nowNs);
        }
        s.engine.ingress(0).doWork(s.nowNs);
        assertThat(s.engine.ingress(0).freeSlots()).isEqualTo(s.engine.ingress(0).homeSlots() - 1);
        half.detach(s.nowNs);
        assertThat(half.reclaim()).isEqualTo(1);
        s.settle();
        s.assertAtRest();
    }

    @Test
    void aDeviceWhoseFramesAreDueLaterIsNotAskedBeforeHoweverOftenTheWorkerComesBy() {
        device.copies = true;
        s.reattach(1, device);
        s.settle();
        EgressHalf half = s.engine.egress(1);
        long dueNs = s.nowNs + 1_000_000;
        device.status.setUnsent(true, dueNs);
        int before = device.collections;
        for (; s.nowNs < dueNs; s.nowNs += 100_000) {
            half.doWork(s.nowNs);
        }
        assertThat(device.collections).isEqualTo(before);
        s.nowNs = dueNs;
        half.doWork(s.nowNs);
        assertThat(device.collections).isEqualTo(before + 1);
    }

    private FaultInjector faultyWire(DeviceConfig.OneWay transmit) {
        return new FaultInjector(
                new MemoryWire("wire", 64, 1514).device(0, s.engine.region()),
                new DeviceConfig.Faults(
                        new DeviceConfig.OneWay(0, 0, 0, 0, 0, 0, 0), 0, 0, 1000, 1, transmit),
                "p1",
                2048,
                () -> s.nowNs);
    }

    @Test
    void itIsCalledExactlyWhenFramesAreDueWhoseSlotsAreHomeAlready() {
        s.reattach(1, faultyWire(new DeviceConfig.OneWay(0, 0, 1_234_567, 0, 0, 0, 0)));
        inject(1, 60);
        s.settle();
        long sentNs = s.nowNs;
        EgressHalf half = s.engine.egress(1);
        assertThat(half.heldFrames()).isZero();
        s.assertAtRest();
        while (half.deadlineNs() < sentNs + 1_234_567) {
            // Housekeeping, and nothing more often than that.
            assertThat(half.deadlineNs() - s.nowNs).isGreaterThan(SHORTEST_SLEEP_NS);
            s.nowNs = half.deadlineNs();
            half.doWork(s.nowNs);
        }
        assertThat(half.deadlineNs()).isEqualTo(sentNs + 1_234_567);
        s.nowNs = half.deadlineNs();
        half.doWork(s.nowNs);
        assertThat(half.deadlineNs() - s.nowNs).isGreaterThan(SHORTEST_SLEEP_NS);
    }

    @Test
    void faultsOfWhatItTransmitsAreCountedAndNoSlotIsLostWithTheDevice() {
        for (int before = 0; before <= 10; before += 10) {
            s.reattach(1, faultyWire(new DeviceConfig.OneWay(0, 1, 1_000_000, 0, 1, 1, 1)));
            s.assertAtRest();
            inject(5, 60);
            s.run(2_000_000);
            assertThat(s.value("p1", "frames.transmitted")).isEqualTo(before + 5);
            // Under way when their device is closed.
            inject(5, 60);
            s.run(10_000);
        }
        s.reattach(1, device);
        assertThat(s.value("p1", "frames.transmitted")).isEqualTo(20);
        assertThat(s.value("p1", "faults.corrupted")).isEqualTo(20);
        assertThat(s.value("p1", "faults.late")).isEqualTo(20);
        assertThat(s.value("p1", "faults.repeated")).isEqualTo(20);
        s.assertAtRest();
    }
}
