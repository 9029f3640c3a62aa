package io.headgate.dataplane.engine;

import static io.headgate.dataplane.engine.LosslessTraffic.LOSSLESS;
import static io.headgate.dataplane.engine.LosslessTraffic.LOSSY;
import static io.headgate.dataplane.engine.LosslessTraffic.PFC;
import static io.headgate.dataplane.engine.LosslessTraffic.SENDER;
import static io.headgate.dataplane.engine.LosslessTraffic.frame;
import static io.headgate.dataplane.engine.LosslessTraffic.lossless;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.frame.PfcFrame;
import io.headgate.dataplane.memory.DropReason;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When an OFF period ends, by the last frame that is marked for it: to the nanosecond. */
final class OffPeriodTest {
    private static final int ECT_1 = 1;
    private static final int UE = 2;
    private static final long US = 1_000;

    /** 51.2 us at 10 Gb/s. */
    private static final int QUANTA = 1000;

    private static final long PAUSE_NS = 51_200;
    private static final int LONGEST = 65_535;

    // As tcd.state counts them.
    private static final int NON_CONGESTED = 0;
    private static final int UNDETERMINED = 1;
    private static final int CONGESTED = 2;

    private static final long MAX_ON_NS = 50_000;
    private static final String TCD =
            PFC + ", congestion: {tcd: {kmin: 100kB, max-on: 50us, low: 5kB}}";

    private static TestSwitch watched(String more) {
        return learned(TCD + more);
    }

    private static TestSwitch learned(String keys) {
        TestSwitch test = lossless(2, keys);
        for (int host = 0; host < 2; host++) {
            test.hosts.get(host).inject(frame(host, 99, LOSSY, 0));
            test.run(20 * US);
        }
        test.received();
        return test;
    }

    private static void pause(TestSwitch test, int quanta) {
        byte[] frame = new PfcFrame(SENDER, 1 << 3, List.of(0, 0, 0, quanta, 0, 0, 0, 0)).encode();
        test.hosts.get(0).inject(frame);
        test.settle();
    }

    /** The code point with which a frame leaves that starts at a time. */
    private static int markAt(TestSwitch test, long nowNs) {
        test.nowNs = nowNs;
        send(test);
        return mark(test);
    }

    private static void send(TestSwitch test) {
        send(test, 1);
    }

    private static int mark(TestSwitch test) {
        return test.collect(0)[15] & 3;
    }

    private static void endedAt(TestSwitch test, long endedNs) {
        assertThat(markAt(test, endedNs + MAX_ON_NS - US * 2)).isEqualTo(UE);
        assertThat(markAt(test, endedNs + MAX_ON_NS)).as("the last of max(Ton)").isEqualTo(UE);
        assertThat(markAt(test, endedNs + MAX_ON_NS + US * 2)).isEqualTo(ECT_1);
    }

    private static void endedBefore(TestSwitch test, long endedNs) {
        assertThat(markAt(test, endedNs + MAX_ON_NS + 1)).as("a nanosecond on").isEqualTo(ECT_1);
    }

    @Test
    void itEndsWhenThePauseRunsOut() {
        TestSwitch test = watched("");
        long pausedNs = test.nowNs + 1234;
        test.nowNs = pausedNs;
        pause(test, QUANTA);
        send(test);
        assertThat(test.hosts.get(0).collect()).isNull();
        test.nowNs = pausedNs + PAUSE_NS;
        test.settle();
        assertThat(mark(test)).isEqualTo(UE);
        endedAt(test, pausedNs + PAUSE_NS);
    }

    @Test
    void aPauseThatNobodyLookedAtHasEndedWhenItRanOut() {
        TestSwitch test = watched("");
        long pausedNs = test.nowNs;
        pause(test, QUANTA);
        send(test);
        // The next call comes late: the frame starts then, and Ton is counted from the expiry.
        test.nowNs = pausedNs + PAUSE_NS + MAX_ON_NS + 1;
        test.settle();
        assertThat(mark(test)).isEqualTo(ECT_1);
    }

    @Test
    void itEndsWithTheFrameThatResumes() {
        TestSwitch test = watched("");
        pause(test, LONGEST);
        send(test);
        test.nowNs += 7_891;
        pause(test, 0);
        long endedNs = test.nowNs;
        assertThat(mark(test)).isEqualTo(UE);
        endedAt(test, endedNs);
    }

    @Test
    void aNanosecondAfterMaxTonNothingIsMarked() {
        TestSwitch test = watched("");
        pause(test, LONGEST);
        send(test);
        test.nowNs += 7_891;
        pause(test, 0);
        mark(test);
        endedBefore(test, test.nowNs);
    }

    @Test
    void aResumptionWithoutAPauseEndsNothing() {
        TestSwitch test = watched("");
        pause(test, 0);
        assertThat(markAt(test, test.nowNs + US)).isEqualTo(ECT_1);
    }

    /** Detected after 100 us, restored 100 us after the last pause. */
    @Test
    void whatTheWatchdogForwardsDoesNotEndIt() {
        TestSwitch test =
                watched(
                        ", watchdog: {action: forward, detection: 100us, restoration: 100us, poll:"
                                + " 50us}");
        pause(test, LONGEST);
        send(test);
        int forwarded = 0;
        for (int i = 0; i < 40; i++) {
            test.run(10 * US);
            pause(test, LONGEST);
            send(test);
            byte[] bytes = test.hosts.get(0).collect();
            for (; bytes != null; bytes = test.hosts.get(0).collect()) {
                assertThat(bytes[15] & 3).as("forwarded though paused").isEqualTo(ECT_1);
                forwarded++;
            }
        }
        assertThat(forwarded).isGreaterThan(20);
        assertThat(test.value("p0", "tcd.undetermined.p3")).isZero();
        assertThat(test.drops("p0", DropReason.WATCHDOG)).isZero();
        // The far end resumes: that ends it.
        test.run(10 * US);
        pause(test, 0);
        long endedNs = test.nowNs;
        assertThat(markAt(test, endedNs + 5 * US)).isEqualTo(UE);
    }

    /** A queue that grows behind max(Ton), one that drains, and one that is short by then. */
    @Test
    void thePortIsUndeterminedThenCongestedOrNot() {
        TestSwitch test = learned(PFC + ", congestion: {tcd: {kmin: 5kB, max-on: 50us, low: 1kB}}");
        assertThat(state(test)).as("never stopped").isEqualTo(NON_CONGESTED);
        stopFor(test, 20);
        assertThat(state(test)).as("just released").isEqualTo(UNDETERMINED);
        send(test, 20);
        test.nowNs += MAX_ON_NS + 1;
        test.settle();
        assertThat(state(test)).as("longer than when the stop ended").isEqualTo(CONGESTED);
        assertThat(test.value("p0", "tcd.marked.p3")).isPositive();
        test.run(100 * US);
        assertThat(state(test)).as("drained").isEqualTo(NON_CONGESTED);
        long marked = test.value("p0", "tcd.marked.p3");
        stopFor(test, 1);
        assertThat(state(test)).as("released again").isEqualTo(UNDETERMINED);
        test.nowNs += MAX_ON_NS + 1;
        send(test);
        assertThat(state(test)).as("short").isEqualTo(NON_CONGESTED);
        assertThat(test.value("p0", "tcd.transitions.p3")).isEqualTo(5);
        assertThat(test.value("p0", "tcd.marked.p3")).isEqualTo(marked);
    }

    private static void stopFor(TestSwitch test, int frames) {
        pause(test, LONGEST);
        send(test, frames);
        test.nowNs += 7_891;
        pause(test, 0);
    }

    private static void send(TestSwitch test, int frames) {
        for (int i = 0; i < frames; i++) {
            test.hosts.get(1).inject(frame(1, 0, LOSSLESS | ECT_1, i));
        }
        test.settle();
    }

    private static long state(TestSwitch test) {
        return test.value("p0", "tcd.state.p3");
    }
}
