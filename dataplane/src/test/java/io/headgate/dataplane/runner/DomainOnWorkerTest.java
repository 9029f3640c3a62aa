package io.headgate.dataplane.runner;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.Mechanisms;
import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.device.FaultyDevice;
import io.headgate.dataplane.device.MemoryWire;
import io.headgate.dataplane.domain.CrossbarConfig;
import io.headgate.dataplane.domain.CrossbarMechanism;
import io.headgate.dataplane.engine.TestSwitch;
import io.headgate.dataplane.memory.DropReason;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A crossbar on a worker's thread, by the machine's clock. */
@Tag("threads")
class DomainOnWorkerTest {
    private static final int FRAMES = 5_000;
    private static final int BROADCAST_BYTES = 1000;

    private static void await(BooleanSupplier condition) {
        long endNs = System.nanoTime() + 20_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - endNs).as("waited 20 s").isNegative();
            Thread.onSpinWait();
        }
    }

    private static byte[] broadcast() {
        byte[] frame = new byte[BROADCAST_BYTES];
        for (int i = 0; i < 6; i++) {
            frame[i] = (byte) 0xFF;
        }
        frame[6] = 2;
        frame[12] = (byte) 0x88;
        frame[13] = (byte) 0xB6;
        return frame;
    }

    /** Waits for at least {@code least} frames. */
    private static int collect(MemoryWire.FarEnd from, int least) {
        int[] count = {0};
        await(() -> {
            count[0] += from.collect() == null ? 0 : 1;
            return count[0] >= least;
        });
        return count[0];
    }

    @Test
    void allFramesArriveAndAPortThatFailsStopsNoOther() {
        List<String> failed = new CopyOnWriteArrayList<>();
        SwitchConfig config =
                TestSwitch.bridge(3)
                        .withMechanisms(
                                Mechanisms.NONE.with(
                                        new CrossbarMechanism()
                                                .use(
                                                        new CrossbarConfig(
                                                                CrossbarConfig.InputQueues
                                                                        .VIRTUAL_OUTPUT,
                                                                1))));
        try (RealTimeSwitch running =
                new RealTimeSwitch(
                        config,
                        lengthBytes -> Arena.ofAuto().allocate(lengthBytes, 128),
                        (duty, failure) -> failed.add(duty))) {
            assertThat(running.plan().workers()).isOne();
            running.start();
            MemoryWire in = new MemoryWire("in", 64, 9216);
            MemoryWire out = new MemoryWire("out", 8192, 9216);
            FaultyDevice faulty = new FaultyDevice();
            faulty.copies = true;
            running.attach(0, in.device(0, running.engine().region()));
            running.attach(1, faulty);
            running.attach(2, out.device(0, running.engine().region()));
            MemoryWire.FarEnd sender = in.farEnd(1);
            MemoryWire.FarEnd receiver = out.farEnd(1);
            // The wire takes frames faster than ports send them. Few enough are under way that none
            // of the queues overflows, also where one port is a burst of 64 behind the other.
            int underWay = (int) (config.ports().get(2).queueLimitBytes() / BROADCAST_BYTES / 4);
            int collected = 0;
            for (int sent = 0; sent < FRAMES; sent++) {
                collected += collect(receiver, sent + 1 - underWay - collected);
                faulty.transmitFails = sent >= FRAMES / 2;
                await(() -> sender.inject(broadcast()));
            }
            collected += collect(receiver, FRAMES - collected);
            assertThat(collected).isEqualTo(FRAMES);
            assertThat(failed).containsExactly("p1.egress");
            CounterDirectory counters = running.engine().counters();
            int slots = config.memory().slotsPerPort();
            await(() -> TestSwitch.value(counters, "p0", "slots.free") == slots);
            // What came to the other port before and after it failed, sent or dropped.
            long down = TestSwitch.value(counters, "p1", "drop." + DropReason.PORT_DOWN);
            assertThat(down).isPositive();
            assertThat(TestSwitch.value(counters, "p1", "frames.transmitted") + down)
                    .isEqualTo(FRAMES);
            running.clearWatermarks();
        }
    }
}
