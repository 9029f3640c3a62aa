package io.headgate.dataplane.engine;

import static io.headgate.dataplane.engine.BlockedSwitch.DETECTION_NS;
import static io.headgate.dataplane.engine.BlockedSwitch.FRAME_BYTES;
import static io.headgate.dataplane.engine.BlockedSwitch.HIGH;
import static io.headgate.dataplane.engine.BlockedSwitch.MANY;
import static io.headgate.dataplane.engine.BlockedSwitch.PRIORITY;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.deadlock.LoopToken;
import io.headgate.dataplane.deadlockbreaker.SlotReport;
import io.headgate.dataplane.memory.Accounts;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Deadlock Breaker, event by event at one switch. The search is {@link LoopBreakerTest}'s. */
final class DeadlockBreakerTest {
    private static final String ON = "deadlock-breaker: {}";

    private static long searched(BlockedSwitch at) {
        at.block();
        at.test.run(DETECTION_NS);
        return at.address(at.test.collect(1));
    }

    private static void endsAtRest(BlockedSwitch at) {
        at.endsAtRest();
        assertThat(at.test.totalDrops()).isZero();
    }

    /** The loop is found; the far end has a slot, says that it is taken, and free again. */
    @Test
    void roundByRoundAFrameLeavesAndTheMoveBehindIt() {
        BlockedSwitch at = new BlockedSwitch(ON);
        long own = searched(at);
        at.token(0, LoopToken.SEARCH, own, 1, 3);
        at.test.run(2_000);
        assertThat(at.arrived(1)).as("no free slot is known").isEmpty();
        at.report(1, 0, 1);
        at.test.run(2_000);
        assertThat(at.arrived(1)).containsExactly("[1] 5.0", "M1 hops 1");
        assertThat(at.held(PRIORITY)).isEqualTo((MANY - 1) * FRAME_BYTES);
        // The slot is free again, but the move is not back; then both are.
        at.report(1, 1, 1);
        at.test.run(2_000);
        assertThat(at.arrived(1)).isEmpty();
        at.token(0, LoopToken.MOVE, own, 1, 3);
        at.test.run(2_000);
        assertThat(at.arrived(1)).containsExactly("[2] 5.1", "M2 hops 1");
        // The move is back, but the slot is not free; then it is.
        at.token(0, LoopToken.MOVE, own, 2, 3);
        at.report(1, 2, 0);
        at.test.run(2_000);
        assertThat(at.arrived(1)).isEmpty();
        at.report(1, 2, 1);
        at.test.run(2_000);
        assertThat(at.arrived(1)).containsExactly("[3] 5.2", "M3 hops 1");
        assertThat(at.value("p1", "deadlock-breaker.rounds")).isEqualTo(3);
        assertThat(at.value("p1", "deadlock-breaker.returned")).isEqualTo(2);
        assertThat(at.value("p1", "deadlock-breaker.moved")).isEqualTo(3);
        at.resume(1);
        at.test.run(60_000);
        assertThat(at.arrived(1))
                .isEqualTo(IntStream.range(3, MANY).mapToObj(i -> "5." + i).toList());
        endsAtRest(at);
    }

    /** 29 frames of 45 bring p0 to xon. */
    @Test
    void itEndsWhenTheSenderMayGoOn() {
        BlockedSwitch at = new BlockedSwitch(ON);
        long own = searched(at);
        at.token(0, LoopToken.SEARCH, own, 1, 3);
        at.report(1, 0, 1);
        for (int round = 1; round <= 29; round++) {
            at.test.run(2_000);
            at.report(1, round, 1);
            at.token(0, LoopToken.MOVE, own, round, 3);
        }
        at.test.run(10_000);
        assertThat(at.value("p1", "deadlock-breaker.moved")).isEqualTo(29);
        assertThat(at.value("p1", "deadlock-breaker.ended")).isEqualTo(1);
        endsAtRest(at);
    }

    @Test
    void aMoveThatIsLostIsGivenUpAfterTheDetectionTime() {
        BlockedSwitch at = new BlockedSwitch(ON);
        long own = searched(at);
        at.token(0, LoopToken.SEARCH, own, 1, 3);
        at.report(1, 0, 1);
        at.report(1, 1, 1);
        at.test.run(2_000);
        assertThat(at.value("p1", "deadlock-breaker.moved")).isEqualTo(1);
        at.test.run(DETECTION_NS - 4_000);
        // The search of meanwhile is back, so that the loop is still known.
        at.token(0, LoopToken.SEARCH, own, 2, 3);
        assertThat(at.value("p1", "deadlock-breaker.moved")).isEqualTo(1);
        at.test.run(4_000);
        assertThat(at.value("p1", "deadlock-breaker.moved")).isEqualTo(2);
        endsAtRest(at);
    }

    /** Frame 1 was lost on the way, and never comes: the far end says 0 as before. */
    @Test
    void aFrameThatIsLostHoldsNoSlotForEver() {
        BlockedSwitch at = new BlockedSwitch(ON);
        long own = searched(at);
        at.token(0, LoopToken.SEARCH, own, 1, 3);
        at.report(1, 0, 1);
        at.test.run(2_000);
        at.token(0, LoopToken.MOVE, own, 1, 3);
        at.report(1, 0, 1);
        at.test.run(2_000);
        assertThat(at.value("p1", "deadlock-breaker.moved")).as("it may come yet").isEqualTo(1);
        at.test.run(DETECTION_NS - 4_000);
        at.token(0, LoopToken.SEARCH, own, 2, 3);
        at.report(1, 0, 1);
        at.test.run(2_000);
        assertThat(at.value("p1", "deadlock-breaker.moved")).isEqualTo(2);
        endsAtRest(at);
    }

    @Test
    void aFrameThatWasMovedHereHasASlotOfItsOwnUntilItLeaves() {
        BlockedSwitch at = new BlockedSwitch(ON);
        at.block();
        at.sendMoved(1, 8, 1, 7);
        at.test.run(1_000);
        assertThat(at.arrived(0)).containsExactly("R7 free 0");
        assertThat(at.held(PRIORITY)).isEqualTo(MANY * FRAME_BYTES);
        assertThat(at.held(Accounts.DETOUR)).isEqualTo(FRAME_BYTES);
        assertThat(at.value("p1", "deadlock-breaker.arrived")).isEqualTo(1);
        at.resume(1);
        at.test.run(60_000);
        assertThat(at.arrived(1)).hasSize(MANY + 1).last().isEqualTo("8.1");
        assertThat(at.arrived(0)).containsExactly("O", "R7 free 1");
        endsAtRest(at);
    }

    /** The guest becomes an ordinary frame, and the frame that leaves gives the slot back. */
    @Test
    void aMoveThatPassesSendsTheFirstFrameOnInTheGuestsPlace() {
        BlockedSwitch at = new BlockedSwitch(ON);
        searched(at);
        at.report(1, 0, 1);
        at.sendMoved(1, 8, 1, 7);
        at.token(0, LoopToken.MOVE, HIGH, 1, 1);
        at.test.run(3_000);
        assertThat(at.arrived(1)).containsExactly("[1] 5.0", "M1 hops 2");
        assertThat(at.held(PRIORITY))
                .as("one left, the guest took its place")
                .isEqualTo(MANY * FRAME_BYTES);
        assertThat(at.held(Accounts.DETOUR)).isZero();
        assertThat(at.arrived(0)).endsWith("R7 free 1");
        // The next one finds the slot of the far end taken, and goes on by itself.
        at.token(0, LoopToken.MOVE, HIGH, 2, 1);
        at.test.run(3_000);
        assertThat(at.arrived(1)).containsExactly("M2 hops 2");
        assertThat(at.value("p1", "deadlock-breaker.unmoved")).isEqualTo(1);
        // Without a guest a place of p0 becomes free.
        at.report(1, 1, 1);
        at.token(0, LoopToken.MOVE, HIGH, 3, 1);
        at.test.run(3_000);
        assertThat(at.arrived(1)).containsExactly("[2] 5.1", "M3 hops 2");
        assertThat(at.held(PRIORITY)).isEqualTo((MANY - 1) * FRAME_BYTES);
        at.resume(1);
        at.test.run(60_000);
        assertThat(at.arrived(1)).hasSize(MANY - 1).last().isEqualTo("8.1");
        endsAtRest(at);
    }

    /** No room was kept for the second: it counts as any other that comes while p0 is paused. */
    @Test
    void aFrameForWhichNoSlotIsFreeIsAnOrdinaryOne() {
        BlockedSwitch at = new BlockedSwitch(ON);
        at.block();
        at.sendMoved(1, 8, 1, 7);
        at.sendMoved(1, 8, 2, 8);
        assertThat(at.held(PRIORITY)).isEqualTo((MANY + 1) * FRAME_BYTES);
        assertThat(at.held(Accounts.DETOUR)).isEqualTo(FRAME_BYTES);
        assertThat(at.value("p1", "deadlock-breaker.unexpected")).isEqualTo(1);
        endsAtRest(at);
    }

    @Test
    void reportsThatAreCutShortAreCountedAndChangeNothing() {
        BlockedSwitch at = new BlockedSwitch(ON);
        searched(at);
        byte[] report = new byte[SlotReport.FRAME_BYTES];
        SlotReport.write(MemorySegment.ofArray(report), 0, 0x0200_0000_0099L, 0, 9);
        at.inject(1, Arrays.copyOf(report, 18));
        assertThat(at.value("p1", "link.control.ignored")).isEqualTo(1);
        assertThat(at.value("p1", "deadlock-breaker.slots.peer")).isZero();
        at.inject(1, report);
        at.test.run(1_000_000);
        assertThat(at.value("p1", "deadlock-breaker.slots.peer")).isEqualTo(9);
        endsAtRest(at);
    }

    /** What was taken out to leave is dropped with all else as the link goes down, and named. */
    @Test
    void whoseLinkWentDownKnowsNothingOfTheFarEndsSlots() {
        BlockedSwitch at = new BlockedSwitch(ON);
        long own = searched(at);
        at.report(1, 0, 1);
        at.test.engine.egress(1).stop();
        at.test.run(10_000);
        at.test.restart(1);
        at.test.run(10_000);
        at.pause(1);
        at.send(1, 5, 99);
        at.test.run(DETECTION_NS);
        at.token(0, LoopToken.SEARCH, own, 1, 3);
        at.test.run(10_000);
        assertThat(at.value("p1", "deadlock-breaker.moved")).isZero();
        at.endsAtRest();
    }
}
