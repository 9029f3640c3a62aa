package io.headgate.dataplane.engine;

import static io.headgate.dataplane.engine.Packets.mac;
import static io.headgate.dataplane.engine.Packets.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.SwitchConfig;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.dataplane.credit.CreditReceiver;
import io.headgate.dataplane.device.MemoryWire;
import io.headgate.dataplane.forwarding.SwitchAddresses;
import io.headgate.dataplane.memory.DropReason;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What one host sends as link control reaches no other host, whatever it is wrapped in. */
final class LinkControlIsolationTest {
    private static final long ATTACKER = 0x0200_0000_0100L;
    private static final long VICTIM = 0x0200_0000_0200L;
    private static final long RESERVED = 0x0180_C200_0001L;
    private static final int[] LINK_CONTROL = {0x8808, 0x88B5};
    private static final int LOCAL_EXPERIMENTAL_2 = 0x88B6;
    private static final int SERVICE = 0x88A8;

    /** To a host's card these would be a pause for it, or for all that listen. */
    private static final long[] DESTINATIONS = {
        VICTIM, 0x0200_0000_0999L, 0xFFFF_FFFF_FFFFL, 0x0180_C200_0010L, 0x0100_5E00_0001L
    };

    /** Nothing, a priority, the port's own VLAN, another that trunks carry, and two of them. */
    private static final int[][] TAGS = {
        {},
        {0x8100, 0xE000},
        {0x8100, 1},
        {0x8100, 20},
        {0x8100, 1, 0x8100, 0},
        {0x8100, 0, 0x8100, 1}
    };

    /** An access port without flow control, with pauses, with credits; a trunk; and a victim's. */
    private static TestSwitch bridge() {
        return new TestSwitch(
                SwitchConfigReader.read(
                        """
                        name: s1
                        bridge: {flood-limit: 100M/s}
                        ports:
                          - {name: p0, device: {afpacket: va}}
                          - {name: p1, device: {afpacket: vb}, flow-control: pfc}
                          - {name: p2, device: {afpacket: vc}, flow-control: credits}
                          - {name: p3, device: {afpacket: vd}, vlan: {trunk: all, native: 1}}
                          - {name: p4, device: {afpacket: ve}}
                          - {name: p5, device: {afpacket: vf}, vlan: {trunk: [20]}}
                        """,
                        "test.yaml"));
    }

    private static byte[] frame(long destination, int[] tags, int type) {
        byte[] head = Packets.join(mac(destination), mac(ATTACKER), words(tags), words(type));
        // A PAUSE of 65,535 quanta, if the receiver takes it for one.
        byte[] pause = Packets.join(head, words(1, 0xFFFF));
        return Arrays.copyOf(pause, 64);
    }

    /** Frames that left the switch but were not made by it. */
    private static List<byte[]> forwarded(TestSwitch s) {
        List<byte[]> found = new ArrayList<>();
        for (MemoryWire.FarEnd host : s.hosts) {
            for (byte[] left = host.collect(); left != null; left = host.collect()) {
                if (Arrays.equals(Arrays.copyOfRange(left, 6, 12), mac(ATTACKER))) {
                    found.add(left);
                }
            }
        }
        return found;
    }

    @Test
    void noPortForwardsLinkControlBehindAnyTagsToAnyDestination() {
        TestSwitch s = bridge();
        s.hosts.get(4).inject(Packets.ethernet(ATTACKER, VICTIM, 0x0800, new byte[46]));
        s.run(10_000);
        for (int port : new int[] {0, 1, 2, 3}) {
            long refused = 0;
            for (int type : LINK_CONTROL) {
                for (long destination : DESTINATIONS) {
                    for (int[] tags : TAGS) {
                        assertThat(s.hosts.get(port).inject(frame(destination, tags, type)))
                                .isTrue();
                        refused++;
                        s.run(10_000);
                        assertThat(forwarded(s))
                                .as("%x from p%d behind %s", type, port, Arrays.toString(tags))
                                .isEmpty();
                    }
                }
            }
            assertThat(s.drops("p" + port, DropReason.LINK_CONTROL_MISADDRESSED))
                    .isEqualTo(refused);
        }
    }

    @Test
    void routerForwardsAndAnswersNone() {
        SwitchConfig config =
                TestSwitch.routed(
                        List.of(List.of("10.0.0.1/24"), List.of("10.0.1.1/24")), List.of(), 1);
        TestSwitch s = new TestSwitch(config);
        for (int type : LINK_CONTROL) {
            s.hosts.get(0).inject(frame(SwitchAddresses.mac("test", 0), new int[0], type));
            s.hosts.get(0).inject(frame(SwitchAddresses.mac("test", 0), TAGS[1], type));
            s.hosts.get(0).inject(frame(VICTIM, TAGS[1], type));
        }
        s.run(10_000);
        assertThat(s.received()).containsExactly(0, 0);
        assertThat(s.drops("p0", DropReason.LINK_CONTROL_MISADDRESSED)).isEqualTo(6);
    }

    @Test
    void taggedLinkControlToTheReservedAddressEndsAtThePortAndPausesNothing() {
        TestSwitch s = bridge();
        for (int port : new int[] {0, 1}) {
            s.hosts.get(port).inject(frame(RESERVED, TAGS[1], 0x8808));
        }
        s.run(10_000);
        assertThat(forwarded(s)).isEmpty();
        assertThat(s.drops("p0", DropReason.LINK_LOCAL)).isEqualTo(1);
        assertThat(s.drops("p1", DropReason.LINK_CONTROL_MALFORMED)).isEqualTo(1);
        assertThat(s.value("p1", "link.control.received")).isZero();
    }

    @Test
    void secondLocalExperimentalTypeIsDataAndLosesItsTagAtAnAccessPort() {
        TestSwitch s = bridge();
        s.hosts.get(4).inject(Packets.ethernet(ATTACKER, VICTIM, 0x0800, new byte[46]));
        s.run(10_000);
        forwarded(s);
        s.hosts.get(0).inject(frame(VICTIM, TAGS[2], LOCAL_EXPERIMENTAL_2));
        s.run(10_000);
        assertThat(forwarded(s))
                .containsExactly(Arrays.copyOf(frame(VICTIM, TAGS[0], LOCAL_EXPERIMENTAL_2), 60));
    }

    @Test
    void behindAServiceTagAllIsPayload() {
        TestSwitch s = bridge();
        s.hosts.get(4).inject(Packets.ethernet(ATTACKER, VICTIM, 0x0800, new byte[46]));
        s.run(10_000);
        forwarded(s);
        for (int type : LINK_CONTROL) {
            byte[] wrapped = frame(VICTIM, new int[] {SERVICE, 1}, type);
            byte[] twice = frame(VICTIM, new int[] {0x8100, 1, SERVICE, 1}, type);
            s.hosts.get(0).inject(wrapped);
            s.hosts.get(0).inject(twice);
            s.run(10_000);
            byte[] untagged = frame(VICTIM, new int[] {SERVICE, 1}, type);
            assertThat(forwarded(s)).containsExactly(wrapped, Arrays.copyOf(untagged, 60));
        }
        assertThat(s.total("drop.LINK_CONTROL_MISADDRESSED")).isZero();
    }

    /** Link control has no tag, so the sender of one with a tag has counted it as data. */
    @Test
    void onlyTaggedOnesAreCountedAgainstCredits() {
        TestSwitch s = LosslessTraffic.lossless(2, "lossless: [0], flow-control: credits");
        CreditReceiver credits =
                Objects.requireNonNull(
                        Objects.requireNonNull(s.engine.ingress(0).flow()).credits());
        int grant = credits.grant(0);
        s.hosts.get(0).inject(frame(VICTIM, TAGS[0], 0x8808));
        s.run(10_000);
        assertThat(credits.grant(0)).isEqualTo(grant);
        s.hosts.get(0).inject(frame(VICTIM, TAGS[1], 0x8808));
        s.run(10_000);
        assertThat(credits.grant(0)).isEqualTo(grant + 1);
        assertThat(s.drops("p0", DropReason.LINK_CONTROL_MISADDRESSED)).isEqualTo(2);
    }
}
