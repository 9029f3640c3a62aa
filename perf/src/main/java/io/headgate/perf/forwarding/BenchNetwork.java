package io.headgate.perf.forwarding;

import io.headgate.control.cli.bench.BenchException;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.net.LinuxInterface;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import io.headgate.dataplane.device.linux.net.Offload;
import java.util.ArrayList;
import java.util.List;

/**
 * Namespaces of this run and the veth pairs between them: one for the generator, one for each
 * device under test. Names begin with {@code hgb} and this process's id; remains of a killed run
 * are removed at the start of the next.
 *
 * <pre>
 *   generator's namespace         namespace of device n
 *      a(n) ------------------------- d0
 *      b(n) ------------------------- d1
 *      w0 --- w1   (the wire)
 * </pre>
 */
final class BenchNetwork implements AutoCloseable {
    /** Inside each device's namespace. */
    static final String LEFT = "d0";

    static final String RIGHT = "d1";

    static final String WIRE_LEFT = "w0";
    static final String WIRE_RIGHT = "w1";

    private static final String PREFIX = "hgb";

    private final String prefix = PREFIX + ProcessHandle.current().pid() + "-";
    private final String generator = prefix + "gen";
    private final List<String> namespaces = new ArrayList<>();

    BenchNetwork() throws BenchException {
        sweep();
        try {
            namespace(generator);
            veth(generator, WIRE_LEFT, generator, WIRE_RIGHT);
        } catch (BenchException failure) {
            close();
            throw failure;
        }
    }

    String generatorNamespace() {
        return generator;
    }

    /** The generator's ends of a device's pairs. */
    static String left(int device) {
        return "a" + device;
    }

    static String right(int device) {
        return "b" + device;
    }

    /** Makes the namespace of a device under test, with its two pairs; answers its name. */
    String addDevice(int device) throws BenchException {
        String name = prefix + "dut" + device;
        namespace(name);
        veth(generator, left(device), name, LEFT);
        veth(generator, right(device), name, RIGHT);
        return name;
    }

    /**
     * Has the sink receive as a card with GRO does, and so take what is sent as XDP frames, or as
     * it did before. Its frames are of a kind that GRO leaves alone.
     */
    void takeXdpFrames(int device, boolean how) throws BenchException {
        try {
            LinuxInterface.read(generator, right(device)).set(Offload.GRO, how);
        } catch (DeviceException failure) {
            throw new BenchException(failure);
        }
    }

    /** Frames that an interface received, and that it dropped. */
    static LinuxInterface.Statistics statistics(String netns, String name) throws BenchException {
        try {
            return LinuxInterface.read(netns, name).statistics();
        } catch (DeviceException failure) {
            throw new BenchException(failure);
        }
    }

    private static void sweep() throws BenchException {
        for (String name : NetworkNamespace.names()) {
            if (name.matches(PREFIX + "[0-9]+-(gen|dut[0-9]+)")) {
                long pid = Long.parseLong(name.substring(PREFIX.length(), name.indexOf('-')));
                if (ProcessHandle.of(pid).isEmpty()) {
                    Commands.run("ip", "netns", "del", name);
                }
            }
        }
    }

    private void namespace(String name) throws BenchException {
        Commands.run("ip", "netns", "add", name);
        namespaces.add(name);
        Commands.run(
                "ip",
                "netns",
                "exec",
                name,
                "sh",
                "-c",
                "for i in all default; do"
                        + " f=/proc/sys/net/ipv6/conf/$i/disable_ipv6;"
                        + " if [ -e $f ]; then echo 1 > $f; fi; done");
        Commands.run("ip", "-n", name, "link", "set", "lo", "up");
    }

    private static void veth(String leftNetns, String left, String rightNetns, String right)
            throws BenchException {
        Commands.run(
                Commands.words(
                        ("ip -n %s link add %s numtxqueues 1 numrxqueues 1 type veth"
                                        + " peer name %s numtxqueues 1 numrxqueues 1 netns %s")
                                .formatted(leftNetns, left, right, rightNetns)));
        for (List<String> end : List.of(List.of(leftNetns, left), List.of(rightNetns, right))) {
            Commands.run(
                    Commands.words(
                            ("ip netns exec %s ethtool -K %s rx off tx off tso off gso off gro off"
                                            + " rxvlan off txvlan off tx-vlan-stag-hw-insert off")
                                    .formatted(end.get(0), end.get(1))));
            Commands.run("ip", "-n", end.get(0), "link", "set", end.get(1), "up");
        }
    }

    private static boolean remove(String name) {
        try {
            Commands.run("ip", "netns", "del", name);
            return true;
        } catch (BenchException stillUsed) {
            return false;
        }
    }

    /** Removes all of it. */
    @Override
    public synchronized void close() {
        namespaces.removeIf(BenchNetwork::remove);
    }
}
