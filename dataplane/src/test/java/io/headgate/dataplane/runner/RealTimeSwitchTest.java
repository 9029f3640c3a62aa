package io.headgate.dataplane.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.device.FaultyDevice;
import io.headgate.dataplane.device.MemoryWire;
import io.headgate.dataplane.engine.TestSwitch;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Devices that come and go under workers that are held up, and halves that fail. */
@Tag("threads")
class RealTimeSwitchTest {
    private static final long PATIENCE_NS = 1_000_000_000;
    private static final long HOST = 0x0200_0000_0000L;

    private final List<String> failed = new CopyOnWriteArrayList<>();
    private final List<CountDownLatch> held = new ArrayList<>();
    private volatile boolean listenerThrows;
    private final RealTimeSwitch running =
            new RealTimeSwitch(
                    TestSwitch.bridge(2),
                    lengthBytes -> Arena.ofAuto().allocate(lengthBytes, 128),
                    (duty, failure) -> {
                        failed.add(duty);
                        if (listenerThrows) {
                            throw new IllegalStateException("a listener made to fail");
                        }
                    });

    @BeforeEach
    void beImpatient() {
        running.orderTimeoutNs(PATIENCE_NS);
    }

    @AfterEach
    void close() {
        held.forEach(CountDownLatch::countDown);
        running.close();
    }

    /** Keeps the one worker in an order until the latch is counted down, ten seconds at most. */
    private CountDownLatch holdWorker() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        held.add(release);
        running.engine()
                .ingress(1)
                .order(half -> {
                    begun.countDown();
                    try {
                        release.await(10, TimeUnit.SECONDS);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
        assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
        return release;
    }

    private static void await(BooleanSupplier condition) {
        long endNs = System.nanoTime() + 20_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - endNs).as("waited 20 s").isNegative();
            Thread.onSpinWait();
        }
    }

    @Test
    void aDeviceThatAHeldWorkerDoesNotGiveUpStaysThePorts() throws InterruptedException {
        running.start();
        FaultyDevice device = new FaultyDevice();
        running.attach(0, device);
        CountDownLatch release = holdWorker();
        assertThatThrownBy(() -> running.detach(0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("port 0 did not take an order within 1.0 s: its worker hangs");
        assertThat(running.device(0)).isSameAs(device);
        assertThat(device.closed).isFalse();
        release.countDown();
        await(() -> detached(0));
        assertThat(device.closed).isTrue();
        running.attach(0, new FaultyDevice());
    }

    /** As one that gets no core, which cannot be had for sure: neither runs, nor waits in Java. */
    @Test
    void aWorkerWithoutACoreIsNotSaidToHang() throws Exception {
        running.start();
        CountDownLatch begun = new CountDownLatch(1);
        try (DatagramSocket silent = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            running.engine()
                    .ingress(1)
                    .order(half -> {
                        begun.countDown();
                        try {
                            silent.setSoTimeout(10_000);
                            silent.receive(new DatagramPacket(new byte[1], 1));
                        } catch (IOException e) {
                            // Closed: the test is over.
                            return;
                        }
                    });
            assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
            assertThatThrownBy(() -> running.attach(0, new FaultyDevice()))
                    .isInstanceOf(WorkerBusyException.class)
                    .hasMessageStartingWith(
                            "port 0 did not take an order within 1.0 s: of that time its worker had"
                                    + " a core for 0.0 s;");
        }
        await(() -> detached(0));
    }

    private boolean detached(int port) {
        try {
            running.detach(port);
            return true;
        } catch (IllegalStateException hangsStill) {
            return false;
        }
    }

    @Test
    void anAttachThatAHeldWorkerMissedNeverHappensLater() throws InterruptedException {
        running.start();
        CountDownLatch release = holdWorker();
        FaultyDevice missed = new FaultyDevice();
        assertThatThrownBy(() -> running.attach(0, missed)).hasMessageContaining("hangs");
        assertThatThrownBy(() -> running.attach(0, new FaultyDevice()))
                .hasMessage("port 0 has a device already");
        release.countDown();
        await(() -> detached(0));
        assertThat(missed.closed).isTrue();
        assertThat(running.device(0)).isNull();
        FaultyDevice next = new FaultyDevice();
        running.attach(0, next);
        AtomicBoolean inUse = new AtomicBoolean();
        running.awaitBoth(0, half -> inUse.set(half.device() == next), half -> {});
        assertThat(inUse).isTrue();
    }

    @Test
    void whatAnOrderThrowsReachesItsSenderAndTheHalfGoesOn() {
        running.start();
        IllegalArgumentException thrown = new IllegalArgumentException("not like this");
        for (int round = 0; round < 3; round++) {
            assertThatThrownBy(() ->
                            running.awaitBoth(
                                    0,
                                    half -> {
                                        throw thrown;
                                    },
                                    half -> {}))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("an order to port 0 failed: " + thrown)
                    .hasCause(thrown);
        }
        assertThat(failed).isEmpty();
        running.attach(0, new FaultyDevice());
    }

    @Test
    void aDeviceThatFailsWhileItIsGivenUpIsClosedNevertheless() {
        running.start();
        FaultyDevice device = new FaultyDevice();
        running.attach(0, device);
        device.dropCountersFail = true;
        assertThatThrownBy(() -> running.detach(0)).hasMessageContaining("made to fail");
        assertThat(running.device(0)).isNull();
        assertThat(device.closed).isTrue();
    }

    @Test
    void aListenerThatThrowsDoesNotStopTheWorker() {
        listenerThrows = true;
        running.start();
        FaultyDevice device = new FaultyDevice();
        device.receiveFails = true;
        running.attach(0, device);
        await(() -> failed.contains("p0.ingress"));
        running.attach(1, new FaultyDevice());
        running.detach(0);
    }

    @Test
    void aDeviceThatFailsWhileItsWorkerGoesToSleepStopsItsHalfAlone() {
        running.start();
        FaultyDevice device = new FaultyDevice();
        device.armingFails = true;
        running.attach(0, device);
        await(() -> failed.contains("p0.ingress"));
        running.attach(1, new FaultyDevice());
        running.detach(0);
    }

    @Test
    void framesForAFailedEgressHalfAreDroppedAndTheirSlotsComeHome() {
        running.start();
        MemoryWire wire = new MemoryWire("p0", 256, 2000);
        running.attach(0, wire.device(0, running.engine().region()));
        MemoryWire.FarEnd host = wire.farEnd(1);
        FaultyDevice device = new FaultyDevice();
        device.transmitFails = true;
        running.attach(1, device);
        long sent = 0;
        while (!failed.contains("p1.egress")) {
            sent += host.inject(broadcast()) ? 1 : 0;
        }
        for (int more = 0; more < 100; ) {
            if (host.inject(broadcast())) {
                more++;
                sent++;
            }
        }
        long frames = sent;
        CounterDirectory counters = running.engine().counters();
        await(() -> TestSwitch.value(counters, "p1", "drop.PORT_DOWN") == frames);
        await(() -> {
            AtomicBoolean home = new AtomicBoolean();
            running.awaitBoth(
                    0, half -> home.set(half.freeSlots() == half.homeSlots()), half -> {});
            return home.get();
        });
        assertThat(TestSwitch.value(counters, "p1", "frames.transmitted")).isZero();
    }

    @Test
    void slotsComeHomeToAFailedIngressHalf() {
        running.start();
        MemoryWire wire = new MemoryWire("p1", 1024, 2000);
        running.attach(1, wire.device(0, running.engine().region()));
        FaultyDevice source = new FaultyDevice();
        // More than the line takes until the half is called again, and fails.
        source.arriving = 64;
        source.receiveFails = true;
        running.attach(0, source);
        await(() -> failed.contains("p0.ingress"));
        CounterDirectory counters = running.engine().counters();
        await(() ->
                TestSwitch.value(counters, "p0", "slots.free")
                        == running.engine().ingress(0).homeSlots());
    }

    /** A defect, made by a device that changes what a frame is charged to. */
    @Test
    void accountsThatFailStopTheirOwnHalfAndNoneThatSendsSlotsHome() {
        running.start();
        FaultyDevice spoiling = new FaultyDevice();
        spoiling.copies = true;
        spoiling.spoilsAccounts = true;
        running.attach(1, spoiling);
        FaultyDevice source = new FaultyDevice();
        source.copies = true;
        source.arriving = 200;
        running.attach(0, source);
        await(() -> failed.contains("p0.ingress"));
        int forwarded = 200 - source.arriving;
        CounterDirectory counters = running.engine().counters();
        await(() -> TestSwitch.value(counters, "p1", "frames.transmitted") == forwarded);
        await(() ->
                TestSwitch.value(counters, "p0", "slots.free")
                        == running.engine().ingress(0).homeSlots());
        spoiling.arriving = 50;
        await(() -> TestSwitch.value(counters, "p0", "frames.transmitted") == 50);
        running.detach(0);
        assertThat(failed).containsExactly("p0.ingress");
    }

    @Test
    void closingWaitsForAHeldWorkerAndThenGivesUpItsDevices() throws InterruptedException {
        running.start();
        FaultyDevice device = new FaultyDevice();
        running.attach(0, device);
        CountDownLatch release = holdWorker();
        Thread closing = Thread.ofPlatform().start(running::close);
        // By now at the latest it has lost its patience, and waits for the thread to end.
        assertThat(closing.join(Duration.ofMillis(300))).isFalse();
        assertThat(device.closed).isFalse();
        release.countDown();
        assertThat(closing.join(Duration.ofSeconds(10))).isTrue();
        assertThat(device.closed).isTrue();
        assertThat(running.device(0)).isNull();
    }

    private static byte[] broadcast() {
        ByteBuffer frame = ByteBuffer.allocate(60);
        frame.putShort((short) -1).putInt(-1);
        frame.putShort((short) (HOST >>> 32)).putInt((int) HOST);
        frame.putShort((short) 0x88B6);
        return frame.array();
    }
}
