package io.headgate.dataplane.flowcontrol;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.PortConfig;
import io.headgate.dataplane.memory.Accounts;
import io.headgate.dataplane.memory.Frame;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Thresholds, headroom, and who gets what of the buffer. */
final class IngressAccountsTest {
    private static final long SEED = Long.getLong("headgate.seed", 20_261_121L);

    private static final FlowControlConfig.Buffers STATIC =
            FlowControlConfig.Buffers.fixed(10_000, 100, 8_000, 80, 5_000, 50);

    private static IngressAccounts accounts(FlowControlConfig.Buffers buffers, int slots) {
        return on(TestPorts.port(TestPorts.pfc(buffers), List.of(3), 20_000, 200), slots);
    }

    private static IngressAccounts on(PortConfig config, int slots) {
        Accounts ledger = new Accounts(config.accountCapBytes(), config.accountCapSlots());
        return new IngressAccounts(config, slots, ledger, TestPorts.threshold(config), null);
    }

    private static long sumBytes(IngressAccounts accounts) {
        return IntStream.range(0, Accounts.COUNT).mapToLong(accounts::bytes).sum();
    }

    private static int sumSlots(IngressAccounts accounts) {
        return IntStream.range(0, Accounts.COUNT).map(accounts::slots).sum();
    }

    private static Frame frame(Frame[] frames, int index, int lengthBytes) {
        frames[index].lengthBytes = lengthBytes;
        return frames[index];
    }

    @Test
    void pausesAtXoffInBytesAndResumesOnlyAtXon() {
        Frame[] frames = TestPorts.frames(32);
        IngressAccounts accounts = accounts(STATIC, 1000);
        for (int i = 0; i < 9; i++) {
            assertThat(accounts.charge(frame(frames, i, 1_000), 3)).isTrue();
        }
        assertThat(accounts.charge(frame(frames, 9, 999), 3)).isTrue();
        assertThat(accounts.pauseWanted()).isZero();
        assertThat(accounts.charge(frame(frames, 10, 60), 3)).isTrue();
        assertThat(accounts.pauseWanted()).isEqualTo(1 << 3);
        accounts.release(frames[0]);
        accounts.release(frames[1]);
        assertThat(accounts.bytes(3)).isEqualTo(8_059);
        assertThat(accounts.pauseWanted()).isEqualTo(1 << 3);
        accounts.release(frames[10]);
        assertThat(accounts.bytes(3)).isEqualTo(7_999);
        assertThat(accounts.pauseWanted()).isZero();
    }

    @Test
    void pausesAtXoffInSlotsAndResumesOnlyAtXonInBoth() {
        Frame[] frames = TestPorts.frames(200);
        IngressAccounts accounts = accounts(STATIC, 1000);
        for (int i = 0; i < 99; i++) {
            assertThat(accounts.charge(frame(frames, i, 60), 3)).isTrue();
        }
        assertThat(accounts.pauseWanted()).isZero();
        assertThat(accounts.charge(frames[99], 3)).isTrue();
        assertThat(accounts.pauseWanted()).isEqualTo(1 << 3);
        for (int i = 0; i < 19; i++) {
            accounts.release(frames[i]);
        }
        assertThat(accounts.pauseWanted()).isEqualTo(1 << 3);
        accounts.release(frames[19]);
        assertThat(accounts.pauseWanted()).isZero();
    }

    @Test
    void headroomTakesWhatComesAfterThePauseAndNoMore() {
        Frame[] frames = TestPorts.frames(200);
        IngressAccounts accounts = accounts(STATIC, 1000);
        int held = 0;
        while (accounts.charge(frame(frames, held, 1_500), 3)) {
            held++;
        }
        assertThat(accounts.bytes(3)).isEqualTo(15_000);
        assertThat(accounts.headroomUsedBytes(3)).isEqualTo(5_000);
        assertThat(accounts.maxBytes(3)).isEqualTo(15_000);
        assertThat(accounts.maxSlots(3)).isEqualTo(10);
        accounts.release(frames[0]);
        accounts.clearWatermarks();
        assertThat(accounts.maxBytes(3)).isEqualTo(13_500);
    }

    @Test
    void lossyAccountIsRefusedAtItsCapAndNeverPauses() {
        Frame[] frames = TestPorts.frames(300);
        IngressAccounts accounts = accounts(STATIC, 1000);
        int held = 0;
        while (accounts.charge(frame(frames, held, 100), 2)) {
            held++;
        }
        assertThat(held).isEqualTo(200);
        assertThat(accounts.pauseWanted()).isZero();
    }

    @Test
    void lossyAccountsTogetherLeaveWhatLosslessOnesWerePromised() {
        // 400 slots: 64 for the device, 150 promised; seven lossy caps of 200 share 186.
        Frame[] frames = TestPorts.frames(400);
        IngressAccounts accounts = accounts(STATIC, 400);
        int held = 0;
        for (int account : new int[] {0, 1, 2, 4, 5, 6, 7, Accounts.ORIGINATED}) {
            while (accounts.charge(frame(frames, held, 60), account)) {
                held++;
            }
        }
        assertThat(held).isEqualTo(400 - 64 - 150);
        for (int i = 0; i < 150; i++) {
            assertThat(accounts.charge(frame(frames, held + i, 60), 3)).isTrue();
        }
        assertThat(accounts.charge(frame(frames, held + 150, 60), 3)).isFalse();
        accounts.release(frames[0]);
        assertThat(accounts.charge(frame(frames, held + 151, 60), 5)).isTrue();
    }

    @Test
    void withoutFlowControlOnlyTheCapsHold() {
        PortConfig config =
                TestPorts.port(FlowControlConfig.NONE, List.of(), Long.MAX_VALUE / 2, 30);
        Frame[] frames = TestPorts.frames(300);
        IngressAccounts accounts = on(config, 300);
        int held = 0;
        for (int account = 0; account < Accounts.DETOUR; account++) {
            while (accounts.charge(frame(frames, held, 60), account)) {
                held++;
            }
        }
        assertThat(held).isEqualTo(9 * 30);
    }

    @Test
    void withCreditsALosslessAccountHasItsBufferAndAsksForNoPause() {
        FlowControlConfig flowControl =
                TestPorts.credits(
                        new FlowControlConfig.Credits(
                                FlowControlConfig.Credits.Update.PERIODIC, 1, 0, 0, 6_400, 100));
        IngressAccounts accounts = on(TestPorts.port(flowControl, List.of(3), 20_000, 200), 1000);
        Frame[] frames = TestPorts.frames(200);
        int held = 0;
        while (accounts.charge(frame(frames, held, 640), 3)) {
            held++;
        }
        assertThat(held).isEqualTo(10);
        assertThat(accounts.pauseWanted()).isZero();
    }

    private static FlowControlConfig.Buffers dynamic(int alpha) {
        return new FlowControlConfig.Buffers(
                0, 0, 3_000, 2, 6_000, 60, alpha, 4_000, 20, 100_000, 500);
    }

    @Test
    void aloneAnAccountGetsAlphaOverOnePlusAlphaOfThePool() {
        for (int alpha = -3; alpha <= 3; alpha++) {
            Frame[] frames = TestPorts.frames(800);
            IngressAccounts accounts = accounts(dynamic(alpha), 2000);
            int held = 0;
            while (accounts.pauseWanted() == 0) {
                assertThat(accounts.charge(frame(frames, held++, 500), 3)).isTrue();
            }
            double share = StrictMath.pow(2, alpha) / (1 + StrictMath.pow(2, alpha));
            long expected = Math.round(4_000 + share * 100_000);
            assertThat(accounts.bytes(3))
                    .as("alpha 2^%d", alpha)
                    .isBetween(expected - 1_000, expected + 1_000);
        }
    }

    @Test
    void dynamicHeadroomIsOutsideThePoolAndIsFreedFirst() {
        Frame[] frames = TestPorts.frames(800);
        IngressAccounts accounts = accounts(dynamic(-3), 2000);
        SharedPool pool = Objects.requireNonNull(accounts.pool());
        int held = 0;
        while (accounts.headroomUsedBytes(3) == 0) {
            assertThat(accounts.charge(frame(frames, held++, 500), 3)).isTrue();
        }
        long pooled = pool.usedBytes;
        while (accounts.charge(frame(frames, held, 500), 3)) {
            held++;
        }
        assertThat(accounts.headroomUsedBytes(3)).isEqualTo(6_000);
        assertThat(pool.usedBytes).isEqualTo(pooled);
        accounts.release(frames[0]);
        assertThat(accounts.headroomUsedBytes(3)).isEqualTo(5_500);
        assertThat(pool.usedBytes).isEqualTo(pooled);
        for (int i = 1; i < held; i++) {
            boolean wanted = accounts.headroomUsedBytes(3) > 0;
            assertThat(accounts.pauseWanted() != 0 || !wanted).isTrue();
            accounts.release(frames[i]);
        }
        assertThat(pool.usedBytes).isZero();
        assertThat(pool.usedSlots).isZero();
        assertThat(accounts.pauseWanted()).isZero();
    }

    @Test
    void lossyTrafficThatFillsThePoolLeavesReservedAndHeadroom() {
        Frame[] frames = TestPorts.frames(900);
        IngressAccounts accounts =
                on(TestPorts.port(TestPorts.pfc(dynamic(3)), List.of(3), 1 << 30, 5000), 2000);
        int held = 0;
        for (int round = 0; round < 3; round++) {
            for (int account : new int[] {0, 1, 2, 4, 5, 6, 7}) {
                while (accounts.charge(frame(frames, held, 500), account)) {
                    held++;
                }
            }
        }
        assertThat(sumBytes(accounts)).isGreaterThan(99_000);
        int lossless = 0;
        while (accounts.charge(frame(frames, held + lossless, 500), 3)) {
            lossless++;
        }
        assertThat(lossless * 500L).isGreaterThanOrEqualTo(4_000 + 6_000);
        assertThat(accounts.pauseWanted()).isEqualTo(1 << 3);
    }

    /** Frames come and go at random; sums, pool, thresholds and promises hold after each. */
    @Test
    void sumsAndPromisesHoldWhateverComesAndGoes() {
        Random random = new Random(SEED);
        for (int run = 0; run < 300; run++) {
            boolean isDynamic = run % 2 == 0;
            int slots = isDynamic ? 2000 : 700;
            IngressAccounts accounts =
                    on(
                            TestPorts.port(
                                    TestPorts.pfc(
                                            isDynamic ? dynamic(random.nextInt(11) - 7) : STATIC),
                                    List.of(3, 4),
                                    20_000,
                                    200),
                            slots);
            Frame[] frames = TestPorts.frames(800);
            Deque<Frame> free = new ArrayDeque<>(List.of(frames));
            Deque<Frame> held = new ArrayDeque<>();
            for (int step = 0; step < 2000; step++) {
                String where = "seed " + SEED + ", run " + run + ", step " + step;
                boolean fill = (step / 400) % 2 == 0;
                if (random.nextInt(10) < (fill ? 7 : 3) && !free.isEmpty()) {
                    Frame frame = free.remove();
                    frame.lengthBytes = 60 + random.nextInt(1463);
                    int account = random.nextInt(3) == 0 ? random.nextInt(9) : 3;
                    if (accounts.charge(frame, account)) {
                        held.add(frame);
                    } else {
                        free.add(frame);
                    }
                } else if (!held.isEmpty()) {
                    Frame frame = random.nextBoolean() ? held.removeFirst() : held.removeLast();
                    accounts.release(frame);
                    free.add(frame);
                }
                check(accounts, held, isDynamic, where);
            }
            held.forEach(accounts::release);
            assertThat(sumBytes(accounts)).isZero();
            assertThat(sumSlots(accounts)).isZero();
            assertThat(accounts.pauseWanted()).isZero();
            SharedPool pool = accounts.pool();
            if (pool != null) {
                assertThat(pool.usedBytes).isZero();
                assertThat(pool.usedSlots).isZero();
            }
        }
    }

    private static void check(
            IngressAccounts accounts, Deque<Frame> held, boolean isDynamic, String where) {
        long[] bytes = new long[Accounts.COUNT];
        int[] slots = new int[Accounts.COUNT];
        for (Frame frame : held) {
            bytes[frame.account] += frame.chargedBytes;
            slots[frame.account]++;
        }
        long sum = 0;
        for (int account = 0; account < Accounts.COUNT; account++) {
            assertThat(accounts.bytes(account)).as(where).isEqualTo(bytes[account]);
            assertThat(accounts.slots(account)).as(where).isEqualTo(slots[account]);
            sum += bytes[account];
        }
        assertThat(sumBytes(accounts)).as(where).isEqualTo(sum);
        SharedPool pool = accounts.pool();
        if (isDynamic && pool != null) {
            assertThat(pool.freeBytes()).as(where).isNotNegative();
            assertThat(pool.freeSlots()).as(where).isNotNegative();
            assertThat(pool.usedBytes).as(where).isNotNegative();
            for (int account = 3; account <= 4; account++) {
                boolean wanted = (accounts.pauseWanted() >> account & 1) != 0;
                boolean inHeadroom = accounts.headroomUsedBytes(account) > 0;
                assertThat(wanted || !inHeadroom).as(where).isTrue();
            }
        } else {
            for (int account = 3; account <= 4; account++) {
                boolean over = bytes[account] >= 10_000 || slots[account] >= 100;
                boolean under = bytes[account] <= 8_000 && slots[account] <= 80;
                boolean wanted = (accounts.pauseWanted() >> account & 1) != 0;
                assertThat(wanted).as(where).isEqualTo(over || (wanted && !under));
            }
        }
        assertThat(accounts.pauseWanted() & ~(1 << 3 | 1 << 4)).as(where).isZero();
    }

    private static PortConfig port(FlowControlConfig.Buffers buffers) {
        return TestPorts.port(TestPorts.pfc(buffers), List.of(3), 20_000, 200);
    }

    @Test
    void lowerThresholdsPauseAtOnceAndKeepRoomForWhatIsUnderWayUntilItHasLeft() {
        IngressAccounts accounts = accounts(STATIC, 2_000);
        Frame[] frames = TestPorts.frames(40);
        for (int i = 0; i < 9; i++) {
            assertThat(accounts.charge(frame(frames, i, 1_000), 3)).isTrue();
        }
        assertThat(accounts.pauseWanted()).isZero();
        PortConfig lower = port(FlowControlConfig.Buffers.fixed(4_000, 100, 3_000, 80, 1_000, 50));
        accounts.change(lower, null);
        assertThat(accounts.isChanging()).isTrue();
        assertThat(accounts.pauseWanted()).isEqualTo(1 << 3);
        // The far end sends this until it receives the pause: as much as it could have sent before.
        for (int i = 9; i < 15; i++) {
            assertThat(accounts.charge(frame(frames, i, 1_000), 3)).isTrue();
        }
        for (int i = 0; i < 11; i++) {
            accounts.release(frames[i]);
            accounts.settle();
        }
        assertThat(accounts.bytes(3)).isEqualTo(4_000);
        assertThat(accounts.isChanging()).isFalse();
        assertThat(accounts.pauseWanted()).isEqualTo(1 << 3);
        assertThat(accounts.charge(frame(frames, 20, 1_000), 3)).isTrue();
        assertThat(accounts.charge(frame(frames, 21, 1_000), 3)).as("beyond 4 + 1kB").isFalse();
        accounts.release(frames[11]);
        accounts.release(frames[12]);
        assertThat(accounts.pauseWanted()).isZero();
    }

    /** A script that sets a threshold again and again while a frame waits that lets none settle. */
    @Test
    void ofChangesThatHaveNotSettledTheNewestAloneCounts() {
        FlowControlConfig.Buffers wide =
                new FlowControlConfig.Buffers(0, 0, 1_000, 2, 6_000, 20, 0, 2_000, 5, 30_000, 90);
        IngressAccounts accounts = accounts(wide, 2_000);
        Frame[] frames = TestPorts.frames(20);
        for (int i = 0; i < 9; i++) {
            assertThat(accounts.charge(frame(frames, i, 1_000), 3)).isTrue();
        }
        for (int i = 0; i < 100_000; i++) {
            PortConfig narrow = port(wide.withSharedBytes(i % 2 == 0 ? 5_000 : 6_000));
            accounts.change(narrow, TestPorts.threshold(narrow));
        }
        assertThat(accounts.isChanging()).isTrue();
        assertThat(accounts.pauseWanted()).isEqualTo(1 << 3);
        // 7,000 bytes of the pool fit no pool of 6,000, as the newest has: 1,000 must leave.
        accounts.release(frames[0]);
        accounts.settle();
        assertThat(accounts.isChanging()).isFalse();
        accounts.change(port(wide), TestPorts.threshold(port(wide)));
        assertThat(accounts.charge(frame(frames, 9, 1_000), 3)).isTrue();
        assertThat(Objects.requireNonNull(accounts.pool()).usedBytes).isEqualTo(7_000);
    }

    @Test
    void higherThresholdsResumeAtOnce() {
        IngressAccounts accounts = accounts(STATIC, 2_000);
        Frame[] frames = TestPorts.frames(20);
        for (int i = 0; i < 10; i++) {
            assertThat(accounts.charge(frame(frames, i, 1_000), 3)).isTrue();
        }
        assertThat(accounts.pauseWanted()).isEqualTo(1 << 3);
        accounts.change(
                port(FlowControlConfig.Buffers.fixed(14_000, 100, 12_000, 80, 5_000, 50)), null);
        assertThat(accounts.isChanging()).isFalse();
        assertThat(accounts.pauseWanted()).isZero();
    }

    @Test
    void anotherPoolCountsWhatIsHeldAlready() {
        FlowControlConfig.Buffers wide =
                new FlowControlConfig.Buffers(0, 0, 1_000, 2, 6_000, 20, 0, 2_000, 5, 30_000, 90);
        IngressAccounts accounts = accounts(wide, 2_000);
        Frame[] frames = TestPorts.frames(20);
        for (int i = 0; i < 9; i++) {
            assertThat(accounts.charge(frame(frames, i, 1_000), 3)).isTrue();
        }
        assertThat(Objects.requireNonNull(accounts.pool()).usedBytes).isEqualTo(7_000);
        PortConfig narrow = port(wide.withSharedBytes(10_000).withReservedBytes(1_000));
        accounts.change(narrow, TestPorts.threshold(narrow));
        // 8,000 of 10,000: at an alpha of 1 no more than half is an account's.
        assertThat(accounts.isChanging()).isFalse();
        assertThat(Objects.requireNonNull(accounts.pool()).usedBytes).isEqualTo(8_000);
        assertThat(accounts.pauseWanted()).isEqualTo(1 << 3);
        for (int i = 0; i < 9; i++) {
            accounts.release(frames[i]);
        }
        assertThat(Objects.requireNonNull(accounts.pool()).usedBytes).isZero();
        assertThat(accounts.pauseWanted()).isZero();
    }
}
