package io.headgate.dataplane.credit;

import static io.headgate.dataplane.credit.CreditEnd.LANE;
import static io.headgate.dataplane.credit.CreditEnd.LANES;
import static io.headgate.dataplane.credit.CreditEnd.bringUp;
import static io.headgate.dataplane.credit.CreditEnd.credits;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.FlowControlConfig.Credits;
import io.headgate.dataplane.frame.CreditControl;
import io.headgate.dataplane.frame.CreditFrame;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Credits between two ports: bringing up, disagreement, restart, and damaged greetings. */
final class CreditHandshakeTest {
    private static final long SEED = Long.getLong("headgate.seed", 20_261_121L);

    @Test
    void noDataMovesBeforeBothHaveHeardEachOther() {
        CreditEnd one = new CreditEnd(credits(0, 64_000, 1000));
        CreditEnd other = new CreditEnd(credits(0, 64_000, 1000));
        assertThat(one.maySend(60)).isFalse();
        CreditFrame greeting = CreditFrame.parse(one.call(0));
        assertThat(greeting.digest()).isEqualTo(42);
        assertThat(greeting.heard()).isFalse();
        other.hear(0, one.call(0));
        assertThat(other.receiver.state()).isEqualTo(CreditRegister.INIT);
        assertThat(other.maySend(60)).isFalse();
        CreditFrame answer = CreditFrame.parse(other.call(0));
        assertThat(answer.heard()).isTrue();
        one.hear(0, other.call(0));
        assertThat(one.receiver.state()).isEqualTo(CreditRegister.UP);
        assertThat(one.maySend(60)).isFalse(); // limits count only from frames of an end that is up
        other.hear(0, one.call(0));
        assertThat(other.receiver.state()).isEqualTo(CreditRegister.UP);
        assertThat(other.maySend(60)).isTrue();
        one.hear(0, other.call(0));
        assertThat(one.maySend(60)).isTrue();
    }

    @Test
    void smallerBlockScaleIsUsed() {
        CreditEnd one = new CreditEnd(credits(4, 640_000, 1000));
        CreditEnd other = new CreditEnd(credits(1, 640_000, 1000));
        bringUp(one, other);
        assertThat(one.receiver.scale()).isEqualTo(1);
        assertThat(other.receiver.scale()).isEqualTo(1);
        assertThat(CreditFrame.parse(one.call(0)).scale()).isEqualTo(1);
        one.send(1500);
        assertThat(one.transmitter.fctbs[LANE]).isEqualTo((1500 + 127) / 128);
    }

    @Test
    void otherClassificationOrLanesKeepTheLinkDownAndAreReported() {
        CreditEnd one = new CreditEnd(credits(0, 64_000, 1000), LANES, 42);
        for (CreditEnd other :
                List.of(
                        new CreditEnd(credits(0, 64_000, 1000), LANES, 43),
                        new CreditEnd(credits(0, 64_000, 1000), LANES | 1, 42))) {
            for (int round = 0; round < 5; round++) {
                other.hear(0, one.call(0));
                one.hear(0, other.call(0));
            }
            assertThat(one.receiver.isMismatched()).isTrue();
            assertThat(other.receiver.isMismatched()).isTrue();
            assertThat(one.receiver.state()).isEqualTo(CreditRegister.DOWN);
            assertThat(one.maySend(60)).isFalse();
        }
        bringUp(one, new CreditEnd(credits(0, 64_000, 1000)));
        assertThat(one.receiver.isMismatched()).isFalse();
    }

    /** Whatever of the first greetings is lost: all ways to lose any of ten frames. */
    @Test
    void linkComesUpWhateverGreetingsAreLost() {
        for (int lost = 0; lost < 1 << 10; lost++) {
            CreditEnd one = new CreditEnd(credits(0, 64_000, 1000));
            CreditEnd other = new CreditEnd(credits(0, 64_000, 1000));
            for (int i = 0; i < 10; i++) {
                byte[] frame = (i % 2 == 0 ? one : other).call(0);
                if ((lost >> i & 1) == 0) {
                    (i % 2 == 0 ? other : one).hear(0, frame);
                }
            }
            for (int round = 0; round < 3; round++) {
                byte[] there = one.call(0);
                byte[] back = other.call(0); // both at once
                other.hear(0, there);
                one.hear(0, back);
            }
            assertThat(one.maySend(1500)).as("lost %s", Integer.toBinaryString(lost)).isTrue();
            assertThat(other.maySend(1500)).isTrue();
        }
    }

    @Test
    void endThatStartsAnewIsGreetedAnewAndNothingOldCounts() {
        Random random = new Random(SEED);
        for (int run = 0; run < 200; run++) {
            CreditEnd one = new CreditEnd(credits(0, 20_000, 1000));
            CreditEnd other = new CreditEnd(credits(0, 20_000, 1000));
            bringUp(one, other);
            int sent = random.nextInt(6000);
            for (int i = 0; i < sent && one.maySend(60); i++) {
                one.send(60);
                other.take(60);
                other.forward(60);
                if (i % 100 == 0) {
                    one.hear(0, other.call(0));
                    other.hear(0, one.call(0));
                }
            }
            byte[] old = other.call(0);
            CreditEnd anew = new CreditEnd(credits(0, 20_000, 1000));
            byte[] greeting = anew.call(0);
            one.hear(0, old);
            one.hear(0, greeting);
            assertThat(one.receiver.state()).isEqualTo(CreditRegister.DOWN);
            assertThat(one.maySend(60)).isFalse();
            bringUp(one, anew);
            assertThat(one.receiver.restarts).isEqualTo(1);
            // Now exactly what there is room for: 312 blocks of 64 bytes.
            int window = 0;
            while (one.maySend(60)) {
                one.send(60);
                window++;
            }
            assertThat(window).as("seed %d, run %d", SEED, run).isEqualTo(312);
        }
    }

    /** An end that has been granted much, and whose far end is another from now on. */
    private static CreditEnd granted(CreditEnd other) {
        CreditEnd one = new CreditEnd(credits(0, 64_000, 1000));
        bringUp(one, other);
        assertThat(one.transmitter.credits(LANE)).isEqualTo(1000);
        return one;
    }

    /** Until both are up; the far end has not said yet what it grants. */
    private static void bringUpAlmost(CreditEnd one, CreditEnd far) {
        if (one.receiver.state() == CreditRegister.UP) {
            one.hear(0, far.call(0));
        }
        far.hear(0, one.call(0));
        one.hear(0, far.call(0));
        assertThat(one.receiver.state()).isEqualTo(CreditRegister.UP);
    }

    @Test
    void whatWasGrantedBeforeARestartDoesNotCountUntilTheFarEndGrantsAnew() {
        CreditEnd one = granted(new CreditEnd(credits(0, 64_000, 1000)));
        CreditEnd smaller = new CreditEnd(credits(0, 1_280, 1000));
        bringUpAlmost(one, smaller);
        assertThat(one.transmitter.credits(LANE)).isZero();
        assertThat(one.maySend(60)).isFalse();
        smaller.hear(0, one.call(0));
        one.hear(0, smaller.call(0));
        assertThat(one.transmitter.credits(LANE)).isEqualTo(20);
    }

    @Test
    void whatWasGrantedInSmallerBlocksCountsNoMoreWhereTheyAreLarger() {
        CreditEnd one = new CreditEnd(credits(3, 640_000, 5000));
        bringUp(one, new CreditEnd(credits(0, 64_000, 1000)));
        CreditEnd larger = new CreditEnd(credits(3, 10_240, 1000));
        bringUpAlmost(one, larger);
        assertThat(one.receiver.scale()).isEqualTo(3);
        assertThat(one.maySend(60)).isFalse();
        larger.hear(0, one.call(0));
        one.hear(0, larger.call(0));
        assertThat(one.transmitter.credits(LANE)).isEqualTo(20);
    }

    @Test
    void whatWasGrantedBeforeTheLinkWentDownDoesNotCountEither() {
        CreditEnd other = new CreditEnd(credits(0, 64_000, 1000));
        CreditEnd one = granted(other);
        for (CreditEnd end : List.of(one, other)) {
            end.receiver.linkChanged();
            end.transmitter.linkChanged();
        }
        one.transmitter.update(0);
        assertThat(one.maySend(60)).isFalse();
        bringUpAlmost(one, other);
        assertThat(one.maySend(60)).isFalse();
        other.hear(0, one.call(0));
        one.hear(0, other.call(0));
        assertThat(one.transmitter.credits(LANE)).isEqualTo(1000);
    }

    /**
     * The halves of a port may be on different workers, so the egress half may look while the
     * ingress half is at work: it must not send, as one that is up, grants of blocks of another
     * size, or from another count.
     */
    @Test
    void anEndIsNotUpForItsEgressHalfBeforeItsGrantsAreThere() {
        CreditEnd one = new CreditEnd(credits(3, 640_000, 5000));
        CreditEnd other = new CreditEnd(credits(0, 64_000, 1000));
        other.send(60_000); // its count is not 0
        one.call(0); // and has told of blocks eight times as large
        other.hear(0, one.call(0));
        byte[] heard = other.call(0);
        one.receiver.receive(0, MemorySegment.ofArray(heard), 0, heard.length);
        assertThat(one.receiver.state()).isEqualTo(CreditRegister.UP);
        one.transmitter.update(0);
        assertThat(one.transmitter.state()).isNotEqualTo(CreditRegister.UP);
        one.receiver.publish(0);
        one.transmitter.update(0);
        assertThat(one.transmitter.state()).isEqualTo(CreditRegister.UP);
        CreditFrame grant = CreditFrame.parse(one.call(0));
        assertThat(grant.scale()).isZero();
        assertThat(grant.fcps().getFirst().fccl())
                .isEqualTo((other.transmitter.fctbs[LANE] + 2048) % CreditControl.MODULUS);
    }

    @Test
    void reservedOpDoesNotBringTheLinkUp() {
        CreditEnd one = new CreditEnd(credits(0, 6_400, 1000));
        CreditEnd other = new CreditEnd(credits(0, 6_400, 1000));
        one.hear(0, other.call(0));
        assertThat(one.receiver.state()).isEqualTo(CreditRegister.INIT);
        byte[] frame = other.call(0);
        CreditControl.writeFcp(MemorySegment.ofArray(frame), 0, 0, 2, 0, LANE, 100);
        one.hear(0, frame);
        assertThat(one.receiver.state()).isEqualTo(CreditRegister.INIT);
    }

    /** A damaged bit that makes a grant look like a greeting, or the other way round. */
    @Test
    void frameWhoseFirstFcpIsDamagedChangesNothing() {
        CreditEnd one = new CreditEnd(credits(0, 6_400, 1000));
        CreditEnd other = new CreditEnd(credits(0, 6_400, 1000));
        one.hear(0, other.call(0));
        byte[] greeting = other.call(0);
        flipOp(greeting);
        one.hear(0, greeting);
        assertThat(one.receiver.state()).isEqualTo(CreditRegister.INIT);
        bringUp(one, other);
        byte[] grant = other.call(0);
        flipOp(grant);
        one.hear(0, grant);
        assertThat(one.receiver.state()).isEqualTo(CreditRegister.UP);
        assertThat(one.receiver.mismatches()).isZero();
        assertThat(one.receiver.badCrc).isEqualTo(2);
    }

    @Test
    void greetingWithAReservedOpAnywhereDoesNotBringTheLinkUp() {
        CreditEnd one = new CreditEnd(credits(0, 6_400, 1000), LANES | 1 << 4, 42);
        CreditEnd other = new CreditEnd(credits(0, 6_400, 1000), LANES | 1 << 4, 42);
        other.hear(0, one.call(0));
        byte[] frame = other.call(0);
        byte[] tampered = frame.clone();
        CreditControl.writeFcp(MemorySegment.ofArray(tampered), 0, 1, 5, 0, LANE + 1, 100);
        one.hear(0, tampered);
        assertThat(one.receiver.state()).isNotEqualTo(CreditRegister.UP);
        assertThat(one.receiver.malformed).isEqualTo(1);
        one.hear(0, frame);
        assertThat(one.receiver.state()).isEqualTo(CreditRegister.UP);
    }

    /** The op is the first FCP's highest four bits; a greeting's is 1, a grant's 0. */
    private static void flipOp(byte[] frame) {
        frame[CreditControl.FCPS_OFFSET] ^= 0x10;
    }

    @Test
    void endsThatAgreedOnDifferentScalesGreetAnew() {
        CreditEnd one = new CreditEnd(credits(4, 640_000, 1000));
        CreditEnd other = new CreditEnd(credits(4, 640_000, 1000));
        byte[] corrupt = one.call(0);
        corrupt[CreditControl.SCALE_OFFSET] = 1;
        other.hear(0, corrupt);
        for (int round = 0; round < 8; round++) {
            one.hear(0, other.call(0));
            other.hear(0, one.call(0));
        }
        assertThat(other.receiver.mismatches()).isPositive();
        assertThat(one.receiver.state()).isEqualTo(CreditRegister.UP);
        assertThat(other.receiver.state()).isEqualTo(CreditRegister.UP);
        assertThat(other.receiver.scale()).isEqualTo(4);
        assertThat(one.transmitter.credits(LANE)).isPositive();
        assertThat(other.transmitter.credits(LANE)).isPositive();
    }

    @Test
    void scaleIsNotChangedUnderFramesThatAreHeld() {
        CreditEnd one = new CreditEnd(credits(4, 640_000, 1000));
        CreditEnd other = new CreditEnd(credits(4, 640_000, 1000));
        bringUp(one, other);
        one.take(1500);
        CreditEnd anew = new CreditEnd(credits(0, 640_000, 1000));
        for (int round = 0; round < 4; round++) {
            one.hear(0, anew.call(0));
            anew.hear(0, one.call(0));
        }
        assertThat(one.receiver.scaleWaits).isTrue();
        assertThat(one.receiver.state()).isEqualTo(CreditRegister.DOWN);
        one.forward(1500);
        bringUp(one, anew);
        assertThat(one.receiver.scale()).isZero();
        assertThat(one.receiver.scaleWaits).isFalse();
    }

    @Test
    void newsOfTheHandShakeIsSentAtOnceAndGreetingsEveryMillisecond() {
        Credits slow = new Credits(Credits.Update.PERIODIC, 1_000_000_000, 0, 0, 64_000, 1000);
        CreditEnd one = new CreditEnd(slow);
        assertThat(one.transmitter.isDue(0)).isTrue();
        one.call(0);
        assertThat(one.transmitter.deadlineNs()).isEqualTo(1_000_000);
        one.hear(5, new CreditEnd(slow).call(5));
        assertThat(one.transmitter.isDue(5)).isTrue();
    }
}
