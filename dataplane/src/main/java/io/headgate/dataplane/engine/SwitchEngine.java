package io.headgate.dataplane.engine;

import io.headgate.config.BridgeConfig;
import io.headgate.config.MemoryConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.engine.counter.CounterBlock;
import io.headgate.dataplane.engine.counter.CounterDirectory;
import io.headgate.dataplane.engine.counter.CounterDirectory.Scope;
import io.headgate.dataplane.engine.counter.EgressCounter;
import io.headgate.dataplane.engine.counter.ForwardingCounter;
import io.headgate.dataplane.engine.counter.IngressCounter;
import io.headgate.dataplane.engine.counter.WorkerCounter;
import io.headgate.dataplane.forwarding.BridgeForwarding;
import io.headgate.dataplane.forwarding.Forwarding;
import io.headgate.dataplane.forwarding.ForwardingDatabase;
import io.headgate.dataplane.forwarding.VlanTable;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.util.ArrayList;
import java.util.List;

/**
 * A switch, assembled: the halves of its ports and of the local port, the channels between them,
 * the forwarding table and its owner. Knows no thread and no clock; a runner drives {@link
 * #duties()}.
 *
 * <p>Duties are numbered: port p has ingress half 2p and egress half 2p + 1; the local port, which
 * stands for the switch itself, is port {@link #localPort()}; the forwarding table's owner is last.
 */
public final class SwitchEngine {
    private static final int LOCAL_SLOTS = 256;
    private static final long LOCAL_RATE_BPS = 10_000_000_000L;

    private final SwitchConfig config;
    private final int ports;
    private final FrameRegion region;
    private final PortRegistry registry;
    private final CounterDirectory directory = new CounterDirectory();
    private final CounterBlock[] workerCounters;
    private final IngressHalf[] ingress;
    private final EgressHalf[] egress;
    private final List<Duty> duties = new ArrayList<>();
    private final ForwardingDatabase database;

    /**
     * Assembles a switch; its ports have no devices yet.
     *
     * @param plan which worker runs which duty
     */
    public SwitchEngine(SwitchConfig config, WorkerPlan plan, EngineHost host) {
        this.config = config;
        this.ports = config.ports().size() + 1;
        MemoryConfig memory = config.memory();
        this.region =
                new FrameRegion(
                        memory.slotsPerPort() * (ports - 1) + LOCAL_SLOTS, memory.slotBytes());
        this.registry = new PortRegistry(ports);
        this.database = new ForwardingDatabase(config.bridge().fdbEntries());
        this.workerCounters = new CounterBlock[plan.workers()];
        this.ingress = new IngressHalf[ports];
        this.egress = new EgressHalf[ports];
        Reservations reserved = reserveCounters(plan);
        host.bindCounters(directory);
        for (int worker = 0; worker < plan.workers(); worker++) {
            workerCounters[worker] = directory.block(reserved.workers[worker]);
        }
        build(plan, host, reserved);
        addStaticEntries(config.bridge());
    }

    private static final class Reservations {
        final int[] ingress;
        final int[] ingressDrops;
        final int[] egress;
        final int[] egressDrops;
        final int[] workers;
        int forwarding;

        Reservations(int ports, int workers) {
            this.ingress = new int[ports];
            this.ingressDrops = new int[ports];
            this.egress = new int[ports];
            this.egressDrops = new int[ports];
            this.workers = new int[workers];
        }
    }

    private Reservations reserveCounters(WorkerPlan plan) {
        Reservations reserved = new Reservations(ports, plan.workers());
        List<IngressCounter> ingressIds = List.of(IngressCounter.values());
        List<EgressCounter> egressIds = List.of(EgressCounter.values());
        for (int port = 0; port < ports; port++) {
            String name = portConfig(port).name();
            reserved.ingress[port] = directory.reserve(Scope.INGRESS, port, name, ingressIds);
            reserved.ingressDrops[port] = directory.reserveDrops(true, port, name);
            reserved.egress[port] = directory.reserve(Scope.EGRESS, port, name, egressIds);
            reserved.egressDrops[port] = directory.reserveDrops(false, port, name);
        }
        List<WorkerCounter> workerIds = List.of(WorkerCounter.values());
        for (int worker = 0; worker < plan.workers(); worker++) {
            reserved.workers[worker] =
                    directory.reserve(Scope.WORKER, worker, "worker " + worker, workerIds);
        }
        reserved.forwarding =
                directory.reserve(
                        Scope.SWITCH, 0, config.name(), List.of(ForwardingCounter.values()));
        return reserved;
    }

    private void build(WorkerPlan plan, EngineHost host, Reservations reserved) {
        int halves = 2 * ports;
        FrameChannel[][] byWorkerAndHalf = new FrameChannel[plan.workers()][halves];
        Outbox[] outboxes = new Outbox[plan.workers()];
        for (int worker = 0; worker < plan.workers(); worker++) {
            Doorbell[] doorbells = new Doorbell[halves];
            for (int half = 0; half < halves; half++) {
                int toWorker = plan.workerOfDuty().get(half);
                byWorkerAndHalf[worker][half] =
                        toWorker == worker
                                ? new FrameChannel.Local()
                                : new FrameChannel.Ring(region.slots());
                doorbells[half] = host.doorbell(worker, toWorker, half);
            }
            outboxes[worker] = new Outbox(byWorkerAndHalf[worker], doorbells);
        }
        VlanTable vlans = new VlanTable(allPorts().stream().map(PortConfig::vlan).toList());
        LearnRequests[] learning = new LearnRequests[ports];
        int ownerDuty = halves;
        int ownerWorker = plan.workerOfDuty().get(ownerDuty);
        for (int port = 0; port < ports; port++) {
            int inWorker = plan.workerOfDuty().get(2 * port);
            int outWorker = plan.workerOfDuty().get(2 * port + 1);
            CounterBlock inCounters = directory.block(reserved.ingress[port]);
            learning[port] =
                    new LearnRequests(inCounters, host.doorbell(inWorker, ownerWorker, ownerDuty));
            Forwarding forwarding =
                    new BridgeForwarding(
                            port, vlans, database, learning[port], config.bridge().ageingNs());
            HalfSetup in =
                    new HalfSetup(
                            port,
                            portConfig(port).name(),
                            portConfig(port),
                            region,
                            column(byWorkerAndHalf, 2 * port),
                            outboxes[inWorker],
                            registry,
                            inCounters,
                            directory.drops(true, reserved.ingressDrops[port]),
                            host.doorbell(EngineHost.OUTSIDE, inWorker, 2 * port),
                            host.housekeepingIntervalNs(),
                            host.maxCatchUpNs(),
                            config.bridge().floodFramesPerSec());
            HalfSetup out =
                    new HalfSetup(
                            port,
                            portConfig(port).name(),
                            portConfig(port),
                            region,
                            column(byWorkerAndHalf, 2 * port + 1),
                            outboxes[outWorker],
                            registry,
                            directory.block(reserved.egress[port]),
                            directory.drops(false, reserved.egressDrops[port]),
                            host.doorbell(EngineHost.OUTSIDE, outWorker, 2 * port + 1),
                            host.housekeepingIntervalNs(),
                            host.maxCatchUpNs(),
                            config.bridge().floodFramesPerSec());
            boolean fifo = config.memory().slotReuse() == MemoryConfig.SlotReuse.FIFO;
            ingress[port] = new IngressHalf(in, slotsOf(port), fifo, forwarding);
            egress[port] = new EgressHalf(out, vlans);
            duties.add(ingress[port]);
            duties.add(egress[port]);
        }
        duties.add(
                new ForwardingOwner(
                        database,
                        learning,
                        registry,
                        directory.block(reserved.forwarding),
                        config.bridge()));
    }

    private static FrameChannel[] column(FrameChannel[][] byWorkerAndHalf, int half) {
        FrameChannel[] towards = new FrameChannel[byWorkerAndHalf.length];
        for (int worker = 0; worker < towards.length; worker++) {
            towards[worker] = byWorkerAndHalf[worker][half];
        }
        return towards;
    }

    private Frame[] slotsOf(int port) {
        int first = port * config.memory().slotsPerPort();
        int count = port == localPort() ? LOCAL_SLOTS : config.memory().slotsPerPort();
        Frame[] slots = new Frame[count];
        for (int i = 0; i < count; i++) {
            slots[i] = region.frame(first + i);
        }
        return slots;
    }

    private void addStaticEntries(BridgeConfig bridge) {
        for (BridgeConfig.StaticEntry entry : bridge.staticEntries()) {
            long key = ForwardingDatabase.key(entry.vlan(), entry.mac());
            if (!database.put(key, portNumber(entry.port()), true, 0)) {
                throw new IllegalArgumentException("more static entries than the table holds");
            }
        }
    }

    private List<PortConfig> allPorts() {
        List<PortConfig> all = new ArrayList<>(config.ports());
        all.add(localConfig());
        return all;
    }

    private PortConfig portConfig(int port) {
        return port == localPort() ? localConfig() : config.ports().get(port);
    }

    private PortConfig localConfig() {
        PortConfig first = config.ports().getFirst();
        int mtuBytes = config.ports().stream().mapToInt(PortConfig::mtuBytes).max().orElseThrow();
        return new PortConfig(
                "local",
                first.device(),
                LOCAL_RATE_BPS,
                mtuBytes,
                PortConfig.VlanConfig.DEFAULT,
                (long) LOCAL_SLOTS * mtuBytes,
                (long) LOCAL_SLOTS * mtuBytes,
                LOCAL_SLOTS,
                List.of());
    }

    /** Number of the port that stands for the switch itself. */
    public int localPort() {
        return ports - 1;
    }

    /** Number of ports, the local port included. */
    public int ports() {
        return ports;
    }

    /**
     * Number of a port.
     *
     * @throws IllegalArgumentException if no port has that name
     */
    public int portNumber(String name) {
        for (int port = 0; port < ports; port++) {
            if (portConfig(port).name().equals(name)) {
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
        return directory;
    }

    public CounterBlock workerCounters(int worker) {
        return workerCounters[worker];
    }

    public ForwardingDatabase forwardingDatabase() {
        return database;
    }

    public PortRegistry registry() {
        return registry;
    }
}
