package io.headgate.dataplane.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.DeviceConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.WorkerConfig;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.device.FaultInjector;
import io.headgate.dataplane.device.FaultyDevice;
import io.headgate.dataplane.device.MemoryWire;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.engine.TestSwitch;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Faults whose two directions are two workers', of ports that come and go and fail. */
@Tag("threads")
class FaultsOnTwoWorkersTest {
    private static final long US = 1_000;
    private static final int LIMIT = 200;

    private final List<String> failed = new CopyOnWriteArrayList<>();
    private final RealTimeSwitch running =
            new RealTimeSwitch(
                    config(),
                    lengthBytes -> Arena.ofAuto().allocate(lengthBytes, 128),
                    (duty, failure) -> failed.add(duty));
    private final CounterDirectory counters = running.engine().counters();
    private final MemoryWire wire = new MemoryWire("p0", 256, 2000);
    private final MemoryWire.FarEnd host = wire.farEnd(1);

    private static SwitchConfig config() {
        SwitchConfig bridge = TestSwitch.bridge(2);
        return bridge.withWorkers(bridge.workers().withLayout(WorkerConfig.Layout.PER_HALF));
    }

    @AfterEach
    void close() {
        running.close();
    }

    private PortDevice withFaults(PortDevice device, String port) {
        DeviceConfig.OneWay all =
                new DeviceConfig.OneWay(0.1, 0, 200 * US, 100 * US, 0.2, 300 * US, 0.2);
        return new FaultInjector(
                device,
                new DeviceConfig.Faults(all, 0, 0, LIMIT, 1, all),
                port,
                running.engine().region().slotBytes(),
                running::nowNs);
    }

    private static void await(String what, BooleanSupplier condition) throws InterruptedException {
        long endNs = System.nanoTime() + 20_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - endNs).as(what).isNegative();
            Thread.sleep(1);
        }
    }

    private static byte[] broadcast() {
        return ByteBuffer.allocate(60)
                .putShort((short) -1)
                .putInt(-1)
                .putShort((short) 0x0200)
                .putInt(1)
                .putShort((short) 0x88B6)
                .array();
    }

    private long value(String port, String label) {
        return TestSwitch.value(counters, port, label);
    }

    private void awaitSlots() throws InterruptedException {
        for (int port = 0; port < 2; port++) {
            String name = "p" + port;
            int home = running.engine().ingress(port).homeSlots();
            await("slots of " + name, () -> value(name, "slots.free") == home);
        }
    }

    private void send(int frames) throws InterruptedException {
        for (int sent = 0; sent < frames; ) {
            if (host.inject(broadcast())) {
                sent++;
            } else {
                Thread.sleep(1);
            }
        }
    }

    @Test
    void whatIsUnderWayInBothDirectionsIsLostWithItsDeviceAndNoSlotIs() throws Exception {
        running.start();
        running.attach(0, withFaults(wire.device(0, running.engine().region()), "p0"));
        long came = 0;
        for (int round = 1; round <= 3; round++) {
            MemoryWire out = new MemoryWire("p1", 4096, 2000);
            MemoryWire.FarEnd far = out.farEnd(1);
            running.attach(1, withFaults(out.device(0, running.engine().region()), "p1"));
            long before = value("p1", "frames.transmitted");
            send(300);
            await("transmitted", () -> value("p1", "frames.transmitted") > before + 50);
            running.detach(1);
            while (far.collect() != null) {
                came++;
            }
        }
        running.detach(0);
        awaitSlots();
        assertThat(came).isPositive();
        assertThat(value("p0", "drop.FAULT_INJECTED")).isPositive();
        assertThat(value("p1", "drop.FAULT_INJECTED")).isPositive();
        assertThat(value("p1", "faults.repeated")).isPositive();
        assertThat(failed).isEmpty();
    }

    @Test
    void aPortThatFailsBehindFaultsIsRestartedWithAllOfItsSlots() throws Exception {
        running.start();
        running.attach(0, wire.device(0, running.engine().region()));
        FaultyDevice failing = new FaultyDevice();
        failing.copies = true;
        running.attach(1, withFaults(failing, "p1"));
        send(200);
        await("transmitted", () -> value("p1", "frames.transmitted") > 50);
        failing.transmitFails = true;
        while (!failed.contains("p1.egress")) {
            send(1);
        }
        assertThatThrownBy(() -> running.detach(1)).hasStackTraceContaining("made to fail");
        assertThat(running.device(1)).isNull();
        await("restarted", () -> running.restart(1));
        awaitSlots();
        long before = value("p1", "frames.transmitted");
        MemoryWire out = new MemoryWire("p1", 4096, 2000);
        running.attach(1, withFaults(out.device(0, running.engine().region()), "p1"));
        send(100);
        await("transmitted again", () -> value("p1", "frames.transmitted") >= before + 100);
        awaitSlots();
        assertThat(failed).containsExactly("p1.egress");
    }
}
