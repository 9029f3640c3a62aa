package io.headgate.dataplane.engine;

import static io.headgate.dataplane.engine.LosslessTraffic.FRAME_BYTES;
import static io.headgate.dataplane.engine.LosslessTraffic.LOSSLESS;
import static io.headgate.dataplane.engine.LosslessTraffic.LOSSY;
import static io.headgate.dataplane.engine.LosslessTraffic.frame;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.flowcontrol.LosslessMargin;
import io.headgate.dataplane.frame.PfcFrame;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Three lossless senders to one receiver in real time, each half of a port on a worker of its own,
 * xon one frame below xoff: pauses begin and end as fast as they can. Three busy threads take the
 * processors meanwhile. {@code -Dheadgate.incast.seconds=600} runs it for as long.
 */
@Tag("threads")
final class IncastPerHalfTest {
    private static final long SECONDS = Long.getLong("headgate.incast.seconds", 3);
    private static final long RATE_BPS = 200_000_000;
    private static final long FRAME_NS = (FRAME_BYTES + 24L) * 8 * 1_000_000_000L / RATE_BPS;
    private static final long MOST_LATE_NS = 10_000_000;
    private static final long HELLO_NS = 10_000_000_000L;
    private static final int RECEIVER = 3;

    /** Room for a worker that is held for some 50 ms. */
    private static final String KEYS =
            "rate: 200Mbps, flow-control: pfc, lossless: [3], buffers: {xoff: 50kB, xon: 48774B,"
                    + " headroom: 4MB, headroom-slots: 6000}, link: {delay: 0ns}";

    /** Obeys pauses, and sends no faster than its line. */
    private static final class Sender {
        private final LiveSwitch test;
        private final int host;
        private long nextNs = System.nanoTime();
        private long pausedUntilNs = nextNs;
        private int sent;
        private long pauses;

        Sender(LiveSwitch test, int host) {
            this.test = test;
            this.host = host;
        }

        void run(long nowNs) {
            for (byte[] got : test.collect(host)) {
                if (got[12] == (byte) 0x88 && got[13] == 0x08) {
                    int quanta = PfcFrame.parse(got).quanta().get(3);
                    pausedUntilNs = nowNs + ConfigDefaults.pauseNs(quanta, RATE_BPS);
                    pauses++;
                }
            }
            // Of what it could not send while the machine ran something else it makes up a little.
            nextNs = Math.max(nextNs, nowNs - MOST_LATE_NS);
            while (nextNs - nowNs <= 0 && pausedUntilNs - nowNs <= 0) {
                if (test.host(host).inject(frame(host, RECEIVER, LOSSLESS, sent))) {
                    sent++;
                }
                nextNs += FRAME_NS;
            }
        }
    }

    private static boolean isGuaranteed(LiveSwitch s, int port) {
        SwitchConfig config = s.running.engine().config();
        PortConfig own = config.ports().get(port);
        DutyNumbers numbers = DutyNumbers.of(config);
        String in = "worker " + s.running.plan().workerOfDuty().get(numbers.ingress(port));
        String out = "worker " + s.running.plan().workerOfDuty().get(numbers.egress(port));
        long wakeNs =
                Math.max(s.value(in, "wakeup.lateness.max"), s.value(out, "wakeup.lateness.max"));
        return new LosslessMargin(own)
                .at(wakeNs, s.value(in, "cycle.longest"), s.value(out, "cycle.longest"))
                .isGuaranteed();
    }

    private static List<Thread> busy(AtomicBoolean over) {
        return Stream.generate(() ->
                        Thread.ofPlatform()
                                .daemon()
                                .start(() -> {
                                    while (!over.get()) {
                                        Thread.onSpinWait();
                                    }
                                }))
                .limit(3)
                .toList();
    }

    /** The receiver's address is learned, and not forgotten. */
    private static void sayHello(LiveSwitch s) {
        s.host(RECEIVER).inject(frame(RECEIVER, 0, LOSSY, 0));
    }

    /** Answers what the receiver has got. */
    private static long run(LiveSwitch s, List<Sender> senders) {
        long received = 0;
        long helloNs = System.nanoTime();
        long endNs = helloNs + SECONDS * 1_000_000_000L;
        for (long nowNs = helloNs; nowNs < endNs; nowNs = System.nanoTime()) {
            if (nowNs - helloNs > HELLO_NS) {
                helloNs = nowNs;
                sayHello(s);
            }
            for (Sender sender : senders) {
                sender.run(nowNs);
            }
            received += s.collect(RECEIVER).size();
        }
        return received;
    }

    @Test
    void noHalfStopsAndNothingIsLostBeyondWhatTheMarginSays() throws InterruptedException {
        AtomicBoolean over = new AtomicBoolean();
        List<Thread> busy = busy(over);
        try (LiveSwitch s = new LiveSwitch(4, 256, KEYS)) {
            sayHello(s);
            s.await("the address", () -> s.value("s1", "fdb.learned") > 0);
            List<Sender> senders = List.of(new Sender(s, 0), new Sender(s, 1), new Sender(s, 2));
            long[] came = {run(s, senders)};
            over.set(true);
            int sent = senders.stream().mapToInt(sender -> sender.sent).sum();
            s.await(
                    "the last frame",
                    () -> {
                        came[0] += s.collect(RECEIVER).size();
                        return came[0] + s.drops() >= sent;
                    });
            long pauses = senders.stream().mapToLong(sender -> sender.pauses).sum();
            boolean guaranteed = isGuaranteed(s, 0) && isGuaranteed(s, 1) && isGuaranteed(s, 2);
            String figures =
                    String.format(
                            Locale.ROOT,
                            "%d s: %,d frames sent, %,d received, %,d dropped, %,d pauses and"
                                    + " resumptions heard, %s",
                            SECONDS,
                            sent,
                            came[0],
                            s.drops(),
                            pauses,
                            guaranteed ? "guaranteed" : "not guaranteed");
            System.out.println(figures);
            assertThat(s.log).as(figures).isEmpty();
            assertThat(came[0] + s.drops()).as(figures).isEqualTo(sent);
            assertThat(s.drops() == 0 || !guaranteed).as(figures).isTrue();
            assertThat(pauses).as(figures).isGreaterThan(10);
        } finally {
            over.set(true);
            for (Thread thread : busy) {
                thread.join();
            }
        }
    }
}
