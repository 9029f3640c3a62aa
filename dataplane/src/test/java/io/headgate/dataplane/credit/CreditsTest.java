package io.headgate.dataplane.credit;

import static io.headgate.dataplane.credit.CreditEnd.LANE;
import static io.headgate.dataplane.credit.CreditEnd.LANES;
import static io.headgate.dataplane.credit.CreditEnd.bringUp;
import static io.headgate.dataplane.credit.CreditEnd.credits;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.FlowControlConfig.Credits;
import io.headgate.dataplane.frame.CreditControl;
import io.headgate.dataplane.frame.CreditFrame;
import io.headgate.dataplane.linkcontrol.StopTimes;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.queue.PriorityQueues;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Credits between two ports: arithmetic, loss, updates, and the window's bound. */
final class CreditsTest {
    private static final long SEED = Long.getLong("headgate.seed", 20_261_121L);

    @Test
    void otherPrioritiesFlowWithoutCredits() {
        CreditEnd one = new CreditEnd(credits(0, 64_000, 1000));
        assertThat(one.transmitter.room(0, 5, 1500)).isPositive();
        one.transmitter.sent(5, 24);
        assertThat(one.transmitter.fctbs[5]).isZero();
    }

    // ---- arithmetic

    @Test
    void windowIsBoundBy2048BlocksWhateverTheBuffer() {
        for (int scale = 0; scale <= 7; scale++) {
            CreditEnd one = new CreditEnd(credits(scale, 1 << 30, 1 << 20));
            CreditEnd other = new CreditEnd(credits(scale, 1 << 30, 1 << 20));
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

    /** The window opens again while frames wait: more than 2,048 blocks may be held. */
    @Test
    void aBufferThatIsLargerThanTheWindowIsFilled() {
        int buffer = 5_000 * 64;
        CreditEnd one = new CreditEnd(credits(0, buffer, 5_000));
        CreditEnd other = new CreditEnd(credits(0, buffer, 5_000));
        bringUp(one, other);
        int held = 0;
        while (one.maySend(640)) {
            one.send(640);
            other.take(640);
            held += 640;
            one.hear(0, other.call(0));
        }
        assertThat(held).isEqualTo(buffer);
    }

    @Test
    void creditsAreTheLesserOfFreeBlocksAndFreeSlots() {
        CreditEnd one = new CreditEnd(credits(0, 64_000, 10));
        CreditEnd other = new CreditEnd(credits(0, 64_000, 10));
        bringUp(one, other);
        assertThat(one.transmitter.credits(LANE)).isEqualTo(10);
        assertThat(one.maySend(641)).isFalse();
        assertThat(one.maySend(640)).isTrue();
    }

    /** From every value of both counters: b blocks may go if and only if they are granted. */
    @Test
    void comparisonIsRightAtEveryPlaceOfTheCircle() {
        CreditEnd one = new CreditEnd(credits(0, 1 << 20, 1 << 20));
        CreditEnd other = new CreditEnd(credits(0, 1 << 20, 1 << 20));
        bringUp(one, other);
        Random random = new Random(SEED);
        for (int start = 0; start < 4096; start++) {
            assertThat(one.transmitter.fctbs[LANE]).isEqualTo(start);
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
        CreditEnd one = new CreditEnd(credits(0, 6_400, 1000));
        CreditEnd other = new CreditEnd(credits(0, 6_400, 1000));
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
        CreditEnd one = new CreditEnd(credits(0, 6_400, 1000));
        CreditEnd other = new CreditEnd(credits(0, 6_400, 1000));
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
        assertThat(one.receiver.missing).isEqualTo(1);
    }

    @Test
    void lostDataIsMadeGoodByTheSendersCount() {
        CreditEnd one = new CreditEnd(credits(0, 6_400, 1000));
        CreditEnd other = new CreditEnd(credits(0, 6_400, 1000));
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
        CreditEnd one = new CreditEnd(credits(0, 6_400, 1000));
        CreditEnd other = new CreditEnd(credits(0, 6_400, 1000));
        bringUp(one, other);
        byte[] early = one.call(0);
        one.send(640);
        other.take(640);
        other.hear(0, early);
        assertThat(other.receiver.reordered[LANE]).isEqualTo(1);
    }

    @Test
    void repeatedLateAndCorruptFramesChangeNothing() {
        CreditEnd one = new CreditEnd(credits(0, 6_400, 1000));
        CreditEnd other = new CreditEnd(credits(0, 6_400, 1000));
        bringUp(one, other);
        byte[] first = other.call(0);
        byte[] second = other.call(0);
        one.hear(0, second);
        int credits = one.transmitter.credits(LANE);
        one.hear(0, second);
        one.hear(0, first);
        assertThat(one.receiver.repeated).isEqualTo(2);
        byte[] corrupt = other.call(0);
        corrupt[24] ^= 0x40;
        one.hear(0, corrupt);
        assertThat(one.receiver.badCrc).isEqualTo(1);
        one.hear(0, new byte[10]);
        assertThat(one.receiver.malformed).isEqualTo(1);
        assertThat(one.transmitter.credits(LANE)).isEqualTo(credits);
    }

    /** The InfiniBand architecture reserves ops 2 to 15: none of them is a grant. */
    @Test
    void reservedOpsGrantNothingAndAreCounted() {
        for (int op = 1; op < 16; op++) {
            CreditEnd one = new CreditEnd(credits(0, 6_400, 1000), LANES | 1 << 4, 42);
            CreditEnd other = new CreditEnd(credits(0, 6_400, 1000), LANES | 1 << 4, 42);
            bringUp(one, other);
            for (int odd = op == 1 ? 1 : 0; odd < 2; odd++) {
                byte[] frame = other.call(0);
                int lane = LANE + odd;
                CreditControl.writeFcp(MemorySegment.ofArray(frame), 0, odd, op, 0, lane, 999);
                one.hear(0, frame);
            }
            assertThat(one.transmitter.credits(LANE)).as("op %d", op).isEqualTo(100);
            assertThat(one.transmitter.credits(LANE + 1)).isEqualTo(100);
            assertThat(one.receiver.malformed).isEqualTo(op == 1 ? 1 : 2);
            assertThat(one.receiver.state()).isEqualTo(CreditRegister.UP);
        }
    }

    /** No CRC covers it: a wrong one that is far ahead must not make all that follow look old. */
    @Test
    void corruptSequenceNumberDelaysCreditsByOneFrameAtMost() {
        for (int bit = 0; bit < 32; bit++) {
            CreditEnd one = new CreditEnd(credits(0, 6_400, 1000));
            CreditEnd other = new CreditEnd(credits(0, 6_400, 1000));
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

    /** While the wire is busy, room is not asked for and need not be. */
    @Test
    void aLaneIsStoppedUntilTheGrantCameThatItsFirstFrameNeeds() {
        CreditEnd one = new CreditEnd(credits(0, 6_400, 1000));
        CreditEnd other = new CreditEnd(credits(0, 6_400, 1000));
        bringUp(one, other);
        PriorityQueues queues = new PriorityQueues(10_000);
        queues.enqueue(frame(640));
        StopTimes times = one.transmitter.stops();
        one.send(6_400);
        other.take(6_400);
        assertThat(one.transmitter.room(1_000, LANE, 640)).isZero();
        assertThat(one.transmitter.room(1_500, LANE, 640)).isZero();
        other.forward(576);
        receive(one, 2_000, other.call(0));
        one.transmitter.look(2_100, queues);
        assertThat(times.takeReleased()).as("by a grant of less than its first frame").isZero();
        assertThat(one.transmitter.creditBytes(LANE)).isEqualTo(576);
        other.forward(5_824);
        receive(one, 3_000, other.call(0));
        one.transmitter.look(5_000, queues);
        assertThat(times.takeReleased()).isEqualTo(1 << LANE);
        assertThat(times.takeReleased()).isZero();
        assertThat(times.endedNs(LANE)).isEqualTo(3_000);
        assertThat(times.totalNs(LANE, 9_000)).isEqualTo(2_000);
        assertThat(times.stops(LANE)).isEqualTo(1);
        assertThat(one.transmitter.creditBytes(LANE)).isEqualTo(6_400);
    }

    /** As the ingress half does it: the egress half may look much later. */
    private static void receive(CreditEnd end, long receivedNs, byte[] frame) {
        end.receiver.receive(receivedNs, MemorySegment.ofArray(frame), 0, frame.length);
    }

    @Test
    void aLaneWhoseFirstFrameWasTakenOutMayGoOnFromThenOn() {
        CreditEnd one = new CreditEnd(credits(0, 6_400, 1000));
        CreditEnd other = new CreditEnd(credits(0, 6_400, 1000));
        bringUp(one, other);
        one.send(6_000);
        assertThat(one.transmitter.room(1_000, LANE, 640)).isZero();
        PriorityQueues queues = new PriorityQueues(10_000);
        queues.enqueue(frame(640));
        one.transmitter.look(2_000, queues);
        assertThat(one.transmitter.stops().stopped()).as("640 bytes wait").isNotZero();
        queues.drain();
        queues.enqueue(frame(64));
        one.transmitter.look(3_000, queues);
        assertThat(one.transmitter.stops().endedNs(LANE)).isEqualTo(3_000);
        // Nor does anything stop a lane in which nothing is left.
        assertThat(one.transmitter.room(4_000, LANE, 640)).isZero();
        queues.drain();
        one.transmitter.look(5_000, queues);
        assertThat(one.transmitter.stops().endedNs(LANE)).isEqualTo(5_000);
    }

    private static Frame frame(int lengthBytes) {
        Frame frame = new FrameRegion(1, 2048).frame(0);
        frame.priority = LANE;
        frame.lengthBytes = lengthBytes;
        return frame;
    }

    // ---- when updates are sent

    private static CreditEnd brought(Credits credits) {
        CreditEnd one = new CreditEnd(credits);
        bringUp(one, new CreditEnd(credits));
        one.call(0);
        return one;
    }

    private static int told(CreditEnd end) {
        byte[] frame = new byte[CreditTransmitter.MAX_FRAME_BYTES];
        int length = end.transmitter.write(0, MemorySegment.ofArray(frame), 0, 1);
        return CreditFrame.parse(Arrays.copyOf(frame, length)).fcps().getFirst().fccl();
    }

    /** The other half runs on a thread of its own. */
    @Test
    void whatIsGrantedAfterTheTransmitterHasLookedIsToldNextTime() {
        CreditEnd one = brought(credits(0, 64_000, 1000));
        int before = told(one);
        one.take(640);
        one.forward(640);
        one.receiver.publish(0);
        assertThat(told(one)).isEqualTo(before);
        one.transmitter.update(0);
        assertThat(told(one)).isEqualTo((before + 10) % CreditControl.MODULUS);
    }

    /** It may be in blocks of another length, and the state that says so is published after it. */
    @Test
    void whatIsGrantedInTheNextSessionIsNotToldInThisOne() {
        CreditEnd one = brought(credits(0, 64_000, 1000));
        int before = told(one);
        int session = CreditRegister.session(one.register.loadStateAcquire());
        one.register.storeGrantOpaque(LANE, CreditRegister.sessionAfter(session), before + 500);
        one.register.storeVersionRelease();
        one.transmitter.update(0);
        assertThat(told(one)).isEqualTo(before);
    }

    @Test
    void periodicUpdatesKeepTheirStepAndAreNotMadeUpFor() {
        CreditEnd one = brought(credits(0, 64_000, 1000));
        long first = one.transmitter.deadlineNs();
        assertThat(first).as("not put off by greetings").isEqualTo(60_000);
        assertThat(one.transmitter.isDue(first - 1)).isFalse();
        assertThat(one.transmitter.isDue(first)).isTrue();
        one.call(first + 7_000);
        assertThat(one.transmitter.deadlineNs()).isEqualTo(first + 60_000);
        one.call(first + 1_000_000);
        assertThat(one.transmitter.deadlineNs()).isEqualTo(first + 1_060_000);
    }

    @Test
    void updatesOnChangeKeepTheirGapAndComeEveryPeriodAtLeast() {
        CreditEnd one =
                brought(new Credits(Credits.Update.ON_CHANGE, 1_000_000, 20_000, 0, 64_000, 1000));
        one.call(100_000);
        assertThat(one.transmitter.deadlineNs()).isEqualTo(1_100_000);
        one.take(640);
        one.receiver.publish(100_000);
        one.transmitter.update(100_000);
        // What came is added and taken away: the limit did not change.
        assertThat(one.transmitter.deadlineNs()).isEqualTo(1_100_000);
        one.forward(640);
        one.receiver.publish(100_000);
        one.transmitter.update(100_000);
        assertThat(one.transmitter.deadlineNs()).isEqualTo(120_000);
    }

    /** 3,000 bytes in blocks of 64: room for one frame of the largest size, and for a small one. */
    @Test
    void aLaneIsFullWhileNoLargeFrameFitsAndNothingLeaves() {
        CreditEnd one = brought(credits(0, 3_000, 1000));
        one.receiver.publish(100);
        assertThat(one.receiver.fullNs(LANE)).isZero();
        one.take(1_518);
        one.receiver.publish(200);
        assertThat(one.receiver.fullNs(LANE)).isEqualTo(1);
        // Filled by a call that may have been held up: it counts from the next.
        one.receiver.publish(1_000_200);
        assertThat(one.receiver.fullNs(LANE)).isEqualTo(1);
        one.receiver.publish(1_001_200);
        assertThat(one.receiver.fullNs(LANE)).isEqualTo(1_000);
        one.take(64);
        one.receiver.publish(1_001_300);
        assertThat(one.receiver.fullNs(LANE)).isEqualTo(1_100);
        one.forward(64);
        one.receiver.publish(1_001_400);
        assertThat(one.receiver.fullNs(LANE)).isEqualTo(1);
        one.forward(1_518);
        one.receiver.publish(1_001_500);
        assertThat(one.receiver.fullNs(LANE)).isZero();
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
            CreditEnd one = new CreditEnd(credits);
            CreditEnd other = new CreditEnd(credits);
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
            assertThat(other.receiver.reordered[LANE]).as(where).isZero();
            assertThat(moved - movedAtHalf).as(where).isGreaterThan(200);
            if (!lossy) {
                assertThat(other.receiver.lostBlocks(LANE)).as(where).isZero();
            }
        }
    }
}
