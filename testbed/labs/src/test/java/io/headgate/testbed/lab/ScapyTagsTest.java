package io.headgate.testbed.lab;

import static io.headgate.testbed.lab.ScapyNetwork.PROGRAM_MS;
import static io.headgate.testbed.lab.ScapyNetwork.await;
import static io.headgate.testbed.lab.ScapyNetwork.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.run.RunningSwitch;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.testbed.netns.Programs;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tags that scapy makes at host 2, and what tshark sees of them at host 1. */
@Tag("netns")
class ScapyTagsTest {
    private static final String ATTACKER = "02:00:00:00:00:77";

    /** Sends frames of its own address, to host 1 and others, and last one that marks the end. */
    private static final String SENDER =
            """
            import sys
            from scapy.all import Dot1AD, Dot1Q, Ether, IP, Raw, UDP, sendp
            me, host = "02:00:00:00:00:77", "02:68:67:00:00:01"
            # A PAUSE of 65,535 quanta, or what would be one if it came as such.
            pause = Raw(bytes.fromhex("0001ffff").ljust(46, b"\\0"))
            data = IP(src="10.0.0.2", dst="10.0.0.1", tos=26 << 2) / UDP(dport=9) / Raw(b"x" * 30)
            provider = [
                Dot1AD(vlan=100, prio=5, id=1) / data,
                Dot1AD(vlan=100, prio=5) / Dot1Q(vlan=7, prio=3) / data,
                Dot1AD(vlan=1, prio=7, type=0x8808) / pause,
            ]
            control = []
            for kind in 0x8808, 0x88b5:
                control += [Dot1Q(vlan=0, prio=7, type=kind) / pause,
                            Dot1Q(vlan=1, type=kind) / pause,
                            Dot1Q(vlan=1) / Dot1Q(vlan=0, type=kind) / pause]
            frames = [Ether(src=me, dst=host) / p for p in (provider if "provider" in sys.argv else [])]
            if "control" in sys.argv:
                frames += [Ether(src=me, dst=d) / p for p in control
                           for d in (host, "ff:ff:ff:ff:ff:ff", "02:00:00:00:09:99")]
                frames += [Ether(src=me, dst=host, type=kind) / pause for kind in (0x8808, 0x88b5)]
            frames.append(Ether(src=me, dst=host) / Dot1Q(vlan=1, type=0x88b6) / pause)
            sendp(frames, iface="eth0", verbose=False)
            print("sent", len(frames))
            """;

    private static final List<String> FIELDS =
            List.of(
                    "eth.type",
                    "ieee8021ad.id",
                    "ieee8021ad.priority",
                    "ieee8021ad.dei",
                    "vlan.id",
                    "vlan.priority",
                    "ip.dsfield.dscp",
                    "frame.len");

    @TempDir private Path directory;
    private ScapyNetwork bed;

    @BeforeEach
    void makeHosts() throws Exception {
        bed = new ScapyNetwork(directory);
        bed.script("tags.py", SENDER);
    }

    @AfterEach
    void removeHosts() {
        bed.close();
    }

    private List<String> seen(String what, int frames) throws Exception {
        Programs.Running tshark = bed.tshark(1, frames, "ether src " + ATTACKER, List.of(), FIELDS);
        bed.awaitCapture(1);
        Programs.Result sent = bed.python(2, "tags.py", what).await(PROGRAM_MS);
        assertThat(sent.output()).contains("sent ");
        return ScapyNetwork.frames(tshark, FIELDS.size()).stream()
                .map(fields -> String.join(" ", Arrays.asList(fields)).strip())
                .toList();
    }

    @Test
    void providersTagsCrossTheSwitchUntouchedAndOursAreTakenOff() throws Exception {
        try (RunningSwitch _ = bed.start("flow-control: none")) {
            assertThat(seen("provider", 4))
                    .containsExactly(
                            "0x88a8 100 5 1   26 76",
                            "0x88a8 100 5 0 7 3 26 80",
                            "0x88a8 1 7 0    64",
                            "0x88b6       60");
        }
    }

    @Test
    void noTagCarriesLinkControlAcrossTheSwitch() throws Exception {
        try (RunningSwitch running = bed.start("flow-control: none")) {
            assertThat(seen("control", 1)).containsExactly("0x88b6       60");
            assertThat(
                            await(() ->
                                    value(
                                                    running,
                                                    Scope.INGRESS,
                                                    "p2",
                                                    "drop.LINK_CONTROL_MISADDRESSED")
                                            == 2 * 3 * 3 + 2))
                    .isTrue();
        }
    }
}
