package io.headgate.dataplane.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.MemoryConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.dataplane.device.FaultyDevice;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.SlotPlace;
import io.headgate.dataplane.policy.QueueFields;
import io.headgate.dataplane.policy.Schedule;
import io.headgate.dataplane.queue.QueuesSetup;
import io.headgate.dataplane.queue.TransmissionSelection;
import io.headgate.dataplane.queue.WireFormat;
import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A schedule that throws, at each of its calls in turn: the half fails as for any other defect, and
 * every frame and every slot is accounted for.
 */
class FailingScheduleTest {
    private static final long HOST = 0x0200_0000_0000L;
    private static final int FRAMES = 24;
    private static final String LOSSY = "mtu: 1500";
    private static final String PFC =
            "lossless: [0], flow-control: pfc, buffers: {xoff: 4kB},"
                    + " link: {own-reaction: 1us, peer-reaction: 1us}";

    /** So that all frames start at once, late as they are. */
    private static final long MAX_CATCH_UP_NS = 1_000_000;

    /** Serves as configured, and throws at one call. */
    private static final class Failing implements Schedule {
        private final Schedule served;
        private int callsLeft;
        private boolean threw;

        Failing(Schedule served, int callsBefore) {
            this.served = served;
            this.callsLeft = callsBefore;
        }

        private void call() {
            if (callsLeft-- == 0) {
                threw = true;
                throw new IllegalStateException("a schedule made to fail");
            }
        }

        @Override
        public int select(QueueFields queues, int candidates) {
            call();
            return served.select(queues, candidates);
        }

        @Override
        public int cost(int frameBytes) {
            call();
            return served.cost(frameBytes);
        }

        @Override
        public long room(int queue, int candidates) {
            call();
            return served.room(queue, candidates);
        }

        @Override
        public void started(int queue, long cost, boolean empty) {
            call();
            served.started(queue, cost, empty);
        }
    }

    private static byte[] broadcast(int pcp) {
        ByteBuffer frame = ByteBuffer.allocate(800);
        frame.putShort((short) -1).putInt(-1);
        frame.putShort((short) (HOST >>> 32)).putInt((int) HOST);
        frame.putShort((short) 0x8100).putShort((short) (pcp << 13)).putShort((short) 0x88B6);
        return frame.array();
    }

    @ParameterizedTest
    @ValueSource(strings = {LOSSY, PFC})
    void everyFrameIsAccountedForWhicheverCallThrows(String port) {
        int failures = 0;
        boolean threw = true;
        for (int calls = 0; threw; calls++) {
            threw = run(port, calls);
            failures += threw ? 1 : 0;
        }
        // Every call of a burst that starts all frames was the one that threw.
        assertThat(failures).isGreaterThan(FRAMES);
    }

    /** Answers whether the schedule threw. */
    private static boolean run(String port, int callsBefore) {
        Failing[] made = new Failing[1];
        TestSwitch s =
                new TestSwitch(
                        SwitchConfigReader.read(
                                """
                                name: s1
                                defaults: {rate: 10Gbps, classify: {trust: pcp}, %s,
                                           account-cap-slots: 32}
                                memory: {slots-per-port: 512}
                                ports:
                                  - {name: p0, device: {afpacket: p0}}
                                  - {name: p1, device: {afpacket: p1}}
                                """
                                        .formatted(port),
                                "test"),
                        WorkerPlan.single(2),
                        MAX_CATCH_UP_NS,
                        (config, memory, wire) -> {
                            Schedule served = weighted(wire);
                            if (!config.name().equals("p1")) {
                                return scheduled(config, memory, wire, served);
                            }
                            made[0] = new Failing(served, callsBefore);
                            return scheduled(config, memory, wire, made[0]);
                        },
                        2 * FRAMES);
        FaultyDevice device = new FaultyDevice();
        device.copies = true;
        s.reattach(1, device);
        for (int i = 0; i < FRAMES; i++) {
            assertThat(s.hosts.get(0).inject(broadcast(i / 3 % 2))).isTrue();
        }
        // What comes by the failing port makes its sender be paused: a frame of its own to lose.
        device.arriving = 8;
        s.nowNs += MAX_CATCH_UP_NS;
        s.engine.ingress(0).doWork(s.nowNs);
        s.engine.ingress(1).doWork(s.nowNs);
        EgressHalf half = s.engine.egress(1);
        try {
            half.doWork(s.nowNs);
        } catch (IllegalStateException e) {
            assertThat(e).hasMessage("a schedule made to fail");
            half.windDown(s.nowNs);
        }
        s.engine.egress(0).doWork(s.nowNs);
        s.run(2_000);
        String at = port + ", throwing after " + callsBefore + " calls";
        assertThat(s.value("p1", "frames.transmitted") + s.drops("p1", DropReason.PORT_DOWN))
                .as(at)
                .isEqualTo(FRAMES);
        assertThat(s.slotsByPlace()[SlotPlace.FREE]).as(at).isEqualTo(s.engine.region().slots());
        s.assertAtRest();
        return made[0].threw;
    }

    private static Schedule weighted(WireFormat wire) {
        return new TransmissionSelection(new int[] {1, 2, 0, 0, 0, 0, 0, 0}, 1522, wire);
    }

    private static PortBehaviour scheduled(
            PortConfig port, MemoryConfig memory, WireFormat wire, Schedule schedule) {
        QueuesSetup setup = QueuesSetup.of(port, memory, wire);
        return PortBehaviour.configured(port, memory, wire)
                .withQueues(() -> setup.byPriority(schedule, null));
    }
}
