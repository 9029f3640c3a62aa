package io.headgate.dataplane.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.read.SwitchConfigReader;
import io.headgate.dataplane.counter.CounterDirectory.Entry;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.CounterLookup;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which frames of a burst are marked, on ports of every kind of flow control, and how. */
class RedMarkingTest {
    private static final int FRAMES = 20;
    private static final int NOT_ECT = 0;
    private static final int ECT_0 = 2;
    private static final int CE = 3;
    private static final int PAYLOAD = 1000 - 14 - 20;

    private static TestSwitch with(String port) {
        return new TestSwitch(
                SwitchConfigReader.read(
                        """
                        name: s1
                        defaults: {rate: 10Gbps, classify: {trust: port}}
                        ports:
                          - {name: p0, device: {afpacket: p0}}
                          - {name: p1, device: {afpacket: p1}, %s}
                        """
                                .formatted(port),
                        "test"));
    }

    private static byte[] datagram(int ecn) {
        byte[] ip = Packets.ipv4("10.0.0.1", "10.0.0.2", 64, Packets.UDP, new byte[PAYLOAD]);
        ip[1] = (byte) ecn;
        // The checksum of others, over the header as it now is.
        byte[] header = new byte[20];
        System.arraycopy(ip, 0, header, 0, 20);
        header[10] = 0;
        header[11] = 0;
        System.arraycopy(Packets.withChecksum(header, 10, 0), 0, ip, 0, 20);
        return Packets.ethernet(Packets.BROADCAST, 0x0200_0000_0001L, Packets.IPV4, ip);
    }

    private static long counter(TestSwitch s, String label) {
        List<Entry> entries = s.engine.counters().entries();
        return s.engine.counters().value(CounterLookup.find(entries, Scope.EGRESS, "p1", label));
    }

    private static boolean hasRightChecksum(ByteBuffer frame) {
        int sum = 0;
        for (int at = 14; at < 34; at += 2) {
            sum += frame.getShort(at) & 0xFFFF;
        }
        return (sum & 0xFFFF) + (sum >>> 16) == 0xFFFF;
    }

    @ParameterizedTest
    @ValueSource(strings = {"queue-limit: 500kB", "flow-control: pfc", "flow-control: credits"})
    void framesWithMoreBehindThemThanTheThresholdAreMarked(String port) {
        // Frames of 1,000 bytes: with 5 of them behind it, a frame is above the threshold.
        TestSwitch s = with(port + ", congestion: {red: {kmin: 4500B, kmax: 4500B}}");
        for (int i = 0; i < FRAMES; i++) {
            assertThat(s.hosts.get(0).inject(datagram(i % 2 == 0 ? ECT_0 : NOT_ECT))).isTrue();
        }
        s.run(50_000);
        List<Integer> marks = new ArrayList<>();
        for (byte[] bytes = s.hosts.get(1).collect();
                bytes != null;
                bytes = s.hosts.get(1).collect()) {
            ByteBuffer frame = ByteBuffer.wrap(bytes);
            if (frame.getShort(12) == 0x0800) {
                assertThat(hasRightChecksum(frame)).isTrue();
                marks.add(frame.get(15) & 3);
            }
        }
        assertThat(marks).hasSize(FRAMES);
        for (int i = 0; i < FRAMES; i++) {
            boolean above = FRAMES - 1 - i >= 5;
            int sent = i % 2 == 0 ? ECT_0 : NOT_ECT;
            assertThat(marks.get(i))
                    .as("frame %d", i)
                    .isEqualTo(above && sent == ECT_0 ? CE : sent);
        }
        assertThat(counter(s, "red.marked.p0")).isEqualTo(8);
        assertThat(counter(s, "red.incapable.p0")).isEqualTo(7);
        s.assertAtRest();
    }

    @ParameterizedTest
    @ValueSource(strings = {"queue-limit: 500kB", "flow-control: credits"})
    void marksMadeHereAreToldApartFromThoseThatCame(String port) {
        TestSwitch s = with(port + ", congestion: {red: {kmin: 4500B, kmax: 4500B}}");
        for (int i = 0; i < FRAMES; i++) {
            assertThat(s.hosts.get(0).inject(datagram(i % 4 == 0 ? ECT_0 : CE))).isTrue();
        }
        s.run(50_000);
        // Each fourth of the first FRAMES - 5, which have too much behind them, came unmarked.
        long above = FRAMES - 5;
        long here = (above + 3) / 4;
        assertThat(counter(s, "red.marked.p0")).isEqualTo(here);
        assertThat(counter(s, "red.came.marked.p0")).isEqualTo(above - here);
        assertThat(counter(s, "red.incapable.p0")).isZero();
    }
}
