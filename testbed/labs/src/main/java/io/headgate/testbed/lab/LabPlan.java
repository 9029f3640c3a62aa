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
import io.headgate.testbed.lab.LabOptions.DeviceKind;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.NetnsNetwork;
import io.headgate.testbed.netns.NetnsNetwork.Hosts;
import io.headgate.testbed.topology.HostPlan;
import io.headgate.testbed.topology.HostRange;
import io.headgate.testbed.topology.LinkPlan;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topology;
import java.net.InetAddress;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The plan of a lab's network: the topology of its file with its queues, priorities and flow
 * control, and the configurations of its switches and of its hosts' agents, from the lab's options.
 * With flow control, hosts have agents that obey it. Immutable.
 */
public final class LabPlan {
    /** The time for which lossless labs allow a worker to be held, in ms. */
    static final int HELD_MS = 50;

    /** Hosts are {@code 10.99.0.1} and so on, and {@code fd99::1} (RFC 4193). */
    static final HostRange ADDRESSES =
            new HostRange(
                    0x0268_6700_0001L,
                    new InterfaceAddress(InetAddress.ofLiteral("10.99.0.1"), 24),
                    new InterfaceAddress(InetAddress.ofLiteral("fd99::1"), 64));

    /** The address from which a switch sends notices; no host has it. */
    private static final InterfaceAddress SWITCH_ADDRESS =
            new InterfaceAddress(InetAddress.ofLiteral("10.99.0.254"), 24);

    private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9_-]{0,22}");
    private static final int MOST_AF_XDP_MTU_BYTES = 3754;
    private static final long MS_PER_SECOND = 1000;
    private static final String SOURCE = "the lab's options";

    private final LabOptions options;
    private final Topology topology;
    private final Hosts hosts;
    private final Map<Integer, String> controls;

    /** One port of a switch, as the options are for all. */
    private final SwitchConfig read;

    private final int ringFrames;
    private final NetworkPlan network;

    /**
     * @param given their rate and MTU are not those of the lab: the topology has its own
     * @param hasCards whether hosts have cards of ours in any case
     * @param controls further settings of hosts by their numbers, each with a comma before it;
     *     where there are some, switches have an address, from which they tell hosts of rates
     */
    LabPlan(Topology topology, LabOptions given, boolean hasCards, Map<Integer, String> controls)
            throws BedException {
        this.options = given.of(topology);
        this.topology = topology;
        this.controls = Map.copyOf(controls);
        this.read = check(options);
        boolean obeys = hasCards || !topology.ports().equals(PortTraffic.NONE);
        if (obeys && options.device() != DeviceKind.AFPACKET) {
            throw new BedException(
                    "--device "
                            + options.device().word()
                            + " does not work with Headgate's own cards in hosts, which flow"
                            + " control and RoCEv2 need; leave it out");
        }
        if (obeys && options.gso()) {
            throw new BedException(
                    "--gso does not work with Headgate's own cards in hosts, which flow control and"
                            + " RoCEv2 need; leave it out");
        }
        boolean isTap = options.device() == DeviceKind.TAP;
        this.hosts = obeys ? Hosts.AGENT : isTap ? Hosts.TAP : Hosts.PLAIN;
        long rateBps = read.ports().getFirst().rateBps();
        this.ringFrames = obeys ? ringFrames(rateBps) : ConfigDefaults.AF_PACKET_RING_FRAMES;
        this.network = NetnsNetwork.planned(topology, networkOptions());
    }

    /**
     * Refuses options of which no lab can be made, before anything is made, in the words of the
     * command line.
     *
     * @return a switch of one port, with what the options say of it
     * @throws BedException in one sentence without its full stop
     */
    public static SwitchConfig check(LabOptions options) throws BedException {
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
        if (options.device() == DeviceKind.AFXDP && options.mtuBytes() > MOST_AF_XDP_MTU_BYTES) {
            throw new BedException(
                    "AF_XDP carries an MTU of at most "
                            + MOST_AF_XDP_MTU_BYTES
                            + " bytes; the lab's would be "
                            + options.mtuBytes()
                            + "; give a smaller --mtu, or --device afpacket or tap");
        }
        int slotBytes =
                options.gso()
                        ? MemoryConfig.WHOLE_SLOT_BYTES
                        : MemoryConfig.slotBytesFor(options.mtuBytes());
        // A number stays a number.
        boolean isNumber = options.workers().matches("[0-9]{1,9}");
        String yaml =
                """
                name: s1
                seed: %d
                defaults: {rate: %s, mtu: %d}
                ports: [{name: p1, device: {afpacket: {interface: p1, gso: %s}}}]
                memory: {slot: %s}
                workers: {layout: %s, idle: %s}
                """
                        .formatted(
                                options.seed(),
                                quoted(options.rate()),
                                options.mtuBytes(),
                                options.gso() ? "pass" : "none",
                                Quantity.SIZE.format(slotBytes),
                                isNumber ? options.workers() : quoted(options.workers()),
                                quoted(options.idle()));
        try {
            return SwitchConfigReader.read(yaml, SOURCE);
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

    Hosts hosts() {
        return hosts;
    }

    /** The network with everything filled in: addresses, and the switches' configurations. */
    NetworkPlan network() {
        return network;
    }

    NetnsNetwork.Options networkOptions() {
        return NetnsNetwork.Options.of(options.prefix(), options.seed())
                .withIpv6(options.ipv6())
                .withHosts(hosts)
                .withAdjust(plan ->
                        plan.withAddresses(ADDRESSES)
                                .withSwitchPrefix(options.prefix())
                                .withLinks(PlanOptions.Links.LATE)
                                .withWorkers(read.workers())
                                .withDevices((name, port, _) -> device(name, port))
                                .withAdjust(this::config));
    }

    private SwitchConfig config(SwitchConfig planned) {
        SwitchConfig made = planned.withPorts(planned.ports().stream().map(this::port).toList());
        if (options.gso()) {
            long sharedBytes = planned.memory().sharedBytes();
            made = made.withMemory(read.memory().withSharedBytes(sharedBytes));
        }
        return controls.isEmpty() ? made : made.withAddress(SWITCH_ADDRESS);
    }

    private PortConfig port(PortConfig planned) {
        PortConfig made = planned.withDevice(allowed(planned.device()));
        if (!options.gso()) {
            return made;
        }
        // Accounts of the slots that there are, each for a whole segment.
        PortConfig whole = read.ports().getFirst();
        boolean isUsual = made.queueLimitBytes() == Topology.Sizes.DEFAULT.queueLimitBytes();
        return made.withAccountCapBytes(whole.accountCapBytes())
                .withAccountCapSlots(whole.accountCapSlots())
                .withQueueLimitBytes(isUsual ? whole.queueLimitBytes() : made.queueLimitBytes());
    }

    /** The same at a link on which frames leave without being copied: nothing delays these. */
    private static DeviceConfig allowed(DeviceConfig planned) {
        if (!(planned instanceof DeviceConfig.Faulty faulty) || !faulty.device().mapsSlots()) {
            return planned;
        }
        DeviceConfig.OneWay transmit = faulty.faults().transmit();
        if (transmit != null && transmit.isAnything()) {
            throw new IllegalArgumentException(
                    "with "
                            + Devices.name(faulty.device())
                            + " a link to a host has no delay and no faults, because frames leave"
                            + " the switch without being copied; give --device afpacket");
        }
        return new DeviceConfig.Faulty(faulty.device(), faulty.faults().withTransmit(null));
    }

    private DeviceConfig device(String switchName, int port) {
        DeviceConfig.Gso gso = options.gso() ? DeviceConfig.Gso.PASS : DeviceConfig.Gso.NONE;
        String host = hosts == Hosts.TAP ? hostAt(switchName, port) : null;
        if (host != null) {
            String netns = options.prefix() + host;
            return new DeviceConfig.Tap(NetnsNetwork.HOST_INTERFACE, netns, true, gso);
        }
        String name = "p" + (port + 1);
        String netns = options.prefix() + switchName;
        return options.device() == DeviceKind.AFXDP
                ? new DeviceConfig.AfXdp(
                        name,
                        netns,
                        0,
                        DeviceConfig.XdpMode.AUTO,
                        DeviceConfig.XdpTransmit.AUTO,
                        ConfigDefaults.AF_XDP_RING_FRAMES)
                : new DeviceConfig.AfPacket(name, netns, ringFrames, gso);
    }

    /** The host at a switch's port; null if there is a switch. */
    private @Nullable String hostAt(String switchName, int port) {
        Topology.Link link =
                topology.links().stream()
                        .filter(one -> one.a().equals(switchName) || one.b().equals(switchName))
                        .skip(port)
                        .findFirst()
                        .orElseThrow();
        String peer = link.a().equals(switchName) ? link.b() : link.a();
        return topology.hosts().stream().anyMatch(host -> host.name().equals(peer)) ? peer : null;
    }

    /** The agent that gives every host its card, with what the topology says of its link. */
    HostConfig agents(NetnsNetwork made) throws BedException {
        StringBuilder yaml = new StringBuilder("name: hosts\nhosts:\n");
        for (HostPlan host : network.hosts()) {
            String netns = quoted(made.hostNetns(host.number()));
            LinkPlan.End port = made.portOf(host.number());
            yaml.append(
                    "  - {name: %s, tap: {interface: %s, netns: %s}, rate: %dbps, mtu: %d%s, device: {afpacket: {interface: %s, netns: %s}}}\n"
                            .formatted(
                                    netns,
                                    NetnsNetwork.HOST_INTERFACE,
                                    netns,
                                    host.rateBps(),
                                    options.mtuBytes(),
                                    controls.getOrDefault(host.number(), ""),
                                    made.agentInterface(port),
                                    quoted(made.switchNetns(port.node()))));
        }
        yaml.append("workers: {idle: ").append(quoted(options.idle())).append("}\n");
        try {
            HostConfig read = HostConfigReader.read(yaml.toString(), SOURCE);
            return read.withNics(
                    network.hosts().stream()
                            .map(host -> read.nics().get(host.number()).withWire(host.wire()))
                            .toList());
        } catch (ConfigException e) {
            throw new BedException(wrong(e), e);
        }
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }
}
