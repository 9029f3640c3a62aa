package io.headgate.dataplane.pause;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.FlowControlConfig;
import io.headgate.dataplane.frame.MacControl;
import io.headgate.dataplane.frame.PauseFrame;
import io.headgate.dataplane.frame.PfcFrame;
import io.headgate.dataplane.linkcontrol.PresentTime;
import io.headgate.dataplane.linkcontrol.StopTimes;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Pauses sent, received, obeyed and run out. */
final class PauseTest {
    private static final long SEED = Long.getLong("headgate.seed", 20_261_121L);
    private static final long RATE_BPS = 10_000_000_000L;
    private static final long SOURCE = 0x0200_0000_0001L;
    private static final FlowControlConfig.Mode PFC = FlowControlConfig.Mode.PFC;
    private static final FlowControlConfig.Mode PAUSE = FlowControlConfig.Mode.PAUSE;

    /** 1,000 quanta are 51.2 µs at 10 Gb/s. */
    private static final FlowControlConfig.Pause PAUSES = new FlowControlConfig.Pause(1000, 20_000);

    /** Both halves of a port, and what is received by it. */
    private static final class Port {
        final PauseRegister register = new PauseRegister();
        final PauseReceiver receiver;
        final PauseState state = new PauseState(register, PresentTime.OF_THE_CALL);

        Port(FlowControlConfig.Mode mode, int lossless) {
            receiver = new PauseReceiver(mode, lossless, RATE_BPS, register);
        }

        int receive(long nowNs, byte[] frame) {
            return receiver.take(nowNs, MemorySegment.ofArray(frame), 0, frame.length);
        }

        int pfc(long nowNs, int enabled, int quanta) {
            List<Integer> all = new ArrayList<>();
            for (int priority = 0; priority < 8; priority++) {
                all.add((enabled >> priority & 1) * quanta);
            }
            return receive(nowNs, new PfcFrame(SOURCE, enabled, all).encode());
        }
    }

    private static byte[] write(PauseSender sender, long nowNs, int wanted) {
        int due = sender.due(nowNs, wanted);
        assertThat(due).as("due at %d", nowNs).isNotZero();
        byte[] frame = new byte[MacControl.FRAME_BYTES];
        Arrays.fill(frame, (byte) 0x5A);
        sender.write(nowNs, wanted, due, MemorySegment.ofArray(frame), 0, SOURCE);
        return frame;
    }

    // ---- sending

    @Test
    void xoffIsAFrameOfTheWantedPrioritiesAndNothingMore() {
        PauseSender sender = new PauseSender(PFC, PAUSES, RATE_BPS);
        assertThat(sender.due(0, 0)).isZero();
        PfcFrame frame = PfcFrame.parse(write(sender, 0, 0b101000));
        assertThat(frame)
                .isEqualTo(new PfcFrame(SOURCE, 0b101000, List.of(0, 0, 0, 1000, 0, 1000, 0, 0)));
        assertThat(sender.told()).isEqualTo(0b101000);
        assertThat(sender.due(19_999, 0b101000)).isZero();
        assertThat(sender.xoffs(3)).isEqualTo(1);
    }

    @Test
    void wholeFrameIsWrittenWhateverWasThere() {
        PauseSender sender = new PauseSender(PFC, PAUSES, RATE_BPS);
        byte[] frame = write(sender, 0, 1 << 3);
        assertThat(frame).hasSize(60);
        assertThat(Arrays.copyOfRange(frame, 0, 18))
                .containsExactly(1, 0x80, 0xC2, 0, 0, 1, 2, 0, 0, 0, 0, 1, 0x88, 8, 1, 1, 0, 8);
        assertThat(Arrays.copyOfRange(frame, 34, 60)).containsOnly(0);
    }

    @Test
    void dataFindsRoomBetweenRefreshesHoweverOftenTheyAreAskedFor() {
        // A pause is on the wire for 67.2 ns.
        PauseSender sender = new PauseSender(PFC, new FlowControlConfig.Pause(1000, 1), RATE_BPS);
        for (int priority = 0; priority < 8; priority++) {
            write(sender, priority * 10L, (2 << priority) - 1);
        }
        int sent = 0;
        for (long nowNs = 100; nowNs < 10_100; nowNs++) {
            if (sender.due(nowNs, 0xFF) != 0) {
                PfcFrame refresh = PfcFrame.parse(write(sender, nowNs, 0xFF));
                assertThat(refresh.enabled()).isEqualTo(0xFF);
                sent++;
            }
        }
        // Each 136 ns from the last XOFF on, at 70.
        assertThat(sent).isEqualTo((10_099 - 70) / 136);
        assertThat(PfcFrame.parse(write(sender, 10_100, 0)).enabled()).isEqualTo(0xFF);
    }

    @Test
    void pauseStillNeededIsRefreshedInTimeAndOneThatIsNotIsEnded() {
        PauseSender sender = new PauseSender(PFC, PAUSES, RATE_BPS);
        write(sender, 0, 1 << 3);
        write(sender, 5_000, 1 << 3 | 1 << 4);
        assertThat(sender.deadlineNs()).isEqualTo(20_000);
        PfcFrame refresh = PfcFrame.parse(write(sender, 20_000, 1 << 3 | 1 << 4));
        assertThat(refresh.enabled()).isEqualTo(1 << 3);
        assertThat(refresh.quanta().get(3)).isEqualTo(1000);
        assertThat(sender.deadlineNs()).isEqualTo(25_000);
        PfcFrame both = PfcFrame.parse(write(sender, 25_000, 1 << 4));
        assertThat(both.enabled()).isEqualTo(1 << 3 | 1 << 4);
        assertThat(both.quanta().get(3)).isZero();
        assertThat(both.quanta().get(4)).isEqualTo(1000);
        write(sender, 26_000, 0);
        assertThat(sender.deadlineNs()).isEqualTo(Long.MAX_VALUE);
        assertThat(sender.due(1_000_000, 0)).isZero();
        assertThat(List.of(sender.xoffs(3), sender.refreshes(3), sender.xons(3)))
                .containsExactly(1L, 1L, 1L);
        assertThat(List.of(sender.xoffs(4), sender.refreshes(4), sender.xons(4)))
                .containsExactly(1L, 1L, 1L);
        assertThat(sender.lapses(4)).isZero();
    }

    @Test
    void refreshThatComesAfterThePauseHasRunOutIsCountedAsALapse() {
        PauseSender sender = new PauseSender(PFC, PAUSES, RATE_BPS);
        write(sender, 0, 1 << 3);
        write(sender, 51_199, 1 << 3);
        assertThat(sender.lapses(3)).isZero();
        write(sender, 51_199 + 51_200, 1 << 3);
        assertThat(sender.lapses(3)).isEqualTo(1);
    }

    @Test
    void pauseStopsTheWholeLinkIfAnyPriorityMustStop() {
        PauseSender sender = new PauseSender(PAUSE, PAUSES, RATE_BPS);
        assertThat(PauseFrame.parse(write(sender, 0, 1 << 2)).quanta()).isEqualTo(1000);
        assertThat(sender.due(100, 1 << 5)).isZero();
        assertThat(PauseFrame.parse(write(sender, 20_000, 1 << 5)).quanta()).isEqualTo(1000);
        assertThat(PauseFrame.parse(write(sender, 21_000, 0)).quanta()).isZero();
        assertThat(sender.due(1_000_000, 0)).isZero();
    }

    @Test
    void linkThatCameUpIsToldAnew() {
        PauseSender sender = new PauseSender(PFC, PAUSES, RATE_BPS);
        write(sender, 0, 1 << 3);
        sender.reset();
        assertThat(sender.due(1, 1 << 3)).isEqualTo(1 << 3);
    }

    @Test
    void pausesNeedAModeThatHasThem() {
        assertThatThrownBy(() -> new PauseSender(FlowControlConfig.Mode.CREDITS, PAUSES, RATE_BPS))
                .hasMessageContaining("CREDITS");
    }

    // ---- receiving

    @Test
    void quantaAreBitTimesOfThePortsRate() {
        assertThat(ConfigDefaults.pauseNs(65_535, 10_000_000_000L)).isEqualTo(3_355_392);
        assertThat(ConfigDefaults.pauseNs(65_535, 100_000_000_000L)).isEqualTo(335_540);
        assertThat(ConfigDefaults.pauseNs(1, 1_000_000_000L)).isEqualTo(512);
        assertThat(ConfigDefaults.pauseNs(1, 400_000_000_000L)).isEqualTo(2);
        assertThat(ConfigDefaults.pauseNs(65_535, 1_000_000L)).isEqualTo(33_553_920_000L);
        assertThat(ConfigDefaults.pauseNs(0, 1_000_000L)).isZero();
    }

    @Test
    void pauseLastsItsTimeAndResumesByItself() {
        Port port = new Port(PFC, 0xFF);
        assertThat(port.pfc(1_000, 1 << 3, 1000)).isEqualTo(1 << 3);
        assertThat(port.state.paused(1_000)).isEqualTo(1 << 3);
        assertThat(port.state.deadlineNs()).isEqualTo(52_200);
        assertThat(port.state.paused(52_199)).isEqualTo(1 << 3);
        assertThat(port.state.paused(52_200)).isZero();
        assertThat(port.state.deadlineNs()).isEqualTo(Long.MAX_VALUE);
        assertThat(port.state.times().totalNs(3, 60_000)).isEqualTo(51_200);
    }

    @Test
    void receivedTimeReplacesTheOneBeforeAndZeroResumes() {
        Port port = new Port(PFC, 0xFF);
        port.pfc(0, 1 << 3, 1000);
        port.pfc(10_000, 1 << 3, 10);
        assertThat(port.state.paused(10_000)).isEqualTo(1 << 3);
        assertThat(port.state.deadlineNs()).isEqualTo(10_512);
        port.pfc(10_100, 1 << 3, 0);
        assertThat(port.state.paused(10_100)).isZero();
        assertThat(List.of(port.receiver.xoffs(3), port.receiver.refreshes(3)))
                .containsExactly(1L, 1L);
        assertThat(port.receiver.xons(3)).isEqualTo(1);
    }

    @Test
    void priorityThatTheFrameDoesNotNameIsLeftAlone() {
        Port port = new Port(PFC, 0xFF);
        port.pfc(0, 1 << 3, 1000);
        byte[] frame = new PfcFrame(SOURCE, 1 << 4, List.of(0, 0, 0, 0, 7, 0, 0, 0)).encode();
        frame[18 + 2 * 3 + 1] = 9; // quanta of priority 3, whose bit is not set
        port.receive(100, frame);
        assertThat(port.state.paused(200)).isEqualTo(1 << 3 | 1 << 4);
        assertThat(port.state.paused(51_199)).isEqualTo(1 << 3);
    }

    @Test
    void lossyPriorityIsNotPausedByPfc() {
        Port port = new Port(PFC, 1 << 3);
        assertThat(port.pfc(0, 0xFF, 1000)).isEqualTo(1 << 3);
        assertThat(port.state.paused(0)).isEqualTo(1 << 3);
    }

    @Test
    void whatIsNotOfThisPortsProtocolIsCountedAndEndsHere() {
        Port pfc = new Port(PFC, 0xFF);
        assertThat(pfc.receive(0, new PauseFrame(SOURCE, 1000).encode())).isZero();
        assertThat(pfc.receiver.mismatches()).isEqualTo(1);
        Port pause = new Port(PAUSE, 1 << 3);
        assertThat(pause.pfc(0, 0xFF, 1000)).isZero();
        assertThat(pause.receiver.mismatches()).isEqualTo(1);
        byte[] unknown = new PauseFrame(SOURCE, 1000).encode();
        unknown[15] = 2;
        assertThat(pause.receive(0, unknown)).isZero();
        assertThat(pause.receiver.takes(2)).isFalse();
        assertThat(pause.state.paused(1)).isZero();
        assertThat(pause.receive(0, new PauseFrame(SOURCE, 1000).encode())).isEqualTo(0xFF);
        assertThat(pause.state.paused(1)).isEqualTo(0xFF);
    }

    @Test
    void frameCutShortAnywhereIsCountedAndChangesNothing() {
        byte[] whole = new PfcFrame(SOURCE, 1, List.of(5, 0, 0, 0, 0, 0, 0, 0)).encode();
        for (int length = 0; length < 34; length++) {
            Port port = new Port(PFC, 0xFF);
            assertThat(port.receive(0, Arrays.copyOf(whole, length))).isZero();
            assertThat(port.receiver.malformed).as("%d bytes", length).isEqualTo(1);
        }
    }

    @Test
    void anyBytesAreTakenWithoutHarm() {
        Random random = new Random(SEED);
        Port port = new Port(PFC, 0xFF);
        byte[] start = new PfcFrame(SOURCE, 1, List.of(5, 0, 0, 0, 0, 0, 0, 0)).encode();
        for (int i = 0; i < 100_000; i++) {
            byte[] frame = Arrays.copyOf(start, random.nextInt(80));
            for (int n = random.nextInt(4); n > 0 && frame.length > 12; n--) {
                frame[12 + random.nextInt(frame.length - 12)] = (byte) random.nextInt();
            }
            port.receive(i, frame);
            port.state.paused(i);
        }
        assertThat(port.receiver.malformed).isPositive();
    }

    @Test
    void linkThatWentDownLeavesNothingPaused() {
        Port port = new Port(PFC, 0xFF);
        port.pfc(0, 0xFF, 1000);
        assertThat(port.state.paused(10)).isEqualTo(0xFF);
        port.receiver.linkChanged();
        assertThat(port.state.paused(20)).isZero();
        assertThat(port.state.times().totalNs(0, 20)).isEqualTo(10);
    }

    @Test
    void longestPauseIsTheLongestStretchRefreshesIncluded() {
        Port port = new Port(PFC, 0xFF);
        port.pfc(0, 1, 10); // 512 ns
        port.state.paused(0);
        port.pfc(400, 1, 10);
        port.state.paused(400);
        port.state.paused(912);
        port.pfc(2_000, 1, 5);
        port.state.paused(2_000);
        port.state.paused(5_000);
        StopTimes times = port.state.times();
        assertThat(times.stops(0)).isEqualTo(2);
        assertThat(times.longestNs(0, 5_000)).isEqualTo(912);
        assertThat(times.totalNs(0, 5_000)).isEqualTo(912 + 256);
    }

    /** The egress half may look later: its worker was held up, or the device had not taken. */
    @Test
    void aPauseEndedWhenItRanOutOrTheFrameCameThatResumed() {
        Port port = new Port(PFC, 0xFF);
        StopTimes times = port.state.times();
        port.pfc(100, 1, 10); // 512 ns
        port.state.paused(100);
        port.state.paused(5_000);
        assertThat(times.endedNs(0)).isEqualTo(612);
        assertThat(times.takeReleased()).isEqualTo(1);
        port.pfc(6_000, 1, 1000);
        port.state.paused(6_000);
        assertThat(times.takeReleased()).isZero();
        port.pfc(7_000, 1, 0);
        port.state.paused(8_000);
        assertThat(times.endedNs(0)).isEqualTo(7_000);
        assertThat(times.totalNs(0, 9_000)).isEqualTo(512 + 1_000);
        port.pfc(10_000, 1, 1000);
        port.state.paused(10_000);
        port.pfc(11_000, 1, 10);
        port.state.paused(12_000);
        assertThat(times.endedNs(0)).as("shortened, and over").isEqualTo(11_512);
        port.pfc(13_000, 1, 1000);
        port.state.paused(13_000);
        port.receiver.linkChanged();
        port.state.paused(14_000);
        assertThat(times.endedNs(0)).as("the far end is gone").isEqualTo(14_000);
    }

    /** All sequences of four of: XOFF short, XOFF long, XON, nothing; at steps of 300 ns. */
    @Test
    void everyShortHistoryPausesExactlyTheTimesThatWereGiven() {
        int[] quanta = {-1, 0, 7, 20}; // nothing, XON, 358.4 ns, 1,024 ns
        for (int history = 0; history < 4 * 4 * 4 * 4; history++) {
            Port port = new Port(PFC, 0xFF);
            long until = 0;
            long expectedNs = 0;
            for (long nowNs = 0; nowNs < 3_000; nowNs++) {
                if (nowNs % 300 == 0 && nowNs < 1_200) {
                    int chosen = quanta[(history >> (2 * (int) (nowNs / 300))) & 3];
                    if (chosen >= 0) {
                        port.pfc(nowNs, 1 << 6, chosen);
                        until = nowNs + ConfigDefaults.pauseNs(chosen, RATE_BPS);
                    }
                }
                boolean expected = nowNs < until;
                expectedNs += expected ? 1 : 0;
                assertThat(port.state.paused(nowNs) != 0)
                        .as("history %d at %d", history, nowNs)
                        .isEqualTo(expected);
            }
            assertThat(port.state.times().totalNs(6, 3_000))
                    .as("history %d", history)
                    .isEqualTo(expectedNs);
        }
    }

    /** A sender and a receiver over a link that takes its time, with wishes that change. */
    @Test
    void farEndIsPausedWheneverWantedOnceTheWordHasCome() {
        Random random = new Random(SEED);
        for (int run = 0; run < 50; run++) {
            PauseSender sender = new PauseSender(PFC, PAUSES, RATE_BPS);
            Port far = new Port(PFC, 0xFF);
            int wanted = 0;
            byte[] flying = null;
            long arrivesNs = 0;
            int[] wantedAt = new int[2_000];
            for (int tick = 0; tick < 2_000; tick++) {
                long nowNs = tick * 500L;
                if (random.nextInt(20) == 0) {
                    wanted ^= 1 << random.nextInt(8);
                }
                wantedAt[tick] = wanted;
                if (flying != null && arrivesNs <= nowNs) {
                    far.receive(nowNs, flying);
                    flying = null;
                }
                if (flying == null && sender.due(nowNs, wanted) != 0) {
                    flying = write(sender, nowNs, wanted);
                    arrivesNs = nowNs + 500;
                }
                int paused = far.state.paused(nowNs);
                int steady = 0xFF;
                int never = 0xFF;
                for (int back = Math.max(0, tick - 3); back <= tick; back++) {
                    steady &= wantedAt[back];
                    never &= ~wantedAt[back];
                }
                if (tick > 3) {
                    assertThat(paused & steady)
                            .as("seed %d, run %d, tick %d", SEED, run, tick)
                            .isEqualTo(steady);
                    assertThat(paused & never).isZero();
                }
            }
        }
    }
}
