package io.headgate.dataplane.device.linux;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.SwitchConfig;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.dataplane.frame.PfcFrame;
import io.headgate.dataplane.runner.DeviceFactory;
import io.headgate.dataplane.runner.RealTimeSwitch;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * How long pauses last as the host sees it that sends them, while other processes take the cores
 * from the switch: from when the pause left the host, never less than its quanta. Both times are
 * the kernel's, so the answer is right however loaded the machine is, and never early.
 */
@Tag("netns")
class PauseLengthTest {
    private static final long SEED = Long.getLong("headgate.seed", 20_261_122L);
    private static final long RATE_BPS = 100_000_000;
    private static final int QUANTA = 2048;
    private static final long PAUSE_NS = ConfigDefaults.pauseNs(QUANTA, RATE_BPS);

    /** Some ten frames' time. */
    private static final long SILENCE_NS = 1_000_000;

    private static final int SPINNERS = 3;

    // More than the port's rate: what waits in the switch is sent even while the sender is held up.
    private static final int DATA_BYTES = 1200;
    private static final int DATA_AT_ONCE = 16;
    private static final long DATA_EVERY_NS = 1_000_000;
    private static final long PAUSER = 0x0200_0000_0001L;

    private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
    private final List<Process> spinners = new ArrayList<>();
    private TestNetwork network;
    private String pausing;
    private String sending;
    private String between;
    private volatile boolean over;

    @BeforeEach
    void makeHosts() {
        network = new TestNetwork();
        pausing = network.namespace("h1");
        sending = network.namespace("h2");
        between = network.namespace("s");
        network.veth(sending, "eth0", between, "p2", 1500);
    }

    @AfterEach
    void removeHosts() {
        stopSpinning();
        network.close();
    }

    private void stopSpinning() {
        spinners.forEach(Process::destroyForcibly);
        spinners.clear();
    }

    private SwitchConfig config(String device, String workers) {
        if (!device.equals("tap")) {
            network.veth(pausing, "eth0", between, "p1", 1500);
            network.exec(
                    pausing, "sh", "-c", "ethtool -K eth0 txvlan off tx-vlan-stag-hw-insert off");
        }
        String first =
                device.equals("tap")
                        ? "tap: {interface: eth0, netns: " + pausing + "}"
                        : device + ": {interface: p1, netns: " + between + "}";
        return SwitchConfigReader.read(
                "name: s1\ndefaults: {rate: 100Mbps, classify: {trust: port, default: 3}}\nports:\n"
                        + "  - {name: p1, flow-control: pfc, device: {"
                        + first
                        + "}, link: {own-reaction: 20ms, peer-reaction: 20ms}}\n"
                        + "  - {name: p2, device: {afpacket: {interface: p2, netns: "
                        + between
                        + "}}}\nworkers: {layout: "
                        + workers
                        + "}\n",
                "test");
    }

    @ParameterizedTest
    @CsvSource({"afpacket, single", "afxdp, single", "tap, single", "afpacket, per-half"})
    void aPauseIsNeverShorterThanItsQuantaThoughOthersTakeTheCores(String device, String workers)
            throws Exception {
        noneIsShort(device, workers, 60);
    }

    /** The same for long enough that what happens once in a thousand is seen. */
    @Test
    @Tag("long")
    void noneOfThousandsIsShort() throws Exception {
        for (String device : List.of("afpacket", "afxdp", "tap")) {
            noneIsShort(device, "single", Integer.getInteger("headgate.pauses", 2_000));
            removeHosts();
            makeHosts();
        }
    }

    private void noneIsShort(String device, String workers, int pauses) throws Exception {
        SwitchConfig config = config(device, workers);
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
            try (StampedEnd seen = new StampedEnd(pausing, "eth0");
                    RawEnd host = new RawEnd(pausing, "eth0");
                    RawEnd sender = new RawEnd(sending, "eth0")) {
                over = false;
                // From here on the switch knows the port for the data.
                host.send(frame(PAUSER + 1, PAUSER, 60));
                Thread data = Thread.ofPlatform().start(() -> sendData(sender));
                awaitData(seen);
                spin(pauses);
                pause(host, seen, pauses);
                stopSpinning();
                over = true;
                data.join();
                seen.read();
                judge(device + ", " + workers, workers.equals("single"), seen.seen());
            }
        }
        assertThat(failures).isEmpty();
    }

    private void sendData(RawEnd sender) {
        byte[] frame = frame(PAUSER, PAUSER + 1, DATA_BYTES);
        while (!over) {
            for (int i = 0; i < DATA_AT_ONCE; i++) {
                sender.trySend(frame);
            }
            LockSupport.parkNanos(DATA_EVERY_NS);
        }
    }

    private static byte[] frame(long destination, long source, int bytes) {
        ByteBuffer frame = ByteBuffer.allocate(bytes);
        frame.putShort((short) (destination >>> 32)).putInt((int) destination);
        frame.putShort((short) (source >>> 32)).putInt((int) source).putShort((short) 0x88B6);
        return frame.array();
    }

    private static boolean isData(StampedEnd.Seen frame) {
        return !frame.outgoing() && frame.etherType() == 0x88B6;
    }

    private static boolean isPause(StampedEnd.Seen frame) {
        return frame.outgoing() && frame.etherType() == 0x8808;
    }

    private static void awaitData(StampedEnd seen) {
        long endNs = System.nanoTime() + 60_000_000_000L;
        while (seen.seen().stream().filter(PauseLengthTest::isData).count() < 100) {
            assertThat(System.nanoTime() - endNs).as("waited a minute for data").isNegative();
            LockSupport.parkNanos(10_000_000);
            seen.read();
        }
    }

    /** Processes that take what they get: for no more processor time than the pauses take. */
    private void spin(int pauses) throws IOException {
        String bounded = "ulimit -t " + (10 + pauses / 10) + "; while :; do :; done";
        for (int i = 0; i < SPINNERS; i++) {
            spinners.add(new ProcessBuilder("sh", "-c", bounded).start());
        }
    }

    private static void pause(RawEnd host, StampedEnd seen, int pauses) {
        Random random = new Random(SEED);
        byte[] frame = new PfcFrame(PAUSER, 1 << 3, List.of(0, 0, 0, QUANTA, 0, 0, 0, 0)).encode();
        for (int i = 0; i < pauses; i++) {
            host.send(frame);
            LockSupport.parkNanos(PAUSE_NS);
            awaitFlow(seen);
            // Then at any time: most of all while the switch is the one that has to wait for a
            // core.
            LockSupport.parkNanos(10_000_000 + random.nextInt(10_000_000));
        }
        // What the last one held back.
        LockSupport.parkNanos(2 * PAUSE_NS);
    }

    /** A pause whose beginning no frame shows says nothing: the next one must come into data. */
    private static void awaitFlow(StampedEnd seen) {
        seen.read();
        for (int i = 0; i < 400 && seen.read() < 3; i++) {
            LockSupport.parkNanos(500_000);
        }
    }

    /**
     * For each pause the longest silence from when it left until the next one: what came before had
     * been started when the switch could not know. With several workers one may be held up while it
     * hands a frame to its device, and another one take the pause in; so there it is the time from
     * when the pause left to when the last silence was over that no line which sends has. One that
     * is not over when the next pause leaves says nothing.
     */
    private static void judge(String what, boolean oneWorker, List<StampedEnd.Seen> seen) {
        int judged = 0;
        int tooShort = 0;
        long shortestNs = Long.MAX_VALUE;
        long pausedNs = -1;
        long sinceNs = 0;
        long longestNs = 0;
        long againNs = 0;
        for (StampedEnd.Seen frame : seen) {
            long silenceNs = frame.stampNs() - sinceNs;
            if (isPause(frame)) {
                boolean isOver = longestNs >= PAUSE_NS || silenceNs < PAUSE_NS / 4;
                if (pausedNs >= 0 && longestNs > 0 && isOver) {
                    long lastedNs = oneWorker ? longestNs : againNs - pausedNs;
                    judged++;
                    shortestNs = Math.min(shortestNs, lastedNs);
                    tooShort += lastedNs < PAUSE_NS ? 1 : 0;
                }
                pausedNs = frame.stampNs();
                longestNs = 0;
                againNs = pausedNs;
            } else if (!isData(frame)) {
                continue;
            } else {
                longestNs = Math.max(longestNs, silenceNs);
                againNs = silenceNs < SILENCE_NS ? againNs : frame.stampNs();
            }
            sinceNs = frame.stampNs();
        }
        String summary =
                String.format(
                        Locale.ROOT,
                        "%s: %d pauses of %.3f ms, shortest %.3f ms, %d too short",
                        what,
                        judged,
                        PAUSE_NS / 1e6,
                        shortestNs / 1e6,
                        tooShort);
        System.out.println(summary);
        assertThat(judged).as(summary).isPositive();
        assertThat(tooShort).as(summary).isZero();
    }
}
