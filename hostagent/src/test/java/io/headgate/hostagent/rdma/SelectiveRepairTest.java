package io.headgate.hostagent.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.frame.Aeth;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The sending end with selective repair, with bare numbers: packets of 100 bytes from 10 on. */
class SelectiveRepairTest {
    private static final int FIRST = 10;
    private static final long TIMEOUT_NS = 1_000;

    private final List<Long> completed = new ArrayList<>();
    private final Requester requester =
            new Requester(
                    new Requester.Settings(100, FIRST, 4, TIMEOUT_NS, 2),
                    (nowNs, bytes, startedNs) -> completed.add(bytes),
                    64,
                    3);

    /** Numbers of all packets that may go, from 0. */
    private List<Long> send(long nowNs) {
        List<Long> sent = new ArrayList<>();
        while (requester.maySend()) {
            requester.send(nowNs);
            sent.add(requester.sequence());
        }
        return sent;
    }

    private Requester.Answered report(long nowNs, long missing, long... came) {
        long bits = 0;
        for (long packet : came) {
            bits |= 1L << packet;
        }
        return requester.reported(nowNs, FIRST + (int) missing, FIRST, bits, 0);
    }

    @Test
    void aPacketIsLostOnceOneThatWasSentThreeLaterHasCome() {
        requester.post(Verb.SEND, 1_000);
        assertThat(send(0)).hasSize(10);
        // Late so far, not lost.
        assertThat(report(1, 2, 3, 4)).isEqualTo(Requester.Answered.ADVANCED);
        assertThat(send(1)).isEmpty();
        assertThat(report(2, 2, 5)).isEqualTo(Requester.Answered.WENT_BACK);
        assertThat(send(2)).containsExactly(2L);
        assertThat(requester.offsetBytes()).isEqualTo(200);
        assertThat(requester.isRepeated()).isTrue();
        assertThat(requester.isAckRequested()).isTrue();
        assertThat(report(3, 2, 9))
                .as("the episode goes on")
                .isEqualTo(Requester.Answered.ADVANCED);
        assertThat(send(3)).as("6 is too late, 7 and 8 may come").containsExactly(6L);
        assertThat(report(4, 2, 9)).isEqualTo(Requester.Answered.REPEATED);
        assertThat(requester.answered(5, FIRST + 9, Aeth.ACK))
                .isEqualTo(Requester.Answered.ADVANCED);
        assertThat(completed).containsExactly(1_000L);
        assertThat(requester.repeats()).isEqualTo(2);
    }

    @Test
    void aRepetitionThatIsLostIsFoundAsAnyPacketIs() {
        requester.post(Verb.SEND, 2_000);
        requester.window(0, 10);
        assertThat(send(0)).hasSize(10);
        report(1, 1, 2, 3, 4);
        assertThat(send(1)).containsExactly(1L, 10L);
        // What was sent before the repetition says nothing of it.
        report(2, 1, 5, 6, 7, 8, 9);
        requester.window(2, 20);
        assertThat(send(2)).containsExactly(11L, 12L, 13L, 14L, 15L, 16L, 17L, 18L, 19L);
        report(3, 1, 10, 11, 12);
        assertThat(send(3)).isEmpty();
        report(4, 1, 13);
        assertThat(send(4)).containsExactly(1L);
    }

    @Test
    void afterATimeOutAllThatIsNotReportedIsLost() {
        requester.post(Verb.SEND, 500);
        send(0);
        report(1, 1, 2);
        assertThat(send(1)).isEmpty();
        assertThat(requester.tick(requester.deadlineNs())).isTrue();
        assertThat(send(2_000)).containsExactly(1L, 3L, 4L);
        assertThat(requester.answered(2_500, FIRST + 4, Aeth.ACK))
                .isEqualTo(Requester.Answered.ADVANCED);
        assertThat(requester.isIdle()).isTrue();
    }

    @Test
    void whatNoReceiverOfOursReportsChangesNothing() {
        requester.post(Verb.SEND, 500);
        send(0);
        assertThat(requester.reported(1, FIRST + 5, FIRST, 1L << 7, 0))
                .as("of a packet that was never sent")
                .isEqualTo(Requester.Answered.IMPOSSIBLE);
        assertThat(requester.reported(1, FIRST + 1, FIRST + 1, 1L << 7, 0))
                .as("from between two words")
                .isEqualTo(Requester.Answered.IMPOSSIBLE);
        assertThat(requester.reported(1, FIRST, FIRST, -1L << 5, -1L))
                .as("packets behind the last")
                .isEqualTo(Requester.Answered.REPEATED);
        assertThat(requester.reported(1, FIRST, FIRST + 640, -1L, -1L))
                .isEqualTo(Requester.Answered.REPEATED);
        assertThat(send(1)).isEmpty();
    }
}
