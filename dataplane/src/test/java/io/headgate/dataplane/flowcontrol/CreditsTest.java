package io.headgate.dataplane.flowcontrol;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.FlowControlConfig.Credits;
import io.headgate.dataplane.frame.CreditControl;
import io.headgate.dataplane.frame.CreditFrame;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Credits between two ports: bringing up, arithmetic, loss, restart, and the window's bound. */
final class CreditsTest {
    private static final long SEED = Long.getLong("headgate.seed", 20_261_121L);
    private static final long SOURCE = 0x0200_0000_0001L;
    private static final int LANE = 3;
    private static final int LANES = 1 << LANE;

    private static Credits credits(int scale, long bufferBytes, int bufferSlots) {
        return new Credits(Credits.Update.PERIODIC, 60_000, 0, scale, bufferBytes, bufferSlots);
    }

    /** One end of a link. */
    private static final class End {
        final CreditRegister register = new CreditRegister();
        final CreditReceiver receiver;
        final CreditTransmitter transmitter;
        int heldBytes;
        int heldFrames;

        End(Credits credits, int lanes, long digest) {
            receiver = new CreditReceiver(credits, lanes, digest, register, 1522);
            transmitter = new CreditTransmitter(credits, lanes, digest, register);
        }

        End(Credits credits) {
            this(credits, LANES, 42);
        }

        byte[] call(long nowNs) {
            receiver.publish(nowNs);
            transmitter.update();
            byte[] frame = new byte[CreditTransmitter.MAX_FRAME_BYTES];
            int length = transmitter.write(nowNs, MemorySegment.ofArray(frame), 0, SOURCE);
            return Arrays.copyOf(frame, length);
        }

        void hear(long nowNs, byte[] frame) {
            receiver.receive(nowNs, MemorySegment.ofArray(frame), 0, frame.length);
            receiver.publish(nowNs);
            transmitter.update();
        }

        boolean maySend(int lengthBytes) {
            return transmitter.room(0, LANE, lengthBytes) > 0;
        }

        void send(int lengthBytes) {
            transmitter.sent(LANE, transmitter.blocks(lengthBytes));
        }

        void take(int lengthBytes) {
            receiver.received(LANE, receiver.blocks(lengthBytes));
            receiver.hold(LANE, 1, receiver.blocks(lengthBytes));
            heldBytes += lengthBytes;
            heldFrames++;
        }

        void forward(int lengthBytes) {
            receiver.release(LANE, 1, receiver.blocks(lengthBytes));
            heldBytes -= lengthBytes;
            heldFrames--;
        }
    }

    private static void bringUp(End one, End other) {
        for (int round = 0; round < 3; round++) {
            other.hear(0, one.call(0));
            one.hear(0, other.call(0));
        }
        assertThat(one.receiver.state()).isEqualTo(CreditRegister.UP);
        assertThat(other.receiver.state()).isEqualTo(CreditRegister.UP);
    }

    // ---- bringing up

    @Test
    void noDataMovesBeforeBothHaveHeardEachOther() {
        End one = new End(credits(0, 64_000, 1000));
        End other = new End(credits(0, 64_000, 1000));
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
    void otherPrioritiesFlowWithoutCredits() {
        End one = new End(credits(0, 64_000, 1000));
        assertThat(one.transmitter.room(0, 5, 1500)).isPositive();
        one.transmitter.sent(5, 24);
        assertThat(one.transmitter.fctbs(5)).isZero();
    }

    @Test
    void smallerBlockScaleIsUsed() {
        End one = new End(credits(4, 640_000, 1000));
        End other = new End(credits(1, 640_000, 1000));
        bringUp(one, other);
        assertThat(one.receiver.scale()).isEqualTo(1);
        assertThat(other.receiver.scale()).isEqualTo(1);
        assertThat(CreditFrame.parse(one.call(0)).scale()).isEqualTo(1);
        one.send(1500);
        assertThat(one.transmitter.fctbs(LANE)).isEqualTo((1500 + 127) / 128);
    }

    @Test
    void otherClassificationOrLanesKeepTheLinkDownAndAreReported() {
        End one = new End(credits(0, 64_000, 1000), LANES, 42);
        for (End other :
                List.of(
                        new End(credits(0, 64_000, 1000), LANES, 43),
                        new End(credits(0, 64_000, 1000), LANES | 1, 42))) {
            for (int round = 0; round < 5; round++) {
                other.hear(0, one.call(0));
                one.hear(0, other.call(0));
            }
            assertThat(one.receiver.isMismatched()).isTrue();
            assertThat(other.receiver.isMismatched()).isTrue();
            assertThat(one.receiver.state()).isEqualTo(CreditRegister.DOWN);
            assertThat(one.maySend(60)).isFalse();
        }
        bringUp(one, new End(credits(0, 64_000, 1000)));
        assertThat(one.receiver.isMismatched()).isFalse();
    }

    /** Whatever of the first greetings is lost: all ways to lose any of ten frames. */
    @Test
    void linkComesUpWhateverGreetingsAreLost() {
        for (int lost = 0; lost < 1 << 10; lost++) {
            End one = new End(credits(0, 64_000, 1000));
            End other = new End(credits(0, 64_000, 1000));
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
            End one = new End(credits(0, 20_000, 1000));
            End other = new End(credits(0, 20_000, 1000));
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
            End anew = new End(credits(0, 20_000, 1000));
            byte[] greeting = anew.call(0);
            one.hear(0, old);
            one.hear(0, greeting);
            assertThat(one.receiver.state()).isEqualTo(CreditRegister.DOWN);
            assertThat(one.maySend(60)).isFalse();
            bringUp(one, anew);
            assertThat(one.receiver.restarts()).isEqualTo(1);
            // Now exactly what there is room for: 312 blocks of 64 bytes.
            int window = 0;
            while (one.maySend(60)) {
                one.send(60);
                window++;
            }
            assertThat(window).as("seed %d, run %d", SEED, run).isEqualTo(312);
        }
    }

    // ---- arithmetic

    @Test
    void windowIsBoundBy2048BlocksWhateverTheBuffer() {
        for (int scale = 0; scale <= 7; scale++) {
            End one = new End(credits(scale, 1 << 30, 1 << 20));
            End other = new End(credits(scale, 1 << 30, 1 << 20));
            bringUp(one, other);
            long sent = 0;
            int block = 64 << scale;
            while (one.maySend(block)) {
                one.send(block);
                sent += block;
            }
            assertThat(sent).isEqualTo(2048L * block);
            assertThat(sent).isEqualTo(CreditTransmitter.windowBytes(scale));
        }
        assertThat(CreditTransmitter.windowBytes(0)).isEqualTo(131_072);
    }

    @Test
    void creditsAreTheLesserOfFreeBlocksAndFreeSlots() {
        End one = new End(credits(0, 64_000, 10));
        End other = new End(credits(0, 64_000, 10));
        bringUp(one, other);
        assertThat(one.transmitter.credits(LANE)).isEqualTo(10);
        assertThat(one.maySend(641)).isFalse();
        assertThat(one.maySend(640)).isTrue();
    }

    /** From every value of both counters: b blocks may go if and only if they are granted. */
    @Test
    void comparisonIsRightAtEveryPlaceOfTheCircle() {
        End one = new End(credits(0, 1 << 20, 1 << 20));
        End other = new End(credits(0, 1 << 20, 1 << 20));
        bringUp(one, other);
        Random random = new Random(SEED);
        for (int start = 0; start < 4096; start++) {
            assertThat(one.transmitter.fctbs(LANE)).isEqualTo(start);
            int left = one.transmitter.credits(LANE);
            assertThat(left).isEqualTo(2048);
            int blocks = 1 + random.nextInt(left);
            assertThat(one.maySend(blocks * 64)).isTrue();
            assertThat(one.maySend(left * 64)).isTrue();
            assertThat(one.maySend(left * 64 + 1)).isFalse();
            one.send(64);
            other.take(64);
            other.forward(64);
            one.hear(0, other.call(0));
        }
    }

    @Test
    void heldFramesAreNotGrantedUntilTheyAreForwarded() {
        End one = new End(credits(0, 6_400, 1000));
        End other = new End(credits(0, 6_400, 1000));
        bringUp(one, other);
        int frames = 0;
        while (one.maySend(640)) {
            one.send(640);
            other.take(640);
            frames++;
        }
        assertThat(frames).isEqualTo(10);
        one.hear(0, other.call(0));
        assertThat(one.maySend(60)).isFalse();
        other.forward(640);
        one.hear(0, other.call(0));
        assertThat(one.transmitter.credits(LANE)).isEqualTo(10);
    }

    @Test
    void lostUpdateIsHealedByTheNext() {
        End one = new End(credits(0, 6_400, 1000));
        End other = new End(credits(0, 6_400, 1000));
        bringUp(one, other);
        for (int i = 0; i < 10; i++) {
            one.send(640);
            other.take(640);
            other.forward(640);
        }
        other.call(0); // lost
        assertThat(one.maySend(60)).isFalse();
        one.hear(0, other.call(0));
        assertThat(one.transmitter.credits(LANE)).isEqualTo(100);
        assertThat(one.receiver.missing()).isEqualTo(1);
    }

    @Test
    void lostDataIsMadeGoodByTheSendersCount() {
        End one = new End(credits(0, 6_400, 1000));
        End other = new End(credits(0, 6_400, 1000));
        bringUp(one, other);
        for (int i = 0; i < 10; i++) {
            one.send(640); // none arrives
        }
        one.hear(0, other.call(0));
        assertThat(one.maySend(60)).isFalse();
        other.hear(0, one.call(0));
        one.hear(0, other.call(0));
        assertThat(one.transmitter.credits(LANE)).isEqualTo(100);
        assertThat(other.receiver.lostBlocks(LANE)).isEqualTo(100);
    }

    @Test
    void creditsThatOvertakeDataAreNoticed() {
        End one = new End(credits(0, 6_400, 1000));
        End other = new End(credits(0, 6_400, 1000));
        bringUp(one, other);
        byte[] early = one.call(0);
        one.send(640);
        other.take(640);
        other.hear(0, early);
        assertThat(other.receiver.reordered(LANE)).isEqualTo(1);
    }

    @Test
    void repeatedLateAndCorruptFramesChangeNothing() {
        End one = new End(credits(0, 6_400, 1000));
        End other = new End(credits(0, 6_400, 1000));
        bringUp(one, other);
        byte[] first = other.call(0);
        byte[] second = other.call(0);
        one.hear(0, second);
        int credits = one.transmitter.credits(LANE);
        one.hear(0, second);
        one.hear(0, first);
        assertThat(one.receiver.repeated()).isEqualTo(2);
        byte[] corrupt = other.call(0);
        corrupt[24] ^= 0x40;
        one.hear(0, corrupt);
        assertThat(one.receiver.badCrc()).isEqualTo(1);
        one.hear(0, new byte[10]);
        assertThat(one.receiver.malformed()).isEqualTo(1);
        assertThat(one.transmitter.credits(LANE)).isEqualTo(credits);
    }

    /** The InfiniBand architecture reserves ops 2 to 15: whatever they are, they are no grant. */
    @Test
    void reservedOpsGrantNothingAndAreCounted() {
        for (int op = 1; op < 16; op++) {
            End one = new End(credits(0, 6_400, 1000), LANES | 1 << 4, 42);
            End other = new End(credits(0, 6_400, 1000), LANES | 1 << 4, 42);
            bringUp(one, other);
            for (int odd = op == 1 ? 1 : 0; odd < 2; odd++) {
                byte[] frame = other.call(0);
                int lane = LANE + odd;
                CreditControl.writeFcp(MemorySegment.ofArray(frame), 0, odd, op, 0, lane, 999);
                one.hear(0, frame);
            }
            assertThat(one.transmitter.credits(LANE)).as("op %d", op).isEqualTo(100);
            assertThat(one.transmitter.credits(LANE + 1)).isEqualTo(100);
            assertThat(one.receiver.malformed()).isEqualTo(op == 1 ? 1 : 2);
            assertThat(one.receiver.state()).isEqualTo(CreditRegister.UP);
        }
    }

    @Test
    void reservedOpDoesNotBringTheLinkUp() {
        End one = new End(credits(0, 6_400, 1000));
        End other = new End(credits(0, 6_400, 1000));
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
        End one = new End(credits(0, 6_400, 1000));
        End other = new End(credits(0, 6_400, 1000));
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
        assertThat(one.receiver.badCrc()).isEqualTo(2);
    }

    @Test
    void greetingWithAReservedOpAnywhereDoesNotBringTheLinkUp() {
        End one = new End(credits(0, 6_400, 1000), LANES | 1 << 4, 42);
        End other = new End(credits(0, 6_400, 1000), LANES | 1 << 4, 42);
        other.hear(0, one.call(0));
        byte[] frame = other.call(0);
        byte[] tampered = frame.clone();
        CreditControl.writeFcp(MemorySegment.ofArray(tampered), 0, 1, 5, 0, LANE + 1, 100);
        one.hear(0, tampered);
        assertThat(one.receiver.state()).isNotEqualTo(CreditRegister.UP);
        assertThat(one.receiver.malformed()).isEqualTo(1);
        one.hear(0, frame);
        assertThat(one.receiver.state()).isEqualTo(CreditRegister.UP);
    }

    /** The op is the first FCP's highest four bits; a greeting's is 1, a grant's 0. */
    private static void flipOp(byte[] frame) {
        frame[CreditControl.FCPS_OFFSET] ^= 0x10;
    }

    /** No CRC covers it: a wrong one that is far ahead must not make all that follow look old. */
    @Test
    void corruptSequenceNumberDelaysCreditsByOneFrameAtMost() {
        for (int bit = 0; bit < 32; bit++) {
            End one = new End(credits(0, 6_400, 1000));
            End other = new End(credits(0, 6_400, 1000));
            bringUp(one, other);
            byte[] corrupt = other.call(0);
            corrupt[CreditControl.SEQUENCE_OFFSET + 3 - bit / 8] ^= (byte) (1 << bit % 8);
            one.hear(0, corrupt);
            for (int i = 0; i < 10; i++) {
                one.send(640);
                other.take(640);
                other.forward(640);
            }
            assertThat(one.transmitter.credits(LANE)).isZero();
            one.hear(0, other.call(0));
            one.hear(0, other.call(0));
            assertThat(one.transmitter.credits(LANE)).as("bit %d", bit).isEqualTo(100);
        }
    }

    @Test
    void endsThatAgreedOnDifferentScalesGreetAnew() {
        End one = new End(credits(4, 640_000, 1000));
        End other = new End(credits(4, 640_000, 1000));
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
        End one = new End(credits(4, 640_000, 1000));
        End other = new End(credits(4, 640_000, 1000));
        bringUp(one, other);
        one.take(1500);
        End anew = new End(credits(0, 640_000, 1000));
        for (int round = 0; round < 4; round++) {
            one.hear(0, anew.call(0));
            anew.hear(0, one.call(0));
        }
        assertThat(one.receiver.waitsForScale()).isTrue();
        assertThat(one.receiver.state()).isEqualTo(CreditRegister.DOWN);
        one.forward(1500);
        bringUp(one, anew);
        assertThat(one.receiver.scale()).isZero();
        assertThat(one.receiver.waitsForScale()).isFalse();
    }

    @Test
    void timeWithoutCreditsIsCounted() {
        End one = new End(credits(0, 6_400, 1000));
        End other = new End(credits(0, 6_400, 1000));
        bringUp(one, other);
        one.send(6_400);
        other.take(6_400);
        assertThat(one.transmitter.room(1_000, LANE, 60)).isZero();
        assertThat(one.transmitter.room(1_500, LANE, 60)).isZero();
        other.forward(6_400);
        one.hear(0, other.call(0));
        assertThat(one.transmitter.room(3_000, LANE, 60)).isPositive();
        assertThat(one.transmitter.times().totalNs(LANE, 9_000)).isEqualTo(2_000);
        assertThat(one.transmitter.times().stops(LANE)).isEqualTo(1);
    }

    // ---- when updates are sent

    private static End brought(Credits credits) {
        End one = new End(credits);
        bringUp(one, new End(credits));
        one.call(0);
        return one;
    }

    @Test
    void periodicUpdatesKeepTheirStepAndAreNotMadeUpFor() {
        End one = brought(credits(0, 64_000, 1000));
        long first = one.transmitter.deadlineNs();
        assertThat(one.transmitter.isDue(first - 1)).isFalse();
        assertThat(one.transmitter.isDue(first)).isTrue();
        one.call(first + 7_000);
        assertThat(one.transmitter.deadlineNs()).isEqualTo(first + 60_000);
        one.call(first + 1_000_000);
        assertThat(one.transmitter.deadlineNs()).isEqualTo(first + 1_060_000);
    }

    @Test
    void updatesOnChangeKeepTheirGapAndComeEveryPeriodAtLeast() {
        End one =
                brought(new Credits(Credits.Update.ON_CHANGE, 1_000_000, 20_000, 0, 64_000, 1000));
        one.call(100_000);
        assertThat(one.transmitter.deadlineNs()).isEqualTo(1_100_000);
        one.take(640);
        one.receiver.publish(100_000);
        one.transmitter.update();
        // What came is added and taken away: the limit did not change.
        assertThat(one.transmitter.deadlineNs()).isEqualTo(1_100_000);
        one.forward(640);
        one.receiver.publish(100_000);
        one.transmitter.update();
        assertThat(one.transmitter.deadlineNs()).isEqualTo(120_000);
    }

    /** 3,000 bytes in blocks of 64: room for one frame of the largest size, and for a small one. */
    @Test
    void aLaneIsFullWhileNoLargeFrameFitsAndNothingLeaves() {
        End one = brought(credits(0, 3_000, 1000));
        one.receiver.publish(100);
        assertThat(one.receiver.fullNs(LANE)).isZero();
        one.take(1_518);
        one.receiver.publish(200);
        assertThat(one.receiver.fullNs(LANE)).isEqualTo(1);
        one.receiver.publish(1_200);
        assertThat(one.receiver.fullNs(LANE)).isEqualTo(1_000);
        one.take(64);
        one.receiver.publish(1_300);
        assertThat(one.receiver.fullNs(LANE)).isEqualTo(1_100);
        one.forward(64);
        one.receiver.publish(1_400);
        assertThat(one.receiver.fullNs(LANE)).isEqualTo(1);
        one.forward(1_518);
        one.receiver.publish(1_500);
        assertThat(one.receiver.fullNs(LANE)).isZero();
    }

    @Test
    void newsOfTheHandShakeIsSentAtOnceAndGreetingsEveryMillisecond() {
        Credits slow = new Credits(Credits.Update.PERIODIC, 1_000_000_000, 0, 0, 64_000, 1000);
        End one = new End(slow);
        assertThat(one.transmitter.isDue(0)).isTrue();
        one.call(0);
        assertThat(one.transmitter.deadlineNs()).isEqualTo(1_000_000);
        one.hear(5, new End(slow).call(5));
        assertThat(one.transmitter.isDue(5)).isTrue();
    }

    // ---- a link that loses, with a bounded buffer

    /** Data and credits over a link with a delay, any of which may be lost. */
    @Test
    void bufferIsNeverExceededAndEverythingMovesWhateverIsLost() {
        Random random = new Random(SEED);
        for (int run = 0; run < 100; run++) {
            String where = "seed " + SEED + ", run " + run;
            int scale = random.nextInt(3);
            long bufferBytes = 20_000L + random.nextInt(200_000);
            int bufferSlots = 100 + random.nextInt(3000);
            Credits credits = credits(scale, bufferBytes, bufferSlots);
            End one = new End(credits);
            End other = new End(credits);
            boolean lossy = run % 2 == 1;
            Deque<byte[]> forth = new ArrayDeque<>();
            Deque<byte[]> back = new ArrayDeque<>();
            Deque<Integer> held = new ArrayDeque<>();
            int delay = 1 + random.nextInt(20);
            long moved = 0;
            long movedAtHalf = 0;
            for (int tick = 0; tick < 4_000; tick++) {
                // Data and credits share the way forth: a data frame is a number in an array of 2.
                if (tick % 10 == 0 && !(lossy && random.nextInt(5) == 0)) {
                    forth.add(one.call(tick));
                } else {
                    int length = 60 + random.nextInt(1463);
                    if (one.maySend(length)) {
                        one.send(length);
                        boolean lost = lossy && random.nextInt(50) == 0;
                        forth.add(
                                lost
                                        ? new byte[0]
                                        : new byte[] {(byte) (length >> 8), (byte) length});
                    } else {
                        forth.add(new byte[0]);
                    }
                }
                if (tick % 10 == 5) {
                    back.add(lossy && random.nextInt(5) == 0 ? new byte[0] : other.call(tick));
                } else {
                    back.add(new byte[0]);
                }
                if (tick >= delay) {
                    byte[] arrives = forth.remove();
                    if (arrives.length == 2) {
                        int length = (arrives[0] & 0xFF) << 8 | (arrives[1] & 0xFF);
                        other.take(length);
                        held.add(length);
                        moved++;
                    } else if (arrives.length > 0) {
                        other.hear(tick, arrives);
                    }
                    byte[] returns = back.remove();
                    if (returns.length > 0) {
                        one.hear(tick, returns);
                    }
                }
                assertThat(other.heldBytes).as(where).isLessThanOrEqualTo((int) bufferBytes);
                assertThat(other.heldFrames).as(where).isLessThanOrEqualTo(bufferSlots);
                boolean stalled = (tick / 500) % 3 == 1;
                if (!stalled && !held.isEmpty() && random.nextInt(3) > 0) {
                    other.forward(held.remove());
                }
                movedAtHalf = tick == 2_000 ? moved : movedAtHalf;
            }
            assertThat(other.receiver.reordered(LANE)).as(where).isZero();
            assertThat(moved - movedAtHalf).as(where).isGreaterThan(200);
            if (!lossy) {
                assertThat(other.receiver.lostBlocks(LANE)).as(where).isZero();
            }
        }
    }
}
