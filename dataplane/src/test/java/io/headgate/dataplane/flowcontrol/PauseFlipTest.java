package io.headgate.dataplane.flowcontrol;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.frame.MacControl;
import io.headgate.dataplane.linkcontrol.AccountsView;
import io.headgate.dataplane.linkcontrol.LinkReceiver;
import io.headgate.dataplane.linkcontrol.LinkSender;
import io.headgate.dataplane.linkcontrol.PresentTime;
import io.headgate.dataplane.memory.sync.PortBoards;
import io.headgate.dataplane.pause.PauseSender;
import io.headgate.dataplane.queue.PriorityQueues;
import io.headgate.dataplane.queue.WireFormat;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The two halves of a port on two workers: the receiving half changes its mind about what must
 * pause while the sending half is about to say it. Whatever it then says, the far end and the
 * sending half must believe the same.
 */
@Tag("threads")
final class PauseFlipTest {
    private static final int FRAMES = 1_000_000;
    private static final long SOURCE = 0x0200_0000_0001L;
    private static final PriorityQueues NO_QUEUES = new PriorityQueues(0);

    /** Both halves' flow control of one port, and what the far end of its link has heard. */
    private static final class Port implements AccountsView {
        private final PortConfig config;
        private final EgressFlowControl egress;
        private final LinkReceiver receiver;
        private final MemorySegment frame = MemorySegment.ofArray(new byte[128]);
        private int wanted;
        private int farEndPaused;
        private int written;

        Port(FlowControlConfig.Mode mode, PresentTime time) {
            FlowControlConfig.Buffers buffers =
                    FlowControlConfig.Buffers.fixed(10_000, 100, 9_000, 99, 10_000, 100);
            FlowControlConfig pfc = TestPorts.pfc(buffers);
            this.config =
                    TestPorts.port(
                            new FlowControlConfig(
                                    mode, pfc.link(), buffers, pfc.pause(), null, null),
                            List.of(3),
                            20_000,
                            200);
            Classifier classifier = new Classifier(config.traffic());
            PortFlowControl shared =
                    new PortFlowControl(
                            0, config, classifier, time, LinkRelays.NONE, PortBoards.NONE);
            this.egress = new EgressFlowControl(config, 0, WireFormat.ETHERNET, shared, time);
            this.receiver = shared.protocols().getFirst().receiver();
        }

        /** The receiving half's thread: what must pause is something else. */
        void flip() {
            wanted ^= 1 << 3;
            receiver.publish(0, this);
        }

        /** The sending half's thread: one call; answers whether a frame was written. */
        boolean call(long nowNs) {
            egress.look(nowNs, NO_QUEUES);
            LinkSender due = egress.controlDue(nowNs);
            if (due == null) {
                return false;
            }
            egress.writeControl(nowNs, due, frame, 0, SOURCE);
            written++;
            hear();
            return true;
        }

        private void hear() {
            if (MacControl.isPfc(frame, 0, MacControl.FRAME_BYTES)) {
                int named = MacControl.enabled(frame, 0);
                assertThat(named).as("frame %d names no priority", written).isNotZero();
                for (int priority = 0; priority < TrafficConfig.PRIORITIES; priority++) {
                    if ((named >>> priority & 1) != 0) {
                        hear(1 << priority, MacControl.quanta(frame, 0, priority));
                    }
                }
            } else {
                hear((1 << TrafficConfig.PRIORITIES) - 1, MacControl.pauseQuanta(frame, 0));
            }
            PauseSender sender = Objects.requireNonNull(egress.sender());
            assertThat(farEndPaused)
                    .as(
                            "after frame %d the far end has heard what we believe to have told",
                            written)
                    .isEqualTo(sender.told());
        }

        private void hear(int priorities, int quanta) {
            farEndPaused = quanta == 0 ? farEndPaused & ~priorities : farEndPaused | priorities;
        }

        @Override
        public int pauseWanted() {
            return wanted;
        }

        @Override
        public long bytes(int priority) {
            return 0;
        }

        @Override
        public int slots(int priority) {
            return 0;
        }
    }

    /** The clock is read between deciding and saying: there the other half runs. */
    private static final class Interleaved implements PresentTime {
        private @Nullable Port port;

        @Override
        public long presentNs(long calledNs) {
            if (port != null) {
                port.flip();
            }
            return calledNs;
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = FlowControlConfig.Mode.class,
            names = {"PFC", "PAUSE"})
    void aMindThatChangesBetweenDecidingAndSayingIsHeardNextTime(FlowControlConfig.Mode mode) {
        Interleaved time = new Interleaved();
        Port port = new Port(mode, time);
        port.flip();
        time.port = port;
        for (int call = 0; call < 1_000; call++) {
            assertThat(port.call(call)).as("call %d", call).isTrue();
        }
        time.port = null;
        port.call(1_000);
        assertThat(port.farEndPaused != 0).isEqualTo(port.wanted != 0);
    }

    @ParameterizedTest
    @EnumSource(
            value = FlowControlConfig.Mode.class,
            names = {"PFC", "PAUSE"})
    void twoThreadsNeverDisagree(FlowControlConfig.Mode mode) throws InterruptedException {
        Port port = new Port(mode, PresentTime.OF_THE_CALL);
        AtomicBoolean over = new AtomicBoolean();
        Thread ingress =
                Thread.ofPlatform()
                        .start(() -> {
                            while (!over.get()) {
                                port.flip();
                            }
                        });
        long nowNs = 0;
        try {
            // On a machine that gives the two no time together nothing is ever due: bounded.
            long calls = 0;
            while (port.written < FRAMES && calls++ < 50L * FRAMES) {
                port.call(nowNs++);
            }
        } finally {
            over.set(true);
            ingress.join();
        }
        assertThat(port.written).isPositive();
        port.call(nowNs);
        assertThat(port.farEndPaused != 0).isEqualTo(port.wanted != 0);
    }
}
