package io.headgate.hostagent.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.dataplane.frame.Aeth;
import io.headgate.dataplane.frame.RcOpcode;
import io.headgate.hostagent.rate.Sample;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The sending end with bare numbers: packets of 100 bytes, numbered from 10 on the wire. */
class RequesterTest {
    private static final int MTU = 100;
    private static final int FIRST = 10;
    private static final long TIMEOUT_NS = 1_000;

    private final List<String> completed = new ArrayList<>();
    private final Requester requester = requester(FIRST, 4, 2);

    private Requester requester(int firstPsn, int ackEvery, int retries) {
        return new Requester(
                new Requester.Settings(MTU, firstPsn, ackEvery, TIMEOUT_NS, retries),
                (nowNs, bytes, startedNs) ->
                        completed.add(bytes + " from " + startedNs + " to " + nowNs),
                0,
                0);
    }

    /** Sends all that may go; the packets in short: number, opcode, bytes, a for asks. */
    private static List<String> send(Requester from, long nowNs) {
        List<String> sent = new ArrayList<>();
        while (from.maySend()) {
            from.send(nowNs);
            sent.add(
                    from.psn()
                            + ":"
                            + from.opcode()
                            + ":"
                            + from.payloadBytes()
                            + (from.isAckRequested() ? "a" : "")
                            + (from.isRepeated() ? "r" : ""));
        }
        return sent;
    }

    private Requester.Answered ack(long nowNs, int psn) {
        return requester.answered(nowNs, psn, Aeth.ACK);
    }

    private Requester.Answered nak(long nowNs, int psn) {
        return requester.answered(nowNs, psn, Aeth.PSN_SEQUENCE_ERROR);
    }

    @Test
    void aMessageIsCutIntoPacketsAndTheLastAsksForAnAcknowledgement() {
        requester.post(Verb.SEND, 250);
        requester.post(Verb.WRITE, 100);
        requester.post(Verb.WRITE, 201);
        requester.post(Verb.SEND, 0);
        assertThat(send(requester, 0))
                .containsExactly(
                        "10:" + RcOpcode.SEND_FIRST + ":100",
                        "11:" + RcOpcode.SEND_MIDDLE + ":100",
                        "12:" + RcOpcode.SEND_LAST + ":50a",
                        // The fourth asks in any case, here it is a last one, too.
                        "13:" + RcOpcode.WRITE_ONLY + ":100a",
                        "14:" + RcOpcode.WRITE_FIRST + ":100",
                        "15:" + RcOpcode.WRITE_MIDDLE + ":100",
                        "16:" + RcOpcode.WRITE_LAST + ":1a",
                        "17:" + RcOpcode.SEND_ONLY + ":0a");
    }

    @Test
    void oneInSoManyAsksAndTheOneThatFillsTheWindow() {
        requester.post(Verb.SEND, 10 * MTU);
        requester.window(0, 6);
        assertThat(send(requester, 0))
                .containsExactly(
                        "10:0:100", "11:1:100", "12:1:100", "13:1:100a", "14:1:100", "15:1:100a");
        assertThat(ack(1, 13)).isEqualTo(Requester.Answered.ADVANCED);
        assertThat(send(requester, 2))
                .containsExactly("16:1:100", "17:1:100a", "18:1:100", "19:2:100a");
    }

    @Test
    void aWindowThatShrinksBelowWhatIsUnderWayDoesNotStopItForEver() {
        requester.post(Verb.SEND, 10 * MTU);
        for (int i = 0; i < 6; i++) {
            requester.send(0);
        }
        requester.window(0, 2);
        assertThat(ack(1, 13)).isEqualTo(Requester.Answered.ADVANCED);
        assertThat(requester.maySend()).isFalse();
        assertThat(requester.deadlineNs()).isLessThan(Long.MAX_VALUE);
        assertThat(requester.tick(requester.deadlineNs())).isTrue();
        // None of the six that were sent had asked: the first one sent again does.
        assertThat(send(requester, 20)).containsExactly("14:1:100ar", "15:1:100ar");
    }

    @Test
    void aWindowThatShrinksAtAnyCallStartsTheTimerAndOneThatGrowsStopsIt() {
        requester.post(Verb.SEND, 10 * MTU);
        requester.send(0);
        requester.send(0);
        requester.send(0);
        assertThat(requester.deadlineNs()).isEqualTo(Long.MAX_VALUE);
        requester.window(500, 2);
        assertThat(requester.maySend()).isFalse();
        assertThat(requester.deadlineNs()).isEqualTo(500 + TIMEOUT_NS);
        requester.window(600, 1);
        assertThat(requester.deadlineNs()).as("it runs on").isEqualTo(500 + TIMEOUT_NS);
        requester.window(700, 5);
        assertThat(requester.maySend()).isTrue();
        assertThat(requester.deadlineNs()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aWindowThatShrinksBehindEachPacketNeverUsesUpTheTimeOuts() {
        requester.post(Verb.SEND, 3 * MTU);
        long nowNs = 0;
        for (int round = 0; round < 20 && !requester.isIdle(); round++) {
            requester.window(nowNs, 8);
            requester.send(nowNs);
            boolean isAsked = requester.isAckRequested();
            requester.window(nowNs, 1);
            if (isAsked) {
                ack(nowNs, requester.psn());
            } else {
                nowNs = requester.deadlineNs();
                assertThat(nowNs).isLessThan(Long.MAX_VALUE);
                requester.tick(nowNs);
            }
        }
        assertThat(requester.hasFailed()).isFalse();
        assertThat(requester.isIdle()).isTrue();
    }

    @Test
    void messagesAreCompleteWhenTheirLastPacketIsAcknowledged() {
        requester.post(Verb.SEND, 150);
        requester.post(Verb.SEND, 50);
        send(requester, 5);
        assertThat(ack(9, 10)).isEqualTo(Requester.Answered.ADVANCED);
        assertThat(completed).isEmpty();
        assertThat(requester.messagesUnderWay()).isEqualTo(2);
        assertThat(ack(10, 12)).isEqualTo(Requester.Answered.ADVANCED);
        assertThat(completed).containsExactly("150 from 5 to 10", "50 from 5 to 10");
        assertThat(requester.isIdle()).isTrue();
        assertThat(requester.deadlineNs()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void itGoesBackToThePacketThatIsMissing() {
        requester.post(Verb.WRITE, 250);
        requester.post(Verb.SEND, 150);
        send(requester, 0);
        assertThat(nak(10, 12)).isEqualTo(Requester.Answered.WENT_BACK);
        assertThat(requester.acknowledged()).isEqualTo(2);
        assertThat(send(requester, 20)).containsExactly("12:8:50ar", "13:0:100ar", "14:2:50ar");
        assertThat(requester.repeats()).isEqualTo(3);
        assertThat(requester.naks()).isEqualTo(1);
        assertThat(ack(30, 14)).isEqualTo(Requester.Answered.ADVANCED);
        assertThat(completed).containsExactly("250 from 0 to 30", "150 from 0 to 30");
    }

    @Test
    void whatIsAcknowledgedWhileItGoesBackIsNotSentAgain() {
        requester.post(Verb.SEND, 5 * MTU);
        send(requester, 0);
        nak(10, 11);
        requester.send(11);
        assertThat(requester.psn()).isEqualTo(11);
        // Packet 11 had been late, not lost.
        assertThat(ack(12, 13)).isEqualTo(Requester.Answered.ADVANCED);
        assertThat(send(requester, 13)).containsExactly("14:2:100ar");
    }

    @Test
    void answersThatSayNothingNewOrCannotBeChangeNothing() {
        requester.post(Verb.SEND, 4 * MTU);
        requester.window(0, 3);
        send(requester, 0);
        ack(1, 11);
        assertThat(ack(2, 11)).isEqualTo(Requester.Answered.REPEATED);
        assertThat(ack(2, 10)).isEqualTo(Requester.Answered.REPEATED);
        assertThat(ack(2, 9)).isEqualTo(Requester.Answered.REPEATED);
        assertThat(nak(2, 11)).isEqualTo(Requester.Answered.REPEATED);
        // Acknowledgements of the next packet, of one far ahead, and of the farthest possible.
        assertThat(ack(2, 13)).isEqualTo(Requester.Answered.IMPOSSIBLE);
        assertThat(nak(2, 13)).isEqualTo(Requester.Answered.IMPOSSIBLE);
        assertThat(ack(2, 12 + Psn.MOST_UNDER_WAY - 1)).isEqualTo(Requester.Answered.IMPOSSIBLE);
        assertThat(requester.answered(2, 12, 0x21)).isEqualTo(Requester.Answered.IMPOSSIBLE);
        assertThat(requester.answered(2, 12, 0x41)).isEqualTo(Requester.Answered.IMPOSSIBLE);
        assertThat(requester.acknowledged()).isEqualTo(2);
        assertThat(requester.next()).isEqualTo(3);
        assertThat(requester.naks()).isZero();
    }

    @Test
    void withoutAnAnswerForTheTimeOutItGoesBack() {
        requester.post(Verb.SEND, 6 * MTU);
        requester.window(0, 4);
        send(requester, 100);
        assertThat(requester.deadlineNs()).isEqualTo(100 + TIMEOUT_NS);
        ack(600, 10);
        assertThat(requester.deadlineNs()).isEqualTo(600 + TIMEOUT_NS);
        assertThat(requester.tick(1_599)).isFalse();
        assertThat(requester.tick(1_600)).isTrue();
        assertThat(requester.timeouts()).isEqualTo(1);
        // Until it sends again there is nothing to wait for.
        assertThat(requester.deadlineNs()).isEqualTo(Long.MAX_VALUE);
        assertThat(send(requester, 1_700))
                .containsExactly("11:1:100r", "12:1:100r", "13:1:100ar", "14:1:100a");
        assertThat(requester.deadlineNs()).isEqualTo(1_700 + TIMEOUT_NS);
    }

    @Test
    void withoutAPacketThatAsksNothingIsWaitedFor() {
        requester.post(Verb.SEND, 6 * MTU);
        requester.send(0);
        requester.send(5_000);
        assertThat(requester.deadlineNs()).isEqualTo(Long.MAX_VALUE);
        // Slow, but not lost: the fourth asks.
        requester.send(10_000);
        requester.send(15_000);
        assertThat(requester.deadlineNs()).isEqualTo(15_000 + TIMEOUT_NS);
        requester.send(15_500);
        ack(15_600, 13);
        assertThat(requester.deadlineNs()).isEqualTo(Long.MAX_VALUE);
        requester.send(90_000);
        assertThat(requester.deadlineNs()).isEqualTo(90_000 + TIMEOUT_NS);
    }

    @Test
    void afterTooManyTimeOutsTheConnectionHasFailed() {
        requester.post(Verb.SEND, 3 * MTU);
        for (int retry = 0; retry < 3; retry++) {
            assertThat(requester.hasFailed()).isFalse();
            send(requester, retry * 10_000L);
            assertThat(requester.tick(retry * 10_000L + TIMEOUT_NS)).isTrue();
        }
        assertThat(requester.hasFailed()).isTrue();
        assertThat(requester.maySend()).isFalse();
        assertThat(ack(50_000, 10)).isEqualTo(Requester.Answered.IMPOSSIBLE);
    }

    @Test
    void anythingAcknowledgedStartsTheCountOfTimeOutsAnew() {
        requester.post(Verb.SEND, 100 * MTU);
        long nowNs = 0;
        for (int round = 0; round < 50; round++) {
            send(requester, nowNs);
            nowNs += TIMEOUT_NS;
            requester.tick(nowNs);
            send(requester, nowNs);
            nowNs += TIMEOUT_NS;
            requester.tick(nowNs);
            send(requester, nowNs);
            ack(nowNs, 10 + round);
        }
        assertThat(requester.timeouts()).isEqualTo(100);
        assertThat(requester.hasFailed()).isFalse();
    }

    @Test
    void aResponderThatRefusesEndsTheConnection() {
        requester.post(Verb.WRITE, 3 * MTU);
        send(requester, 0);
        assertThat(requester.answered(1, 11, Aeth.REMOTE_ACCESS_ERROR))
                .isEqualTo(Requester.Answered.REFUSED);
        assertThat(requester.hasFailed()).isTrue();
        assertThat(requester.deadlineNs()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void numbersGoRoundAtTwentyFourBits() {
        Requester late = requester(0xFF_FFFE, 100, 0);
        late.post(Verb.SEND, 5 * MTU);
        List<String> sent = send(late, 0);
        assertThat(sent)
                .containsExactly(
                        "16777214:0:100", "16777215:1:100", "0:1:100", "1:1:100", "2:2:100a");
        assertThat(late.answered(1, 0xFF_FFFF, Aeth.ACK)).isEqualTo(Requester.Answered.ADVANCED);
        assertThat(late.answered(1, 1, Aeth.PSN_SEQUENCE_ERROR))
                .isEqualTo(Requester.Answered.WENT_BACK);
        assertThat(send(late, 2)).containsExactly("1:1:100r", "2:2:100ar");
        assertThat(late.answered(3, 2, Aeth.ACK)).isEqualTo(Requester.Answered.ADVANCED);
        assertThat(late.isIdle()).isTrue();
        assertThat(completed).containsExactly("500 from 0 to 3");
    }

    @Test
    void theRoundTripIsOfPacketsThatWereSentOnce() {
        requester.post(Verb.SEND, 8 * MTU);
        send(requester, 100);
        ack(160, 13);
        assertThat(requester.roundTripNs()).isEqualTo(60);
        nak(170, 14);
        send(requester, 200);
        ack(990, 17);
        assertThat(requester.roundTripNs()).isEqualTo(Sample.NOT_TIMED);
    }

    @Test
    void anAnswerThatTimedNothingShowsNoRoundTripAgain() {
        requester.post(Verb.SEND, 8 * MTU);
        send(requester, 100);
        ack(160, 13);
        ack(170, 15);
        assertThat(requester.roundTripNs()).isEqualTo(Sample.NOT_TIMED);
    }

    @Test
    void manyMessagesMayBePostedAtOnce() {
        for (int message = 0; message < 100; message++) {
            requester.post(Verb.SEND, 1 + message);
        }
        assertThat(send(requester, 0)).hasSize(100);
        ack(1, FIRST + 49);
        requester.post(Verb.SEND, 1_000);
        nak(2, FIRST + 50);
        assertThat(send(requester, 3)).hasSize(60);
        ack(4, FIRST + 109);
        assertThat(completed).hasSize(101).last().isEqualTo("1000 from 3 to 4");
    }

    @Test
    void settingsOutOfRangeAreRefused() {
        assertThatThrownBy(() -> new Requester.Settings(0, 0, 1, 1, 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Requester.Settings(1, 1 << 24, 1, 1, 1))
                .hasMessageContaining("16777216");
    }
}
