package io.headgate.dataplane.runner;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.device.FaultyDevice;
import io.headgate.dataplane.engine.TestSwitch;
import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the supervisor does and says about devices in trouble. */
@Tag("threads")
class PortSupervisorTest {
    /** For the test in which a worker is held. */
    private static final long SHORT_PATIENCE_NS = 500_000_000;

    /** For all others: a worker that the machine does not let run for a moment does not hang. */
    private static final long PATIENCE_NS = 20_000_000_000L;

    private final List<String> log = new CopyOnWriteArrayList<>();
    private final CountDownLatch release = new CountDownLatch(1);
    private final FaultyDevice device = new FaultyDevice();
    private final FaultyDevice other = new FaultyDevice();
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    private final ErrorRecord errors = new ErrorRecord();

    private RealTimeSwitch start(long patienceNs) {
        RealTimeSwitch running =
                new RealTimeSwitch(
                        TestSwitch.bridge(2),
                        lengthBytes -> Arena.ofAuto().allocate(lengthBytes, 128),
                        (duty, failure) -> log.add(duty + " failed"));
        running.orderTimeoutNs(patienceNs);
        opened.push(running);
        running.start();
        running.attach(0, device);
        running.attach(1, other);
        PortSupervisor supervisor =
                new PortSupervisor(
                        running, new DeviceFactory(running.engine().region()), log::add, errors);
        opened.push(supervisor);
        supervisor.start();
        return running;
    }

    @AfterEach
    void close() throws Exception {
        release.countDown();
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }

    private void awaitLine(String line) {
        long endNs = System.nanoTime() + 20_000_000_000L;
        while (!log.contains(line)) {
            assertThat(System.nanoTime() - endNs).as("no '%s' in %s", line, log).isNegative();
            Thread.onSpinWait();
        }
    }

    @Test
    void aDeviceThatIsGoneWhileItsWorkerIsHeldIsClosedLaterAndReplaced() throws Exception {
        RealTimeSwitch running = start(SHORT_PATIENCE_NS);
        CountDownLatch held = new CountDownLatch(1);
        running.engine()
                .egress(1)
                .order(half -> {
                    held.countDown();
                    try {
                        release.await(20, TimeUnit.SECONDS);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
        assertThat(held.await(20, TimeUnit.SECONDS)).isTrue();
        device.gone = true;
        awaitLine(
                "port p0: cannot be tended: port 0 did not take an order within 0.5 s: its worker"
                        + " hangs");
        assertThat(device.closed).isFalse();
        release.countDown();
        awaitLine("port p0: opened again, up");
        assertThat(device.closed).isTrue();
        assertThat(running.device(0)).isNotSameAs(device).isNotNull();
        assertThat(log).doesNotHaveDuplicates();
    }

    @Test
    void whatHasBecomeWrongIsSaidOnceAndAlsoThatItIsMended() {
        start(PATIENCE_NS);
        device.trouble = "the sky has fallen";
        awaitLine("port p0: the sky has fallen");
        device.trouble = "";
        awaitLine("port p0: in order again");
        assertThat(log).hasSize(2);
        assertThat(errors.entries())
                .singleElement()
                .satisfies(error -> {
                    assertThat(error.kind()).isEqualTo(ErrorRecord.Kind.DEVICE_UNFIT);
                    assertThat(error.count()).isEqualTo(1);
                    assertThat(error.last()).isEqualTo("port p0: the sky has fallen");
                });
    }

    /** As of a file whose last bytes the disk did not take. */
    @Test
    void whatIsKnownOnlyOnceDevicesAreClosedIsSaidToo() {
        start(PATIENCE_NS);
        PortSupervisor supervisor = (PortSupervisor) opened.pop();
        supervisor.close(() -> device.trouble = "the disk is full");
        assertThat(log).containsExactly("port p0: the disk is full");
        assertThat(errors.entries())
                .singleElement()
                .satisfies(
                        error -> assertThat(error.kind()).isEqualTo(ErrorRecord.Kind.DEVICE_UNFIT));
    }

    @Test
    void anErrorAtOnePortIsSaidAndAllPortsAreWatchedOn() {
        start(PATIENCE_NS);
        device.troubleIsAnError = true;
        awaitLine("port p0: cannot be tended: java.lang.OutOfMemoryError: made to fail");
        device.troubleIsAnError = false;
        // Given up as one that fails, and opened again.
        awaitLine("port p0: opened again, up");
        other.gone = true;
        awaitLine("port p1: opened again, up");
        assertThat(log).doesNotHaveDuplicates();
        assertThat(errors.entries())
                .extracting(ErrorRecord.Entry::kind)
                .containsExactly(ErrorRecord.Kind.DEVICE_GONE, ErrorRecord.Kind.PORT_STUCK);
    }
}
