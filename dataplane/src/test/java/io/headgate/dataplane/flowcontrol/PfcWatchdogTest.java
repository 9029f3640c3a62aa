package io.headgate.dataplane.flowcontrol;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.FlowControlConfig.Watchdog.Action;
import io.headgate.dataplane.linkcontrol.StopTimes;
import org.junit.jupiter.api.Test;

/** Storms found, not found, and over. Times in ms here. */
final class PfcWatchdogTest {
    private static final long MS = 1_000_000;

    /** A port of which priority 3 is watched, looked at every 100 ms. */
    private static final class Port {
        final PfcWatchdog watchdog;
        final StopTimes times = new StopTimes();
        long nowMs;
        long transmitted;
        long pauses;
        int waiting = 5;

        Port(Action action) {
            watchdog =
                    new PfcWatchdog(
                            new FlowControlConfig.Watchdog(action, 200 * MS, 400 * MS, 100 * MS),
                            1 << 3);
        }

        void poll() {
            assertThat(watchdog.isDue(nowMs * MS)).isTrue();
            watchdog.beginPoll(nowMs * MS, nowMs * MS);
            for (int priority = 0; priority < 8; priority++) {
                watchdog.sample(priority, waiting, transmitted, times, pauses);
            }
        }

        void wait(int ms, int paused) {
            times.begin(3, nowMs * MS);
            times.end(3, (nowMs + paused) * MS);
            nowMs += ms;
        }

        /** A hundred milliseconds, paused for some of them, then a look. */
        void pass(int paused, int sent, int pauseFrames) {
            wait(100, paused);
            transmitted += sent;
            pauses += pauseFrames;
            poll();
        }

        void storm() {
            pass(100, 0, 30);
        }
    }

    private static Port stormed(Action action) {
        Port port = new Port(action);
        port.poll();
        port.storm();
        port.storm();
        assertThat(port.watchdog.stormed()).isEqualTo(1 << 3);
        return port;
    }

    @Test
    void priorityPausedForTheDetectionTimeIsInAStorm() {
        Port port = new Port(Action.DROP);
        port.poll();
        port.storm();
        assertThat(port.watchdog.stormed()).isZero();
        port.storm();
        assertThat(port.watchdog.stormed()).isEqualTo(1 << 3);
        assertThat(port.watchdog.detected(3)).isEqualTo(1);
    }

    @Test
    void firstLookOnlyRemembers() {
        Port port = new Port(Action.DROP);
        port.wait(10_000, 10_000);
        port.poll();
        port.pass(0, 0, 0);
        port.pass(0, 0, 0);
        assertThat(port.watchdog.stormed()).isZero();
    }

    @Test
    void oneFrameSentOrNoneWaitingIsNoStorm() {
        Port sending = new Port(Action.DROP);
        sending.poll();
        for (int i = 0; i < 20; i++) {
            sending.pass(100, i % 2, 30);
        }
        assertThat(sending.watchdog.detected(3)).isZero();
        Port idle = new Port(Action.DROP);
        idle.waiting = 0;
        idle.poll();
        for (int i = 0; i < 20; i++) {
            idle.storm();
        }
        assertThat(idle.watchdog.detected(3)).isZero();
    }

    @Test
    void resumptionsHoweverManyAreNoStorm() {
        Port port = new Port(Action.DROP);
        port.poll();
        for (int i = 0; i < 20; i++) {
            port.pass(0, 0, 0); // XON upon XON: never paused, and no frame that pauses
        }
        for (int i = 0; i < 20; i++) {
            port.pass(98, 0, 1000); // XOFF and XON in turn, thousands of them
        }
        assertThat(port.watchdog.detected(3)).isZero();
    }

    @Test
    void linkThatFlapsBeginsAnew() {
        Port port = new Port(Action.DROP);
        port.poll();
        for (int i = 0; i < 20; i++) {
            port.storm();
            port.watchdog.reset();
            port.poll();
        }
        assertThat(port.watchdog.detected(3)).isZero();
        Port inStorm = stormed(Action.DROP);
        inStorm.watchdog.reset();
        assertThat(inStorm.watchdog.dropping()).isZero();
    }

    @Test
    void serviceIsRestoredAfterTheRestorationTimeWithoutAPause() {
        Port port = stormed(Action.DROP);
        for (int i = 0; i < 3; i++) {
            port.pass(0, 0, 0);
        }
        port.pass(10, 0, 1); // not over yet
        for (int i = 0; i < 3; i++) {
            port.pass(0, 0, 0);
            assertThat(port.watchdog.stormed()).isEqualTo(1 << 3);
        }
        port.pass(0, 0, 0);
        assertThat(port.watchdog.stormed()).isZero();
        assertThat(port.watchdog.restored(3)).isEqualTo(1);
        port.storm();
        assertThat(port.watchdog.stormed()).isZero();
        port.storm();
        assertThat(port.watchdog.detected(3)).isEqualTo(2);
    }

    @Test
    void resumptionsDuringAStormDoNotKeepItUp() {
        Port port = stormed(Action.DROP);
        for (int i = 0; i < 4; i++) {
            port.pass(0, 0, 0);
        }
        assertThat(port.watchdog.stormed()).isZero();
    }

    @Test
    void actionSaysWhatTheStormMeans() {
        assertThat(stormed(Action.DROP).watchdog.dropping()).isEqualTo(1 << 3);
        assertThat(stormed(Action.DROP).watchdog.ignoring()).isZero();
        assertThat(stormed(Action.FORWARD).watchdog.ignoring()).isEqualTo(1 << 3);
        assertThat(stormed(Action.FORWARD).watchdog.dropping()).isZero();
        assertThat(stormed(Action.ALERT).watchdog.dropping()).isZero();
        assertThat(stormed(Action.ALERT).watchdog.ignoring()).isZero();
    }

    @Test
    void lateLookCountsTheTimeThatPassedOnce() {
        Port port = new Port(Action.DROP);
        port.poll();
        port.wait(1_000, 1_000);
        port.poll();
        assertThat(port.watchdog.detected(3)).isEqualTo(1);
        assertThat(port.watchdog.deadlineNs()).isEqualTo((port.nowMs + 100) * MS);
        assertThat(port.watchdog.isDue((port.nowMs + 99) * MS)).isFalse();
    }
}
