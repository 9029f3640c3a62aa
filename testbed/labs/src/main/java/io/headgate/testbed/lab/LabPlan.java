package io.headgate.testbed.lab;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.ConfigException;
import io.headgate.config.DeviceConfig;
import io.headgate.config.Devices;
import io.headgate.config.HostConfig;
import io.headgate.config.InterfaceAddress;
import io.headgate.config.MemoryConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.PortTraffic;
import io.headgate.config.SwitchConfig;
import io.headgate.config.key.Quantity;
import io.headgate.config.read.HostConfigReader;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.dataplane.queue.WireFormat;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.NetnsNetwork;
import io.headgate.testbed.netns.NetnsNetwork.Hosts;
import io.headgate.testbed.topology.HostPlan;
import io.headgate.testbed.topology.HostRange;
import io.headgate.testbed.topology.LinkPlan;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topology;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The plan of a lab's network: a topology, and the configurations of its switches and of its hosts'
 * agents, from the lab's options. Links have the rates of the topology, which default to the lab's
 * line rate. Immutable.
 */
public final class LabPlan {
    /** How long lossless labs allow a worker to be held for, in ms. */
    static final int HELD_MS = 50;

    /** Hosts are {@code 10.99.0.1} and so on, and {@code fd99::1} (RFC 4193). */
    private static final HostRange ADDRESSES =
            new HostRange(
                    0x0268_6700_0001L,
                    new InterfaceAddress(InetAddress.ofLiteral("10.99.0.1"), 24),
                    new InterfaceAddress(InetAddress.ofLiteral("fd99::1"), 64));

    private static final String SWITCH_ADDRESS = "10.99.0.254/24";

    private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9_-]{0,22}");

    private static final int MOST_AF_XDP_MTU_BYTES = 3754;
    private static final long MS_PER_SECOND = 1000;
    private static final String SOURCE = "the lab's options";

    private final LabOptions options;
    private final Hosts hosts;
    private final Topology topology;
    private final String more;
    private final String ring;
    private final Map<Integer, String> controls;
    private final boolean isDrawn;
    private final NetworkPlan network;

    private LabPlan(
            LabOptions options,
            Topology topology,
            Hosts hosts,
            String more,
            String ring,
            Map<Integer, String> controls,
            boolean isDrawn)
            throws BedException {
        this.options = options;
        this.hosts = hosts;
        this.topology = topology.withSizes(topology.sizes().withMtuBytes(options.mtuBytes()));
        this.more = more;
        this.ring = ring;
        this.controls = Map.copyOf(controls);
        this.isDrawn = isDrawn;
        this.network = NetnsNetwork.planned(this.topology, networkOptions());
    }

    /**
     * Any network.
     *
     * @param topology its links have their own rates, its frames the lab's MTU
     * @param hosts who is at their ends of the links
     * @param more further settings of all ports, each with a comma before it
     */
    static LabPlan of(Topology topology, LabOptions options, Hosts hosts, String more)
            throws BedException {
        check(options);
        return new LabPlan(options, topology, hosts, more, "", Map.of(), false);
    }

    /**
     * A network from a user's file, with its queues, priorities and flow control. With flow
     * control, hosts have agents that obey it.
     *
     * @param given their rate and MTU are not those of the lab: the topology has its own
     * @param hasCards whether hosts have cards of ours in any case
     * @param controls further settings of hosts by their numbers, each with a comma before it;
     *     where there are some, switches have an address, from which they tell hosts of rates
     */
    static LabPlan drawn(
            Topology topology, LabOptions given, boolean hasCards, Map<Integer, String> controls)
            throws BedException {
        LabOptions options = given.of(topology);
        check(options);
        boolean obeys = hasCards || !topology.ports().equals(PortTraffic.NONE);
        boolean isTap = options.device() == LabOptions.DeviceKind.TAP;
        if (obeys && options.device() != LabOptions.DeviceKind.AFPACKET) {
            throw new BedException(
                    "--device "
                            + options.device().word()
                            + " is not for hosts with cards of ours, which flow control and RoCEv2"
                            + " ask for; leave it out");
        }
        if (obeys && options.gso()) {
            throw new BedException(
                    "--gso is not for hosts with cards of ours, which flow control and RoCEv2 ask"
                            + " for; leave it out");
        }
        long rateBps = link(options).rateBps();
        return new LabPlan(
                options,
                topology,
                obeys ? Hosts.AGENT : isTap ? Hosts.TAP : Hosts.PLAIN,
                "",
                obeys ? ", ring: " + ringFrames(rateBps) : "",
                controls,
                true);
    }

    /** A link of the lab's line rate. */
    static LinkSpec link(LabOptions options) throws BedException {
        check(options);
        Long rateBps = Quantity.RATE.parse(options.rate());
        if (rateBps == null) {
            throw new IllegalStateException("a rate that the reader takes: " + options.rate());
        }
        return LinkSpec.of(rateBps, 0);
    }

    /**
     * Refuses what no lab could be made of, before anything is made, in the words of the command
     * line.
     *
     * @throws BedException in one sentence without its full stop
     */
    public static void check(LabOptions options) throws BedException {
        if (!PREFIX.matcher(options.prefix()).matches()) {
            throw new BedException(
                    "--prefix '"
                            + options.prefix()
                            + "' cannot begin a namespace's name: up to 22 letters, digits, '-'"
                            + " and '_' are allowed");
        }
        if (options.mtuBytes() < 576 || options.mtuBytes() > 9000) {
            throw new BedException(
                    "--mtu "
                            + options.mtuBytes()
                            + " is out of range: 576 to 9000 bytes are allowed");
        }
        if (options.device() == LabOptions.DeviceKind.AFXDP
                && options.mtuBytes() > MOST_AF_XDP_MTU_BYTES) {
            throw new BedException(
                    "AF_XDP carries an MTU of at most "
                            + MOST_AF_XDP_MTU_BYTES
                            + " bytes; the lab's would be "
                            + options.mtuBytes()
                            + "; give a smaller --mtu, or --device afpacket or tap");
        }
        try {
            String port = "  - {name: p1, device: {afpacket: {interface: p1}}}\n";
            SwitchConfigReader.read(yaml(options, "s1", "", "", port, options.mtuBytes()), SOURCE);
        } catch (ConfigException e) {
            throw new BedException(wrong(e), e);
        }
    }

    /**
     * Errors in terms of the command line: the text that the reader found errors in was generated.
     */
    private static String wrong(ConfigException found) {
        return found.problems().stream()
                .map(problem ->
                        option(problem.path())
                                + ": found "
                                + problem.found()
                                + "; allowed: "
                                + problem.allowed())
                .distinct()
                .collect(Collectors.joining("; "));
    }

    private static String option(String path) {
        return switch (path) {
            case "defaults.rate" -> "--rate";
            case "workers.layout" -> "--workers";
            case "workers.idle" -> "--idle";
            default -> SOURCE + ": " + path;
        };
    }

    /** What short frames bring while a worker is held, as a power of two that a ring may have. */
    private static int ringFrames(long rateBps) {
        int shortest = WireFormat.ETHERNET.wireBytes(0);
        long frames = rateBps / Byte.SIZE * HELD_MS / MS_PER_SECOND / shortest;
        int ring = ConfigDefaults.AF_PACKET_RING_FRAMES;
        while (ring < frames && ring < ConfigDefaults.MAX_RING_FRAMES) {
            ring *= 2;
        }
        return ring;
    }

    Topology topology() {
        return topology;
    }

    /** The kind of the hosts' ends of the links. */
    Hosts hosts() {
        return hosts;
    }

    /** The network with everything filled in: addresses, and the switches' configurations. */
    NetworkPlan network() {
        return network;
    }

    /** How it is made. */
    NetnsNetwork.Options networkOptions() {
        return NetnsNetwork.Options.of(options.prefix(), options.seed())
                .withIpv6(options.ipv6())
                .withHosts(hosts)
                .withPlan(plan ->
                        plan.withAddresses(ADDRESSES)
                                .withSwitchPrefix(options.prefix())
                                .withLinks(
                                        isDrawn
                                                ? PlanOptions.Links.LATE
                                                : PlanOptions.Links.AS_THEY_ARE)
                                .withAdjust(this::config));
    }

    /**
     * A switch's configuration, as a file would have it, and read by the same reader. What it needs
     * to know of its network it has as it was planned: routes and, where it may not flood, where
     * the hosts are.
     */
    private SwitchConfig config(SwitchConfig planned) {
        StringBuilder ports = new StringBuilder();
        int payloadBytes = 0;
        for (int port = 0; port < planned.ports().size(); port++) {
            ports.append(port(planned, port));
            payloadBytes = Math.max(payloadBytes, planned.ports().get(port).linkMtuBytes());
        }
        SwitchConfig read;
        try {
            read =
                    SwitchConfigReader.read(
                            yaml(options, planned.name(), address(), more, ports, payloadBytes),
                            SOURCE);
        } catch (ConfigException e) {
            throw new IllegalArgumentException(wrong(e), e);
        }
        if (isDrawn) {
            List<PortConfig> made = withDevices(planned.ports(), read.ports());
            MemoryConfig memory = planned.memory();
            int more = memory.slotsPerPort() + ringSlots(made) - ringSlots(planned.ports());
            // Slots for whole segments are sixteen times larger: as many as are needed.
            SwitchConfig addressed =
                    controls.isEmpty() ? planned : planned.withAddress(read.address());
            return addressed
                    .withWorkers(read.workers())
                    .withPorts(made)
                    .withMemory(
                            options.gso()
                                    ? read.memory().withSharedBytes(memory.sharedBytes())
                                    : memory.withSlotsPerPort(more));
        }
        boolean routed = planned.mode() == SwitchConfig.Mode.ROUTED;
        SwitchConfig config = read.withMode(planned.mode());
        if (topology.hasLoop()) {
            config = config.withBridge(planned.bridge());
        }
        return routed
                ? config.withAddress(planned.address())
                        .withPorts(withAddresses(read.ports(), planned.ports()))
                        .withRouted(planned.routed())
                : config;
    }

    private static List<PortConfig> withAddresses(List<PortConfig> read, List<PortConfig> planned) {
        List<PortConfig> ports = new ArrayList<>();
        for (int i = 0; i < read.size(); i++) {
            ports.add(read.get(i).withAddresses(planned.get(i).addresses()));
        }
        return ports;
    }

    /** What the largest ring of a port takes. */
    private static int ringSlots(List<PortConfig> ports) {
        return ports.stream().mapToInt(port -> port.device().receiveSlots()).max().orElse(0);
    }

    private List<PortConfig> withDevices(List<PortConfig> planned, List<PortConfig> read) {
        List<PortConfig> ports = new ArrayList<>();
        for (int i = 0; i < planned.size(); i++) {
            PortConfig own = planned.get(i);
            DeviceConfig device = sameLink(own.device(), read.get(i).device());
            boolean isUsual = own.queueLimitBytes() == Topology.Sizes.DEFAULT.queueLimitBytes();
            PortConfig made = own.withDevice(device);
            if (options.gso()) {
                // Accounts of the slots that there are, each for a whole segment.
                PortConfig whole = read.get(i);
                made =
                        made.withAccountCapBytes(whole.accountCapBytes())
                                .withAccountCapSlots(whole.accountCapSlots());
                if (isUsual) {
                    made = made.withQueueLimitBytes(whole.queueLimitBytes());
                }
            }
            ports.add(made);
        }
        return ports;
    }

    /** Another device at a link that stays as it is. */
    private static DeviceConfig sameLink(DeviceConfig planned, DeviceConfig device) {
        if (!(planned instanceof DeviceConfig.Faulty faulty)) {
            return device;
        }
        DeviceConfig.OneWay transmit = faulty.faults().transmit();
        if (!device.mapsSlots() || transmit == null) {
            return new DeviceConfig.Faulty(device, faulty.faults());
        }
        if (transmit.isAnything()) {
            throw new IllegalArgumentException(
                    "with "
                            + Devices.name(device)
                            + " a link to a host has no delay and no faults, because frames leave"
                            + " the switch without being copied; give --device afpacket");
        }
        return new DeviceConfig.Faulty(device, faulty.faults().withTransmit(null));
    }

    /** From where a switch sends notices: an address that no host has. */
    private String address() {
        return controls.isEmpty() ? "" : "\naddress: " + SWITCH_ADDRESS;
    }

    private static String yaml(
            LabOptions options,
            String name,
            String address,
            String more,
            CharSequence ports,
            int payloadBytes) {
        return "name: "
                + quoted(name)
                + address
                + "\nseed: "
                + options.seed()
                + "\ndefaults: {rate: "
                + quoted(options.rate())
                + ", mtu: "
                + options.mtuBytes()
                + more
                + "}\nports:\n"
                + ports
                + "memory: {slot: "
                + Quantity.SIZE.format(
                        options.gso()
                                ? MemoryConfig.WHOLE_SLOT_BYTES
                                : MemoryConfig.slotBytesFor(payloadBytes))
                + "}\nworkers: {layout: "
                + layout(options.workers())
                + ", idle: "
                + quoted(options.idle())
                + "}\n";
    }

    private String port(SwitchConfig planned, int port) {
        PortConfig of = planned.ports().get(port);
        return "  - {name: "
                + of.name()
                + ", device: {"
                + device(planned.name(), port)
                + "}"
                + rate(of.rateBps())
                + "}\n";
    }

    /** Nothing where it is that of all. */
    private String rate(long rateBps) {
        Long common = Quantity.RATE.parse(options.rate());
        return common != null && common == rateBps ? "" : ", rate: " + rateBps + "bps";
    }

    private String device(String switchName, int port) {
        String host = hosts == Hosts.TAP ? hostAt(switchName, port) : null;
        if (host != null) {
            return "tap: {interface: "
                    + NetnsNetwork.HOST_INTERFACE
                    + ", netns: "
                    + quoted(options.prefix() + host)
                    + ", create: true"
                    + gso()
                    + "}";
        }
        LabOptions.DeviceKind kind =
                options.device() == LabOptions.DeviceKind.TAP
                        ? LabOptions.DeviceKind.AFPACKET
                        : options.device();
        return kind.word()
                + ": {interface: p"
                + (port + 1)
                + ", netns: "
                + quoted(switchName)
                + ring
                + gso()
                + "}";
    }

    private String gso() {
        return options.gso() ? ", gso: pass" : "";
    }

    /** The host at a switch's port; null if there is a switch. */
    private @Nullable String hostAt(String switchName, int port) {
        String name = switchName.substring(options.prefix().length());
        int number = 0;
        for (Topology.Link link : topology.links()) {
            boolean first = link.a().equals(name);
            if ((first || link.b().equals(name)) && number++ == port) {
                String peer = first ? link.b() : link.a();
                boolean isHost =
                        topology.hosts().stream().anyMatch(host -> host.name().equals(peer));
                return isHost ? peer : null;
            }
        }
        throw new IllegalArgumentException(switchName + " has no port " + port);
    }

    /** The agent that gives every host its card. */
    HostConfig agents(NetnsNetwork made) throws BedException {
        StringBuilder yaml = new StringBuilder("name: hosts\n");
        yaml.append("defaults: {rate: ").append(quoted(options.rate()));
        yaml.append(", mtu: ").append(options.mtuBytes()).append(more);
        yaml.append("}\nhosts:\n");
        for (HostPlan host : network.hosts()) {
            String netns = quoted(made.hostNetns(host.number()));
            LinkPlan.End port = made.portOf(host.number());
            yaml.append("  - {name: ").append(netns);
            yaml.append(", tap: {interface: ").append(NetnsNetwork.HOST_INTERFACE);
            yaml.append(", netns: ").append(netns);
            yaml.append("}, device: {afpacket: {interface: ").append(made.agentInterface(port));
            yaml.append(", netns: ").append(quoted(made.switchNetns(port.node()))).append("}}");
            yaml.append(rate(host.rateBps())).append(controls.getOrDefault(host.number(), ""));
            yaml.append("}\n");
        }
        yaml.append("workers: {idle: ").append(quoted(options.idle())).append("}\n");
        try {
            HostConfig read = HostConfigReader.read(yaml.toString(), SOURCE);
            return isDrawn ? withWires(read) : read;
        } catch (ConfigException e) {
            throw new BedException(wrong(e), e);
        }
    }

    /** What the topology says of a host's end of its link. */
    private HostConfig withWires(HostConfig read) {
        List<HostConfig.Nic> nics = new ArrayList<>();
        for (HostPlan host : network.hosts()) {
            nics.add(read.nics().get(host.number()).withWire(host.wire()));
        }
        return read.withNics(nics);
    }

    /** A number stays a number. */
    private static String layout(String workers) {
        return workers.matches("[0-9]{1,9}") ? workers : quoted(workers);
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }
}
