package io.headgate.testbed.netns;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.DeviceConfig;
import io.headgate.config.MemoryConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.Withers;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.net.LinuxInterface;
import io.headgate.testbed.topology.HostPlan;
import io.headgate.testbed.topology.LinkPlan;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.RealBedKeys;
import io.headgate.testbed.topology.RealLinks;
import io.headgate.testbed.topology.Topology;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A topology on real frames: a network namespace per host and per switch, and veth pairs as links.
 * The caller provides the switches; they are planned with one worker each. Rates are divided by the
 * scale; bytes stay. Faults of links, and in labs from files their delays, are those that the
 * devices of switches' ports make ({@link RealLinks}).
 *
 * <p>Addresses are those of the plan. Where switches learn and flood, plain hosts find each other
 * by ARP or neighbour discovery; all others have permanent entries for each other, or for their
 * router.
 *
 * <p>The network exists until {@link #close}, which any thread may call, even while it is being
 * built. Remains of a killed process are removed when the next network is made.
 */
public final class NetnsNetwork implements AutoCloseable {
    /** The interface of every host. */
    public static final String HOST_INTERFACE = "eth0";

    /**
     * Interfaces have different numbers in all of the network, and not those of what a kernel puts
     * into each namespace: of a veth whose ends have the same number, the kernel tells only up to a
     * second later that it is up.
     */
    private static final int FIRST_INDEX = 101;

    private final String prefix;
    private final NetworkPlan plan;
    private final List<String> names;
    private final Namespaces namespaces;
    private final Options options;

    private NetnsNetwork(
            NetworkPlan plan, List<String> names, Namespaces namespaces, Options options) {
        this.prefix = options.prefix;
        this.plan = plan;
        this.names = List.copyOf(names);
        this.namespaces = namespaces;
        this.options = options;
    }

    /** The kind of the host's end of its link. */
    public enum Hosts {
        /**
         * The host's kernel, which holds to the link's rate by a token bucket, and knows all other
         * hosts.
         */
        PACED,
        /** The host's kernel as it is: asks for addresses, sends as fast as it can. */
        PLAIN,
        /**
         * The same behind a TAP that the host's switch makes when it opens its ports. There is no
         * link until then; {@link #configureHosts} follows.
         */
        TAP,
        /**
         * The same behind a TAP that a host agent makes; its link is a veth pair from the agent to
         * the switch, both ends in the switch's namespace. {@link #configureHosts} follows.
         */
        AGENT,
        /** A program that opens the host's interface, which has no address. */
        CARD
    }

    /**
     * Options for making namespaces and links from a topology.
     *
     * @param prefix put before the names of all namespaces, so that networks can stand side by side
     * @param seed the run's
     * @param scale rates are divided by it; 1 to 1,000,000
     * @param ipv6 whether hosts have IPv6 addresses too
     * @param hosts who is at their ends of the links
     * @param adjust has the last word on how the topology is planned
     */
    @Withers
    public record Options(
            String prefix,
            long seed,
            int scale,
            boolean ipv6,
            Hosts hosts,
            UnaryOperator<PlanOptions> adjust)
            implements NetnsNetworkOptionsBuilder.With {
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

        /** Plain hosts, and no switches yet: not scaled, without IPv6. */
        public static Options of(String prefix, long seed) {
            return new Options(prefix, seed, 1, false, Hosts.PLAIN, UnaryOperator.identity());
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
    public static NetnsNetwork of(
            Topology topology, Options options, LabRecords records, Consumer<String> say)
            throws BedException {
        NetworkPlan plan = planned(topology, options);
        List<String> names = namespaces(plan, options);
        return new NetnsNetwork(
                plan, names, Namespaces.plan(names, options.prefix, records, say), options);
    }

    /**
     * The plan of a network, whether it is made or not.
     *
     * @throws BedException as {@link #of} does, of the topology
     */
    public static NetworkPlan planned(Topology topology, Options options) throws BedException {
        requireRunnable(topology);
        requireHosts(topology, options);
        PlanOptions how =
                PlanOptions.virtual(options.seed)
                        .withIpv6(options.ipv6)
                        .withScale(options.scale)
                        .withPayload(MemoryConfig.Payload.STORED)
                        .withWorkers(PlanOptions.SINGLE)
                        .withDevices((name, port, _) ->
                                new DeviceConfig.AfPacket(
                                        interfaceOf(port),
                                        options.prefix + name,
                                        ConfigDefaults.AF_PACKET_RING_FRAMES));
        try {
            return NetworkPlan.of(topology, options.adjust.apply(how));
        } catch (IllegalArgumentException e) {
            throw new BedException(e);
        }
    }

    private static void requireHosts(Topology topology, Options options) throws BedException {
        boolean made = options.hosts == Hosts.TAP || options.hosts == Hosts.AGENT;
        for (Topology.Link link : topology.links()) {
            if (made && isHost(topology, link.a()) && isHost(topology, link.b())) {
                throw new BedException(
                        "the hosts "
                                + link.a()
                                + " and "
                                + link.b()
                                + " are linked to each other, but a host with a TAP needs a"
                                + " switch");
            }
        }
    }

    private static boolean isHost(Topology topology, String name) {
        return topology.hosts().stream().anyMatch(host -> host.name().equals(name));
    }

    /** The hosts', then those of the switches that have an end of a link. */
    private static List<String> namespaces(NetworkPlan plan, Options options) {
        List<String> names = new ArrayList<>();
        plan.hosts().forEach(host -> names.add(options.prefix + host.name()));
        List<Topology.Switch> switches = plan.topology().switches();
        for (int number = 0; number < switches.size(); number++) {
            int self = number;
            boolean linked =
                    plan.links().stream()
                            .filter(link -> options.hosts != Hosts.TAP || !hasHost(link))
                            .anyMatch(link -> isAt(link.a(), self) || isAt(link.b(), self));
            if (linked) {
                names.add(options.prefix + switches.get(number).name());
            }
        }
        return names;
    }

    private static boolean hasHost(LinkPlan link) {
        return link.a().isHost() || link.b().isHost();
    }

    private static boolean isAt(LinkPlan.End end, int switchNumber) {
        return !end.isHost() && end.node() == switchNumber;
    }

    /** Removes what labs left whose process is gone. */
    public static void sweep(LabRecords records, Consumer<String> say) throws BedException {
        Namespaces.sweep(records, say);
    }

    /**
     * Checks whether a topology can run on the real bed.
     *
     * @throws BedException in a sentence, if it is too large or has links that only the virtual bed
     *     has
     */
    public static void requireRunnable(Topology topology) throws BedException {
        int nodes = topology.hosts().size() + topology.switches().size();
        if (nodes > RealBedKeys.MAX_NODES) {
            throw new BedException(
                    "topology '"
                            + topology.name()
                            + "' has "
                            + nodes
                            + " hosts and switches; the real bed takes "
                            + RealBedKeys.MAX_NODES
                            + ", the virtual one any");
        }
        for (Topology.Link link : topology.links()) {
            String refusal = RealLinks.refusal(link.spec());
            if (refusal != null) {
                throw new BedException(
                        "the link between " + link.a() + " and " + link.b() + " has " + refusal);
            }
        }
    }

    private static String interfaceOf(int port) {
        return "p" + (port + 1);
    }

    /**
     * Makes namespaces and links.
     *
     * @throws BedException if that fails, or the network was closed meanwhile
     */
    public void build() throws BedException {
        namespaces.add(
                names,
                plan.hosts().stream()
                        .filter(host -> host.ipv6() != null)
                        .map(host -> hostNetns(host.number()))
                        .collect(Collectors.toSet()));
        addLinks();
        if (isKernel()) {
            configureHosts();
        }
    }

    /** Whether the host's kernel is at its end of the link. */
    private boolean isKernel() {
        return options.hosts == Hosts.PACED || options.hosts == Hosts.PLAIN;
    }

    private boolean sendsXdpFrames(LinkPlan.End port) {
        SwitchConfig config = plan.switches().get(port.node());
        return config.ports().get(port.port()).device().kind().sharesSlots();
    }

    /** Whether switches at its ends take TCP segments whole, and so all that hosts send. */
    private boolean passesSegments(LinkPlan link) {
        return Stream.of(link.a(), link.b())
                .filter(end -> !end.isHost())
                .allMatch(this::passesSegments);
    }

    private boolean passesSegments(LinkPlan.End port) {
        SwitchConfig config = plan.switches().get(port.node());
        return config.ports().get(port.port()).device().kind().passesSegments();
    }

    /** A process for many links: each takes longer to start than all that it does. */
    private void addLinks() throws BedException {
        List<LinkPlan> links =
                plan.links().stream()
                        .filter(link -> !hasHost(link) || options.hosts != Hosts.TAP)
                        .toList();
        List<String> commands = new ArrayList<>();
        int index = FIRST_INDEX;
        for (LinkPlan link : links) {
            commands.add(
                    "link add "
                            + added(link, link.a(), index++)
                            + " type veth peer name "
                            + added(link, link.b(), index++));
        }
        namespaces.ip(commands);
        Map<String, List<String>> byNetns = new LinkedHashMap<>();
        for (LinkPlan link : links) {
            for (LinkPlan.End end : List.of(link.a(), link.b())) {
                String netns = netns(link, end);
                String name = interfaceOf(link, end);
                if (!passesSegments(link)) {
                    Namespaces.switchOffOffloads(netns, name);
                }
                if (end.isHost() && isKernel() && sendsXdpFrames(atSwitch(link))) {
                    Namespaces.takeXdpFrames(netns, name);
                }
                if (!isConfigured(end)) {
                    byNetns.computeIfAbsent(netns, _ -> new ArrayList<>()).add(up(name));
                }
            }
        }
        for (Map.Entry<String, List<String>> one : byNetns.entrySet()) {
            namespaces.batch("ip", one.getKey(), one.getValue());
        }
    }

    private String added(LinkPlan link, LinkPlan.End end, int index) {
        return interfaceOf(link, end) + " index " + index + " netns " + netns(link, end);
    }

    /** Whether an end is set up with its host's addresses. */
    private boolean isConfigured(LinkPlan.End end) {
        return end.isHost() && (options.hosts == Hosts.PACED || options.hosts == Hosts.PLAIN);
    }

    private String up(String name) {
        int mtuBytes =
                plan.switches().stream()
                        .flatMap(one -> one.ports().stream())
                        .mapToInt(PortConfig::linkMtuBytes)
                        .max()
                        .orElse(plan.topology().sizes().mtuBytes());
        return "link set " + name + " mtu " + mtuBytes + " up";
    }

    private String interfaceOf(LinkPlan link, LinkPlan.End end) {
        if (!end.isHost()) {
            return interfaceOf(end.port());
        }
        return options.hosts == Hosts.AGENT
                ? agentInterface(atSwitch(link).port())
                : HOST_INTERFACE;
    }

    private static String agentInterface(int port) {
        return "w" + (port + 1);
    }

    /** Network namespace of an end of a link; an agent's end is in that of its switch. */
    private String netns(LinkPlan link, LinkPlan.End end) {
        if (!end.isHost()) {
            return switchNetns(end.node());
        }
        return options.hosts == Hosts.AGENT
                ? switchNetns(atSwitch(link).node())
                : hostNetns(end.node());
    }

    private static LinkPlan.End atSwitch(LinkPlan link) {
        return link.a().isHost() ? link.b() : link.a();
    }

    /**
     * Gives the hosts' interfaces, which must exist by now, their addresses and MTU, and sets them
     * up.
     */
    public void configureHosts() throws BedException {
        for (HostPlan host : plan.hosts()) {
            configureHost(host.number());
        }
    }

    /** The same for one host, whose interface was created again. */
    public void configureHost(int number) throws BedException {
        boolean isMade = options.hosts == Hosts.TAP || options.hosts == Hosts.AGENT;
        if (isMade && !(options.hosts == Hosts.TAP && passesSegments(portOf(number)))) {
            Namespaces.switchOffOffloads(hostNetns(number), HOST_INTERFACE);
        }
        setup().run(plan.hosts().get(number), hostNetns(number));
    }

    /**
     * Gives all hosts permanent neighbour entries. Without them a host asks for an address again
     * after some 30 s, and while congestion drops its ARP requests or the replies, its kernel drops
     * what it has to send.
     */
    public void introduceHosts() throws BedException {
        for (HostPlan host : plan.hosts()) {
            setup().introduce(host, hostNetns(host.number()));
        }
    }

    private HostSetup setup() {
        return new HostSetup(plan, namespaces, HOST_INTERFACE, options.hosts == Hosts.PACED);
    }

    public NetworkPlan plan() {
        return plan;
    }

    /** The names of all its namespaces, the hosts' first. */
    public List<String> namespaces() {
        return names;
    }

    /** IPv4 address of a host, by its number. */
    public String address(int host) {
        return text(plan.hosts().get(host).address());
    }

    /** IPv6 address of a host, by its number. */
    public String address6(int host) {
        return text(plan.hosts().get(host).address6());
    }

    private static String text(InetAddress address) {
        return String.valueOf(address.getHostAddress());
    }

    /** Namespace of a host, by its number. */
    public String hostNetns(int host) {
        return prefix + plan.hosts().get(host).name();
    }

    /** Namespace of a switch's ports, by its number. */
    public String switchNetns(int number) {
        return prefix + plan.topology().switches().get(number).name();
    }

    /** The switch's end of a host's link. */
    public LinkPlan.End portOf(int host) {
        return plan.links().stream()
                .filter(link -> hasHost(link))
                .filter(link -> isHost(link.a(), host) || isHost(link.b(), host))
                .map(NetnsNetwork::atSwitch)
                .findFirst()
                .orElseThrow();
    }

    private static boolean isHost(LinkPlan.End end, int host) {
        return end.isHost() && end.node() == host;
    }

    /** The host agent's end of a host's link, in the namespace of the host's switch. */
    public String agentInterface(LinkPlan.End port) {
        return agentInterface(port.port());
    }

    /**
     * Lets hosts know each other by name, until they are closed.
     *
     * @throws BedException if that cannot be written down
     */
    public HostNames hostNames() throws BedException {
        return HostNames.of(plan, names.subList(0, plan.hosts().size()), namespaces.scratch());
    }

    /** Starts and stops the programs of this network. */
    public Programs programs() {
        return namespaces.programs();
    }

    /** Interface statistics of a host, as its kernel counts them. */
    public LinuxInterface hostInterface(int host) throws BedException {
        try {
            return LinuxInterface.read(hostNetns(host), HOST_INTERFACE);
        } catch (DeviceException e) {
            throw new BedException(e);
        }
    }

    /** Ends programs, removes namespaces, and with them links. Idempotent. */
    @Override
    public void close() {
        List<Namespaces.Link> links = new ArrayList<>();
        for (LinkPlan link : plan.links()) {
            if (!hasHost(link) || options.hosts != Hosts.TAP) {
                // One process deletes all that are in a switch's namespace.
                LinkPlan.End end = atSwitch(link);
                links.add(new Namespaces.Link(netns(link, end), interfaceOf(link, end)));
            }
        }
        namespaces.close(links);
    }
}
