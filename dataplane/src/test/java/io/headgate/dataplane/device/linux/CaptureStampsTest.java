package io.headgate.dataplane.device.linux;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.SwitchConfig;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.dataplane.capture.Tap;
import io.headgate.dataplane.engine.PortRegistry;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.runner.DeviceFactory;
import io.headgate.dataplane.runner.RealTimeSwitch;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares a switch's capture with the kernel's own stamps at both hosts: a frame was sent before
 * it came in, and arrived after it left. The switch's worker is delayed while frames come, having
 * read its clock.
 */
@Tag("netns")
class CaptureStampsTest {
    private static final int FRAMES = 20;
    private static final int FRAME_BYTES = 60;

    /** Behind the EtherType. */
    private static final int NUMBER_OFFSET = 14;

    private static final long HOLD_NS = 300_000_000;

    /** Accuracy of the comparison of the engine's clock with the time of day. */
    private static final long ASIDE_NS = 10_000;

    private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicLongArray receivedNs = new AtomicLongArray(FRAMES);
    private final AtomicLongArray transmittedNs = new AtomicLongArray(FRAMES);
    private List<Long> sentNs = List.of();
    private List<Long> arrivedNs = List.of();
    private long releasedNs;
    private TestNetwork network;
    private String left;
    private String right;
    private String between;

    /** Times by the number in the frame. */
    private final class Times implements Tap {
        private static int number(Frame frame) {
            return Wire.i32(FrameRegion.MEMORY, frame.dataOffset + NUMBER_OFFSET);
        }

        @Override
        public void received(int port, Frame frame, long cameNs) {
            receivedNs.set(number(frame), cameNs);
        }

        @Override
        public void transmitted(int port, int queue, Frame frame, long offeredNs) {
            transmittedNs.set(number(frame), offeredNs);
        }

        @Override
        public void dropped(int port, DropReason reason, Frame frame, long atNs) {}
    }

    @BeforeEach
    void makeHosts() {
        network = new TestNetwork();
        left = network.namespace("h1");
        right = network.namespace("h2");
        between = network.namespace("s");
        network.veth(right, "eth0", between, "p2", 1500);
    }

    @AfterEach
    void removeHosts() {
        network.close();
    }

    private SwitchConfig config(String device) {
        if (!device.equals("tap")) {
            network.veth(left, "eth0", between, "p1", 1500);
            network.exec(left, "ethtool", "-K", "eth0", "txvlan", "off");
            network.exec(left, "ethtool", "-K", "eth0", "tx-vlan-stag-hw-insert", "off");
        }
        String first =
                device.equals("tap")
                        ? "tap: {interface: eth0, netns: " + left + "}"
                        : device + ": {interface: p1, netns: " + between + "}";
        return SwitchConfigReader.read(
                "name: s1\nports:\n  - {name: p1, device: {"
                        + first
                        + "}}\n  - {name: p2, device: {afpacket: {interface: p2, netns: "
                        + between
                        + "}}}\nworkers: {layout: single}\n",
                "test");
    }

    @ParameterizedTest
    @ValueSource(strings = {"afpacket", "afxdp", "tap"})
    void aFrameIsShownBetweenItsSendersAndItsReceiversTimeThoughTheWorkerWasHeld(String device)
            throws Exception {
        SwitchConfig config = config(device);
        try (RealTimeSwitch running =
                new RealTimeSwitch(
                        config,
                        bytes -> Arena.ofAuto().allocate(bytes, 128),
                        (duty, failure) -> failures.add(duty + ": " + failure))) {
            DeviceFactory devices = new DeviceFactory(running.engine().region());
            running.start();
            for (int port = 0; port < 2; port++) {
                running.attach(port, devices.open(config.ports().get(port)));
            }
            PortRegistry registry = running.engine().registry();
            await(() -> registry.isUp(0) && registry.isUp(1));
            Times times = new Times();
            running.awaitBoth(0, half -> half.tap(times), half -> {});
            running.awaitBoth(1, half -> {}, half -> half.tap(times));
            // Frames are stamped by the time of day. If that was set meanwhile, stamps cannot be
            // compared, and it is done again.
            int attempts = 0;
            long epochNs;
            do {
                assertThat(attempts++).as("times that the time of day was set").isLessThan(5);
                epochNs = running.epochOffsetNs();
                sendWhileHeld(running);
            } while (Math.abs(running.epochOffsetNs() - epochNs) > ASIDE_NS);
            for (int number = 0; number < FRAMES; number++) {
                long cameNs = epochNs + receivedNs.get(number);
                long leftNs = epochNs + transmittedNs.get(number);
                assertThat(cameNs).isGreaterThan(sentNs.get(number) - ASIDE_NS);
                assertThat(leftNs).isGreaterThan(cameNs);
                assertThat(leftNs).isLessThan(arrivedNs.get(number) + ASIDE_NS);
                if (device.equals("afpacket")) {
                    // By the ring's stamp, and not by when the worker looked at last.
                    assertThat(receivedNs.get(number)).isLessThan(releasedNs);
                }
            }
        }
        assertThat(failures).isEmpty();
    }

    /** Sends the frames while the worker is held, and reads the hosts' stamps of them. */
    private void sendWhileHeld(RealTimeSwitch running) throws Exception {
        try (StampedEnd sent = new StampedEnd(left, "eth0");
                StampedEnd arrived = new StampedEnd(right, "eth0");
                RawEnd host = new RawEnd(left, "eth0")) {
            Runnable release = hold(running);
            for (int number = 0; number < FRAMES; number++) {
                host.send(TestPort.numbered(number, FRAME_BYTES));
            }
            LockSupport.parkNanos(HOLD_NS);
            releasedNs = running.nowNs();
            release.run();
            await(() -> {
                arrived.read();
                return stamps(arrived, false).size() == FRAMES;
            });
            sent.read();
            sentNs = stamps(sent, true);
            arrivedNs = stamps(arrived, false);
        }
    }

    /** Holds the worker in the call that takes in what comes by the first port. */
    private static Runnable hold(RealTimeSwitch running) throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        running.engine()
                .ingress(0)
                .order(half -> {
                    begun.countDown();
                    try {
                        released.await(120, TimeUnit.SECONDS);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
        assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
        return released::countDown;
    }

    private static void await(BooleanSupplier condition) {
        long endNs = System.nanoTime() + 60_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - endNs).as("waited a minute").isNegative();
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Of our frames, in the order in which they were sent. */
    private static List<Long> stamps(StampedEnd end, boolean outgoing) {
        return end.seen().stream()
                .filter(frame -> frame.outgoing() == outgoing && frame.etherType() == 0x88B6)
                .map(StampedEnd.Seen::stampNs)
                .toList();
    }
}
