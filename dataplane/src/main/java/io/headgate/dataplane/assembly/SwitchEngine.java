package io.headgate.dataplane.assembly;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.FrameGrowth;
import io.headgate.config.Mechanisms;
import io.headgate.config.MemoryConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.congestion.Congestion;
import io.headgate.dataplane.congestion.NoticeRing;
import io.headgate.dataplane.counter.CounterId;
import io.headgate.dataplane.counter.ForwardingCounter;
import io.headgate.dataplane.domain.Domain;
import io.headgate.dataplane.domain.DomainMechanism;
import io.headgate.dataplane.domain.DomainSetup;
import io.headgate.dataplane.engine.Doorbell;
import io.headgate.dataplane.engine.Duty;
import io.headgate.dataplane.engine.DutyNumbers;
import io.headgate.dataplane.engine.EgressHalf;
import io.headgate.dataplane.engine.Engine;
import io.headgate.dataplane.engine.EngineHost;
import io.headgate.dataplane.engine.EngineSetup;
import io.headgate.dataplane.engine.IngressHalf;
import io.headgate.dataplane.engine.PortBehaviour;
import io.headgate.dataplane.engine.WorkerPlan;
import io.headgate.dataplane.forwarding.ForwardingDatabase;
import io.headgate.dataplane.forwarding.NeighbourTable;
import io.headgate.dataplane.forwarding.SwitchAddresses;
import io.headgate.dataplane.local.LocalPortDevice;
import io.headgate.dataplane.policy.Threshold;
import io.headgate.dataplane.queue.WireFormat;
import io.headgate.dataplane.service.LocalService;
import io.headgate.dataplane.service.Services;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A switch, assembled: its ports and the local port, the forwarding tables and their owner.
 *
 * <p>Duties have the numbers of {@link DutyNumbers}; the local port, which represents the switch
 * itself, is port {@link #localPort()}. The owner of the forwarding tables runs on the worker of
 * both halves of the local port.
 */
public final class SwitchEngine extends Engine {
    private static final int LOCAL_SLOTS = 256;
    private static final long LOCAL_RATE_BPS = 10_000_000_000L;

    private final Behaviours behaviours;
    private volatile SwitchConfig config;

    private final ForwardingDatabase database;
    private final ForwardingPlane plane;
    private final @Nullable RouterPlane routerPlane;
    private final @Nullable LocalPortDevice localDevice;
    private @Nullable Services services;

    /**
     * Assembles a switch. Its ports have no devices yet, except the local port if the switch has an
     * address or services.
     *
     * @param plan assigns duties to workers
     * @throws IllegalArgumentException if the plan separates the local port from the table's owner,
     *     or a route's next hop is on no port's network
     */
    public SwitchEngine(SwitchConfig config, WorkerPlan plan, EngineHost host) {
        this(config, plan, host, PortBehaviour::configured);
    }

    /** As above, with port behaviours that the caller chooses. */
    public SwitchEngine(
            SwitchConfig config, WorkerPlan plan, EngineHost host, PortBehaviour.Choice choice) {
        List<PortConfig> ports = new ArrayList<>(config.ports());
        ports.add(localConfig(config));
        DutyNumbers numbers = DutyNumbers.of(config);
        requireOneLocalWorker(plan, numbers);
        Behaviours chosen =
                new Behaviours(choice, config.memory(), domain(config, ports, plan, host), host);
        super(setup(config, ports, plan, numbers, chosen), host);
        this.config = config;
        this.behaviours = chosen;
        this.database =
                new ForwardingDatabase(
                        config.mode() == SwitchConfig.Mode.BRIDGE
                                ? config.bridge().fdbEntries()
                                : ForwardingDatabase.LEAST_ENTRIES);
        this.routerPlane =
                config.mode() == SwitchConfig.Mode.ROUTED
                        ? new RouterPlane(config, ports, registry())
                        : null;
        this.plane =
                routerPlane != null
                        ? routerPlane
                        : new BridgePlane(config, ports, database, registry());
        List<@Nullable NoticeRing> notices = new ArrayList<>();
        for (int port = 0; port < ports(); port++) {
            notices.add(notices(port));
        }
        build(
                plane.vlans(),
                (port, counters) ->
                        plane.forwarding(
                                port, counters, doorbell(numbers.ingress(port), numbers.owner())),
                notices);
        this.localDevice = buildLocal(notices, host::serviceFailed);
    }

    private static EngineSetup setup(
            SwitchConfig config,
            List<PortConfig> ports,
            WorkerPlan plan,
            DutyNumbers numbers,
            Behaviours behaviours) {
        MemoryConfig memory = config.memory();
        List<EngineSetup.Port> setups = new ArrayList<>();
        for (int port = 0; port < ports.size(); port++) {
            setups.add(
                    new EngineSetup.Port(
                            ports.get(port),
                            behaviours.of(port, ports.get(port)),
                            port == ports.size() - 1 ? LOCAL_SLOTS : memory.slotsPerPort()));
        }
        return new EngineSetup(
                config.name(),
                setups,
                new EngineSetup.Duties(plan, numbers, plan.workers()),
                new EngineSetup.Memory(
                        memory.slotBytes(),
                        config.ports().stream().anyMatch(p -> p.device().kind().mapsSlots()),
                        memory.slotReuse() == MemoryConfig.SlotReuse.FIFO,
                        memory.sharedBytes()),
                new EngineSetup.Switching(behaviours.domain, config.bridge().floodFramesPerSec()),
                config.seed(),
                counted(config));
    }

    /** The tables' owner and the local port, then each service. */
    private static List<List<? extends CounterId>> counted(SwitchConfig config) {
        List<List<? extends CounterId>> counted = new ArrayList<>();
        counted.add(List.of(ForwardingCounter.values()));
        counted.addAll(Services.counters(config));
        return counted;
    }

    /** What ports do, their queues being the domain's if there is one. */
    private record Behaviours(
            PortBehaviour.Choice choice,
            MemoryConfig memory,
            @Nullable Domain domain,
            EngineHost host) {

        PortBehaviour of(int port, PortConfig config) {
            WireFormat wire = host.wireFormat(port);
            PortBehaviour chosen = choice.of(config, memory, wire);
            return domain == null
                    ? chosen
                    : chosen.withQueues(() ->
                            domain.queues(
                                    port,
                                    config,
                                    PortBehaviour.configuredSchedule(config, memory, wire)));
        }
    }

    private static @Nullable Domain domain(
            SwitchConfig config, List<PortConfig> ports, WorkerPlan plan, EngineHost host) {
        if (!DutyNumbers.of(config).hasDomain()) {
            return null;
        }
        if (plan.workers() != 1) {
            throw new IllegalArgumentException(
                    ("switch %s: its domain owns the egress of all ports and needs exactly one"
                                    + " worker; there are %d")
                            .formatted(config.name(), plan.workers()));
        }
        List<WireFormat> wires = new ArrayList<>();
        for (int port = 0; port < ports.size(); port++) {
            wires.add(host.wireFormat(port));
        }
        return Objects.requireNonNull(
                DomainMechanism.of(
                        config.mechanisms(), new DomainSetup(ports, wires, host.maxCatchUpNs())),
                "a domain that is not a DomainMechanism");
    }

    private static void requireOneLocalWorker(WorkerPlan plan, DutyNumbers numbers) {
        int local = numbers.ports() - 1;
        List<Integer> last =
                List.of(
                        plan.workerOfDuty().get(numbers.ingress(local)),
                        plan.workerOfDuty().get(numbers.egress(local)),
                        plan.workerOfDuty().get(numbers.owner()));
        if (last.stream().distinct().count() != 1) {
            throw new IllegalArgumentException(
                    "the local port's halves and the table's owner are on workers " + last);
        }
    }

    private @Nullable LocalPortDevice buildLocal(
            List<@Nullable NoticeRing> notices, Services.FailureListener failures) {
        int local = localPort();
        int localIngress = numbers().ingress(local);
        LocalPortDevice device =
                plane.localDevice(
                        region(), own(0), doorbell(numbers().egress(local), localIngress));
        Duty owner = plane.owner(own(0), doorbell(numbers().owner(), localIngress));
        if (device != null && !Services.counters(config).isEmpty()) {
            Doorbell due = doorbell(localIngress, numbers().owner());
            Services made =
                    new Services(
                            config,
                            new Services.Parts(
                                    SwitchAddresses.of(config),
                                    registry()::isUp,
                                    device,
                                    service -> own(1 + service),
                                    failures,
                                    () -> due.ring(Doorbell.ORDERS)));
            device.listen(made);
            owner = new OwnerAndServices(owner, made);
            this.services = made;
        }
        add(owner);
        if (device != null) {
            device.sendNotices(
                    rates(config),
                    notices.stream().filter(Objects::nonNull).toArray(NoticeRing[]::new));
            ingress(local).attach(device);
            egress(local).attach(device);
        }
        return device;
    }

    private static long[] rates(SwitchConfig config) {
        return config.ports().stream().mapToLong(PortConfig::rateBps).toArray();
    }

    private @Nullable NoticeRing notices(int port) {
        // Also of those that are off, and can be turned on.
        int most = Congestion.notices(port(port).mechanisms());
        if (most == 0) {
            return null;
        }
        if (config.mode() == SwitchConfig.Mode.BRIDGE && config.address() == null) {
            throw new IllegalArgumentException(
                    ("port %s: its congestion points send notifications, but switch %s has no"
                                            + " address to")
                                    .formatted(port(port).name(), config.name())
                            + " send them from; add one, such as address: 10.0.0.254/24");
        }
        Doorbell doorbell = doorbell(numbers().egress(port), numbers().ingress(localPort()));
        return new NoticeRing(most, () -> doorbell.ring(Doorbell.DEVICE));
    }

    /** The local port is in the VLAN that the first port carries untagged, or else in VLAN 1. */
    private static PortConfig localConfig(SwitchConfig config) {
        PortConfig first = config.ports().getFirst();
        int mtuBytes =
                config.ports().stream().mapToInt(PortConfig::grownMtuBytes).max().orElseThrow();
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

    /** Number of the port that represents the switch itself. */
    public int localPort() {
        return ports() - 1;
    }

    /**
     * Number of a port.
     *
     * @throws IllegalArgumentException if no port has that name
     */
    public int portNumber(String name) {
        for (int port = 0; port < ports(); port++) {
            if (port(port).name().equals(name)) {
                return port;
            }
        }
        throw new IllegalArgumentException("no port is named " + name);
    }

    /** The current configuration: the original one with all changes since. */
    public SwitchConfig config() {
        return config;
    }

    /**
     * The ports whose halves must receive the new configuration; the local port receives changes of
     * the forwarding tables and of the share of ports that notices may have.
     */
    private List<Integer> portsToChange(SwitchConfig from, SwitchConfig to) {
        boolean tables = !to.bridge().equals(from.bridge()) || !to.routed().equals(from.routed());
        List<Integer> changed = new ArrayList<>();
        boolean rates = !Arrays.equals(rates(to), rates(from));
        for (int port = 0; port < localPort(); port++) {
            if (tables || !to.ports().get(port).equals(from.ports().get(port))) {
                changed.add(port);
            }
        }
        if (tables || rates || (services != null && Services.differ(from, to))) {
            changed.add(localPort());
        }
        return changed;
    }

    /**
     * Any thread: checks whether this switch can apply another configuration, with the same ports
     * and memory.
     *
     * @throws IllegalArgumentException in one sentence, if it needs something that was not set up
     *     at the start, or a mechanism refuses it
     */
    public void requireTakes(SwitchConfig next) {
        prepare(config, next);
    }

    /**
     * Any thread: builds everything that the halves need to apply another configuration, with the
     * same ports and memory, so that slow work is done before an order is given.
     *
     * @param from the configuration once all orders given so far have run
     * @throws IllegalArgumentException in one sentence, if it needs something that was not set up
     *     at the start, or a mechanism refuses it
     */
    public Change prepare(SwitchConfig from, SwitchConfig to) {
        Map<Integer, PortChange> changes = new LinkedHashMap<>();
        for (int port : portsToChange(from, to)) {
            if (port == localPort()) {
                changes.put(port, new PortChange(port(port), null, null));
                continue;
            }
            PortConfig own = to.ports().get(port);
            requireRoom(port, own);
            PortBehaviour behaviour = behaviours.of(port, own);
            changes.put(
                    port,
                    new PortChange(
                            own,
                            behaviour.threshold(),
                            egress(port).prepare(from.ports().get(port), own, behaviour.queues())));
        }
        return new Change(
                to, rates(to), services == null ? null : services.prepare(from, to), changes);
    }

    private void requireRoom(int port, PortConfig own) {
        Mechanisms mechanisms = own.mechanisms();
        int room = Congestion.notices(port(port).mechanisms());
        int most = Congestion.notices(mechanisms);
        if (most > room) {
            throw new IllegalArgumentException(
                    ("port %s: its congestion points would send up to %d notifications at a time,"
                                    + " but the switch reserved room for %d at its start: restart"
                                    + " it with the new configuration")
                            .formatted(own.name(), most, room));
        }
        int growth = FrameGrowth.inQueues(port(port).mechanisms());
        int wanted = FrameGrowth.inQueues(mechanisms);
        if (wanted != growth) {
            throw new IllegalArgumentException(
                    ("port %s: its congestion points would make frames up to %d bytes longer than"
                                    + " its MTU, but slots, headroom and its device were set up for"
                                    + " %d at the start of the switch: restart it with the new"
                                    + " configuration")
                            .formatted(own.name(), wanted, growth));
        }
    }

    /** What a port's halves are handed. */
    private record PortChange(
            PortConfig config, @Nullable Threshold threshold, EgressHalf.@Nullable Change egress) {}

    /**
     * Everything that the halves need to apply another configuration, already built; ordered once.
     */
    public final class Change {
        private final SwitchConfig to;
        private final long[] ratesBps;
        private final @Nullable Runnable serving;
        private final Map<Integer, PortChange> changes;

        private Change(
                SwitchConfig to,
                long[] ratesBps,
                @Nullable Runnable serving,
                Map<Integer, PortChange> changes) {
            this.to = to;
            this.ratesBps = ratesBps;
            this.serving = serving;
            this.changes = changes;
        }

        /** The ports whose halves must receive the change. */
        public List<Integer> ports() {
            return List.copyOf(changes.keySet());
        }

        /** The order to a port's ingress half. */
        public Consumer<IngressHalf> ingress(int port) {
            PortChange change = of(port);
            return half -> {
                half.change(change.config, to.bridge(), change.threshold);
                if (port == localPort()) {
                    // The tables' owner runs on the same worker.
                    plane.change(to);
                    if (localDevice != null) {
                        localDevice.portRates(ratesBps);
                    }
                    if (serving != null) {
                        serving.run();
                    }
                }
            };
        }

        /**
         * The order to a port's egress half.
         *
         * @param clock the time when the order runs
         */
        public Consumer<EgressHalf> egress(int port, LongSupplier clock) {
            PortChange change = of(port);
            EgressHalf.Change egress = change.egress;
            Domain domain = behaviours.domain;
            return half -> {
                if (egress != null) {
                    if (domain != null) {
                        domain.change(port, change.config);
                    }
                    half.change(clock.getAsLong(), egress);
                }
            };
        }

        private PortChange of(int port) {
            return Objects.requireNonNull(changes.get(port));
        }
    }

    @Override
    protected PortConfig inForce(int port) {
        return port == localPort() ? port(port) : config.ports().get(port);
    }

    @Override
    protected PortBehaviour behaviourOf(int port, PortConfig own) {
        return behaviours.of(port, own);
    }

    /**
     * Records that the halves of all affected ports now use this configuration; the caller has
     * ensured this.
     */
    public void inForce(SwitchConfig next) {
        config = next;
    }

    /** The learned addresses of a bridge; empty for a router. */
    public ForwardingDatabase forwardingDatabase() {
        return database;
    }

    /** The neighbours of a router; null in a bridge. */
    public @Nullable NeighbourTable neighbours() {
        return routerPlane == null ? null : routerPlane.neighbours();
    }

    /** Any thread: the current service of a class; null if the switch has none. */
    public <S extends LocalService> @Nullable S service(Class<S> type) {
        return services == null ? null : services.get(type);
    }

    /**
     * The device of the local port, which represents the switch itself; null if the switch has no
     * address.
     */
    public @Nullable LocalPortDevice localDevice() {
        return localDevice;
    }
}
