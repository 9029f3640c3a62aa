package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.SwitchConfig;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.run.RunningSwitch;
import io.headgate.control.run.SwitchOptions;
import io.headgate.dataplane.counter.CounterDirectory.Entry;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.IngressCounter;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.net.LinuxInterface;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import io.headgate.dataplane.frame.MacAddress;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.LabRecords;
import io.headgate.testbed.netns.NetnsNetwork;
import io.headgate.testbed.netns.Programs;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.Topologies;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Two hosts and a switch of 10 Mb/s between them, with priorities 3 and 4 lossless: host 2 sends
 * datagrams, and a script at host 1, made with scapy, holds the switch back.
 */
final class ScapyNetwork implements AutoCloseable {
    static final long PROGRAM_MS = 120_000;

    /** Priorities 3 and 4 by DSCP 26 and 34. */
    static final int TOS_3 = 26 << 2;

    static final int TOS_4 = 34 << 2;

    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final long WAIT_NS = 60_000_000_000L;

    /** Debian's own, where python3-scapy is, whatever else is on PATH. */
    private static final String PYTHON = "/usr/bin/python3";

    /**
     * Sends datagrams of several types of service in turn: address, bytes, a second, seconds; until
     * then, or until there is a file of the script's name and {@code .stop}. Prints how many of
     * each type the kernel took.
     */
    private static final String SENDER =
            """
            import os, socket, sys, time
            address, size, rate, seconds = sys.argv[1], *map(float, sys.argv[2:5])
            sockets = []
            for tos in sys.argv[5:]:
                s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                s.setsockopt(socket.IPPROTO_IP, socket.IP_TOS, int(tos))
                sockets.append(s)
            taken = [0] * len(sockets)
            end = time.time() + seconds
            while time.time() < end and not os.path.exists(sys.argv[0] + ".stop"):
                for i, s in enumerate(sockets):
                    try:
                        s.sendto(b"x" * int(size), (address, 9))
                        taken[i] += 1
                    except OSError:
                        pass
                time.sleep(1 / rate)
            print("taken", *taken)
            """;

    private final Path directory;
    private final NetnsNetwork network;

    /** Makes the hosts; {@link #start} the switch. */
    ScapyNetwork(Path directory) throws Exception {
        this.directory = directory;
        String prefix = "hgp" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet();
        network =
                NetnsNetwork.of(
                        Topologies.singleSwitch(2, LinkSpec.DEFAULT),
                        NetnsNetwork.Options.of(prefix, 1),
                        new LabRecords(directory.resolve("labs")),
                        line -> {});
        network.build();
        script("sender.py", SENDER);
    }

    void script(String name, String text) throws Exception {
        Files.writeString(directory.resolve(name), text);
    }

    private SwitchConfig config(String flowControl) {
        return SwitchConfigReader.read(
                "name: "
                        + network.switchNetns(0)
                        + "\ndefaults: {rate: 10Mbps, classify: {trust: dscp}, scheduler: dwrr,"
                        + " lossless: [3, 4], "
                        + flowControl
                        + "}\nports:\n"
                        + port(1)
                        + port(2),
                "test");
    }

    private String port(int number) {
        return "  - {name: p"
                + number
                + ", device: {afpacket: {interface: p"
                + number
                + ", netns: "
                + network.switchNetns(0)
                + "}}}\n";
    }

    /** Starts the switch, and waits until it forwards. */
    RunningSwitch start(String flowControl) throws Exception {
        SwitchOptions options = new SwitchOptions(false, false, null, line -> {});
        RunningSwitch running = RunningSwitch.start(config(flowControl), options);
        assertThat(
                        await(() ->
                                running.counters().total(Scope.INGRESS, IngressCounter.DEVICE_UP)
                                        == 2))
                .isTrue();
        assertThat(await(this::forwards)).isTrue();
        return running;
    }

    private boolean forwards() {
        try {
            return FirstPing.isAnswered(network, 0, 1);
        } catch (BedException e) {
            throw new AssertionError(e);
        }
    }

    Programs.Running python(int host, String script, Object... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(PYTHON));
        command.add(directory.resolve(script).toString());
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        return network.programs().start(network.hostNetns(host - 1), command);
    }

    /** Datagrams from host 2 to host 1. */
    Programs.Running sender(int bytes, int aSecond, int seconds, Object... tos) throws Exception {
        List<Object> arguments =
                new ArrayList<>(List.of(network.address(0), bytes, aSecond, seconds));
        arguments.addAll(List.of(tos));
        return python(2, "sender.py", arguments.toArray());
    }

    /** Has the sender end; what it says is how many of each type of service it has sent. */
    List<Long> stop(Programs.Running sender) throws Exception {
        Files.createFile(directory.resolve("sender.py.stop"));
        String said = sender.await(PROGRAM_MS).output().strip();
        assertThat(said).startsWith("taken ");
        return List.of(said.split(" ")).subList(1, said.split(" ").length).stream()
                .map(Long::valueOf)
                .toList();
    }

    /**
     * Starts tshark at a host for {@code frames} frames; prints the fields of each on a line,
     * separated by tabs.
     */
    Programs.Running tshark(
            int host, int frames, String filter, List<String> options, List<String> fields)
            throws Exception {
        List<String> command =
                new ArrayList<>(
                        List.of("tshark", "-n", "-l", "-i", "eth0", "-a", "duration:100", "-c"));
        command.addAll(List.of(Integer.toString(frames), "-f", filter, "-T", "fields"));
        command.addAll(options);
        for (String field : fields) {
            command.addAll(List.of("-e", field));
        }
        return network.programs().start(network.hostNetns(host - 1), command);
    }

    /** Waits until a capture at a host has its socket: what is sent from now on is in it. */
    void awaitCapture(int host) {
        Path sockets = Path.of("/proc/thread-self/net/packet");
        boolean captures =
                await(() -> {
                    try {
                        return NetworkNamespace.call(
                                network.hostNetns(host - 1), () -> lines(sockets) > 1);
                    } catch (DeviceException e) {
                        throw new AssertionError(e);
                    }
                });
        assertThat(captures).isTrue();
    }

    private static int lines(Path file) {
        try {
            return Files.readAllLines(file).size();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What tshark has printed when it ends, without its warnings: each line's fields. */
    static List<String[]> frames(Programs.Running tshark, int fields) {
        String output = tshark.await(PROGRAM_MS).output();
        List<String[]> frames =
                output.lines()
                        .map(line -> line.split("\t", -1))
                        .filter(line -> line.length == fields)
                        .toList();
        assertThat(frames).as(output).isNotEmpty();
        return frames;
    }

    /** The namespace of a host. */
    String netns(int host) {
        return network.hostNetns(host - 1);
    }

    /** The address of a host. */
    String address(int host) {
        return network.address(host - 1);
    }

    /** MAC address of the switch's port. */
    String mac(String port) throws Exception {
        return MacAddress.format(LinuxInterface.read(network.switchNetns(0), port).mac());
    }

    static long value(RunningSwitch running, Scope scope, String port, String label) {
        CounterSnapshot counters = running.counters();
        for (int i = 0; i < counters.entries().size(); i++) {
            Entry entry = counters.entries().get(i);
            if (entry.scope() == scope
                    && entry.owner().equals(port)
                    && entry.label().equals(label)) {
                return counters.value(i);
            }
        }
        throw new AssertionError("no counter " + label + " of " + port);
    }

    /** Frames of a lossless priority that port 1 has started to send to host 1. */
    static long started(RunningSwitch running, int priority) {
        return value(running, Scope.EGRESS, "p1", "frames.started.p" + priority);
    }

    static boolean await(BooleanSupplier condition) {
        long endNs = System.nanoTime() + WAIT_NS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - endNs > 0) {
                return false;
            }
            // Counters take a millisecond to read.
            LockSupport.parkNanos(10_000_000);
        }
        return true;
    }

    @Override
    public void close() {
        network.close();
    }
}
