package io.headgate.dataplane.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.dataplane.device.FaultyDevice;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A device that hands over memory that is not the frame's own stops its port, and no other. */
final class FramesInSlotsTest {
    private static final int SLOT_BYTES = 2048;

    private final TestSwitch s = new TestSwitch(TestSwitch.bridge(3));
    private final FaultyDevice device = new FaultyDevice();

    FramesInSlotsTest() {
        s.reattach(0, device);
    }

    /** What a defective device may make of a frame of 1,514 bytes, 256 from its slot's start. */
    static List<Named<Consumer<Frame>>> defects() {
        return List.of(
                Named.of("before its slot", frame -> frame.dataOffset = frame.slotOffset - 1),
                Named.of("no room for a tag", frame -> frame.dataOffset = frame.slotOffset + 3),
                Named.of(
                        "behind its slot",
                        frame -> frame.dataOffset = frame.slotOffset + SLOT_BYTES - 1513),
                Named.of("in another slot", frame -> frame.dataOffset += SLOT_BYTES),
                Named.of("nowhere", frame -> frame.dataOffset = Long.MIN_VALUE),
                Named.of("far away", frame -> frame.dataOffset = Long.MAX_VALUE),
                Named.of("a byte too long", frame -> resize(frame, SLOT_BYTES - 256 + 1)),
                Named.of("endless", frame -> resize(frame, Integer.MAX_VALUE)),
                Named.of(
                        "more stored than it is long",
                        frame -> frame.storedBytes = frame.lengthBytes + 1),
                Named.of("less stored than nothing", frame -> frame.storedBytes = -1),
                Named.of("shorter than nothing", frame -> resize(frame, Integer.MIN_VALUE)));
    }

    private static void resize(Frame frame, int bytes) {
        frame.lengthBytes = bytes;
        frame.storedBytes = Math.max(0, bytes);
    }

    @ParameterizedTest
    @MethodSource("defects")
    void portWhoseDeviceHandsOneOverStopsAndLosesNoSlot(Consumer<Frame> defect) {
        int[] received = new int[1];
        device.arriving = 10;
        device.spoiler =
                frame -> {
                    if (++received[0] == 7) {
                        defect.accept(frame);
                    }
                };
        IngressHalf ingress = s.engine.ingress(0);
        assertThatThrownBy(() -> ingress.doWork(s.nowNs))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("device faulty faulty delivered a frame that is not within")
                .hasMessageContaining("in its slot of 2048 bytes");
        // What a runner does from then on.
        ingress.windDown();
        ingress.order(IngressHalf::detach);
        ingress.windDown();
        ingress.order(IngressHalf::reclaim);
        ingress.windDown();
        assertThat(ingress.freeSlots()).isEqualTo(ingress.homeSlots());
        s.hosts.get(1).inject(Packets.ethernet(Packets.BROADCAST, 2, 0x88B6, new byte[46]));
        s.engine.ingress(1).doWork(s.nowNs);
        s.engine.egress(2).doWork(s.nowNs);
        assertThat(s.hosts.get(2).collect()).isNotNull();
    }

    @Test
    void framesThatFillTheirSlotOrStoreLessThanTheirLengthAreTaken() {
        device.arriving = 2;
        device.spoiler =
                frame -> {
                    boolean first = device.arriving == 2;
                    frame.dataOffset = frame.slotOffset + (first ? 4 : FrameRegion.HEADROOM_BYTES);
                    frame.storedBytes = first ? 1514 : SLOT_BYTES - FrameRegion.HEADROOM_BYTES;
                    frame.lengthBytes = first ? 1 << 20 : frame.storedBytes;
                };
        s.run(10_000);
        assertThat(s.value("p0", "frames.received")).isEqualTo(2);
        assertThat(s.value("p0", "drop.OVERSIZE")).isEqualTo(2);
    }
}
