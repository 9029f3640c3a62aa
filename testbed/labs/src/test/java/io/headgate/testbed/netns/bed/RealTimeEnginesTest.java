package io.headgate.testbed.netns.bed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.control.counters.CounterSnapshot;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.IngressCounter;
import io.headgate.testbed.netns.LabRecords;
import io.headgate.testbed.netns.NetnsNetwork;
import io.headgate.testbed.netns.Programs;
import io.headgate.testbed.scenario.bed.PortFacts;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.Topologies;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("netns")
class RealTimeEnginesTest {
    private static final int FRAMES = 10;
    private static final String DROPPED = "KERNEL_RX_INTERFACE";

    /** Each takes as long as a switch with a core takes to ask its kernel. */
    private static final int MOST_LOOKS = 100;

    /**
     * Frames that are longer than the far end's MTU, which its interface drops, and the same number
     * of tagged ones of a protocol that its kernel does not know, which it counts as dropped, too.
     */
    private static final String SEND =
            """
            import socket
            s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
            s.bind(("%s", 0))
            for i in range(%d):
                try:
                    s.send(bytes.fromhex("ffffffffffff" "020000000001" "88b5") + bytes(2000))
                except OSError:
                    pass  # a veth tells its sender
                s.send(bytes.fromhex("ffffffffffff" "020000000001" "81000001" "1234") + bytes(60))
            """
                    .formatted(NetnsNetwork.HOST_INTERFACE, FRAMES);

    @TempDir private Path directory;

    /** Switches ask the kernel only now and then. */
    @Test
    void whatKernelsDroppedInTheLastMomentIsCounted() throws Exception {
        NetnsNetwork network = network("r-");
        try (network) {
            network.build();
            try (RealTimeEngines switches = RealTimeEngines.start(network.plan())) {
                switches.awaitLinks();
                switches.drain();
                List<CounterSnapshot> before = switches.counters();
                Programs.Result wider =
                        network.programs()
                                .run(
                                        network.hostNetns(0),
                                        60_000,
                                        List.of(
                                                "/usr/sbin/ip",
                                                "link",
                                                "set",
                                                NetnsNetwork.HOST_INTERFACE,
                                                "mtu",
                                                "3000"));
                assertThat(wider.ok()).as(wider.output()).isTrue();
                Programs.Result sent =
                        network.programs()
                                .run(
                                        network.hostNetns(0),
                                        60_000,
                                        List.of("/usr/bin/python3", "-c", SEND));
                assertThat(sent.ok()).as(sent.output()).isTrue();
                Map<String, Long> drops = drops(switches, before);
                long unhandled = unhandled(switches);
                // A worker without a core asks its kernel later.
                for (int look = 0;
                        look < MOST_LOOKS
                                && (drops.getOrDefault(DROPPED, 0L) < FRAMES || unhandled < FRAMES);
                        look++) {
                    drops = drops(switches, before);
                    unhandled = unhandled(switches);
                }
                assertThat(drops).containsEntry(DROPPED, (long) FRAMES);
                assertThat(unhandled).isEqualTo(FRAMES);
            }
        }
    }

    private static Map<String, Long> drops(RealTimeEngines switches, List<CounterSnapshot> before) {
        PortFacts port = switches.ports(before, switches.since(before)).get("s1/p1");
        return Objects.requireNonNull(port).drops();
    }

    private static long unhandled(RealTimeEngines switches) {
        return switches.counters()
                .getFirst()
                .value(Scope.INGRESS, "p1", IngressCounter.KERNEL_UNHANDLED);
    }

    /** The switch's own port, which always has a link, does not stand in for one that has none. */
    @Test
    void aLinkThatIsDownIsWaitedFor() throws Exception {
        NetnsNetwork network = network("w-");
        try (network) {
            network.build();
            Programs.Result down =
                    network.programs()
                            .run(
                                    network.hostNetns(0),
                                    60_000,
                                    List.of(
                                            "/usr/sbin/ip",
                                            "link",
                                            "set",
                                            NetnsNetwork.HOST_INTERFACE,
                                            "down"));
            assertThat(down.ok()).as(down.output()).isTrue();
            try (RealTimeEngines switches = RealTimeEngines.start(network.plan())) {
                assertThatThrownBy(() -> switches.awaitLinks(1_000_000_000))
                        .hasMessageContaining("did not come up in 1.0 s");
            }
        }
    }

    private NetnsNetwork network(String name) throws Exception {
        return NetnsNetwork.of(
                Topologies.singleSwitch(2, LinkSpec.DEFAULT),
                NetnsNetwork.Options.of("hgt" + ProcessHandle.current().pid() + name, 1)
                        .withScale(100)
                        .withHosts(NetnsNetwork.Hosts.CARD),
                new LabRecords(directory.resolve("labs")),
                line -> {});
    }
}
