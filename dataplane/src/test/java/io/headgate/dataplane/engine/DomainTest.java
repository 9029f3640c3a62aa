package io.headgate.dataplane.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.SwitchConfig;
import io.headgate.config.WorkerConfig;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.dataplane.device.FaultyDevice;
import io.headgate.dataplane.domain.CrossbarConfig.InputQueues;
import io.headgate.dataplane.memory.DropReason;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A switch whose egress ports one duty owns. */
final class DomainTest {
    private static final long HOST = 0x0200_0000_0000L;
    private static final int PORTS = 4;

    /** A bridge whose egress is a crossbar. */
    private static SwitchConfig crossbar(int ports, InputQueues inputQueues) {
        String queues = inputQueues == InputQueues.FIFO ? "fifo" : "virtual-output";
        StringBuilder text = new StringBuilder("{name: s1, domain: {crossbar: {input-queues: ");
        text.append(queues).append("}}, defaults: {rate: 10Gbps, queue-limit: 100kB}, ports: [");
        for (int port = 0; port < ports; port++) {
            text.append("{name: p").append(port).append(", device: {afpacket: v").append(port);
            text.append("}},");
        }
        return SwitchConfigReader.read(text.append("]}").toString(), "test.yaml");
    }

    private static byte[] frame(int from, int to, int bytes) {
        return Packets.ethernet(
                to < 0 ? 0xFFFF_FFFF_FFFFL : HOST + to, HOST + from, 0x88B6, new byte[bytes]);
    }

    private static TestSwitch learned(InputQueues inputQueues) {
        TestSwitch s = new TestSwitch(crossbar(PORTS, inputQueues));
        for (int port = 0; port < PORTS; port++) {
            assertThat(s.hosts.get(port).inject(frame(port, -1, 50))).isTrue();
            s.run(5_000);
        }
        s.received();
        return s;
    }

    @ParameterizedTest
    @EnumSource(InputQueues.class)
    void everyFrameIsAccountedForWhileRatesAndLimitsChange(InputQueues inputQueues) {
        SplittableRandom random = new SplittableRandom(7);
        TestSwitch s = learned(inputQueues);
        List<String> changes =
                List.of(
                        "p2.rate=1Gbps",
                        "p2.rate=10Gbps",
                        "p1.queue-limit=5kB",
                        "p1.queue-limit=100kB",
                        "p0.queue-limit=20kB");
        long injected = 0;
        long collected = 0;
        for (int round = 0; round < 1_500; round++) {
            for (int i = random.nextInt(6); i > 0; i--) {
                int from = random.nextInt(PORTS);
                int to = random.nextInt(12) == 0 ? -1 : (from + random.nextInt(1, PORTS)) % PORTS;
                injected +=
                        s.hosts.get(from).inject(frame(from, to, random.nextInt(46, 1500))) ? 1 : 0;
            }
            if (round % 100 == 50) {
                s.set(changes.get(round / 100 % changes.size()));
            }
            s.run(random.nextInt(1, 4) * 1_000L);
            for (int count : s.received()) {
                collected += count;
            }
        }
        s.run(30_000_000);
        for (int count : s.received()) {
            collected += count;
        }
        assertThat(collected).isGreaterThan(injected / 2);
        // With the frames by which addresses were learned, each flooded to the other ports.
        s.assertConserved(injected + PORTS, collected + PORTS * (PORTS - 1), "seed 7");
        s.assertAtRest();
    }

    @Test
    void whatWaitsForAPortWhoseDeviceGoesIsDroppedAndTheRestGoesOn() {
        TestSwitch s = learned(InputQueues.FIFO);
        for (int i = 0; i < 10; i++) {
            s.hosts.get(0).inject(frame(0, 1, 1000));
            s.hosts.get(0).inject(frame(0, 2, 1000));
        }
        s.settle();
        s.engine.egress(1).detach(s.nowNs);
        s.run(50_000);
        assertThat(s.drops("p1", DropReason.PORT_DOWN)).isGreaterThan(5);
        assertThat(s.received()[2]).isEqualTo(10);
        s.assertAtRest();
    }

    @Test
    void aHalfThatFailsIsStoppedAndToldAndTheOthersGoOn() {
        TestSwitch s = learned(InputQueues.VIRTUAL_OUTPUT);
        FaultyDevice device = new FaultyDevice();
        device.copies = true;
        device.transmitFails = true;
        s.reattach(1, device);
        s.run(2_000);
        DomainDuty domain = (DomainDuty) s.engine.duties().get(s.engine.numbers().egress(1));
        s.hosts.get(0).inject(frame(0, 1, 100));
        s.hosts.get(3).inject(frame(3, 2, 100));
        s.engine.ingress(0).doWork(s.nowNs);
        s.engine.ingress(3).doWork(s.nowNs);
        assertThatThrownBy(() -> domain.doWork(s.nowNs)).hasMessage("made to fail");
        assertThat(domain.whatFailed()).isSameAs(s.engine.egress(1));
        assertThat(domain.whatFailed()).isSameAs(domain);
        s.hosts.get(3).inject(frame(3, 1, 100));
        s.hosts.get(3).inject(frame(3, 2, 100));
        s.run(20_000);
        assertThat(s.received()[2]).isEqualTo(2);
        assertThat(s.drops("p1", DropReason.PORT_DOWN)).isEqualTo(2);
        s.assertAtRest();
        s.run(3_000_000);
        assertThat(domain.deadlineNs()).as("nothing is left to do").isGreaterThan(s.nowNs);
    }

    @ParameterizedTest
    @EnumSource(InputQueues.class)
    void aHalfThatWasRestartedIsOfTheDomainAgain(InputQueues inputQueues) {
        TestSwitch s = learned(inputQueues);
        s.set("p1.rate=100Mbps");
        for (int i = 0; i < 10; i++) {
            s.hosts.get(0).inject(frame(0, 1, 1000));
            s.hosts.get(0).inject(frame(0, 2, 1000));
        }
        s.settle();
        s.engine.egress(1).stop();
        s.run(50_000);
        assertThat(s.drops("p1", DropReason.PORT_DOWN)).isGreaterThan(5);
        assertThat(s.received()[2]).isEqualTo(10);
        s.assertAtRest();
        s.restart(1);
        for (int i = 0; i < 10; i++) {
            s.hosts.get(0).inject(frame(0, 1, 1000));
            s.hosts.get(0).inject(frame(0, 2, 1000));
        }
        s.run(100_000);
        // In one queue what is for p2 waits behind what is for p1, which is slow.
        int soFar = s.received()[2];
        assertThat(soFar < 10).isEqualTo(inputQueues == InputQueues.FIFO);
        s.run(1_000_000);
        int[] received = s.received();
        assertThat(received[1]).isPositive();
        assertThat(soFar + received[2]).isEqualTo(10);
        s.assertAtRest();
    }

    /**
     * An input that sends to two egresses leaves each idle half of the time, which none may make up
     * for once other inputs come.
     */
    @Test
    void timeInWhichTheCrossbarHeldAnEgressBackIsNoLatenessToMakeUp() {
        SwitchConfig config = crossbar(PORTS, InputQueues.VIRTUAL_OUTPUT);
        TestSwitch s = new TestSwitch(config, WorkerPlan.of(config, 1), 1_000_000);
        for (int port = 0; port < PORTS; port++) {
            s.hosts.get(port).inject(frame(port, -1, 50));
            s.run(5_000);
        }
        s.received();
        // Twenty frames wait for each of them all the time.
        for (int us = -40; us < 200; us++) {
            s.hosts.get(0).inject(frame(0, us % 2 == 0 ? 1 : 2, 1212));
            if (us >= 0) {
                s.run(1_000);
            }
        }
        for (int i = 0; i < 25; i++) {
            s.hosts.get(2).inject(frame(2, 1, 1212));
            s.hosts.get(3).inject(frame(3, 1, 1212));
        }
        s.received();
        s.run(20_000);
        // 1,250 bytes with headers, preamble, FCS and gap: a microsecond each.
        assertThat(s.received()[1]).isBetween(19, 22);
    }

    @Test
    void aDomainOfSeveralWorkersIsRefused() {
        SwitchConfig config = crossbar(2, InputQueues.FIFO);
        WorkerPlan two = new WorkerPlan(2, List.of(0, 1, 0, 0, 0));
        assertThatThrownBy(() -> new TestSwitch(config, two))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "switch s1: its domain owns the egress of all ports and needs exactly one"
                                + " worker; there are 2");
        SwitchConfig spread =
                config.withWorkers(config.workers().withLayout(WorkerConfig.Layout.AUTO));
        assertThat(WorkerPlan.of(spread, 16).workers()).isOne();
    }
}
