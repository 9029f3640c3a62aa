package io.headgate.dataplane.device.linux;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.SwitchConfig;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.CounterId;
import io.headgate.dataplane.counter.CounterLookup;
import io.headgate.dataplane.counter.DropCounters;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.dataplane.counter.IngressCounter;
import io.headgate.dataplane.runner.DeviceFactory;
import io.headgate.dataplane.runner.RealTimeSwitch;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** TCP of Linux hosts that leave the cutting of segments to hardware, over running switches. */
@Tag("netns")
class SegmentsThroughSwitchTest {
    private static final int WIRE_OVERHEAD_BYTES = 24;
    private static final int SENT_BYTES = 1_500_000;

    /** Takes connections, one after another, and prints how many bytes each brought. */
    private static final String SINK =
            """
            import socket
            s = socket.socket(socket.AF_INET6)
            s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            s.bind(("::", 7))
            s.listen(8)
            print("ready", flush=True)
            for _ in range(CONNECTIONS):
                c, got = s.accept()[0], 0
                while data := c.recv(1 << 20):
                    got += len(data)
                c.close()
                print(got, flush=True)
            """;

    /** Sends, and prints how many segments were sent again. */
    private static final String SOURCE =
            """
            import socket, struct
            s = socket.create_connection(("TARGET", 7))
            data = bytes(1 << 16)
            left = BYTES
            while left > 0:
                left -= s.send(data[:left])
            s.shutdown(socket.SHUT_WR)
            s.recv(1)
            info = s.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 104)
            print(struct.unpack_from("I", info, 100)[0])
            """;

    private final TestNetwork network = new TestNetwork();
    private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();

    @AfterEach
    void removeNamespaces() {
        network.close();
        assertThat(failures).isEmpty();
    }

    private String host(int number) {
        String name = network.namespace("h" + number);
        network.exec(
                name,
                "sh",
                "-c",
                "for i in all default lo; do echo 0 > /proc/sys/net/ipv6/conf/$i/disable_ipv6;"
                        + " done; echo '4096 65536 262144' > /proc/sys/net/ipv4/tcp_wmem;"
                        + " echo '4096 131072 524288' > /proc/sys/net/ipv4/tcp_rmem");
        return name;
    }

    private void address(String host, int number) {
        network.exec(
                host,
                "sh",
                "-c",
                "echo 0 > /proc/sys/net/ipv6/conf/eth0/disable_ipv6; ip addr add 10.0.0.%d/24 dev eth0;"
                                .formatted(number)
                        + " ip addr add fd99::%d/64 dev eth0 nodad".formatted(number));
    }

    private RealTimeSwitch start(String yaml) throws Exception {
        SwitchConfig config = SwitchConfigReader.read(yaml, "test");
        RealTimeSwitch running =
                new RealTimeSwitch(
                        config,
                        bytes -> Arena.ofAuto().allocate(bytes, 128),
                        (duty, failure) -> failures.add(duty + ": " + failure));
        DeviceFactory devices = new DeviceFactory(running);
        running.start();
        for (int port = 0; port < config.ports().size(); port++) {
            running.attach(port, devices.open(config.ports().get(port)));
        }
        for (int port = 0; port < config.ports().size(); port++) {
            int number = port;
            await(() ->
                    value(running, Scope.INGRESS, config.ports().get(number).name(), "device.up")
                            == 1);
        }
        return running;
    }

    private static void await(BooleanSupplier met) throws InterruptedException {
        long endNs = System.nanoTime() + 60_000_000_000L;
        boolean isMet = met.getAsBoolean();
        while (!isMet && System.nanoTime() - endNs < 0) {
            Thread.sleep(5);
            isMet = met.getAsBoolean();
        }
        assertThat(isMet).isTrue();
    }

    private static long value(RealTimeSwitch running, Scope scope, int port, CounterId counter) {
        return value(running, scope, "p" + port, counter.text().label());
    }

    private static long value(RealTimeSwitch running, Scope scope, String port, String label) {
        CounterDirectory counters = running.engine().counters();
        return counters.value(CounterLookup.find(counters.entries(), scope, port, label));
    }

    private static List<String> drops(RealTimeSwitch running) {
        CounterDirectory counters = running.engine().counters();
        return counters.entries().stream()
                .filter(entry -> entry.label().startsWith(DropCounters.LABEL_PREFIX))
                .filter(entry -> counters.value(entry) != 0)
                .map(entry ->
                        "%s %s %s: %d"
                                .formatted(
                                        entry.owner(),
                                        entry.scope(),
                                        entry.label(),
                                        counters.value(entry)))
                .toList();
    }

    private Process sink(String host, int connections) throws Exception {
        Process sink =
                network.start(
                        host,
                        TestNetwork.PYTHON,
                        "-c",
                        SINK.replace("CONNECTIONS", Integer.toString(connections)));
        assertThat(sink.inputReader().readLine()).isEqualTo("ready");
        return sink;
    }

    private Process source(String host, String target) {
        return source(host, target, SENT_BYTES);
    }

    private Process source(String host, String target, int bytes) {
        return network.start(
                host,
                TestNetwork.PYTHON,
                "-c",
                SOURCE.replace("TARGET", target).replace("BYTES", Integer.toString(bytes)));
    }

    /** Waits for the end of what a host sends. Nothing is lost, but a host may lose patience. */
    private static void assertResendsFew(Process source) throws Exception {
        assertThat(source.waitFor(120, TimeUnit.SECONDS)).isTrue();
        String said = source.inputReader().readLine();
        assertThat(Integer.parseInt(said)).as("segments sent again").isLessThan(SENT_BYTES / 1448);
    }

    private long statistics(String host, String name) {
        return Long.parseLong(
                network.exec(host, "cat", "/sys/class/net/eth0/statistics/" + name).strip());
    }

    /** What a direction of a port occupied on a wire. */
    private static long wireBytes(RealTimeSwitch running, Scope scope, int port) {
        boolean in = scope == Scope.INGRESS;
        return value(
                        running,
                        scope,
                        port,
                        in ? IngressCounter.BYTES_RECEIVED : EgressCounter.BYTES_TRANSMITTED)
                + WIRE_OVERHEAD_BYTES
                        * value(
                                running,
                                scope,
                                port,
                                in
                                        ? IngressCounter.FRAMES_RECEIVED
                                        : EgressCounter.FRAMES_TRANSMITTED);
    }

    /** Frames that a direction of a port would have been on a wire. */
    private static long wireFrames(RealTimeSwitch running, Scope scope, int port) {
        boolean in = scope == Scope.INGRESS;
        return value(
                        running,
                        scope,
                        port,
                        in ? IngressCounter.FRAMES_RECEIVED : EgressCounter.FRAMES_TRANSMITTED)
                + value(
                        running,
                        scope,
                        port,
                        in ? IngressCounter.WHOLE_SEGMENTS : EgressCounter.WHOLE_SEGMENTS)
                - value(
                        running,
                        scope,
                        port,
                        in ? IngressCounter.WHOLE_FRAMES : EgressCounter.WHOLE_FRAMES);
    }

    /**
     * h0 and h1 leave cutting to hardware, h1 behind a TAP; h2 takes single frames alone, so that
     * the switch cuts them. What h2 has received is what the counters say that a wire would have.
     */
    @Test
    void hostsGetWholeFramesOrSegmentsAndAllIsCounted() throws Exception {
        String switchNs = network.namespace("s");
        List<String> hosts = List.of(host(0), host(1), host(2));
        network.vethWithOffloads(hosts.get(0), "eth0", switchNs, "p0", 1500);
        network.veth(hosts.get(2), "eth0", switchNs, "p2", 1500);
        String yaml =
                """
                name: test
                defaults: {rate: 10Gbps}
                ports:
                  - {name: p0, device: {afpacket: {interface: p0, netns: S, gso: pass}}}
                  - {name: p1, device: {tap: {interface: eth0, netns: H1, gso: pass}}}
                  - {name: p2, device: {afpacket: {interface: p2, netns: S}}}
                """
                        .replace("S,", switchNs + ",")
                        .replace("S}", switchNs + "}")
                        .replace("H1", hosts.get(1));
        try (RealTimeSwitch running = start(yaml)) {
            for (int host = 0; host < 3; host++) {
                address(hosts.get(host), host + 1);
            }
            for (int receiver : new int[] {1, 2}) {
                Process sink = sink(hosts.get(receiver), 2);
                for (String net : List.of("10.0.0.", "fd99::")) {
                    assertResendsFew(source(hosts.get(0), net + (receiver + 1)));
                    assertThat(sink.inputReader().readLine())
                            .isEqualTo(Integer.toString(SENT_BYTES));
                }
                assertThat(sink.waitFor(60, TimeUnit.SECONDS)).isTrue();
            }
            // Back from the host behind the TAP.
            Process sink = sink(hosts.get(0), 1);
            assertResendsFew(source(hosts.get(1), "10.0.0.1"));
            assertThat(sink.inputReader().readLine()).isEqualTo(Integer.toString(SENT_BYTES));
            await(() -> running.engine().ingress(0).isAtRest());
            List<Long> sums = new ArrayList<>();
            await(() -> {
                long frames = wireFrames(running, Scope.EGRESS, 2);
                sums.clear();
                sums.add(statistics(hosts.get(2), "rx_packets"));
                sums.add(frames);
                return frames == sums.getFirst();
            });
            // Links come up one after the other, and greetings find ports that are not up yet.
            assertThat(drops(running))
                    .allMatch(drop -> drop.matches(".*drop.(PORT_DOWN|NO_DESTINATION).*"));
            long received =
                    statistics(hosts.get(2), "rx_bytes") + WIRE_OVERHEAD_BYTES * sums.getFirst();
            // The device pads ARP by 18 bytes, TCP without data or options, and IGMP, by 6.
            long padding = received - wireBytes(running, Scope.EGRESS, 2);
            assertThat(padding).isBetween(0L, 20 * 18L);
            assertThat(padding % 6).isZero();
            // Devices say now and then what they count.
            for (int port : new int[] {0, 1}) {
                await(() ->
                        value(running, Scope.EGRESS, port, EgressCounter.WHOLE_SEGMENTS)
                                > SENT_BYTES / 1500);
                await(() ->
                        value(running, Scope.INGRESS, port, IngressCounter.WHOLE_SEGMENTS)
                                > 5
                                        * value(
                                                running,
                                                Scope.INGRESS,
                                                port,
                                                IngressCounter.WHOLE_FRAMES));
            }
            // Whole frames count as one at either end.
            assertThat(statistics(hosts.get(1), "rx_packets"))
                    .isEqualTo(value(running, Scope.EGRESS, 1, EgressCounter.FRAMES_TRANSMITTED));
            // All that came from h0 and h1 left whole by one of the others, or cut to h2.
            long in = 0;
            long out = 0;
            for (int port = 0; port < 3; port++) {
                in += wireBytes(running, Scope.INGRESS, port);
                out += wireBytes(running, Scope.EGRESS, port);
            }
            long copies = 0;
            for (int port = 0; port < 3; port++) {
                copies += value(running, Scope.INGRESS, port, IngressCounter.FRAMES_COPIED);
            }
            assertThat(out - in).isBetween(0L, copies * 200);
        }
    }

    private static long total(RealTimeSwitch running, Scope scope, String port, String label) {
        CounterDirectory counters = running.engine().counters();
        return counters.entries().stream()
                .filter(entry -> entry.scope() == scope && entry.owner().equals(port))
                .filter(entry -> entry.label().startsWith(label))
                .mapToLong(counters::value)
                .sum();
    }

    /**
     * Three hosts send to one over two switches, each with a window of more than half of what the
     * second may hold: it pauses the first, whose buffers take the windows, and nothing is lost.
     */
    @Test
    void pausesStopWholeFramesBeforeAnyIsLost() throws Exception {
        String switchNs = network.namespace("s");
        List<String> hosts = new ArrayList<>();
        StringBuilder first =
                new StringBuilder(
                        """
                        name: a
                        defaults: {rate: 1Gbps, flow-control: pfc, lossless: [0],
                          buffers: {xoff: 4MB, xoff-slots: 2000, headroom-slots: 1000}}
                        memory: {slots-per-port: 4096}
                        ports:
                        """);
        String port =
                "  - {name: p%d, device: {afpacket: {interface: p%d, netns: %s, gso: pass}}, rate:"
                        + " %s}\n";
        for (int number = 0; number < 4; number++) {
            String host = host(number + 1);
            hosts.add(host);
            network.exec(
                    host,
                    "sh",
                    "-c",
                    // Reno fills its window whatever the delay.
                    "echo reno > /proc/sys/net/ipv4/tcp_congestion_control;"
                            + "echo '4096 2000000 2000000' > /proc/sys/net/ipv4/tcp_wmem;"
                            + " echo '4096 4000000 4000000' > /proc/sys/net/ipv4/tcp_rmem");
            network.vethWithOffloads(host, "eth0", switchNs, "p" + number, 1500);
            address(host, number + 1);
            if (number < 3) {
                first.append(port.formatted(number, number, switchNs, "1Gbps"));
            }
        }
        network.vethWithOffloads(switchNs, "p4", switchNs, "p5", 1500);
        first.append(port.formatted(4, 4, switchNs, "200Mbps"));
        String second =
                """
                name: b
                defaults: {flow-control: pfc, lossless: [0], link: {own-reaction: 50ms},
                  buffers: {xoff: 300kB, xoff-slots: 1000, headroom-slots: 1000}}
                memory: {slots-per-port: 4096}
                ports:
                """
                        + port.formatted(5, 5, switchNs, "200Mbps")
                        + port.formatted(3, 3, switchNs, "100Mbps");
        try (RealTimeSwitch b = start(second);
                RealTimeSwitch a = start(first.toString())) {
            network.exec(hosts.getFirst(), "ping", "-q", "-c", "1", "-w", "60", "10.0.0.4");
            // A port that comes up before the others drops what its host says of itself meanwhile.
            List<String> dropsOfA = drops(a);
            List<String> dropsOfB = drops(b);
            Process sink = sink(hosts.get(3), 3);
            List<Process> sources = new ArrayList<>();
            for (int sender = 0; sender < 3; sender++) {
                sources.add(source(hosts.get(sender), "10.0.0.4", 6_000_000));
            }
            for (Process source : sources) {
                assertResendsFew(source);
                assertThat(sink.inputReader().readLine()).isEqualTo("6000000");
            }
            assertThat(drops(a)).isEqualTo(dropsOfA);
            assertThat(drops(b)).isEqualTo(dropsOfB);
            assertThat(
                            total(b, Scope.INGRESS, "p5", "pfc.xoff.sent")
                                    + total(b, Scope.EGRESS, "p5", "pfc.xoff.sent"))
                    .isPositive();
            assertThat(total(a, Scope.EGRESS, "p4", "stopped.ns")).isPositive();
            await(() -> total(a, Scope.EGRESS, "p4", "whole.segments") > 12_000);
            assertThat(total(a, Scope.EGRESS, "p4", "whole.frames")).isPositive();
        }
    }
}
