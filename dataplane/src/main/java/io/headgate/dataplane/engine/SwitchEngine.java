package io.headgate.dataplane.engine;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.DeviceConfig;
import io.headgate.config.MemoryConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.counter.DropCounters;
import io.headgate.dataplane.flowcontrol.IngressFlow;
import io.headgate.dataplane.forwarding.Forwarding;
import io.headgate.dataplane.forwarding.ForwardingDatabase;
import io.headgate.dataplane.forwarding.NeighbourTable;
import io.headgate.dataplane.forwarding.RouteTable;
import io.headgate.dataplane.local.LocalPortDevice;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.policy.Schedule;
import io.headgate.dataplane.queue.WireFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A switch, assembled: the halves of its ports and of the local port, the channels between them,
 * the forwarding table and its owner. Knows no thread and no clock; a runner drives {@link
 * #duties()}.
 *
 * <p>Duties are numbered: port p has ingress half 2p and egress half 2p + 1; the local port, which
 * stands for the switch itself, is port {@link #localPort()}; the forwarding table's owner is last,
 * and runs on the worker of both halves of the local port.
 */
public final class SwitchEngine {
    /** After so many housekeeping intervals every half has asked its device for drops. */
    public static final int DROPS_INTERVALS = DeviceDrops.TURNS;

    private static final int LOCAL_SLOTS = 256;

    /** Slots at home in an egress half that makes link-control frames. */
    static final int LINK_SLOTS = 4;

    private static final long LOCAL_RATE_BPS = 10_000_000_000L;

    private final SwitchConfig config;

    private final List<PortConfig> portConfigs;
    private final FrameRegion region;
    private final PortRegistry registry;
    private final SwitchCounters counters;
    private final CounterBlock[] workerCounters;
    private final IngressHalf[] ingress;
    private final EgressHalf[] egress;
    private final List<Duty> duties = new ArrayList<>();
    private final ForwardingDatabase database;
    private final @Nullable RouterPlane routerPlane;
    private final @Nullable LocalPortDevice localDevice;

    /**
     * Assembles a switch; its ports have no devices yet but the local port, which has the switch
     * itself behind it if the switch has an address.
     *
     * @param plan which worker runs which duty
     * @throws IllegalArgumentException if the plan parts the local port from the table's owner, or
     *     a route's next hop is on no port's network
     */
    public SwitchEngine(SwitchConfig config, WorkerPlan plan, EngineHost host) {
        this(config, plan, host, EgressHalf::configuredSchedule);
    }

    /** Which schedule serves the queues of a port; null: the highest priority first. */
    @FunctionalInterface
    interface Schedules {
        @Nullable Schedule of(PortConfig port, WireFormat wire);
    }

    /** As above, with schedules that need not be what the ports configure. */
    SwitchEngine(SwitchConfig config, WorkerPlan plan, EngineHost host, Schedules schedules) {
        this.config = config;
        this.portConfigs = new ArrayList<>(config.ports());
        portConfigs.add(localConfig(config));
        int ports = portConfigs.size();
        requireOneLocalWorker(plan, ports);
        MemoryConfig memory = config.memory();
        int linkSlots = LINK_SLOTS * portsWithLinkControl(ports);
        int slots = memory.slotsPerPort() * (ports - 1) + LOCAL_SLOTS + linkSlots;
        boolean umem =
                config.ports().stream().anyMatch(p -> p.device() instanceof DeviceConfig.AfXdp);
        this.region = new FrameRegion(slots, memory.slotBytes(), umem, host.slotMemory());
        this.registry = new PortRegistry(ports);
        this.database = new ForwardingDatabase(config.bridge().fdbEntries());
        this.counters = new SwitchCounters(config.name(), portConfigs, plan.workers());
        host.bindCounters(counters.directory());
        this.workerCounters = new CounterBlock[plan.workers()];
        for (int worker = 0; worker < plan.workers(); worker++) {
            workerCounters[worker] = counters.worker(worker);
        }
        this.ingress = new IngressHalf[ports];
        this.egress = new EgressHalf[ports];
        this.routerPlane =
                config.mode() == SwitchConfig.Mode.ROUTED
                        ? new RouterPlane(config, portConfigs, registry)
                        : null;
        ForwardingPlane plane =
                routerPlane != null
                        ? routerPlane
                        : new BridgePlane(config, portConfigs, database, registry);
        int[] slotsOfPorts = new int[ports];
        Arrays.setAll(slotsOfPorts, this::slotsAt);
        Wiring wiring = new Wiring(plan, host, slotsOfPorts);
        for (int port = 0; port < ports; port++) {
            build(port, wiring, plane, host, schedules);
        }
        this.localDevice = buildLocal(wiring, plane);
    }

    private static void requireOneLocalWorker(WorkerPlan plan, int ports) {
        List<Integer> last = plan.workerOfDuty().subList(2 * ports - 2, 2 * ports + 1);
        if (last.stream().distinct().count() != 1) {
            throw new IllegalArgumentException(
                    "the local port's halves and the table's owner are on workers " + last);
        }
    }

    private void build(
            int port, Wiring wiring, ForwardingPlane plane, EngineHost host, Schedules schedules) {
        int inDuty = 2 * port;
        int outDuty = inDuty + 1;
        int owner = 2 * portConfigs.size();
        CounterBlock inCounters = counters.ingress(port);
        Forwarding forwarding = plane.forwarding(port, inCounters, wiring.doorbell(inDuty, owner));
        HalfSetup in = setup(port, inDuty, inCounters, counters.ingressDrops(port), wiring, host);
        HalfSetup out =
                setup(
                        port,
                        outDuty,
                        counters.egress(port),
                        counters.egressDrops(port),
                        wiring,
                        host);
        boolean fifo = config.memory().slotReuse() == MemoryConfig.SlotReuse.FIFO;
        ingress[port] = new IngressHalf(in, slotsOf(port), fifo, forwarding);
        Schedule schedule = schedules.of(out.config(), out.wireFormat());
        egress[port] = new EgressHalf(out, plane.vlans(), linkSlotsOf(port), schedule);
        wiring.built(port, ingress[port]);
        duties.add(ingress[port]);
        duties.add(egress[port]);
    }

    private HalfSetup setup(
            int port,
            int duty,
            CounterBlock block,
            DropCounters drops,
            Wiring wiring,
            EngineHost host) {
        return new HalfSetup(
                port,
                portConfigs,
                region,
                wiring.towards(duty),
                wiring.outboxOf(duty),
                registry,
                block,
                drops,
                duty == Outbox.ingressHalf(port)
                        ? counters.ingressPriorities(port)
                        : counters.egressPriorities(port),
                duty == Outbox.ingressHalf(port) ? null : counters.congestion(port),
                wiring.doorbellFromOutside(duty),
                host.presentTime(),
                host.housekeepingIntervalNs(),
                host.maxCatchUpNs(),
                host.devicesRing(),
                host.wireFormat(port),
                true,
                config.bridge().floodFramesPerSec(),
                config.seed());
    }

    private @Nullable LocalPortDevice buildLocal(Wiring wiring, ForwardingPlane plane) {
        int local = localPort();
        int owner = duties.size();
        CounterBlock block = counters.own();
        LocalPortDevice device =
                plane.localDevice(region, block, wiring.doorbell(2 * local + 1, 2 * local));
        duties.add(plane.owner(block, wiring.doorbell(owner, 2 * local)));
        if (device != null) {
            ingress[local].attach(device);
            egress[local].attach(device);
        }
        return device;
    }

    /** Slots at home in the ingress half of a port. */
    private int slotsAt(int port) {
        return port == localPort() ? LOCAL_SLOTS : config.memory().slotsPerPort();
    }

    private Frame[] slotsOf(int port) {
        int first = port * config.memory().slotsPerPort();
        int count = slotsAt(port);
        Frame[] slots = new Frame[count];
        for (int i = 0; i < count; i++) {
            slots[i] = region.frame(first + i);
        }
        return slots;
    }

    /** How many of the first ports have flow control. */
    private int portsWithLinkControl(int ports) {
        return (int) portConfigs.stream().limit(ports).filter(IngressFlow::isConfigured).count();
    }

    /** The region's last slots, behind those of the local port. */
    private Frame[] linkSlotsOf(int port) {
        if (!IngressFlow.isConfigured(portConfigs.get(port))) {
            return new Frame[0];
        }
        int first =
                config.memory().slotsPerPort() * localPort()
                        + LOCAL_SLOTS
                        + LINK_SLOTS * portsWithLinkControl(port);
        Frame[] slots = new Frame[LINK_SLOTS];
        for (int i = 0; i < LINK_SLOTS; i++) {
            slots[i] = region.frame(first + i);
        }
        return slots;
    }

    /** The local port is in the VLAN that the first port carries untagged, or else in VLAN 1. */
    private static PortConfig localConfig(SwitchConfig config) {
        PortConfig first = config.ports().getFirst();
        int mtuBytes = config.ports().stream().mapToInt(PortConfig::mtuBytes).max().orElseThrow();
        Integer vlan = first.vlan().nativeVlan();
        return ConfigDefaults.port("local", first.device())
                .withRateBps(LOCAL_RATE_BPS)
                .withMtuBytes(mtuBytes)
                .withVlan(
                        new PortConfig.VlanConfig(
                                PortConfig.VlanConfig.Mode.ACCESS,
                                vlan == null ? 1 : vlan,
                                List.of()))
                .withQueueLimitBytes((long) LOCAL_SLOTS * mtuBytes)
                .withAccountCapBytes((long) LOCAL_SLOTS * mtuBytes)
                .withAccountCapSlots(LOCAL_SLOTS);
    }

    /** Number of the port that stands for the switch itself. */
    public int localPort() {
        return portConfigs.size() - 1;
    }

    /** Number of ports, the local port included. */
    public int ports() {
        return portConfigs.size();
    }

    /**
     * Number of a port.
     *
     * @throws IllegalArgumentException if no port has that name
     */
    public int portNumber(String name) {
        return portNumber(portConfigs, name);
    }

    static int portNumber(List<PortConfig> ports, String name) {
        for (int port = 0; port < ports.size(); port++) {
            if (ports.get(port).name().equals(name)) {
                return port;
            }
        }
        throw new IllegalArgumentException("no port is named " + name);
    }

    /** All duties, by number. */
    public List<Duty> duties() {
        return List.copyOf(duties);
    }

    public IngressHalf ingress(int port) {
        return ingress[port];
    }

    public EgressHalf egress(int port) {
        return egress[port];
    }

    public SwitchConfig config() {
        return config;
    }

    public FrameRegion region() {
        return region;
    }

    public CounterDirectory counters() {
        return counters.directory();
    }

    public CounterBlock workerCounters(int worker) {
        return workerCounters[worker];
    }

    /** The learned addresses of a bridge; of a router, empty. */
    public ForwardingDatabase forwardingDatabase() {
        return database;
    }

    /** The neighbours of a router; null in a bridge. */
    public @Nullable NeighbourTable neighbours() {
        return routerPlane == null ? null : routerPlane.neighbours();
    }

    /** The routes of a router; null in a bridge. */
    public @Nullable RouteTable routes() {
        return routerPlane == null ? null : routerPlane.routes();
    }

    /** The switch itself, behind the local port; null if the switch has no address. */
    public @Nullable LocalPortDevice localDevice() {
        return localDevice;
    }

    public PortRegistry registry() {
        return registry;
    }
}
