package io.headgate.testbed.netns;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.DeviceConfig;
import io.headgate.config.InterfaceAddress;
import io.headgate.config.MemoryConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.SwitchConfigs;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.daemon.SwitchClient;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.LinuxInterface;
import io.headgate.dataplane.frame.MacAddress;
import io.headgate.testbed.topology.HostPlan;
import io.headgate.testbed.topology.LinkPlan;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topology;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A topology on the real bed: a namespace for each host and each switch, veth pairs for links, and
 * for each switch a process of its own. Rates are divided by the scale, the hosts' too, which their
 * kernel's token bucket holds to; bytes stay. Delays are not imitated: a port sends past the
 * kernel's queueing disciplines, which are what could add them.
 *
 * <p>Addresses are those of the plan, and nobody needs to ask for one: hosts have each other's, or
 * their router's, as permanent neighbours.
 *
 * <p>Stands until {@link #close}, which any thread may call, also while it is being built.
 */
public final class NetnsNetwork implements AutoCloseable {
    /** The interface of every host. */
    public static final String HOST_INTERFACE = "eth0";

    private static final int MAX_NODES = 128;
    private static final long READY_NS = 60_000_000_000L;
    private static final long POLL_NS = 20_000_000;

    /** Bytes of wire beside a frame's own, for the kernel's bucket: FCS, preamble and gap. */
    private static final int WIRE_OVERHEAD_BYTES = 24;

    private static final int MIN_WIRE_BYTES = 84;
    private static final long BUCKETS_PER_SEC = 250;
    private static final int HOST_QUEUE_BYTES = 200_000;

    private final String prefix;
    private final NetworkPlan plan;
    private final Namespaces namespaces;
    private final Options options;
    private @Nullable Path runDirectory;

    private NetnsNetwork(NetworkPlan plan, Namespaces namespaces, Options options) {
        this.prefix = options.prefix;
        this.plan = plan;
        this.namespaces = namespaces;
        this.options = options;
    }

    /** What of a network is made. */
    public enum Parts {
        /** Hosts with their kernels' stacks, and a process for each switch. */
        ALL,
        /** Namespaces and links. Who asks for them brings hosts and switches. */
        LINKS
    }

    /**
     * How a topology is put on the real bed.
     *
     * @param prefix put before the names of all namespaces, so that beds can stand side by side
     * @param seed the run's
     * @param scale rates are divided by it; 1 to 1,000,000
     * @param ipv6 whether hosts have IPv6 addresses too
     * @param warmUp whether switches run themselves warm before they begin: a second or two each
     * @param parts what is made; of links alone, switches are planned with one worker each
     */
    public record Options(
            String prefix, long seed, int scale, boolean ipv6, boolean warmUp, Parts parts) {
        private static final int MAX_PREFIX = 24;

        /**
         * @throws IllegalArgumentException with one sentence, if the prefix cannot be one
         */
        public Options {
            if (!prefix.matches("[A-Za-z0-9_-]{0," + MAX_PREFIX + "}")) {
                throw new IllegalArgumentException(
                        "'"
                                + prefix
                                + "' cannot begin a namespace's name: up to 24 letters, digits,"
                                + " '-' and '_' are allowed");
            }
        }
    }

    /**
     * A network that is yet to be built, so that its owner can already promise to close it. First
     * removes what dead labs left.
     *
     * @param say told, in sentences, what was swept up
     * @throws BedException if the topology is too large for a machine or for its scale, or a
     *     namespace of these names exists already
     */
    public static NetnsNetwork plan(
            Topology topology, Options options, LabRecords records, Consumer<String> say)
            throws BedException {
        requireRunnable(topology);
        PlanOptions how =
                PlanOptions.virtual(options.seed)
                        .withIpv6(options.ipv6)
                        .withScale(options.scale)
                        .withPayload(MemoryConfig.Payload.STORED)
                        .withWorkers(
                                options.parts == Parts.ALL
                                        ? ConfigDefaults.WORKERS
                                        : PlanOptions.SINGLE)
                        .withDevices((name, port, _) ->
                                new DeviceConfig.AfPacket(
                                        interfaceOf(port),
                                        options.prefix + name,
                                        ConfigDefaults.AF_PACKET_RING_FRAMES));
        NetworkPlan plan;
        try {
            plan = NetworkPlan.of(topology, how);
        } catch (IllegalArgumentException e) {
            throw new BedException(e);
        }
        List<String> names = new ArrayList<>();
        topology.hosts().forEach(host -> names.add(options.prefix + host.name()));
        topology.switches().forEach(one -> names.add(options.prefix + one.name()));
        return new NetnsNetwork(
                plan, Namespaces.plan(names, options.prefix, records, say), options);
    }

    /**
     * Checks whether a topology can stand on the real bed.
     *
     * @throws BedException in a sentence, if it is too large or has links that only the virtual bed
     *     has
     */
    public static void requireRunnable(Topology topology) throws BedException {
        int nodes = topology.hosts().size() + topology.switches().size();
        if (nodes > MAX_NODES) {
            throw new BedException(
                    "topology '"
                            + topology.name()
                            + "' has "
                            + nodes
                            + " hosts and switches; the real bed takes "
                            + MAX_NODES
                            + ", the virtual one any");
        }
        for (Topology.Link link : topology.links()) {
            if (!link.spec().isPlain()) {
                throw new BedException(
                        "the link between "
                                + link.a()
                                + " and "
                                + link.b()
                                + " has faults, credits or its own times of delivery and release,"
                                + " which only the virtual bed has");
            }
        }
    }

    private static String interfaceOf(int port) {
        return "p" + (port + 1);
    }

    /**
     * Makes namespaces and links; starts the switches and waits until they run, if they are its.
     *
     * @throws BedException if that fails, or the network was closed meanwhile
     */
    public void build() throws BedException {
        for (HostPlan host : plan.hosts()) {
            namespaces.add(hostNetns(host.number()), host.ipv6() != null);
        }
        for (int number = 0; number < plan.switches().size(); number++) {
            namespaces.add(switchNetns(number), false);
        }
        for (LinkPlan link : plan.links()) {
            addVeth(link);
        }
        if (options.parts == Parts.LINKS) {
            for (HostPlan host : plan.hosts()) {
                setUp(hostNetns(host.number()), HOST_INTERFACE);
            }
            return;
        }
        for (HostPlan host : plan.hosts()) {
            configure(host);
        }
        startSwitches();
    }

    private void addVeth(LinkPlan link) throws BedException {
        namespaces.ip(
                "link",
                "add",
                interfaceOf(link.a()),
                "netns",
                netns(link.a()),
                "type",
                "veth",
                "peer",
                "name",
                interfaceOf(link.b()),
                "netns",
                netns(link.b()));
        for (LinkPlan.End end : List.of(link.a(), link.b())) {
            Namespaces.switchOffOffloads(netns(end), interfaceOf(end));
            if (!end.isHost()) {
                setUp(netns(end), interfaceOf(end));
            }
        }
    }

    private void setUp(String netns, String name) throws BedException {
        String mtu = Integer.toString(plan.topology().sizes().mtuBytes());
        namespaces.ip("-n", netns, "link", "set", name, "mtu", mtu, "up");
    }

    private static String interfaceOf(LinkPlan.End end) {
        return end.isHost() ? HOST_INTERFACE : interfaceOf(end.port());
    }

    private String netns(LinkPlan.End end) {
        return end.isHost() ? hostNetns(end.node()) : switchNetns(end.node());
    }

    private void configure(HostPlan host) throws BedException {
        String netns = hostNetns(host.number());
        String eth = " dev " + HOST_INTERFACE;
        List<String> commands = new ArrayList<>();
        commands.add("link set lo up");
        commands.add("link set" + eth + " address " + MacAddress.format(host.mac()));
        commands.add("link set" + eth + " mtu " + host.mtuBytes() + " up");
        commands.add("addr add " + text(host.ipv4()) + eth);
        if (host.ipv6() != null) {
            commands.add("addr add " + text(host.ipv6()) + eth + " nodad");
        }
        addNeighbours(host, commands);
        namespaces.batch("ip", netns, commands);
        long burstBytes =
                Math.max(2L * (host.mtuBytes() + 18), host.rateBps() / 8 / BUCKETS_PER_SEC);
        namespaces.batch(
                "tc",
                netns,
                List.of(
                        String.format(
                                Locale.ROOT,
                                "qdisc replace dev %s root handle 1: stab overhead %d mpu %d"
                                        + " linklayer ethernet tbf rate %dbit burst %d limit %d",
                                HOST_INTERFACE,
                                WIRE_OVERHEAD_BYTES,
                                MIN_WIRE_BYTES,
                                host.rateBps(),
                                burstBytes,
                                HOST_QUEUE_BYTES)));
    }

    private void addNeighbours(HostPlan host, List<String> commands) {
        if (host.hasGateway()) {
            addGateway(host.gateway(), host.gatewayMac(), "0.0.0.0/0", commands);
            addGateway(host.gateway6(), host.gatewayMac(), "::/0", commands);
            return;
        }
        for (HostPlan other : plan.hosts()) {
            if (other.number() != host.number()) {
                commands.add(neighbour(other.address(), other.mac()));
                if (other.ipv6() != null) {
                    commands.add(neighbour(other.address6(), other.mac()));
                }
            }
        }
    }

    private static void addGateway(
            @Nullable InetAddress gateway, long mac, String all, List<String> commands) {
        if (gateway != null) {
            commands.add(neighbour(gateway, mac));
            commands.add("route add " + all + " via " + gateway.getHostAddress());
        }
    }

    private static String neighbour(InetAddress address, long mac) {
        return "neigh replace "
                + address.getHostAddress()
                + " lladdr "
                + MacAddress.format(mac)
                + " nud permanent dev "
                + HOST_INTERFACE;
    }

    private static String text(InterfaceAddress address) {
        return address.address().getHostAddress() + "/" + address.prefixLength();
    }

    private void startSwitches() throws BedException {
        Path directory;
        try {
            directory = Files.createTempDirectory("headgate-net-");
        } catch (IOException e) {
            throw new BedException("cannot make a directory for the switches: " + e, e);
        }
        runDirectory = directory;
        List<Programs.Running> started = new ArrayList<>();
        for (SwitchConfig config : plan.switches()) {
            Path file = namespaces.scratch().resolve(config.name() + ".yaml");
            try {
                Files.writeString(file, SwitchConfigs.toYaml(config));
            } catch (IOException e) {
                throw new BedException("cannot write " + file + ": " + e.getMessage(), e);
            }
            started.add(
                    namespaces
                            .programs()
                            .start(null, SwitchProcess.command(file, directory, options.warmUp)));
        }
        for (int number = 0; number < started.size(); number++) {
            await(plan.switches().get(number).name(), started.get(number), directory);
        }
    }

    private static void await(String name, Programs.Running process, Path directory)
            throws BedException {
        long endNs = System.nanoTime() + READY_NS;
        while (!SwitchClient.running(base(directory)).contains(name)) {
            if (!process.isAlive()) {
                throw new BedException(
                        "switch " + name + " did not start: " + process.await(0).lastLine());
            }
            if (System.nanoTime() - endNs > 0) {
                throw new BedException("switch " + name + " is not ready after 60 s");
            }
            LockSupport.parkNanos(POLL_NS);
        }
    }

    private static Path base(Path directory) {
        return directory.resolve("switches");
    }

    public NetworkPlan network() {
        return plan;
    }

    /** Namespace of a host, by its number. */
    public String hostNetns(int host) {
        return prefix + plan.hosts().get(host).name();
    }

    /** Namespace of a switch's ports, by its number. */
    public String switchNetns(int number) {
        return prefix + plan.switches().get(number).name();
    }

    /** Starts and stops the programs of this bed. */
    public Programs programs() {
        return namespaces.programs();
    }

    /**
     * Where the switches' counters and control sockets are, as {@code HEADGATE_RUN_DIR} names it
     * for {@code headgate show} and the like.
     *
     * @throws IllegalStateException before it is built
     */
    public Path runDirectory() {
        Path directory = runDirectory;
        if (directory == null) {
            throw new IllegalStateException("the network is not built yet");
        }
        return directory;
    }

    /**
     * A connection to a running switch, by its number.
     *
     * @throws BedException if it cannot be reached
     */
    public SwitchClient connect(int number) throws BedException {
        try {
            return SwitchClient.connect(base(runDirectory()), plan.switches().get(number).name());
        } catch (DaemonException e) {
            throw new BedException(e);
        }
    }

    /** Interface statistics of a host, as its kernel counts them. */
    public LinuxInterface hostInterface(int host) throws BedException {
        try {
            return LinuxInterface.read(hostNetns(host), HOST_INTERFACE);
        } catch (DeviceException e) {
            throw new BedException(e);
        }
    }

    /** Ends switches and programs, removes namespaces, and with them links. Idempotent. */
    @Override
    public void close() {
        List<Namespaces.Link> links = new ArrayList<>();
        for (LinkPlan link : plan.links()) {
            links.add(new Namespaces.Link(netns(link.a()), interfaceOf(link.a())));
        }
        namespaces.close(links);
        Path directory = runDirectory;
        if (directory != null) {
            SwitchProcess.removeTree(directory);
        }
    }
}
