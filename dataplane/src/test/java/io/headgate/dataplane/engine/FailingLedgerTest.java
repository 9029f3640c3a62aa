package io.headgate.dataplane.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.dataplane.capture.Tap;
import io.headgate.dataplane.device.FaultyDevice;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.SlotPlace;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Accounts that fail as slots come home, which only a defect causes: here a device gives a frame
 * back that is charged to an account that does not exist. The half at home fails, whichever half
 * sent the slots, and whether by a channel or within one worker.
 */
class FailingLedgerTest {
    private static final long HOST = 0x0200_0000_0000L;
    private static final int FRAMES = 20;
    private static final int FRAME_BYTES = 60;

    /** So that all frames of a batch start at once, late as they are. */
    private static final long MAX_CATCH_UP_NS = 1_000_000;

    private final FaultyDevice device = new FaultyDevice();

    private static TestSwitch single() {
        return new TestSwitch(TestSwitch.bridge(3), WorkerPlan.single(3), MAX_CATCH_UP_NS);
    }

    private static void inject(TestSwitch s, int frames) {
        for (int i = 0; i < frames; i++) {
            ByteBuffer frame = ByteBuffer.allocate(FRAME_BYTES);
            frame.putShort((short) -1).putInt(-1);
            frame.putShort((short) (HOST >>> 32)).putInt((int) HOST);
            frame.putShort((short) 0x88B6);
            assertThat(s.hosts.get(0).inject(frame.array())).isTrue();
        }
        s.nowNs += MAX_CATCH_UP_NS;
    }

    /** Calls all duties but one, round after round, until none has anything to do. */
    private static void settleWithout(TestSwitch s, Duty stopped) {
        int work;
        do {
            work = 0;
            for (Duty duty : s.engine.duties()) {
                work += duty.equals(stopped) ? 0 : duty.doWork(s.nowNs);
            }
        } while (work > 0);
    }

    private void sendAndSpoilOne(TestSwitch s) {
        device.copies = true;
        s.reattach(1, device);
        inject(s, FRAMES);
        s.engine.ingress(0).doWork(s.nowNs);
        device.spoilsAccounts = true;
        s.engine.egress(1).doWork(s.nowNs);
        device.spoilsAccounts = false;
    }

    @Test
    void theHalfAtHomeFailsAndTheOneThatSendsGoesOn() {
        TestSwitch s = single();
        sendAndSpoilOne(s);
        assertThat(s.value("p1", "frames.transmitted")).isGreaterThan(1);
        IngressHalf home = s.engine.ingress(0);
        assertThatThrownBy(() -> home.doWork(s.nowNs))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("p0.ingress cannot give back what frames were charged: ")
                .hasRootCauseInstanceOf(ArrayIndexOutOfBoundsException.class);
        settleWithout(s, home);
        assertThat(s.value("p1", "frames.transmitted")).isEqualTo(FRAMES);
        assertThat(s.received()[2]).isEqualTo(FRAMES);
    }

    @Test
    void everySlotIsHomeNeverthelessAndOnce() {
        TestSwitch s = single();
        sendAndSpoilOne(s);
        IngressHalf home = s.engine.ingress(0);
        settleWithout(s, home);
        home.windDown();
        assertThat(home.freeSlots()).isEqualTo(home.homeSlots());
        assertThat(s.slotsByPlace()[SlotPlace.FREE]).isEqualTo(s.engine.region().slots());
        for (int slot = 0; slot < s.engine.region().slots(); slot++) {
            assertThat(s.engine.region().frame(slot).chargedBytes).isZero();
        }
        // What was not given back stays in the account, visible in its counters.
        assertThat(home.accounts().totalSlots()).isPositive();
        assertThat(s.value("p0", "occupancy.bytes")).isEqualTo(home.accounts().totalBytes());
        assertThat(s.value("p0", "slots.free")).isEqualTo(home.homeSlots());
    }

    /** The half of port 1, once it has failed as it handed its device frames of port 0. */
    private EgressHalf failingToTransmit(TestSwitch s) {
        device.transmitFails = true;
        s.reattach(1, device);
        inject(s, FRAMES);
        s.engine.ingress(0).doWork(s.nowNs);
        EgressHalf failing = s.engine.egress(1);
        assertThatThrownBy(() -> failing.doWork(s.nowNs)).hasMessage("made to fail");
        return failing;
    }

    @Test
    void aFrameThatIsDroppedComesHomeToo() {
        TestSwitch s = single();
        device.copies = true;
        device.spoilsAccounts = true;
        EgressHalf failing = failingToTransmit(s);
        IngressHalf home = s.engine.ingress(0);
        failing.windDown(s.nowNs);
        assertThat(s.drops("p1", DropReason.PORT_DOWN)).isEqualTo(FRAMES);
        s.engine.egress(2).doWork(s.nowNs);
        assertThatThrownBy(() -> home.doWork(s.nowNs)).hasMessageContaining("cannot give back");
        home.windDown();
        assertThat(home.freeSlots()).isEqualTo(home.homeSlots());
        assertThat(s.slotsByPlace()[SlotPlace.FREE]).isEqualTo(s.engine.region().slots());
    }

    @Test
    void itIsTheSameWhereSlotsComeHomeByAChannel() {
        // Halves of port 0 and all but halves on a worker of their own.
        WorkerPlan plan = new WorkerPlan(2, List.of(0, 0, 1, 1, 1, 1, 0, 0, 0));
        TestSwitch s = new TestSwitch(TestSwitch.bridge(3), plan, MAX_CATCH_UP_NS);
        sendAndSpoilOne(s);
        IngressHalf home = s.engine.ingress(0);
        assertThatThrownBy(() -> home.doWork(s.nowNs)).hasMessageContaining("cannot give back");
        settleWithout(s, home);
        home.windDown();
        assertThat(home.freeSlots()).isEqualTo(home.homeSlots());
        assertThat(s.slotsByPlace()[SlotPlace.FREE]).isEqualTo(s.engine.region().slots());
    }

    /** As one whose capture fails: those before it have gone home, and are not sent again. */
    @Test
    void windingDownThatFailsGoesOnBehindTheFrameThatItFailedAt() {
        TestSwitch s = single();
        EgressHalf failing = failingToTransmit(s);
        IngressHalf home = s.engine.ingress(0);
        failing.tap(failingAtThird());
        assertThatThrownBy(() -> failing.windDown(s.nowNs)).hasMessage("a tap made to fail");
        failing.windDown(s.nowNs);
        settleWithout(s, failing);
        // But for that one.
        assertThat(home.freeSlots()).isEqualTo(home.homeSlots() - 1);
        assertThat(s.slotsByPlace()[SlotPlace.FREE]).isEqualTo(s.engine.region().slots() - 1);
        assertThat(s.drops("p1", DropReason.PORT_DOWN)).isEqualTo(FRAMES);
    }

    private static Tap failingAtThird() {
        return new Tap() {
            private int seen;

            @Override
            public void received(int port, Frame frame, long nowNs) {}

            @Override
            public void transmitted(int port, int queue, Frame frame, long nowNs) {}

            @Override
            public void dropped(int port, DropReason reason, Frame frame, long nowNs) {
                if (++seen == 3) {
                    throw new IllegalStateException("a tap made to fail");
                }
            }
        };
    }
}
