package io.headgate.control.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.SwitchConfig;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.config.read.SwitchPatch;
import io.headgate.control.policy.PolicyConfig;
import io.headgate.dataplane.device.MemoryWire;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.openqueue.CompiledPolicy;
import io.headgate.dataplane.runner.RealTimeSwitch;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Changes of a port with a policy, marks and limits, while frames pass through it: the caller's
 * thread builds what they need, and no duty defines a class.
 */
final class ChangesOffTheDataPathTest {
    private static final int CHANGES = 1_000;
    private static final int WINDOW = 64;
    private static final String IN_DUTY = "in a duty: ";
    private static final long SENDER = 0x0200_0000_0001L;
    private static final long RECEIVER = 0x0200_0000_0002L;

    private static final SwitchConfig CONFIG =
            SwitchConfigReader.read(
                    """
                    name: s1
                    workers: {layout: 1}
                    defaults: {rate: 10Gbps, classify: {trust: pcp}}
                    ports:
                      - {name: a, device: {afpacket: a}}
                      - name: b
                        device: {afpacket: b}
                        queues: {policy: {file: lqd.oq}}
                        congestion: {red: {kmin: 5kB, kmax: 200kB, pmax: 0.01}}
                    """,
                    "s1.yaml");

    @TempDir private Path directory;

    /** Which classes are defined meanwhile, {@link #IN_DUTY} before those that a duty defines. */
    private List<String> defined(Runnable meanwhile) throws Exception {
        Path file = directory.resolve("classes.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("jdk.ClassDefine").withStackTrace();
            recording.enable("jdk.ClassLoad").withoutThreshold().withStackTrace();
            recording.start();
            meanwhile.run();
            recording.stop();
            recording.dump(file);
        }
        return RecordingFile.readAllEvents(file).stream()
                .map(event -> (isInDuty(event) ? IN_DUTY : "") + className(event))
                .distinct()
                .toList();
    }

    private static boolean isInDuty(RecordedEvent event) {
        return event.getStackTrace() != null
                && event.getStackTrace().getFrames().stream()
                        .anyMatch(frame -> frame.getMethod().getName().equals("runDuty"));
    }

    private static String className(RecordedEvent event) {
        boolean isLoad = event.getEventType().getName().equals("jdk.ClassLoad");
        return event.getClass(isLoad ? "loadedClass" : "definedClass").getName();
    }

    private static byte[] frame(long destination, long source, int number) {
        ByteBuffer bytes = ByteBuffer.allocate(200);
        bytes.putShort((short) (destination >>> 32)).putInt((int) destination);
        bytes.putShort((short) (source >>> 32)).putInt((int) source);
        return bytes.putShort((short) 0x9999).putInt(number).array();
    }

    /** Sends numbered frames from a to b until it is stopped; all must arrive, in order. */
    private static final class Traffic implements AutoCloseable {
        private final MemoryWire.FarEnd from;
        private final MemoryWire.FarEnd to;
        private final AtomicBoolean stop = new AtomicBoolean();
        private final Thread thread = Thread.ofPlatform().daemon().unstarted(this::run);
        private final AtomicInteger sent = new AtomicInteger();
        private final AtomicInteger came = new AtomicInteger();
        private final AtomicInteger wrong = new AtomicInteger();

        Traffic(RealTimeSwitch running) {
            from = wire(running, 0);
            to = wire(running, 1);
            await(() -> running.engine().registry().isUp(0) && running.engine().registry().isUp(1));
            // Teaches the switch the address, so that it floods no frame.
            assertThat(to.inject(frame(SENDER, RECEIVER, 0))).isTrue();
            await(() -> from.collect() != null);
            thread.start();
        }

        private static void await(BooleanSupplier condition) {
            long endNs = System.nanoTime() + 20_000_000_000L;
            while (!condition.getAsBoolean()) {
                assertThat(System.nanoTime() - endNs).as("waited 20 s").isNegative();
                LockSupport.parkNanos(100_000);
            }
        }

        private static MemoryWire.FarEnd wire(RealTimeSwitch running, int port) {
            FrameRegion region = running.engine().region();
            MemoryWire wire = new MemoryWire("wire" + port, 2 * WINDOW, region.maxFrameBytes());
            running.attach(port, wire.device(0, region));
            return wire.farEnd(1);
        }

        private void run() {
            while (!stop.get() || came.get() < sent.get()) {
                for (byte[] frame = to.collect(); frame != null; frame = to.collect()) {
                    int number = ByteBuffer.wrap(frame).getInt(14);
                    if (number != came.getAndIncrement()) {
                        wrong.getAndIncrement();
                    }
                }
                if (!stop.get() && sent.get() - came.get() < WINDOW) {
                    if (!from.inject(frame(RECEIVER, SENDER, sent.getAndIncrement()))) {
                        wrong.getAndIncrement();
                    }
                }
                LockSupport.parkNanos(10_000);
            }
        }

        @Override
        public void close() {
            stop.set(true);
            boolean ended;
            try {
                ended = thread.join(Duration.ofSeconds(20));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            assertThat(ended).as("%d of %d frames within 20 s", came.get(), sent.get()).isTrue();
            assertThat(came.get()).as("of %d frames", sent.get()).isEqualTo(sent.get());
            assertThat(wrong.get()).isZero();
        }
    }

    private static RealTimeSwitch running() {
        RealTimeSwitch running =
                new RealTimeSwitch(
                        CONFIG,
                        lengthBytes -> Arena.ofAuto().allocate(lengthBytes, 128),
                        (duty, failure) -> {
                            throw new IllegalStateException(duty, failure);
                        });
        running.start();
        return running;
    }

    private static void set(RealTimeSwitch running, List<String> assignments) {
        running.change(SwitchPatch.apply(running.engine().config(), assignments).config());
    }

    private static void repeat(int times, IntConsumer change) {
        for (int i = 0; i < times; i++) {
            change.accept(i);
        }
    }

    private static List<String> inDuties(List<String> defined) {
        return defined.stream().filter(name -> name.startsWith(IN_DUTY)).toList();
    }

    @Test
    void aThousandChangesOfOtherKeysCompileNothingAndDefineNoClassInADuty() throws Exception {
        List<String> others = List.of("b.rate=5Gbps", "b.congestion.red.kmin=9kB");
        List<String> again = List.of("b.rate=10Gbps", "b.congestion.red.kmin=5kB");
        try (RealTimeSwitch running = running();
                Traffic traffic = new Traffic(running)) {
            List<String> defined =
                    defined(() -> repeat(CHANGES, i -> set(running, i % 2 == 0 ? others : again)));
            assertThat(defined).noneMatch(name -> name.contains("openqueue.Policy"));
            assertThat(inDuties(defined)).isEmpty();
            assertThat(traffic.sent.get()).isPositive();
        }
    }

    @Test
    void whateverIsSetNoDutyDefinesAClass() throws Exception {
        List<String> assignments =
                List.of(
                        "b.rate=1Gbps",
                        "b.queues.policy.file=fifo.oq",
                        "b.queues.policy.file=lqd.oq",
                        "b.queues.policy.file=srpt.oq",
                        "b.queues.policy.seed=9",
                        "b.queues.policy.enabled=false",
                        "b.queues.policy.enabled=true",
                        "b.priority-rates=[{priority: 3, rate: 1Gbps}]",
                        "b.priority-rates=",
                        "a.scheduler=dwrr",
                        "a.queue-limit=90kB",
                        "b.congestion.red.enabled=false",
                        "b.congestion.red.enabled=true",
                        "bridge.ageing=100s");
        try (RealTimeSwitch running = running();
                Traffic traffic = new Traffic(running)) {
            List<String> defined =
                    defined(() -> assignments.forEach(each -> set(running, List.of(each))));
            assertThat(inDuties(defined)).isEmpty();
            assertThat(traffic.sent.get()).isPositive();
        }
    }

    /** What the others would see, were it there. */
    @Test
    void aPolicyThatADutyCompilesIsSeen() throws Exception {
        PolicyConfig policy =
                Objects.requireNonNull(CONFIG.ports().get(1).mechanisms().get(PolicyConfig.class));
        try (RealTimeSwitch running = running()) {
            List<String> defined =
                    defined(() ->
                            running.awaitBoth(
                                    1, half -> new CompiledPolicy(policy.plan()), half -> {}));
            assertThat(inDuties(defined)).anyMatch(name -> name.contains("openqueue.Policy"));
        }
    }
}
