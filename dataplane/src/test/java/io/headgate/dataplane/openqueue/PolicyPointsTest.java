package io.headgate.dataplane.openqueue;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.Mechanism;
import io.headgate.config.MechanismRegistry;
import io.headgate.config.Mechanisms;
import io.headgate.config.PortConfig;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.dataplane.congestion.Congestion;
import io.headgate.dataplane.congestion.CongestionMechanism;
import io.headgate.dataplane.congestion.CongestionPoint;
import io.headgate.dataplane.congestion.CongestionSetup;
import io.headgate.dataplane.congestion.Notices;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.sync.PortBoards;
import io.headgate.dataplane.openqueue.language.Policy;
import io.headgate.dataplane.policy.StopView;
import io.headgate.dataplane.queue.Gate;
import io.headgate.dataplane.queue.Pacer;
import io.headgate.dataplane.queue.PriorityQueues;
import io.headgate.dataplane.queue.Queues;
import io.headgate.dataplane.queue.WireFormat;
import io.headgate.dataplane.random.NamedRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Congestion points at a policy's queues and at the built-in ones, which here do the same: strict
 * priority, lists. They must see the same, and say the same.
 */
final class PolicyPointsTest {
    private static final long SEED = Long.getLong("headgate.seed", 20_261_123L);
    private static final int FRAMES = 20_000;
    private static final long RATE_BPS = 10_000_000_000L;

    /** One of two ports that do the same. */
    private static final class Port {
        private final Queues queues;
        private final CongestionPoint point;
        private final PacketMaker maker = new PacketMaker(FRAMES);
        private final Random random = new Random(SEED);
        private final Pacer pacer = new Pacer(RATE_BPS, 0, WireFormat.ETHERNET);
        private final Frame[] started = new Frame[8];
        private final List<String> said = new ArrayList<>();
        private long nowNs;

        Port(Queues queues, Mechanisms mechanisms, int mtuBytes) {
            this.queues = queues;
            Notices notices =
                    (frame, first, second) -> said.add("notice %d %d".formatted(first, second));
            this.point =
                    Objects.requireNonNull(
                            Objects.requireNonNull(
                                            Congestion.of(
                                                    mechanisms,
                                                    new Congestion.Port(
                                                            new CongestionSetup.Node("s1", false),
                                                            0,
                                                            "p1",
                                                            RATE_BPS,
                                                            mtuBytes,
                                                            queues,
                                                            StopView.NEVER,
                                                            notices,
                                                            PortBoards.NONE,
                                                            6,
                                                            SEED),
                                                    queues::waiting,
                                                    null))
                                    .point());
        }

        void step() {
            // Some time more than the link carries, some time less.
            nowNs += 200 + random.nextInt(nowNs / 2_000_000 % 2 == 0 ? 1_000 : 3_000);
            while (point.deadlineNs() - nowNs <= 0) {
                point.tick(nowNs);
            }
            Frame[] one = {maker.frame(random)};
            queues.arriving(nowNs);
            if (queues.enqueue(one[0]) == null) {
                point.enqueued(nowNs, one[0].priority, one, 0, 1);
            }
            pacer.resume(nowNs, nowNs);
            int count = queues.dequeue(nowNs, pacer, started, 0, Gate.OPEN);
            point.started(nowNs, started, 0, count);
            for (int i = 0; i < count; i++) {
                said.add(started[i].arrival + " " + (FrameValue.tos(started[i]) & 3));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "red: {kmin: 5kB, kmax: 40kB, pmax: 0.5}",
                "tcd: {kmin: 5kB}",
                "rocc: {priorities: [0, 1, 2, 3, 4, 5]}"
            })
    void pointsSeeTheSameAsAtBuiltInQueues(String congestion) throws Exception {
        PortConfig config =
                SwitchConfigReader.read(
                                """
                                name: s1
                                address: 10.0.0.1/24
                                ports:
                                  - {name: p1, device: {tap: t1}, rate: 10Gbps, congestion: {%s}}
                                """
                                        .formatted(congestion),
                                "test.yaml")
                        .ports()
                        .getFirst();
        Policy policy =
                Policy.of(Policies.source(Policies.FOLDER.resolve("strict.oq")), Policies.LIBRARY);
        Queues compiled =
                new CompiledPolicy(PolicyPlan.of(policy, Binding.standard(8, false)))
                        .queues(NamedRandom.of(SEED, "p1", "policy"));
        Port builtIn = new Port(new PriorityQueues(50_000), config.mechanisms(), config.mtuBytes());
        Port own = new Port(compiled, config.mechanisms(), config.mtuBytes());
        for (int i = 0; i < FRAMES; i++) {
            builtIn.step();
            own.step();
        }
        assertThat(own.said).isEqualTo(builtIn.said);
        // Something was said, or nothing was compared.
        assertThat(counted(own.point, config))
                .isPositive()
                .isEqualTo(counted(builtIn.point, config));
    }

    private static long counted(CongestionPoint point, PortConfig config) {
        long sum = 0;
        Mechanisms.Use use = config.mechanisms().of(Mechanism.Kind.CONGESTION_POINT).getFirst();
        if (MechanismRegistry.find(use.kind(), use.name())
                instanceof CongestionMechanism<?> mechanism) {
            for (int counter = 0; counter < mechanism.counters().size(); counter++) {
                for (int rest = point.queues(); rest != 0; rest &= rest - 1) {
                    sum += point.counted(counter, Integer.numberOfTrailingZeros(rest));
                }
            }
        }
        return sum;
    }
}
