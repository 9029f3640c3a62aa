package io.headgate.dataplane.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.PortConfig;
import io.headgate.config.PortConfig.VlanConfig;
import io.headgate.dataplane.memory.DropReason;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BridgeTest {
    private static final long HOST = 0x0200_0000_0000L;
    private static final long BROADCAST = 0xFFFF_FFFF_FFFFL;

    @Test
    void floodsAnUnknownDestinationAndThenForwardsToTheLearnedPortOnly() {
        TestSwitch s = new TestSwitch(TestSwitch.bridge(4));
        s.hosts.get(0).inject(frame(HOST + 2, HOST + 1, 60));
        s.run(10_000);
        assertThat(s.received()).containsExactly(0, 1, 1, 1);
        s.hosts.get(2).inject(frame(HOST + 1, HOST + 2, 60));
        s.run(10_000);
        assertThat(s.received()).containsExactly(1, 0, 0, 0);
        s.hosts.get(0).inject(frame(HOST + 2, HOST + 1, 60));
        s.run(10_000);
        assertThat(s.received()).containsExactly(0, 0, 1, 0);
        s.assertAtRest();
    }

    @Test
    void floodsNothingAtALimitOfNone() {
        TestSwitch s = new TestSwitch(TestSwitch.bridge(TestSwitch.bridge(3).ports(), 0));
        for (int i = 0; i < 5; i++) {
            s.hosts.get(0).inject(frame(HOST + 2, HOST + 1, 60));
            s.run(200_000_000);
        }
        assertThat(s.received()).containsExactly(0, 0, 0);
        assertThat(s.drops("p0", DropReason.FLOOD_LIMIT)).isEqualTo(5);
        s.assertAtRest();
    }

    @Test
    void neverForwardsReservedLinkLocalAddresses() {
        TestSwitch s = new TestSwitch(TestSwitch.bridge(3));
        for (int last = 0; last < 16; last++) {
            s.hosts.get(0).inject(frame(0x0180_C200_0000L + last, HOST + 1, 60));
        }
        s.run(10_000);
        assertThat(s.received()).containsExactly(0, 0, 0);
        assertThat(s.drops("p0", DropReason.LINK_LOCAL)).isEqualTo(16);
        s.assertAtRest();
    }

    @Test
    void putsTagsOnAtTrunksAndTakesThemOffAtAccessPorts() {
        List<PortConfig> ports =
                List.of(
                        TestSwitch.port("a", new VlanConfig(VlanConfig.Mode.ACCESS, 10, List.of())),
                        TestSwitch.port("b", new VlanConfig(VlanConfig.Mode.ACCESS, 20, List.of())),
                        TestSwitch.port(
                                "t", new VlanConfig(VlanConfig.Mode.TRUNK, 1, List.of(10, 20))));
        TestSwitch s = new TestSwitch(TestSwitch.bridge(ports, 1_000_000));
        byte[] sent = frame(BROADCAST, HOST + 1, 60);
        s.hosts.get(0).inject(sent);
        s.run(10_000);
        assertThat(s.hosts.get(1).collect()).isNull();
        byte[] onTrunk = s.hosts.get(2).collect();
        assertThat(onTrunk).hasSize(64);
        assertThat(ByteBuffer.wrap(onTrunk).getInt(12)).isEqualTo(0x8100_000A);
        assertThat(Arrays.copyOfRange(onTrunk, 16, 64)).isEqualTo(Arrays.copyOfRange(sent, 12, 60));
        // And back, with priority 5 and VLAN 20.
        byte[] tagged = Arrays.copyOf(onTrunk, 64);
        ByteBuffer.wrap(tagged).putInt(12, 0x8100_A014).putLong(4, (HOST + 9) << 0);
        ByteBuffer.wrap(tagged).putShort(6, (short) 0x0200).putInt(8, 9);
        s.hosts.get(2).inject(tagged);
        s.run(10_000);
        assertThat(s.hosts.get(0).collect()).isNull();
        assertThat(s.hosts.get(1).collect()).hasSize(60);
        s.assertAtRest();
    }

    @Test
    void dropsTheTailOfAQueueAtItsLimitAndCountsIt() {
        TestSwitch s = new TestSwitch(TestSwitch.bridge(3));
        learn(s, 3);
        // Two ports at once towards the third: 2 x 120 x 1514 bytes against a limit of 100,000.
        for (int i = 0; i < 120; i++) {
            s.hosts.get(0).inject(frame(HOST + 2, HOST, 1514));
            s.hosts.get(1).inject(frame(HOST + 2, HOST + 1, 1514));
        }
        s.settle();
        long queueFull = s.drops("p2", DropReason.QUEUE_FULL);
        assertThat(queueFull).isGreaterThan(0);
        s.run(1_000_000);
        assertThat(s.received()[2] + queueFull).isEqualTo(240);
        s.assertAtRest();
    }

    @Test
    void accountsForEverySlotOverRandomTrafficAndLinkFlaps() {
        long seed = 20260101;
        Random random = new Random(seed);
        for (WorkerPlan plan : List.of(WorkerPlan.single(4), spread(4))) {
            TestSwitch s = new TestSwitch(TestSwitch.bridge(4), plan);
            long injected = 0;
            long collected = 0;
            for (int step = 0; step < 20_000; step++) {
                int port = random.nextInt(4);
                if (random.nextInt(200) == 0) {
                    s.wires.get(port).setUp(!s.wires.get(port).isUp());
                }
                byte[] frame = randomFrame(random);
                if (s.hosts.get(port).inject(frame)) {
                    injected++;
                }
                if (random.nextInt(4) == 0) {
                    s.nowNs += random.nextInt(30_000);
                    s.settle();
                    collected += IntStream.of(s.received()).sum();
                }
            }
            s.wires.forEach(wire -> wire.setUp(true));
            s.run(5_000_000);
            collected += IntStream.of(s.received()).sum();
            s.assertAtRest();
            s.assertConserved(injected, collected, "seed " + seed);
            assertThat(s.total("frames.received")).isEqualTo(injected);
        }
    }

    private static WorkerPlan spread(int ports) {
        int local = 2 * ports;
        List<Integer> workers =
                IntStream.range(0, local + 3).map(duty -> Math.min(duty, local)).boxed().toList();
        return new WorkerPlan(local + 1, workers);
    }

    private static byte[] randomFrame(Random random) {
        int length =
                switch (random.nextInt(10)) {
                    case 0 -> random.nextInt(20);
                    case 1 -> 1500 + random.nextInt(100);
                    default -> 60 + random.nextInt(1455);
                };
        byte[] frame = new byte[length];
        random.nextBytes(frame);
        if (length >= 14 && random.nextInt(20) != 0) {
            byte[] good =
                    frame(
                            random.nextInt(8) == 0 ? BROADCAST : HOST + random.nextInt(6),
                            HOST + random.nextInt(6),
                            length);
            System.arraycopy(good, 0, frame, 0, 14);
        }
        return frame;
    }

    private static void learn(TestSwitch s, int hosts) {
        for (int host = 0; host < hosts; host++) {
            s.hosts.get(host).inject(frame(BROADCAST, HOST + host, 60));
        }
        s.run(10_000);
        s.received();
    }

    private static byte[] frame(long destination, long source, int length) {
        ByteBuffer frame = ByteBuffer.allocate(length);
        frame.putShort((short) (destination >>> 32)).putInt((int) destination);
        frame.putShort((short) (source >>> 32)).putInt((int) source);
        frame.putShort((short) 0x88B7);
        return frame.array();
    }
}
