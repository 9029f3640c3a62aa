package io.headgate.dataplane.flowcontrol;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.PortConfig;
import io.headgate.dataplane.credit.CreditReceiver;
import io.headgate.dataplane.linkcontrol.PresentTime;
import io.headgate.dataplane.memory.Accounts;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.SlotPlace;
import io.headgate.dataplane.memory.sync.PortBoards;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Frames that are charged and released together are so as they would be one by one. */
final class IngressFlowControlTest {
    private static final long SEED = Long.getLong("headgate.seed", 20_261_121L);
    private static final int FRAMES = 400;
    private static final int LONGEST_RUN = 12;
    private static final List<Integer> LOSSLESS = List.of(3, 5);

    /** How a port keeps its lossless priorities so. */
    enum Kind {
        FIXED,
        SHARED,
        CREDITS
    }

    private static FlowControlConfig config(Kind kind) {
        return switch (kind) {
            case FIXED ->
                    TestPorts.pfc(
                            FlowControlConfig.Buffers.fixed(10_000, 40, 8_000, 30, 6_000, 20));
            case SHARED ->
                    TestPorts.pfc(
                            new FlowControlConfig.Buffers(
                                    0, 0, 1_000, 2, 6_000, 20, 0, 2_000, 5, 30_000, 90));
            case CREDITS ->
                    TestPorts.credits(
                            new FlowControlConfig.Credits(
                                    FlowControlConfig.Credits.Update.PERIODIC,
                                    60_000,
                                    0,
                                    1,
                                    16_000,
                                    60));
        };
    }

    private static IngressFlowControl flow(Kind kind) {
        PortConfig port = TestPorts.port(config(kind), LOSSLESS, 12_000, 50);
        return new IngressFlowControl(
                port,
                FRAMES,
                new Accounts(port.accountCapBytes(), port.accountCapSlots()),
                TestPorts.threshold(port),
                null,
                new PortFlowControl(
                        0,
                        port,
                        new Classifier(port.traffic()),
                        PresentTime.OF_THE_CALL,
                        LinkRelays.NONE,
                        PortBoards.NONE),
                PresentTime.OF_THE_CALL);
    }

    /** Charges as the ingress half does; answers which were not. */
    private static List<Integer> chargeInRuns(
            IngressFlowControl flow, Frame[] frames, int from, int to, List<Frame> in) {
        List<Integer> refused = new ArrayList<>();
        for (int i = from; i < to; ) {
            int end = i + 1;
            while (end < to && frames[end].priority == frames[i].priority) {
                end++;
            }
            boolean all = flow.charge(frames, i, end - i, frames[i].priority);
            for (; i < end; i++) {
                if (all || flow.charge(frames[i], frames[i].priority)) {
                    in.add(frames[i]);
                } else {
                    refused.add(i);
                }
            }
        }
        return refused;
    }

    @ParameterizedTest
    @EnumSource
    void runsAreChargedAndReleasedAsFramesOneByOne(Kind kind) {
        Random random = new Random(SEED);
        for (int round = 0; round < 200; round++) {
            IngressFlowControl runs = flow(kind);
            IngressFlowControl single = flow(kind);
            Frame[] ofRuns = TestPorts.frames(FRAMES);
            Frame[] ofSingle = TestPorts.frames(FRAMES);
            List<Frame> inRuns = new ArrayList<>();
            List<Frame> inSingle = new ArrayList<>();
            int priority = 3;
            for (int next = 0; next < FRAMES; ) {
                int to = Math.min(FRAMES, next + 1 + random.nextInt(LONGEST_RUN));
                List<Integer> refused = new ArrayList<>();
                for (int i = next; i < to; i++) {
                    priority = random.nextInt(4) == 0 ? random.nextInt(8) : priority;
                    int length = random.nextBoolean() ? 60 : 60 + random.nextInt(1455);
                    set(ofRuns[i], priority, length);
                    set(ofSingle[i], priority, length);
                    if (single.charge(ofSingle[i], priority)) {
                        inSingle.add(ofSingle[i]);
                    } else {
                        refused.add(i);
                    }
                }
                assertThat(chargeInRuns(runs, ofRuns, next, to, inRuns))
                        .as("seed %d, round %d", SEED, round)
                        .isEqualTo(refused);
                assertAlike(runs, single);
                next = to;
                int leaving = Math.min(inRuns.size(), random.nextInt(2 * LONGEST_RUN));
                release(runs, inRuns.subList(0, leaving), random.nextBoolean());
                inSingle.subList(0, leaving).forEach(single::release);
                inSingle.subList(0, leaving).clear();
                assertAlike(runs, single);
            }
        }
    }

    private static void set(Frame frame, int priority, int lengthBytes) {
        frame.priority = priority;
        frame.lengthBytes = lengthBytes;
    }

    /** Takes them out; now and then with one among them that was never charged. */
    private static void release(IngressFlowControl flow, List<Frame> leaving, boolean withAnother) {
        List<Frame> all = new ArrayList<>(leaving);
        if (withAnother) {
            all.add(all.size() / 2, TestPorts.frames(1)[0]);
        }
        all.forEach(frame -> frame.place = SlotPlace.RING);
        flow.release(all.toArray(Frame[]::new), 0, all.size());
        assertThat(all).allMatch(frame -> frame.chargedBytes == 0 && frame.place == SlotPlace.FREE);
        leaving.clear();
    }

    private static void assertAlike(IngressFlowControl runs, IngressFlowControl single) {
        IngressAccounts one = runs.accounts();
        IngressAccounts other = single.accounts();
        assertThat(one.pauseWanted()).isEqualTo(other.pauseWanted());
        for (int account = 0; account < Accounts.COUNT; account++) {
            assertThat(one.bytes(account)).isEqualTo(other.bytes(account));
            assertThat(one.slots(account)).isEqualTo(other.slots(account));
            assertThat(one.maxBytes(account)).isEqualTo(other.maxBytes(account));
            assertThat(one.maxSlots(account)).isEqualTo(other.maxSlots(account));
            assertThat(one.headroomUsedBytes(account)).isEqualTo(other.headroomUsedBytes(account));
        }
        SharedPool pool = one.pool();
        SharedPool otherPool = other.pool();
        if (pool != null && otherPool != null) {
            assertThat(pool.freeBytes()).isEqualTo(otherPool.freeBytes());
            assertThat(pool.freeSlots()).isEqualTo(otherPool.freeSlots());
        }
        CreditReceiver credits = runs.credits();
        CreditReceiver otherCredits = single.credits();
        if (credits != null && otherCredits != null) {
            for (int lane : LOSSLESS) {
                assertThat(credits.grant(lane)).isEqualTo(otherCredits.grant(lane));
            }
        }
    }
}
