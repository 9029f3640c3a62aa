package io.headgate.dataplane.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.read.SwitchConfigReader;
import io.headgate.dataplane.memory.DropReason;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Queues of a mechanism, at a port whose configuration names it. */
final class QueuesMechanismTest {
    private static final long HOST = 0x0200_0000_0000L;
    private static final int RECEIVER = 2;
    private static final int TOS_AT = 15;
    private static final int PRIORITY_SHIFT = 5;

    private static TestSwitch bridge(String portKeys) {
        StringBuilder text = new StringBuilder("{name: s1, defaults: {rate: 10Gbps, ");
        text.append("classify: {trust: dscp}, ").append(portKeys).append("}, ports: [");
        for (int port = 0; port <= RECEIVER; port++) {
            text.append("{name: p").append(port).append(", device: {afpacket: v").append(port);
            text.append("}},");
        }
        TestSwitch s =
                new TestSwitch(SwitchConfigReader.read(text.append("]}").toString(), "test.yaml"));
        byte[] hello = Packets.ethernet(HOST, HOST + RECEIVER, 0x88CC, new byte[60]);
        assertThat(s.hosts.get(RECEIVER).inject(hello)).isTrue();
        s.run(5_000);
        s.received();
        return s;
    }

    private static void send(TestSwitch s, int from, int... priorities) {
        for (int priority : priorities) {
            byte[] udp = Packets.udp(1000, 7, new byte[1000]);
            byte[] ip = Packets.ipv4("10.0.0.1", "10.0.0.3", 64, Packets.UDP, udp);
            byte[] frame = Packets.ethernet(HOST + RECEIVER, HOST + from, Packets.IPV4, ip);
            frame[TOS_AT] = (byte) (priority << PRIORITY_SHIFT);
            assertThat(s.hosts.get(from).inject(frame)).isTrue();
        }
    }

    private static int[] prioritiesReceived(TestSwitch s) {
        int[] priorities = new int[100];
        int count = 0;
        for (byte[] frame = s.hosts.get(RECEIVER).collect();
                frame != null;
                frame = s.hosts.get(RECEIVER).collect()) {
            priorities[count++] = (frame[TOS_AT] & 0xFF) >> PRIORITY_SHIFT;
        }
        return Arrays.copyOf(priorities, count);
    }

    @Test
    void framesOfAllPrioritiesLeaveInTheOrderInWhichTheyCame() {
        TestSwitch s = bridge("queues: {arrived: {}}");
        send(s, 0, 0, 7, 3);
        s.settle();
        send(s, 1, 5, 0);
        s.run(20_000);
        assertThat(prioritiesReceived(s)).containsExactly(0, 7, 3, 5, 0);
        s.assertAtRest();
    }

    @Test
    void withoutItTheHighestLeavesFirst() {
        TestSwitch s = bridge("queues: {arrived: {enabled: false}}");
        send(s, 0, 0, 7, 3);
        s.settle();
        send(s, 1, 5, 0);
        s.run(20_000);
        assertThat(prioritiesReceived(s)).containsExactly(7, 5, 3, 0, 0);
    }

    @Test
    void framesThatWaitWhenItIsTurnedOnAreBeforeThoseThatComeLater() {
        TestSwitch s = bridge("queues: {arrived: {enabled: false}}");
        send(s, 0, 1, 0, 7, 3);
        s.settle();
        s.set("p2.queues.arrived.enabled=true");
        send(s, 1, 6);
        s.run(20_000);
        assertThat(prioritiesReceived(s)).containsExactly(7, 3, 1, 0, 6);
        s.assertAtRest();
    }

    @Test
    void itsAdmissionIsAskedAndCountedAndFollowsWhatIsSet() {
        TestSwitch s = bridge("queues: {arrived: {frames: 3}}");
        send(s, 0, 2, 2, 2, 2, 2, 4);
        s.settle();
        assertThat(s.drops("p2", DropReason.QUEUE_FULL)).isEqualTo(2);
        s.set("p2.queues.arrived.frames=5");
        send(s, 0, 2, 2, 2, 2, 2);
        s.run(20_000);
        assertThat(s.drops("p2", DropReason.QUEUE_FULL)).isEqualTo(4);
        assertThat(prioritiesReceived(s)).hasSize(7);
        s.assertAtRest();
    }

    @Test
    void framesOfLosslessPrioritiesAreTakenWithoutAsking() {
        TestSwitch s =
                bridge(
                        "queues: {arrived: {frames: 1}}, flow-control: pfc, lossless: [2],"
                                + " link: {own-reaction: 1us, peer-reaction: 1us}");
        send(s, 0, 2, 2, 2, 2, 4, 4);
        s.run(20_000);
        assertThat(s.drops("p2", DropReason.QUEUE_FULL)).isEqualTo(1);
        assertThat(prioritiesReceived(s)).containsExactly(2, 2, 2, 2, 4);
    }

    @Test
    void whatAPolicyPushesOutIsCountedAndItsSlotGoesHome() {
        TestSwitch s = bridge("queues: {push-out: {frames: 3}}");
        send(s, 0, 1, 4, 2, 6, 5, 0);
        s.settle();
        s.run(20_000);
        assertThat(s.drops("p2", DropReason.PUSHED_OUT)).isEqualTo(2);
        assertThat(s.drops("p2", DropReason.QUEUE_FULL)).isEqualTo(1);
        assertThat(prioritiesReceived(s)).containsExactly(4, 6, 5);
        s.assertAtRest();
    }
}
