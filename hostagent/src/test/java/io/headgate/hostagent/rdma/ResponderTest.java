package io.headgate.hostagent.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.frame.Aeth;
import io.headgate.dataplane.frame.RcOpcode;
import io.headgate.hostagent.rdma.Responder.Arrived;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The receiving end with bare numbers: packets of 100 bytes, numbered from 10 on the wire. */
class ResponderTest {
    private static final int MTU = 100;
    private final List<String> completed = new ArrayList<>();
    private final Responder responder = responder(10);

    private Responder responder(int firstPsn) {
        return new Responder(
                MTU,
                firstPsn,
                (nowNs, bytes, startedNs) ->
                        completed.add(bytes + " from " + startedNs + " to " + nowNs),
                null,
                0);
    }

    private Arrived send(int psn, int opcode, boolean asks, int bytes) {
        return responder.arrived(psn, psn, opcode, asks, bytes, 0);
    }

    private String answer() {
        if (!responder.hasAnswer()) {
            return "none";
        }
        int syndrome = responder.takeAnswer();
        return (Aeth.type(syndrome) == Aeth.TYPE_ACK ? "ack " : "nak " + (syndrome & 31) + " ")
                + responder.answerPsn(syndrome);
    }

    @Test
    void itAnswersWhenAsked() {
        assertThat(send(10, RcOpcode.SEND_FIRST, false, MTU)).isEqualTo(Arrived.TAKEN);
        assertThat(answer()).isEqualTo("none");
        assertThat(send(11, RcOpcode.SEND_MIDDLE, true, MTU)).isEqualTo(Arrived.TAKEN);
        assertThat(answer()).isEqualTo("ack 11");
        assertThat(send(12, RcOpcode.SEND_LAST, true, 1)).isEqualTo(Arrived.TAKEN);
        assertThat(answer()).isEqualTo("ack 12");
        assertThat(responder.messages()).isEqualTo(1);
        assertThat(completed).containsExactly("201 from 10 to 12");
    }

    @Test
    void answersThatWaitAreMerged() {
        send(10, RcOpcode.SEND_ONLY, true, 5);
        send(11, RcOpcode.SEND_ONLY, true, 5);
        assertThat(answer()).isEqualTo("ack 11");
        assertThat(answer()).isEqualTo("none");
    }

    @Test
    void itSaysOnceThatOneIsMissing() {
        send(10, RcOpcode.SEND_ONLY, false, 5);
        assertThat(send(12, RcOpcode.SEND_ONLY, true, 5)).isEqualTo(Arrived.EARLY);
        assertThat(answer()).isEqualTo("nak 0 11");
        assertThat(send(13, RcOpcode.SEND_ONLY, true, 5)).isEqualTo(Arrived.EARLY);
        assertThat(answer()).isEqualTo("none");
        assertThat(send(11, RcOpcode.SEND_ONLY, true, 5)).isEqualTo(Arrived.TAKEN);
        assertThat(answer()).isEqualTo("ack 11");
        assertThat(send(13, RcOpcode.SEND_ONLY, true, 5)).isEqualTo(Arrived.EARLY);
        assertThat(answer()).isEqualTo("nak 0 12");
        assertThat(completed).hasSize(2);
    }

    @Test
    void aComplaintThatNoLongerHoldsIsNotSent() {
        send(11, RcOpcode.SEND_ONLY, false, 5);
        send(10, RcOpcode.SEND_ONLY, false, 5);
        assertThat(answer()).isEqualTo("ack 10");
    }

    @Test
    void whatComesAgainIsAcknowledgedAgainAndNotTaken() {
        send(10, RcOpcode.SEND_ONLY, true, 5);
        send(11, RcOpcode.SEND_ONLY, true, 5);
        answer();
        assertThat(send(10, RcOpcode.SEND_ONLY, true, 5)).isEqualTo(Arrived.REPEATED);
        assertThat(answer()).isEqualTo("ack 11");
        assertThat(send(10, RcOpcode.SEND_ONLY, false, 5)).isEqualTo(Arrived.REPEATED);
        assertThat(answer()).isEqualTo("none");
        assertThat(completed).hasSize(2);
        // A complaint that waits is not overwritten.
        send(13, RcOpcode.SEND_ONLY, true, 5);
        send(11, RcOpcode.SEND_ONLY, true, 5);
        assertThat(answer()).isEqualTo("nak 0 12");
    }

    @Test
    void numbersGoRoundAtTwentyFourBits() {
        Responder late = responder(0xFF_FFFF);
        assertThat(late.arrived(0, 0xFF_FFFF, RcOpcode.SEND_ONLY, true, 5, 0))
                .isEqualTo(Arrived.TAKEN);
        assertThat(late.answerPsn(late.takeAnswer())).isEqualTo(0xFF_FFFF);
        assertThat(late.arrived(0, 1, RcOpcode.SEND_ONLY, true, 5, 0)).isEqualTo(Arrived.EARLY);
        assertThat(late.answerPsn(late.takeAnswer())).isZero();
        assertThat(late.arrived(0, 0, RcOpcode.SEND_ONLY, true, 5, 0)).isEqualTo(Arrived.TAKEN);
        assertThat(late.arrived(0, 0xFF_FFFF, RcOpcode.SEND_ONLY, true, 5, 0))
                .isEqualTo(Arrived.REPEATED);
    }

    @Test
    void aWriteHasTheLengthThatItAnnounced() {
        assertThat(responder.arrived(0, 10, RcOpcode.WRITE_FIRST, false, MTU, 150))
                .isEqualTo(Arrived.TAKEN);
        assertThat(responder.arrived(0, 11, RcOpcode.WRITE_LAST, true, 50, 0))
                .isEqualTo(Arrived.TAKEN);
        assertThat(responder.arrived(0, 12, RcOpcode.WRITE_ONLY, true, 30, 31))
                .isEqualTo(Arrived.INVALID);
        assertThat(answer()).isEqualTo("nak 1 12");
        assertThat(completed).containsExactly("150 from 0 to 0");
    }

    @ParameterizedTest
    @CsvSource({
        // In the middle without a beginning.
        "1, 100, 0",
        "2, 5, 0",
        "7, 100, 0",
        "8, 5, 0",
        // Too short before the end, too long, more or less than announced.
        "0, 99, 0",
        "4, 101, 0",
        "6, 100, 100",
        "10, 50, 51",
        "10, 50, 49",
        // With immediate data, a read, of an unreliable connection.
        "3, 5, 0",
        "5, 5, 0",
        "9, 5, 0",
        "11, 5, 0",
        "12, 0, 0",
        "36, 5, 0"
    })
    void aPacketThatNoMessageBeginsWithEndsTheConnection(int opcode, int bytes, long announced) {
        assertThat(responder.arrived(0, 10, opcode, true, bytes, announced))
                .isEqualTo(Arrived.INVALID);
        assertThat(responder.hasFailed()).isTrue();
        assertThat(answer()).isEqualTo("nak 1 10");
        // What is sent again is refused again: the answer may have been lost.
        assertThat(send(10, RcOpcode.SEND_ONLY, true, 5)).isEqualTo(Arrived.INVALID);
        assertThat(answer()).isEqualTo("nak 1 10");
        assertThat(completed).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        // A beginning within a message, and the other kind's end.
        "0, 100",
        "4, 5",
        "6, 100",
        "10, 5",
        "7, 100",
        "8, 5",
        // Too short before the end, too long.
        "1, 99",
        "2, 101"
    })
    void soDoesOneThatDoesNotGoOnWithTheMessage(int opcode, int bytes) {
        send(10, RcOpcode.SEND_FIRST, false, MTU);
        assertThat(send(11, opcode, false, bytes)).isEqualTo(Arrived.INVALID);
        assertThat(answer()).isEqualTo("nak 1 11");
    }
}
