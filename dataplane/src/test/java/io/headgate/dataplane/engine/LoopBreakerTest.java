package io.headgate.dataplane.engine;

import static io.headgate.dataplane.engine.BlockedSwitch.DETECTION_NS;
import static io.headgate.dataplane.engine.BlockedSwitch.FRAME_BYTES;
import static io.headgate.dataplane.engine.BlockedSwitch.HIGH;
import static io.headgate.dataplane.engine.BlockedSwitch.LOW;
import static io.headgate.dataplane.engine.BlockedSwitch.MANY;
import static io.headgate.dataplane.engine.BlockedSwitch.PRIORITY;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.deadlock.LoopMessage;
import io.headgate.dataplane.deadlock.LoopToken;
import io.headgate.dataplane.memory.DropReason;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The search for loops, and Loop Breaker, event by event at one switch. */
final class LoopBreakerTest {
    private static final String ON = "loop-breaker: {}";

    /** A switch whose p1 has searched once; its address. */
    private static long searched(BlockedSwitch at) {
        at.block();
        at.test.run(DETECTION_NS);
        return at.address(at.test.collect(1));
    }

    @Test
    void aQueueThatIsPausedForLongSearchesAndAgainAsLongAsItIs() {
        BlockedSwitch at = new BlockedSwitch(ON);
        at.pause(1);
        // Paused, but nothing waits: no frame is held up.
        at.test.run(2 * DETECTION_NS);
        assertThat(at.arrived(1)).isEmpty();
        at.send(1, 5, 1);
        at.test.run(DETECTION_NS - 1_000);
        assertThat(at.arrived(1)).isEmpty();
        at.test.run(1_000);
        assertThat(at.arrived(1)).containsExactly("S1 hops 1");
        at.test.run(DETECTION_NS);
        assertThat(at.arrived(1)).containsExactly("S2 hops 1");
        // A pause that ends in between begins the time again.
        at.resume(1);
        at.test.run(2_000);
        assertThat(at.arrived(1)).containsExactly("5.1");
        at.pause(1);
        at.send(1, 5, 2);
        at.test.run(DETECTION_NS - 1_000);
        assertThat(at.arrived(1)).isEmpty();
        at.test.run(1_000);
        assertThat(at.arrived(1)).containsExactly("S3 hops 1");
        assertThat(at.value("p1", "loop-breaker.searched")).isEqualTo(3);
        at.endsAtRest();
        assertThat(at.test.totalDrops()).isZero();
    }

    @Test
    void aTokenGoesOnWhereFramesOfItsPortWaitInAPausedQueue() {
        BlockedSwitch at = new BlockedSwitch(ON);
        at.block();
        // p1 is paused, but not for long enough yet.
        at.token(0, LoopToken.SEARCH, HIGH, 1, 1);
        assertThat(at.arrived(1)).isEmpty();
        at.test.run(DETECTION_NS);
        assertThat(at.arrived(1)).containsExactly("S1 hops 1");
        at.token(0, LoopToken.SEARCH, HIGH, 1, 1);
        at.test.run(1_000);
        assertThat(at.arrived(1)).containsExactly("S1 hops 2");
        assertThat(at.arrived(2)).as("which is not paused").isEmpty();
        at.token(0, LoopToken.SEARCH, HIGH, 1, 3);
        assertThat(at.value("p1", "loop-breaker.refused.seen")).isEqualTo(1);
        at.token(0, LoopToken.SEARCH, HIGH, 2, 63);
        at.test.run(1_000);
        assertThat(at.arrived(1)).containsExactly("S2 hops 64");
        at.token(0, LoopToken.SEARCH, HIGH, 3, 64);
        assertThat(at.value("p1", "loop-breaker.refused.far")).isEqualTo(1);
        at.token(0, LoopToken.SEARCH, LOW, 1, 1);
        assertThat(at.value("p1", "loop-breaker.refused.lower")).isEqualTo(1);
        at.token(2, LoopToken.SEARCH, HIGH, 4, 1);
        assertThat(at.value("p2", "loop-breaker.refused.open")).isEqualTo(1);
        at.test.run(1_000);
        assertThat(at.arrived(1)).isEmpty();
        assertThat(at.value("p1", "loop-breaker.passed")).isEqualTo(2);
        assertThat(at.value("p0", "loop-breaker.received")).isEqualTo(6);
        at.endsAtRest();
    }

    /** p0 holds 45 frames of 1,226 bytes, 55,170; down to xon, 20,000, are 29: 19,616 are left. */
    @Test
    void aSearchThatComesBackHasTheLoopsFramesDroppedDownToXon() {
        BlockedSwitch at = new BlockedSwitch(ON);
        long own = searched(at);
        assertThat(at.held(PRIORITY)).isEqualTo(MANY * FRAME_BYTES);
        at.token(0, LoopToken.SEARCH, own, 1, 3);
        assertThat(at.value("p1", "loop-breaker.found")).isEqualTo(1);
        // The first at once, then one each microsecond, as the link would have sent them.
        for (int dropped = 1; dropped <= 29; dropped++) {
            assertThat(at.value("p1", "loop-breaker.dropped")).isEqualTo(dropped);
            assertThat(at.held(PRIORITY)).isEqualTo((MANY - dropped) * FRAME_BYTES);
            assertThat(at.arrived(0)).isEqualTo(dropped < 29 ? List.of() : List.of("O"));
            at.test.run(1_000);
        }
        at.test.run(10_000);
        assertThat(at.test.drops("p1", DropReason.DEADLOCK)).isEqualTo(29);
        assertThat(at.value("p1", "loop-breaker.dropped")).isEqualTo(29);
        assertThat(at.value("p1", "loop-breaker.ended")).isEqualTo(1);
        at.resume(1);
        at.test.run(20_000);
        assertThat(at.arrived(1))
                .isEqualTo(IntStream.range(29, MANY).mapToObj(i -> "5." + i).toList());
        at.endsAtRest();
        assertThat(at.test.totalDrops()).isEqualTo(29);
    }

    @Test
    void framesOfOtherPortsStay() {
        BlockedSwitch at = new BlockedSwitch(ON);
        at.pause(1);
        at.inject(2, BlockedSwitch.frame(1, 2, 7, 1, -1));
        long own = searched(at);
        at.token(0, LoopToken.SEARCH, own, 1, 3);
        at.test.run(40_000);
        assertThat(at.value("p1", "loop-breaker.dropped")).isEqualTo(29);
        at.resume(1);
        at.test.run(20_000);
        assertThat(at.arrived(1)).first().isEqualTo("7.1");
        at.endsAtRest();
    }

    @Test
    void aPauseThatEndsByItselfEndsTheDropping() {
        BlockedSwitch at = new BlockedSwitch(ON);
        long own = searched(at);
        at.token(0, LoopToken.SEARCH, own, 1, 3);
        at.test.run(4_000);
        at.resume(1);
        at.test.run(100_000);
        assertThat(at.value("p1", "loop-breaker.dropped")).isEqualTo(5);
        assertThat(at.value("p1", "loop-breaker.ended")).isEqualTo(1);
        assertThat(at.arrived(1)).hasSize(MANY - 5).first().isEqualTo("5.5");
        at.endsAtRest();
    }

    /** Anybody may forge one; what it costs is bounded by what this switch has searched for. */
    @Test
    void aSearchThatWasNotBegunHereNowIsNoProof() {
        BlockedSwitch at = new BlockedSwitch(ON);
        long own = searched(at);
        at.token(0, LoopToken.SEARCH, own, 2, 3);
        at.token(0, LoopToken.SEARCH, own, 0x7FFF_FFFF, 3);
        at.token(0, LoopToken.MOVE, own, 1, 3);
        at.test.run(2 * DETECTION_NS);
        // Two more have begun since: that one is too old.
        at.token(0, LoopToken.SEARCH, own, 1, 3);
        at.test.run(10_000);
        assertThat(at.value("p1", "loop-breaker.found")).isZero();
        assertThat(at.test.totalDrops()).isZero();
        at.endsAtRest();
    }

    @Test
    void turnedOffItOnlyCountsAndItCanBeTurnedOnInADeadlock() {
        BlockedSwitch at = new BlockedSwitch("loop-breaker: {enabled: false}");
        at.block();
        at.test.run(2 * DETECTION_NS);
        at.token(0, LoopToken.SEARCH, HIGH, 1, 1);
        assertThat(at.arrived(1)).isEmpty();
        assertThat(at.value("p0", "loop-breaker.refused.off")).isEqualTo(1);
        at.test.set(
                "p0.detour.loop-breaker.enabled=true",
                "p1.detour.loop-breaker.enabled=true",
                "p1.detour.loop-breaker.detection=20us");
        at.test.run(20_000);
        long own = at.address(at.test.collect(1));
        at.token(0, LoopToken.SEARCH, own, 1, 3);
        at.test.run(40_000);
        assertThat(at.value("p1", "loop-breaker.dropped")).isEqualTo(29);
        at.endsAtRest();
    }

    @Test
    void tokensThatMakeNoSenseAreCountedAndChangeNothing() {
        BlockedSwitch at = new BlockedSwitch(ON);
        searched(at);
        int bad = 0;
        for (int offset : new int[] {16, 17, 18, 19}) {
            for (int value : new int[] {0, 3, 8, 65, 255}) {
                byte[] bytes = token();
                bytes[offset] = (byte) value;
                boolean isGood =
                        offset == 16
                                ? value >= 1 && value <= 2
                                : offset == 19 ? value >= 1 && value <= 64 : value < 8;
                bad += isGood ? 0 : 1;
                at.inject(0, bytes);
            }
        }
        byte[] ofAGroup = token();
        ofAGroup[20] = 1;
        at.inject(0, ofAGroup);
        byte[] ofNobody = token();
        ofNobody[20] = 0;
        ofNobody[25] = 0;
        at.inject(0, ofNobody);
        at.inject(0, Arrays.copyOf(token(), 29));
        assertThat(at.value("p0", "link.control.ignored")).isEqualTo(bad + 3);
        assertThat(at.value("p1", "loop-breaker.found")).isZero();
        at.endsAtRest();
        assertThat(at.test.totalDrops()).isZero();
    }

    private static byte[] token() {
        LoopMessage message = new LoopMessage();
        message.kind = LoopToken.SEARCH;
        message.origin = HIGH;
        message.hops = 1;
        byte[] bytes = new byte[LoopToken.FRAME_BYTES];
        LoopToken.write(MemorySegment.ofArray(bytes), 0, 0x0200_0000_0099L, message);
        return bytes;
    }
}
