package io.headgate.dataplane.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.PortConfig;
import io.headgate.config.PortConfig.VlanConfig;
import io.headgate.dataplane.device.FaultyDevice;
import io.headgate.dataplane.memory.Frame;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * A duty that stops at a bound leaves input behind for which no doorbell rings again: it must be
 * due at once, or a runner that calls it only at its deadlines never comes back.
 */
class BurstBoundTest {
    private static final long BROADCAST = 0xFFFF_FFFF_FFFFL;
    private static final long HOST = 0x0200_0000_0000L;

    /** More than any bound. */
    private static final int FRAMES = 400;

    private final TestSwitch s =
            new TestSwitch(TestSwitch.bridge(List.of(roomy("p0"), roomy("p1")), 1_000_000));

    private static PortConfig roomy(String name) {
        return TestSwitch.port(name, VlanConfig.DEFAULT)
                .withQueueLimitBytes(400_000)
                .withAccountCapSlots(448);
    }

    private void injectFrom(long source) {
        ByteBuffer frame = ByteBuffer.allocate(60);
        frame.putShort((short) (BROADCAST >>> 32)).putInt((int) BROADCAST);
        frame.putShort((short) (source >>> 32)).putInt((int) source);
        frame.putShort((short) 0x88B6);
        assertThat(s.hosts.get(0).inject(frame.array())).isTrue();
    }

    private void receiveAll() {
        while (s.engine.ingress(0).doWork(s.nowNs) > 0) {
            // A burst at a time.
        }
    }

    /** Calls a duty for as long as it is due, and answers how often. */
    private int callWhileDue(Duty duty) {
        int calls = 0;
        do {
            duty.doWork(s.nowNs);
            calls++;
        } while (duty.deadlineNs() <= s.nowNs && calls < 100);
        return calls;
    }

    @Test
    void moreFramesThanABurstAreTakenFromTheRing() {
        for (int i = 0; i < FRAMES; i++) {
            injectFrom(HOST);
        }
        receiveAll();
        // The first call takes 256, and then the one that starts makes no difference.
        assertThat(callWhileDue(s.engine.egress(1))).isEqualTo(2);
        assertThat(s.value("p1", "frames.enqueued")).isEqualTo(FRAMES);
    }

    private static TestSwitch spread(int ports) {
        List<PortConfig> configs =
                IntStream.range(0, ports).mapToObj(port -> roomy("p" + port)).toList();
        List<Integer> workerOfDuty = new ArrayList<>();
        for (int port = 0; port < ports; port++) {
            workerOfDuty.addAll(List.of(port, port));
        }
        workerOfDuty.addAll(List.of(0, 0, 0));
        return new TestSwitch(
                TestSwitch.bridge(configs, 1_000_000), new WorkerPlan(ports, workerOfDuty));
    }

    private static byte[] frame(long destination, long source) {
        return Packets.ethernet(destination, source, 0x88B6, new byte[46]);
    }

    @Test
    void egressHalfTakesOneBurstACallFromAllWorkersAndNoneWaitsForAnother() {
        TestSwitch many = spread(4);
        many.hosts.get(3).inject(frame(HOST, HOST + 3));
        many.run(5_000);
        many.received();
        long before = many.value("p3", "frames.enqueued");
        for (int port = 0; port < 3; port++) {
            for (int i = 0; i < 300; i++) {
                assertThat(many.hosts.get(port).inject(frame(HOST + 3, HOST + port))).isTrue();
            }
            while (many.engine.ingress(port).doWork(many.nowNs) > 0) {
                // A burst at a time.
            }
        }
        EgressHalf egress = many.engine.egress(3);
        for (int call = 1; call <= 3; call++) {
            egress.doWork(many.nowNs);
            assertThat(many.value("p3", "frames.enqueued") - before).isEqualTo(256L * call);
            assertThat(egress.deadlineNs()).isEqualTo(many.nowNs);
        }
        // Each call began where the one before had stopped: all three got their turn.
        int[] sources = new int[3];
        for (Frame queued = egress.firstFrame(); queued != null; queued = queued.next) {
            sources[queued.ingressPort]++;
        }
        assertThat(sources[0]).isBetween(256 - 3, 256);
        assertThat(sources[1]).isEqualTo(256);
        assertThat(sources[2]).isEqualTo(256);
        many.run(1_000_000);
        assertThat(many.value("p3", "frames.enqueued") - before).isEqualTo(900);
        many.assertAtRest();
    }

    @Test
    void ingressHalfTakesOneBurstACallOfWhatComesHome() {
        TestSwitch many = spread(3);
        for (int i = 0; i < 200; i++) {
            assertThat(many.hosts.get(0).inject(frame(BROADCAST, HOST))).isTrue();
        }
        IngressHalf ingress = many.engine.ingress(0);
        while (ingress.doWork(many.nowNs) > 0) {
            // A burst at a time.
        }
        int away = ingress.homeSlots() - ingress.freeSlots();
        assertThat(away).isEqualTo(400);
        for (int port = 1; port < 3; port++) {
            EgressHalf egress = many.engine.egress(port);
            egress.doWork(many.nowNs);
            egress.order(half -> half.detach(many.nowNs));
            egress.doWork(many.nowNs);
        }
        ingress.doWork(many.nowNs);
        assertThat(ingress.homeSlots() - ingress.freeSlots()).isEqualTo(away - 256);
        assertThat(ingress.deadlineNs()).isEqualTo(many.nowNs);
        ingress.doWork(many.nowNs);
        assertThat(ingress.freeSlots()).isEqualTo(ingress.homeSlots());
    }

    @Test
    void moreFramesThanABurstComeHomeWhenALinkGoesDown() {
        for (int i = 0; i < FRAMES; i++) {
            injectFrom(HOST);
        }
        receiveAll();
        callWhileDue(s.engine.egress(1));
        s.wires.get(1).setUp(false);
        s.engine.egress(1).order((EgressHalf half) -> half.linkChanged(s.nowNs));
        s.engine.egress(1).doWork(s.nowNs);
        callWhileDue(s.engine.ingress(0));
        s.assertAtRest();
    }

    @Test
    void moreOrdersThanFitACycleAreCarriedOut() {
        int[] carriedOut = new int[2];
        for (int i = 0; i < 10; i++) {
            assertThat(s.engine.ingress(0).order(half -> carriedOut[0]++)).isTrue();
            assertThat(s.engine.egress(0).order(half -> carriedOut[1]++)).isTrue();
        }
        callWhileDue(s.engine.ingress(0));
        callWhileDue(s.engine.egress(0));
        assertThat(carriedOut).containsExactly(10, 10);
    }

    @Test
    void moreAddressesThanABurstAreLearned() {
        Duty owner = s.engine.duties().getLast();
        for (int i = 0; i < 150; i++) {
            injectFrom(HOST + i);
        }
        receiveAll();
        assertThat(callWhileDue(owner)).isEqualTo(3);
        assertThat(s.total("fdb.learned")).isEqualTo(150);
    }

    @Test
    void moreFramesThanABurstAreCompleted() {
        FaultyDevice device = new FaultyDevice();
        s.reattach(1, device);
        for (int i = 0; i < FRAMES; i++) {
            injectFrom(HOST);
        }
        s.run(1_000L * (FRAMES + 1));
        assertThat(s.engine.egress(1).heldFrames()).isEqualTo(FRAMES);
        device.completes = true;
        callWhileDue(s.engine.egress(1));
        assertThat(s.engine.egress(1).heldFrames()).isZero();
        s.settle();
        s.assertAtRest();
    }
}
