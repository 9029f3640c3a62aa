package io.headgate.dataplane.engine;

import static io.headgate.dataplane.engine.LosslessTraffic.LOSSLESS;
import static io.headgate.dataplane.engine.LosslessTraffic.LOSSY;
import static io.headgate.dataplane.engine.LosslessTraffic.PFC;
import static io.headgate.dataplane.engine.LosslessTraffic.SENDER;
import static io.headgate.dataplane.engine.LosslessTraffic.frame;
import static io.headgate.dataplane.engine.LosslessTraffic.lossless;
import static io.headgate.dataplane.engine.LosslessTraffic.number;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.credit.CreditTransmitter;
import io.headgate.dataplane.flowcontrol.EgressFlowControl;
import io.headgate.dataplane.flowcontrol.PfcWatchdog;
import io.headgate.dataplane.frame.PfcFrame;
import io.headgate.dataplane.pause.PauseSender;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Link control of a worker that is held up: it has read its clock, loses its core, and finds what
 * came meanwhile with a time that is long past.
 */
final class HeldWorkerTest {
    private static final long US = 1_000;

    /** 51.2 µs at 10 Gb/s. */
    private static final int QUANTA = 1000;

    private static final long PAUSE_NS = 51_200;
    private static final int LONGEST = 65_535;

    /** Detected after 100 µs of which no frame leaves, restored after 100 µs without a pause. */
    private static final String WATCHDOG =
            ", watchdog: {action: alert, detection: 100us, restoration: 100us, poll: 50us}";

    private static byte[] pause(int quanta) {
        return new PfcFrame(SENDER, 1 << 3, List.of(0, 0, 0, quanta, 0, 0, 0, 0)).encode();
    }

    /** Two hosts, both heard. */
    private static TestSwitch heard(String keys) {
        TestSwitch test = lossless(2, keys);
        for (int host = 0; host < 2; host++) {
            test.hosts.get(host).inject(frame(host, 99, LOSSY, 0));
            test.run(20 * US);
        }
        test.received();
        return test;
    }

    private static EgressFlowControl flow(TestSwitch test) {
        return Objects.requireNonNull(test.engine.egress(0).flow());
    }

    private static PfcWatchdog watchdog(TestSwitch test) {
        return Objects.requireNonNull(flow(test).watchdog());
    }

    /** To when the watchdog looks again, so that it does so in the next call. */
    private static void toNextLook(TestSwitch test) {
        test.nowNs = watchdog(test).deadlineNs();
    }

    private static void at(TestSwitch test, long nowNs) {
        test.nowNs = nowNs;
        test.settle();
    }

    @Test
    void aPauseLastsItsQuantaFromWhenItWasThere() {
        TestSwitch test = heard(PFC);
        test.hosts.get(0).inject(pause(QUANTA));
        test.settleHeld(5_000 * US);
        long thereNs = test.nowNs;
        test.hosts.get(1).inject(frame(1, 0, LOSSLESS, 7));
        test.settle();
        assertThat(test.hosts.get(0).collect()).isNull();
        at(test, thereNs + PAUSE_NS - 1);
        assertThat(test.hosts.get(0).collect()).isNull();
        at(test, thereNs + PAUSE_NS);
        assertThat(number(test.collect(0))).isEqualTo(7);
        assertThat(test.value("p0", "stopped.ns.p3")).isEqualTo(PAUSE_NS);
    }

    @Test
    void aResumptionIsObeyedInTheCallThatTakesItIn() {
        TestSwitch test = heard(PFC);
        test.hosts.get(0).inject(pause(LONGEST));
        test.hosts.get(1).inject(frame(1, 0, LOSSLESS, 7));
        test.settle();
        test.run(10 * US);
        assertThat(test.hosts.get(0).collect()).isNull();
        test.hosts.get(0).inject(pause(0));
        test.settleHeld(90 * US);
        assertThat(number(test.collect(0))).isEqualTo(7);
        assertThat(test.value("p0", "stopped.ns.p3")).isEqualTo(100 * US);
    }

    // ---- the watchdog

    @Test
    void aStormIsNotFoundForTheTimeThatTheWorkerWasHeld() {
        TestSwitch test = heard(PFC + WATCHDOG);
        toNextLook(test);
        test.hosts.get(0).inject(pause(LONGEST));
        test.hosts.get(1).inject(frame(1, 0, LOSSLESS, 7));
        test.settleHeld(500 * US);
        long pausedNs = test.nowNs;
        while (watchdog(test).detected(3) == 0) {
            test.run(US);
            assertThat(test.nowNs - pausedNs).isLessThan(300 * US);
        }
        assertThat(test.nowNs - pausedNs).isGreaterThanOrEqualTo(100 * US);
    }

    @Test
    void aPauseThatRanOutWhileTheWorkerWasHeldIsNoStorm() {
        TestSwitch test = heard(PFC + WATCHDOG);
        toNextLook(test);
        test.hosts.get(0).inject(pause(QUANTA));
        test.hosts.get(1).inject(frame(1, 0, LOSSLESS, 7));
        test.settle();
        test.nowNs += 500 * US;
        test.settle();
        assertThat(watchdog(test).detected(3)).isZero();
        assertThat(number(test.collect(0))).isEqualTo(7);
    }

    @Test
    void aStormIsNotOverForTheTimeThatTheWorkerWasHeld() {
        TestSwitch test = heard(PFC + WATCHDOG);
        test.hosts.get(0).inject(pause(LONGEST));
        test.hosts.get(1).inject(frame(1, 0, LOSSLESS, 7));
        test.run(180 * US);
        assertThat(watchdog(test).stormed()).isEqualTo(1 << 3);
        test.hosts.get(0).inject(pause(QUANTA));
        toNextLook(test);
        test.settleHeld(500 * US);
        long pausedNs = test.nowNs;
        while (watchdog(test).restored(3) == 0) {
            test.run(US);
            assertThat(test.nowNs - pausedNs).isLessThan(300 * US);
        }
        assertThat(test.nowNs - pausedNs).isGreaterThanOrEqualTo(100 * US);
    }

    @Test
    void wantOfCreditsIsNoStormForTheTimeThatTheWorkerWasHeld() {
        TestSwitch test = heard("flow-control: credits" + WATCHDOG);
        toNextLook(test); // without an answer there are no credits
        test.hosts.get(1).inject(frame(1, 0, LOSSLESS, 7));
        test.settleHeld(500 * US);
        long stoppedNs = test.nowNs;
        while (watchdog(test).detected(3) == 0) {
            test.run(US);
            assertThat(test.nowNs - stoppedNs).isLessThan(300 * US);
        }
        assertThat(test.nowNs - stoppedNs).isGreaterThanOrEqualTo(100 * US);
    }

    // ---- what this end sends

    /** Pauses of 51.2 µs, asked for again after 40. */
    private static final String SHORT_PAUSES = PFC + ", pause: {quanta: 1000, refresh: 40us}";

    /** Host 1 sends until the switch has to stop it; host 0 is paused for long. */
    private static void fill(TestSwitch test) {
        test.hosts.get(0).inject(pause(LONGEST));
        for (int i = 0; i < 42; i++) {
            test.hosts.get(1).inject(frame(1, 0, LOSSLESS, i));
        }
    }

    private static PauseSender sender(TestSwitch test) {
        return Objects.requireNonNull(
                Objects.requireNonNull(test.engine.egress(1).flow()).sender());
    }

    @Test
    void aPauseIsAskedForAgainAfterItsTimeFromWhenItLeft() {
        TestSwitch test = heard(SHORT_PAUSES);
        fill(test);
        test.settleHeld(500 * US);
        long leftNs = test.nowNs;
        assertThat(sender(test).told()).isEqualTo(1 << 3);
        assertThat(sender(test).deadlineNs()).isEqualTo(leftNs + 40 * US);
        at(test, leftNs + 40 * US);
        assertThat(sender(test).refreshes(3)).isEqualTo(1);
        assertThat(sender(test).lapses(3)).isZero();
    }

    @Test
    void aPauseThatLeftTooLateForTheOneBeforeIsALapseThoughItWasDueInTime() {
        TestSwitch test = heard(SHORT_PAUSES);
        fill(test);
        test.settle();
        test.nowNs = sender(test).deadlineNs();
        test.settleHeld(20 * US);
        assertThat(sender(test).refreshes(3)).isEqualTo(1);
        assertThat(sender(test).lapses(3)).isEqualTo(1);
    }

    @Test
    void theNextCreditsCountFromWhenTheLastOnesLeft() {
        TestSwitch test = heard("flow-control: credits");
        CreditTransmitter credits = Objects.requireNonNull(flow(test).credits());
        long sent = test.value("p0", "link.control.transmitted");
        test.nowNs = credits.deadlineNs();
        test.settleHeld(5_000 * US);
        assertThat(test.value("p0", "link.control.transmitted")).isEqualTo(sent + 1);
        assertThat(credits.deadlineNs()).isEqualTo(test.nowNs + 1_000 * US);
    }
}
