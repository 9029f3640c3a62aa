package io.headgate.control.run;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.headgate.config.Addresses;
import io.headgate.config.ConfigException;
import io.headgate.config.InterfaceAddress;
import io.headgate.config.PortConfig;
import io.headgate.config.RoutedConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.read.SwitchChange;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.config.read.SwitchPatch;
import io.headgate.control.capture.CaptureException;
import io.headgate.control.capture.CaptureFilter;
import io.headgate.control.capture.CaptureWriter;
import io.headgate.control.capture.PcapngWriter;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.link.LinkEnd;
import io.headgate.control.lldp.LldpNeighbour;
import io.headgate.dataplane.counter.CounterReader;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.DeviceInfo;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.engine.PortRegistry;
import io.headgate.dataplane.forwarding.ForwardingDatabase;
import io.headgate.dataplane.forwarding.IpAddress;
import io.headgate.dataplane.forwarding.NeighbourTable;
import io.headgate.dataplane.frame.MacAddress;
import io.headgate.dataplane.runner.DeviceFactory;
import io.headgate.dataplane.runner.ErrorRecord;
import io.headgate.dataplane.runner.PortSupervisor;
import io.headgate.dataplane.runner.RealTimeSwitch;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A running switch, as the daemon and the labs use it. Any thread may call it. */
public final class RunningSwitch implements AutoCloseable {
    /** Room for a burst of some milliseconds at a port, while the writer waits for its disk. */
    private static final int RING_BYTES = 4 << 20;

    private static final int FEW_HALVES = 18;
    private static final int MIN_SNAP_BYTES = 14;

    /**
     * A port and its present device.
     *
     * @param device null while it has none
     */
    public record Port(int number, String name, @Nullable DeviceInfo device, boolean up) {}

    /**
     * An entry of the forwarding table.
     *
     * @param idleMs since a frame from there was last noted, at most an eighth of the ageing time
     *     before it was last seen; 0 for static entries
     */
    public record FdbEntry(
            String mac,
            int vlan,
            String port,
            @JsonProperty("static") boolean isStatic,
            long idleMs) {}

    /**
     * An entry of a router's neighbour table.
     *
     * @param mac empty: not known yet
     */
    public record Neighbour(String address, String mac, String port) {}

    /**
     * A route of a router.
     *
     * @param prefix with its length, as in {@code 10.0.0.0/24}
     * @param via next hops that share the route; empty: the network is the port's own
     * @param state whether it can be used: {@code up}, {@code down}, or which of its ports are down
     */
    public record Route(String prefix, List<String> via, String port, String state) {}

    private final RealTimeSwitch realTime;
    private final DeviceFactory devices;
    private final @Nullable PortSupervisor supervisor;
    private final ErrorRecord errors;
    private final CounterReader counters;
    private final Map<RunningCapture, CaptureTaps> captures = new LinkedHashMap<>();

    /** Captures that have ended, but whose taps remain because a worker hung. */
    private final List<CaptureTaps> stuck = new ArrayList<>();

    /** The configuration with which the switch started. */
    private final SwitchConfig started;

    private boolean closed;

    // Set by the owner of the network.
    private volatile Consumer<List<SwitchChange>> onChange = changes -> {};
    private volatile Map<String, String> told = Map.of();
    private volatile Map<String, LinkEnd> linkEnds = Map.of();

    RunningSwitch(
            RealTimeSwitch realTime,
            DeviceFactory devices,
            @Nullable PortSupervisor supervisor,
            ErrorRecord errors,
            CounterReader counters) {
        this.realTime = realTime;
        this.devices = devices;
        this.supervisor = supervisor;
        this.errors = errors;
        this.counters = counters;
        this.started = realTime.engine().config();
    }

    /**
     * Starts a switch in this process: warms the engine up, starts the workers, opens every device.
     *
     * @throws ConfigException if no switch can be made of the configuration, in one sentence
     * @throws DeviceException if a device cannot be opened, or memory is too small for the ports
     *     and workers; then nothing is left running or open
     */
    public static RunningSwitch start(SwitchConfig config, SwitchOptions options)
            throws DeviceException {
        return SwitchStart.start(config, options);
    }

    /** The configuration in force. */
    public SwitchConfig config() {
        return realTime.engine().config();
    }

    /**
     * The rate of a port's link, in bits per second: a rate set lower while the switch runs slows
     * only what the port sends.
     */
    public long linkRateBps(int port) {
        return Math.max(started.ports().get(port).rateBps(), config().ports().get(port).rateBps());
    }

    /**
     * Changes the configuration in force: applies a patch whole or not at all.
     *
     * @param assignments as {@link SwitchPatch} takes them
     * @return every key that has another value now
     * @throws ConfigException with everything that is wrong, or that may not change while the
     *     switch runs
     * @throws IllegalStateException if a port's worker hangs, or the switch was not set up for the
     *     change at its start; nothing is changed
     */
    public synchronized List<SwitchChange> set(List<String> assignments) {
        return take(SwitchPatch.apply(config(), assignments));
    }

    /**
     * As {@link #set(List)}, for a YAML mapping.
     *
     * @param name what to call the text in messages, such as its file's name
     */
    public synchronized List<SwitchChange> set(String yaml, String name) {
        return take(SwitchPatch.apply(config(), yaml, name));
    }

    /** As {@link #set(List)}, for a mapping that has been read already. */
    public synchronized List<SwitchChange> set(Map<String, Object> mapping, String name) {
        return take(SwitchPatch.apply(config(), mapping, name));
    }

    /**
     * As {@link #set(Map, String)} in two steps: checks the change now, and returns the action that
     * applies it. If another change came in between, the action checks again.
     */
    public Runnable ready(Map<String, Object> mapping, String name) {
        SwitchConfig checkedWith = config();
        SwitchPatch.Patched patched = SwitchPatch.apply(checkedWith, mapping, name);
        return () -> {
            synchronized (this) {
                var _ = config().equals(checkedWith) ? take(patched) : set(mapping, name);
            }
        };
    }

    /**
     * Replaces the configuration in force by the present content of a file, whole or not at all.
     *
     * @throws io.headgate.config.ConfigException if the file is wrong, or anything in it that
     *     differs may not change while the switch runs
     */
    public synchronized List<SwitchChange> reload(Path file) {
        SwitchConfig next = SwitchConfigReader.read(file);
        return take(SwitchPatch.replace(config(), next, file.toString()));
    }

    private List<SwitchChange> take(SwitchPatch.Patched patched) {
        if (closed) {
            throw new IllegalStateException("it is stopping");
        }
        if (!patched.changes().isEmpty()) {
            try {
                realTime.change(patched.config());
            } catch (IllegalArgumentException e) {
                throw new IllegalStateException(e.getMessage(), e);
            }
        }
        return patched.changes();
    }

    /** The engine with its threads and devices, for tests and measurements. */
    public RealTimeSwitch realTime() {
        return realTime;
    }

    /** The factory that opened the devices; it has the wires of in-memory pairs. */
    public DeviceFactory devices() {
        return devices;
    }

    /**
     * Sets the far ends of the links.
     *
     * @param peers by port: {@code s2:p3} for a switch's port, {@code h1} for a host
     */
    public void tellPeers(Map<String, String> peers) {
        told = Map.copyOf(peers);
    }

    /** Sets the link of the network to which each port belongs. */
    public void tellLinks(Map<String, LinkEnd> ends) {
        linkEnds = Map.copyOf(ends);
    }

    /** The links of ports, by port, as given to {@link #tellLinks}. */
    public Map<String, LinkEnd> linkEnds() {
        return linkEnds;
    }

    /** Sets the listener for changes that the control socket makes. */
    public void onChange(Consumer<List<SwitchChange>> listener) {
        onChange = listener;
    }

    /** Notifies the listener of changes that the control socket has made. */
    public void changedFromOutside(List<SwitchChange> changes) {
        onChange.accept(changes);
    }

    /**
     * The peers at the far ends, by port, as given to {@link #tellPeers}, or as they announce
     * themselves (LLDP); a missing port has an unknown peer.
     */
    public Map<String, String> peers() {
        Map<String, String> peers = new HashMap<>(told);
        for (LldpNeighbour row : LldpNeighbour.of(realTime.engine(), realTime.nowNs())) {
            String name = row.system().isEmpty() ? row.chassis() : row.system();
            peers.put(row.port(), name + ":" + row.farPort());
        }
        return peers;
    }

    public CounterSnapshot counters() {
        return CounterSnapshot.of(counters);
    }

    /** What went wrong since the start, one entry per kind. */
    public List<ErrorRecord.Entry> errors() {
        return errors.entries();
    }

    /** The trouble with a port's device, in a sentence; empty: none is known. */
    public String trouble(int port) {
        PortSupervisor watches = supervisor;
        return watches == null ? "" : watches.trouble(port);
    }

    /** The number of cores that the workers use, and how they use them, in words. */
    public String describeWorkers() {
        return realTime.plan().describe(config().workers());
    }

    /** The ports in the order of their numbers, the local port not among them. */
    public List<Port> ports() {
        List<Port> ports = new ArrayList<>();
        for (int port = 0; port < config().ports().size(); port++) {
            PortDevice device = realTime.device(port);
            ports.add(
                    new Port(
                            port,
                            config().ports().get(port).name(),
                            device == null ? null : device.info(),
                            device != null && device.isUp()));
        }
        return ports;
    }

    /** Whether every port has a link, the local port aside, as the ingress halves last saw it. */
    public boolean areLinksUp() {
        PortRegistry known = realTime.engine().registry();
        return IntStream.range(0, config().ports().size()).allMatch(known::isUp);
    }

    /** The forwarding table, by VLAN and address. */
    public List<FdbEntry> fdb() {
        long nowMs = realTime.nowNs() / 1_000_000;
        List<FdbEntry> entries = new ArrayList<>();
        realTime.engine()
                .forwardingDatabase()
                .forEach((key, entry) -> {
                    boolean isStatic = ForwardingDatabase.isStatic(entry);
                    entries.add(
                            new FdbEntry(
                                    MacAddress.format(ForwardingDatabase.mac(key)),
                                    ForwardingDatabase.vlan(key),
                                    portName(ForwardingDatabase.port(entry)),
                                    isStatic,
                                    isStatic
                                            ? 0
                                            : Math.max(
                                                    0, nowMs - ForwardingDatabase.seenMs(entry))));
                });
        entries.sort(Comparator.comparingInt(FdbEntry::vlan).thenComparing(FdbEntry::mac));
        return entries;
    }

    /** Whether it routes by IP address; otherwise it bridges by MAC address. */
    public boolean isRouter() {
        return config().mode() == SwitchConfig.Mode.ROUTED;
    }

    /** A router's neighbours, by port and address; none in a bridge. */
    public List<Neighbour> neighbours() {
        List<Neighbour> neighbours = new ArrayList<>();
        NeighbourTable table = realTime.engine().neighbours();
        if (table != null) {
            table.forEach((port, high, low, mac) ->
                    neighbours.add(
                            new Neighbour(
                                    NetUtil.toAddressString(address(high, low)),
                                    mac == 0 ? "" : MacAddress.format(mac),
                                    portName(port))));
        }
        neighbours.sort(
                Comparator.comparing(Neighbour::port)
                        .thenComparing(
                                neighbour ->
                                        NetUtil.createByteArrayFromIpAddressString(
                                                neighbour.address()),
                                Arrays::compareUnsigned));
        return neighbours;
    }

    /** An address in the form of the neighbour table, see {@link IpAddress}. */
    private static InetAddress address(long high, long low) {
        // An IPv4-mapped address becomes the IPv4 address.
        return Addresses.address(ByteBuffer.allocate(16).putLong(high).putLong(low).array());
    }

    /** A router's routes: the networks of its ports, then the static ones; none in a bridge. */
    public List<Route> routes() {
        List<Route> routes = new ArrayList<>();
        for (PortConfig port : config().ports()) {
            for (InterfaceAddress own : port.addresses()) {
                routes.add(route(Addresses.network(own), List.of(), List.of(port.name())));
            }
        }
        for (RoutedConfig.Route route : config().routed().routes()) {
            List<String> ports =
                    route.nextHops().stream().map(hop -> portTowards(hop)).distinct().toList();
            routes.add(route(route.prefix(), route.nextHops(), ports));
        }
        return routes;
    }

    private Route route(InterfaceAddress prefix, List<InetAddress> hops, List<String> ports) {
        PortRegistry known = realTime.engine().registry();
        List<String> names = config().ports().stream().map(PortConfig::name).toList();
        List<String> down =
                ports.stream().filter(name -> !known.isUp(names.indexOf(name))).toList();
        return new Route(
                NetUtil.toAddressString(prefix.address()) + "/" + prefix.prefixLength(),
                hops.stream().map(NetUtil::toAddressString).toList(),
                String.join(", ", ports),
                down.isEmpty()
                        ? "up"
                        : down.size() == ports.size() ? "down" : String.join(", ", down) + " down");
    }

    private String portTowards(InetAddress nextHop) {
        return config().ports().stream()
                .filter(port ->
                        port.addresses().stream().anyMatch(own -> Addresses.contains(own, nextHop)))
                .map(PortConfig::name)
                .findFirst()
                .orElseThrow();
    }

    private String portName(int port) {
        return port == realTime.engine().localPort() ? "local" : config().ports().get(port).name();
    }

    /** Forgets the largest queues, occupancies, duty cycles and latenesses seen. */
    public void clearWatermarks() {
        realTime.clearWatermarks();
    }

    /**
     * Starts a capture into a pcapng file.
     *
     * @throws CaptureException if a port is unknown or captured already, the filter is not
     *     understood, or the file cannot be made; no file is touched but in the last case
     * @throws IllegalStateException if a port's worker hangs; nothing is left of the capture
     */
    public synchronized RunningCapture startCapture(CaptureRequest request, Path file)
            throws CaptureException {
        check(request);
        return startCapture(request, PcapngWriter.open(file, "headgate", config().name()));
    }

    /**
     * Starts a capture into a writer, which the capture closes; on failure this method closes it.
     */
    public synchronized RunningCapture startCapture(CaptureRequest request, PcapngWriter file)
            throws CaptureException {
        CaptureTaps taps = null;
        CaptureWriter writer = null;
        try {
            List<Integer> ports = check(request);
            int ringBytes = 2 * ports.size() <= FEW_HALVES ? RING_BYTES : RING_BYTES / 4;
            taps = new CaptureTaps(realTime, ports, ringBytes, request.snapBytes());
            writer =
                    new CaptureWriter(
                            file,
                            describePorts(),
                            taps.rings(),
                            CaptureFilter.parse(request.filter(), taps.memory()),
                            realTime::nowNs,
                            realTime.epochOffsetNs(),
                            request.snapBytes(),
                            request.limitFrames());
            writer.start();
            taps.attach(request);
            RunningCapture capture = new RunningCapture(this, writer, taps);
            captures.put(capture, taps);
            return capture;
        } catch (CaptureException | RuntimeException | Error e) {
            abandon(file, writer, taps, e);
            throw e;
        }
    }

    private void abandon(
            PcapngWriter file,
            @Nullable CaptureWriter writer,
            @Nullable CaptureTaps taps,
            Throwable why) {
        try {
            if (taps != null) {
                taps.detach();
            }
        } catch (IllegalStateException e) {
            why.addSuppressed(e);
        }
        if (writer == null) {
            file.close();
        } else {
            writer.close();
        }
        if (taps != null && !taps.free()) {
            stuck.add(taps);
        }
    }

    /** Ends a capture; called once, when it is closed. */
    synchronized void end(RunningCapture capture, CaptureWriter writer, CaptureTaps taps) {
        captures.remove(capture);
        try {
            taps.detach();
        } finally {
            writer.close();
            if (!taps.free()) {
                stuck.add(taps);
            }
        }
    }

    /** Checks whether a capture is possible; returns the numbers of its ports. */
    private List<Integer> check(CaptureRequest request) throws CaptureException {
        if (closed) {
            throw new CaptureException("the switch is stopping");
        }
        if (request.snapBytes() < MIN_SNAP_BYTES
                || request.snapBytes() > CaptureRequest.WHOLE_FRAMES) {
            throw new CaptureException(
                    "a snap length of "
                            + request.snapBytes()
                            + " bytes is not allowed; allowed: 14 to 16384");
        }
        CaptureFilter.check(request.filter());
        List<Integer> ports = portNumbers(request.ports());
        for (int port : ports) {
            if (captures.values().stream().anyMatch(taps -> taps.ports().contains(port))) {
                throw new CaptureException(
                        "port "
                                + portName(port)
                                + " is being captured already; stop that capture first");
            }
        }
        letGo(ports);
        return ports;
    }

    /** Removes taps that remained after their capture ended, from ports that are needed now. */
    private void letGo(List<Integer> ports) {
        for (CaptureTaps taps : List.copyOf(stuck)) {
            if (taps.ports().stream().anyMatch(ports::contains)) {
                taps.detach();
                taps.free();
                stuck.remove(taps);
            }
        }
    }

    private List<Integer> portNumbers(List<String> names) throws CaptureException {
        IntStream all = IntStream.range(0, realTime.engine().ports());
        if (names.isEmpty()) {
            return all.boxed().toList();
        }
        List<String> known = all.mapToObj(this::portName).toList();
        for (String name : names) {
            if (!known.contains(name)) {
                throw new CaptureException(
                        "switch %s has no port '%s'; its ports are %s"
                                .formatted(config().name(), name, String.join(", ", known)));
            }
        }
        return names.stream().map(known::lastIndexOf).distinct().toList();
    }

    private List<CaptureWriter.Port> describePorts() {
        List<CaptureWriter.Port> shown = new ArrayList<>();
        for (int port = 0; port < config().ports().size(); port++) {
            PortDevice device = realTime.device(port);
            shown.add(
                    new CaptureWriter.Port(
                            portName(port),
                            device == null
                                    ? null
                                    : device.info().kind() + " " + device.info().name(),
                            device == null ? 0 : device.info().mac(),
                            linkRateBps(port)));
        }
        shown.add(new CaptureWriter.Port("local", "the switch itself", 0, 0));
        return shown;
    }

    /** Ends captures and supervision, closes all devices, ends all threads. Idempotent. */
    @Override
    public void close() {
        List<RunningCapture> open;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            open = List.copyOf(captures.keySet());
        }
        for (RunningCapture capture : open) {
            try {
                capture.close();
            } catch (IllegalStateException hanging) {
                // All but the memory of its taps; which workers hang is said when they are ended.
            }
        }
        try {
            if (supervisor == null) {
                realTime.close();
            } else {
                supervisor.close(realTime::close);
            }
        } finally {
            synchronized (this) {
                stuck.forEach(CaptureTaps::freeAfterTheWorkers);
                stuck.clear();
            }
        }
    }
}
