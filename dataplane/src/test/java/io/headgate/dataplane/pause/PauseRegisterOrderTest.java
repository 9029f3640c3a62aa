package io.headgate.dataplane.pause;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.FlowControlConfig;
import io.headgate.dataplane.Interleavings;
import io.headgate.dataplane.Interleavings.Scenario;
import io.headgate.dataplane.frame.MacControl;
import io.headgate.dataplane.linkcontrol.PresentTime;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/**
 * The order in which the two halves of a port store and read what was received: the egress half
 * obeys the latest frame. For the memory model see {@link PauseRegisterStress}.
 */
final class PauseRegisterOrderTest {
    public static final class Halves {
        private final PauseRegister register = new PauseRegister();
        private final PauseReceiver ingress =
                new PauseReceiver(FlowControlConfig.Mode.PFC, 0xFF, 1_000_000_000, register);
        private final PauseState egress = new PauseState(register, PresentTime.OF_THE_CALL);
        private final MemorySegment frame = MemorySegment.ofArray(new byte[MacControl.FRAME_BYTES]);

        /** A frame that pauses or resumes a priority, or the loss of the link. */
        @Operation(nonParallelGroup = "ingress half")
        public void receive(@Param(gen = IntGen.class, conf = "0:2") int quanta) {
            MacControl.writePfc(frame, 0, 0, 1 << 3, quanta);
            ingress.receive(0, frame, 0, MacControl.FRAME_BYTES);
        }

        @Operation(nonParallelGroup = "ingress half")
        public void reset() {
            ingress.linkChanged();
        }

        @Operation(nonParallelGroup = "egress half")
        public boolean paused() {
            return egress.paused(0) != 0;
        }

        @Operation(nonParallelGroup = "egress half")
        public long until() {
            return egress.paused(0) == 0 ? 0 : egress.untilNs(3);
        }
    }

    public static final class Latest {
        private long untilNs;

        public void receive(int quanta) {
            untilNs = ConfigDefaults.pauseNs(quanta, 1_000_000_000);
        }

        public void reset() {
            untilNs = 0;
        }

        public boolean paused() {
            return untilNs > 0;
        }

        public long until() {
            return untilNs;
        }
    }

    @Test
    void theEgressHalfObeysTheLatestFrameThatTheIngressHalfTook() {
        Interleavings.check(
                Halves.class,
                Latest.class,
                new Scenario(List.of("receive 2"), List.of("paused", "paused"), List.of("reset")),
                new Scenario(
                        List.of(), List.of("paused", "until"), List.of("receive 1", "receive 2")));
    }
}
