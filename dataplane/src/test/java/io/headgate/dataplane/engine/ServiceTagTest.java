package io.headgate.dataplane.engine;

import static io.headgate.dataplane.engine.Packets.mac;
import static io.headgate.dataplane.engine.Packets.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.read.SwitchConfigReader;
import io.headgate.dataplane.memory.DropReason;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** A provider's tag (IEEE 802.1ad) is not a VLAN of this bridge: it crosses it as payload does. */
final class ServiceTagTest {
    private static final long A = 0x0200_0000_000AL;
    private static final long B = 0x0200_0000_000BL;
    private static final int[] SERVICE = {0x88A8, 0xE014};
    private static final int[] BOTH = {0x88A8, 20, 0x8100, 30};

    /** p0 and p1 are of VLAN 10, p2 of 20; p3 is a trunk of both without a native VLAN. */
    private final TestSwitch s =
            new TestSwitch(
                    SwitchConfigReader.read(
                            """
                            name: s1
                            bridge: {flood-limit: 100M/s}
                            ports:
                              - {name: p0, device: {afpacket: va}, vlan: 10}
                              - {name: p1, device: {afpacket: vb}, vlan: 10}
                              - {name: p2, device: {afpacket: vc}, vlan: 20}
                              - {name: p3, device: {afpacket: vd}, vlan: {trunk: [10, 20]}}
                            """,
                            "test.yaml"));

    /** A frame of the given length, with bytes that look like an IPv4 header behind the tags. */
    private static byte[] frame(int bytes, int... tags) {
        byte[] head = Packets.join(mac(B), mac(A), words(tags), words(0x0800, 0x4500));
        return Arrays.copyOf(head, bytes);
    }

    private void inject(int port, byte[] frame) {
        assertThat(s.hosts.get(port).inject(frame)).isTrue();
        s.run(20_000);
    }

    @Test
    void frameStaysInThePortsOwnVlanAndLeavesAnAccessPortAsItCame() {
        inject(0, frame(64, SERVICE));
        assertThat(s.collect(1)).isEqualTo(frame(64, SERVICE));
        assertThat(s.hosts.get(2).collect()).isNull();
        // In its port's VLAN to a trunk, in front of the tag that it had.
        assertThat(s.collect(3)).isEqualTo(frame(68, 0x8100, 10, SERVICE[0], SERVICE[1]));
        assertThat(s.engine.forwardingDatabase().size()).isEqualTo(1);
    }

    @Test
    void trunkTakesOffItsOwnTagAlone() {
        inject(3, frame(68, 0x8100, 10, SERVICE[0], SERVICE[1]));
        assertThat(s.collect(0)).isEqualTo(frame(64, SERVICE));
        assertThat(s.hosts.get(2).collect()).isNull();
    }

    @Test
    void trunkWithoutNativeVlanRefusesItWhateverItsIdentifier() {
        inject(3, frame(64, 0x88A8, 10));
        assertThat(s.received()).containsExactly(0, 0, 0, 0);
        assertThat(s.drops("p3", DropReason.VLAN_NOT_ALLOWED)).isEqualTo(1);
    }

    @Test
    void tagsOfAProviderTakeNothingFromTheMtuUpToTwo() {
        for (byte[] fits : new byte[][] {frame(1518, SERVICE), frame(1522, BOTH)}) {
            inject(0, fits);
            assertThat(s.collect(1)).isEqualTo(fits);
        }
        // The trunk would make three of two.
        assertThat(s.collect(3)).hasSize(1522);
        assertThat(s.hosts.get(3).collect()).isNull();
        assertThat(s.drops("p3", DropReason.EGRESS_OVERSIZE)).isEqualTo(1);
        inject(0, frame(1523, BOTH));
        assertThat(s.drops("p0", DropReason.OVERSIZE)).isEqualTo(1);
        assertThat(s.hosts.get(1).collect()).isNull();
        s.assertAtRest();
    }
}
