package io.headgate.dataplane.engine;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.PortConfig;
import io.headgate.dataplane.congestion.NoticeRing;
import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.domain.Domain;
import io.headgate.dataplane.flowcontrol.BufferPool;
import io.headgate.dataplane.flowcontrol.LinkRelays;
import io.headgate.dataplane.flowcontrol.PortFlowControl;
import io.headgate.dataplane.forwarding.Forwarding;
import io.headgate.dataplane.forwarding.VlanTable;
import io.headgate.dataplane.linkcontrol.LinkRelay;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.sync.PortBoards;
import io.headgate.dataplane.policy.Threshold;
import io.headgate.dataplane.queue.Queues;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Common base of switches and network cards: the ingress and egress halves of their ports, the
 * channels between the halves, and the memory of their frames. It knows no thread and no clock; a
 * runner drives {@link #duties()}.
 *
 * <p>The constructor of a subclass lays out memory, counters and doorbells first, then {@link
 * #build}s the halves, then {@link #add}s the duties that are not halves.
 */
public class Engine {
    /** Number of housekeeping intervals within which every half asks its device for drops. */
    public static final int DROPS_INTERVALS = DeviceDrops.TURNS;

    private final EngineSetup setup;
    private final EngineHost host;
    private final List<PortConfig> configs;
    private final List<PortBehaviour> behaviours;
    private final DutyNumbers numbers;
    private final FrameRegion region;
    private final PortRegistry registry;
    private final @Nullable BufferPool pool;
    private final EngineCounters counters;
    private final Wiring wiring;
    private final HalfSetup.Shared shared;
    private final IngressHalf[] ingress;
    private final EgressHalf[] egress;
    private final List<Duty> duties = new ArrayList<>();

    /** Lays out memory, counters and doorbells; there are no halves yet. */
    protected Engine(EngineSetup setup, EngineHost host) {
        this.setup = setup;
        this.host = host;
        this.configs = setup.configs();
        this.behaviours = setup.behaviours();
        this.numbers = setup.duties().numbers();
        int ports = configs.size();
        this.region =
                new FrameRegion(
                        firstLinkSlot(ports),
                        setup.memory().slotBytes(),
                        setup.memory().isUmem(),
                        host.slotMemory(),
                        host.makesFramesLate());
        long sharedBytes = setup.memory().sharedBytes();
        this.pool =
                sharedBytes == 0
                        ? null
                        : new BufferPool(sharedBytes, setup.duties().plan().workers());
        this.counters =
                new EngineCounters(
                        setup.name(),
                        configs,
                        setup.domain(),
                        setup.duties().countedWorkers(),
                        setup.own());
        host.bindCounters(counters.directory());
        this.wiring =
                new Wiring(
                        setup.duties().plan(),
                        numbers,
                        host,
                        setup.ports().stream().mapToInt(EngineSetup.Port::slots).toArray());
        this.registry =
                new PortRegistry(
                        configs,
                        behaviours,
                        host.presentTime(),
                        setup.isSwitch()
                                ? new LinkRelays(configs, this::relayDoorbells)
                                : LinkRelays.NONE,
                        setup.isSwitch() ? new PortBoards(ports) : PortBoards.NONE);
        this.shared = new HalfSetup.Shared(behaviours, region, registry);
        this.ingress = new IngressHalf[ports];
        this.egress = new EgressHalf[ports];
    }

    /** Supplies each ingress half with its forwarding decision. */
    @FunctionalInterface
    public interface Forwardings {
        Forwarding of(int port, CounterBlock ingressCounters);
    }

    /**
     * Builds the halves, and the domain's duty if there is one; called once.
     *
     * @param vlans which port carries which VLAN
     * @param notices by port: the ring for its congestion points' notices, or null if they send
     *     none
     */
    protected final void build(
            VlanTable vlans, Forwardings forwardings, List<@Nullable NoticeRing> notices) {
        int firstSlot = 0;
        for (int port = 0; port < configs.size(); port++) {
            CounterBlock in = counters.ofHalf(FrameOutbox.ingressHalf(port)).half();
            int slots = setup.ports().get(port).slots();
            ingress[port] =
                    new IngressHalf(
                            half(port, FrameOutbox.ingressHalf(port), null),
                            firstSlot,
                            slots,
                            setup.memory().reusesInOrder(),
                            forwardings.of(port, in));
            firstSlot += slots;
            egress[port] =
                    new EgressHalf(
                            half(port, FrameOutbox.egressHalf(port), notices.get(port)),
                            vlans,
                            slots(firstLinkSlot(port), linkSlots(port)));
            wiring.built(port, ingress[port]);
            duties.add(ingress[port]);
            if (setup.domain() == null) {
                duties.add(egress[port]);
            }
        }
        Domain domain = setup.domain();
        if (domain != null) {
            duties.add(new DomainDuty(domain, egress));
        }
    }

    private HalfSetup half(int port, int half, @Nullable NoticeRing notices) {
        return new HalfSetup(
                port,
                setup,
                shared,
                new HalfSetup.Links(
                        wiring.towards(half),
                        wiring.outboxOf(half),
                        wiring.doorbellFromOutside(half),
                        pool == null ? null : pool.share(wiring.worker(numbers.ofHalf(half))),
                        notices),
                counters.ofHalf(half),
                host);
    }

    private Frame[] slots(int first, int count) {
        Frame[] slots = new Frame[count];
        for (int i = 0; i < count; i++) {
            slots[i] = region.frame(first + i);
        }
        return slots;
    }

    /** The region's last slots are for link control. */
    private int firstLinkSlot(int port) {
        int first = setup.ports().stream().mapToInt(EngineSetup.Port::slots).sum();
        for (int before = 0; before < port; before++) {
            first += linkSlots(before);
        }
        return first;
    }

    private int linkSlots(int port) {
        return PortFlowControl.linkSlots(configs.get(port));
    }

    private LinkRelay.Doorbells relayDoorbells(boolean fromSender) {
        return (in, out) -> {
            int from = fromSender ? numbers.egress(in) : numbers.ingress(in);
            Doorbell doorbell = doorbell(from, numbers.egress(out));
            return () -> doorbell.ring(Doorbell.ORDERS);
        };
    }

    // ---- ports of which a half has failed

    /**
     * The parts for a restart of both halves of a port, each by its owner.
     *
     * @param isOfDomain whether the port's queues are a domain's
     */
    public record Restart(
            PortConfig config, @Nullable Threshold threshold, Queues queues, boolean isOfDomain) {
        /** Restarts the ingress half; called by its owner. */
        public void accept(IngressHalf half) {
            half.restart(config, threshold);
        }

        /** Restarts the egress half; called by its owner. */
        public void accept(EgressHalf half, long nowNs) {
            half.restart(nowNs, config, queues, isOfDomain);
        }
    }

    /**
     * Any thread except a worker, one at a time: prepares the restart of a port. The port must have
     * no device, and all its slots must be at home.
     */
    public final Restart restart(int port) {
        registry.restart(port);
        PortConfig config = inForce(port);
        PortBehaviour behaviour = behaviourOf(port, config);
        return new Restart(
                config, behaviour.threshold(), behaviour.queues().get(), setup.domain() != null);
    }

    /** A port's configuration in force: that of the start, unless a change has replaced it. */
    protected PortConfig inForce(int port) {
        return configs.get(port);
    }

    /** A port's behaviour, with empty queues. */
    protected PortBehaviour behaviourOf(int port, PortConfig config) {
        // Frames of several segments come to switches alone.
        return PortBehaviour.configured(config, ConfigDefaults.MEMORY, host.wireFormat(port));
    }

    /** Adds a duty that is not a half: its number is the next. */
    protected final void add(Duty duty) {
        duties.add(duty);
    }

    /** The doorbell by which one duty reaches another, by their numbers. */
    protected final Doorbell doorbell(int fromDuty, int toDuty) {
        return wiring.doorbell(fromDuty, toDuty);
    }

    public final int ports() {
        return configs.size();
    }

    /** A port as it was configured at the start. */
    public final PortConfig port(int port) {
        return configs.get(port);
    }

    public final IngressHalf ingress(int port) {
        return ingress[port];
    }

    public final EgressHalf egress(int port) {
        return egress[port];
    }

    public final List<Duty> duties() {
        return List.copyOf(duties);
    }

    public final DutyNumbers numbers() {
        return numbers;
    }

    public final WorkerPlan plan() {
        return setup.duties().plan();
    }

    public final FrameRegion region() {
        return region;
    }

    public final PortRegistry registry() {
        return registry;
    }

    public final CounterDirectory counters() {
        return counters.directory();
    }

    /**
     * A worker's counters.
     *
     * @throws ArrayIndexOutOfBoundsException if its work is not counted here
     */
    public final CounterBlock workerCounters(int worker) {
        return counters.worker(worker);
    }

    /** A block of counters of the engine as a whole, in the order of {@link EngineSetup#own}. */
    protected final CounterBlock own(int block) {
        return counters.own(block);
    }
}
