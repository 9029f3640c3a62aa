package io.headgate.dataplane.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.SwitchConfig;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.dataplane.memory.DropReason;
import org.junit.jupiter.api.Test;

/** A threshold of a mechanism, at ports whose configuration names it. */
final class ThresholdMechanismTest {
    private static final long HOST = 0x0200_0000_0000L;
    private static final int RECEIVER = 1;
    private static final int FRAME_BYTES = 1042;
    private static final int FRAMES = 40;

    private static TestSwitch bridge(String constant) {
        SwitchConfig config =
                SwitchConfigReader.read(
                        """
                        name: s1
                        defaults:
                          rate: 10Gbps
                          flow-control: pfc
                          classify: {trust: dscp}
                          link: {own-reaction: 1us, peer-reaction: 1us}
                          buffers: {alpha: 8}
                          threshold: {constant: %s}
                        ports:
                          - {name: p0, device: {afpacket: v0}}
                          - {name: p1, device: {afpacket: v1}}
                        """
                                .formatted(constant),
                        "test.yaml");
        TestSwitch s = new TestSwitch(config);
        byte[] hello = Packets.ethernet(HOST, HOST + RECEIVER, 0x88CC, new byte[60]);
        assertThat(s.hosts.get(RECEIVER).inject(hello)).isTrue();
        s.run(5_000);
        s.received();
        return s;
    }

    /** Frames of a lossy priority, which wait for their egress as no time passes. */
    private static long heldAfter(TestSwitch s, int frames) {
        for (int i = 0; i < frames; i++) {
            byte[] udp = Packets.udp(1000, 7, new byte[1000]);
            byte[] ip = Packets.ipv4("10.0.0.1", "10.0.0.2", 64, Packets.UDP, udp);
            byte[] frame = Packets.ethernet(HOST + RECEIVER, HOST, Packets.IPV4, ip);
            assertThat(s.hosts.getFirst().inject(frame)).isTrue();
        }
        s.settle();
        return requireNonNull(s.engine.ingress(0).flow()).accounts().bytes(0);
    }

    /** But for a frame that does not fit any more, and one that has started. */
    private static void assertHolds(TestSwitch s, long mostBytes) {
        assertThat(heldAfter(s, FRAMES)).isBetween(mostBytes - 2 * FRAME_BYTES, mostBytes);
    }

    @Test
    void anAccountHoldsWhatTheMechanismSaysInPlaceOfAlpha() {
        TestSwitch s = bridge("{most: 20kB}");
        assertHolds(s, 20_000);
        assertThat(s.drops("p0", DropReason.ACCOUNT_AT_CAP)).isPositive();
        s.run(1_000_000);
        s.received();
        s.assertAtRest();
    }

    @Test
    void bytesAndSlotsHaveThresholdsOfTheirOwn() {
        TestSwitch s = bridge("{most: 20kB, most-slots: 7}");
        heldAfter(s, FRAMES);
        // But for the one that has started.
        assertThat(requireNonNull(s.engine.ingress(0).flow()).accounts().slots(0)).isBetween(6, 7);
        s.set("p0.threshold.constant.most-slots=9");
        s.run(1_000_000);
        heldAfter(s, FRAMES);
        assertThat(requireNonNull(s.engine.ingress(0).flow()).accounts().slots(0)).isBetween(8, 9);
    }

    @Test
    void whatIsSetHoldsForFramesThatComeThen() {
        TestSwitch s = bridge("{most: 20kB}");
        heldAfter(s, FRAMES);
        s.set("p0.threshold.constant.most=30kB");
        assertHolds(s, 30_000);
    }

    @Test
    void alphaHoldsWhileItIsOff() {
        TestSwitch s = bridge("{enabled: false}");
        assertThat(heldAfter(s, FRAMES)).isGreaterThan(35_000);
        s.set("p0.threshold.constant.enabled=true");
        s.run(1_000_000);
        assertHolds(s, 20_000);
    }
}
