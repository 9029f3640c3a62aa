package io.headgate.dataplane.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.read.SwitchConfigReader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rates of priorities, given to a port whose frames were classified elsewhere until then. */
final class RatesTurnedOnTest {
    private static final long HOST = 0x0200_0000_0000L;
    private static final int TOS_AT = 15;
    private static final int PAYLOAD_AT = 42;

    /** What comes by p0 is priority 0 there, and priority 3 by what it says to p1. */
    private static final String PORTS =
            """
            name: s1
            defaults: {rate: 10Gbps}
            ports:
              - {name: p0, device: {afpacket: v0}}
              - {name: p1, device: {afpacket: v1}, classify: {trust: dscp}}
            """;

    /** What comes by p0 is of several priorities there, and of one to p1. */
    private static final String ONE_OF_SEVERAL =
            """
            name: s1
            defaults: {rate: 10Gbps}
            ports:
              - {name: p0, device: {afpacket: v0}, classify: {trust: dscp}}
              - {name: p1, device: {afpacket: v1}, classify: {default: 3}}
            """;

    private static void send(TestSwitch s, int from, int to, int... classes) {
        for (int number = from; number < to; number++) {
            byte[] payload = new byte[1000];
            payload[0] = (byte) number;
            byte[] udp = Packets.udp(1000, 7, payload);
            byte[] ip = Packets.ipv4("10.0.0.1", "10.0.0.3", 64, Packets.UDP, udp);
            byte[] frame = Packets.ethernet(HOST + 1, HOST, Packets.IPV4, ip);
            frame[TOS_AT] = (byte) (classes[number % classes.length] << 5);
            assertThat(s.hosts.get(0).inject(frame)).isTrue();
        }
    }

    private static TestSwitch started(String ports) {
        TestSwitch s = new TestSwitch(SwitchConfigReader.read(ports, "test.yaml"));
        assertThat(s.hosts.get(1).inject(Packets.ethernet(HOST, HOST + 1, 0x88CC, new byte[60])))
                .isTrue();
        s.run(5_000);
        s.received();
        return s;
    }

    private static void leaveInOrder(TestSwitch s, int frames) {
        s.run(50_000);
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < frames; i++) {
            numbers.add((int) s.collect(1)[PAYLOAD_AT]);
        }
        assertThat(numbers).isSorted();
        s.assertAtRest();
    }

    @Test
    void framesThatWaitStayBeforeThoseOfTheirFlowThatComeLater() {
        TestSwitch s = started(PORTS);
        send(s, 0, 10, 3);
        s.settle();
        s.set("p1.priority-rates=[{priority: 5, rate: 1Gbps}]");
        send(s, 10, 20, 3);
        leaveInOrder(s, 20);
    }

    /** Frames of p0 with one priority leave in their order, and all of p1 have one now. */
    @ParameterizedTest
    @ValueSource(strings = {"", "domain: {crossbar: {}}\n", "domain: {input-buffered: {}}\n"})
    void queuesThatBecomeOneAreMergedInTheOrderInWhichFramesCame(String domain) {
        TestSwitch s = started(domain + ONE_OF_SEVERAL);
        send(s, 0, 1, 3);
        s.run(10); // which is on the wire
        send(s, 1, 20, 2, 5, 0);
        s.settle();
        s.set("p1.priority-rates=[{priority: 5, rate: 1Gbps}]");
        send(s, 20, 30, 7, 1);
        leaveInOrder(s, 30);
    }
}
