package io.headgate.dataplane.engine;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.DeviceConfig;
import io.headgate.config.FlowControlConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.PortConfig.VlanConfig;
import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.counter.CounterId;
import io.headgate.dataplane.flowcontrol.IngressFlow;
import io.headgate.dataplane.forwarding.OppositeForwarding;
import io.headgate.dataplane.forwarding.VlanTable;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.util.List;

/**
 * A host's network card, made of the same halves as a switch's ports: port {@link #APP} towards
 * whatever sends and receives on the host, port {@link #WIRE} towards the link. What comes in by
 * one leaves by the other, paced to the line rate; a frame without a free slot does not enter, and
 * that is how a sender is held back.
 *
 * <p>With flow control the wire side obeys and sends pauses or credits, as a switch's port does;
 * what the application is slow to take is then held in the slots that flow control promises, and
 * the far end is made to stop before they run out. Both sides sort frames alike.
 *
 * <p>There is no local port and no forwarding table, and few slots, so that hundreds of hosts fit.
 * Duties are numbered as in a {@link SwitchEngine}: port p has ingress half 2p and egress half 2p +
 * 1. All run on one worker.
 */
public final class NicEngine {
    /** The port towards the application. */
    public static final int APP = 0;

    /** The port towards the link. */
    public static final int WIRE = 1;

    private static final int PORTS = 2;
    private static final int WORKER = 0;

    // The same for all, never written once built: 4,096 words would be most of an idle host.
    private static final VlanTable UNTAGGED =
            new VlanTable(List.of(VlanConfig.DEFAULT, VlanConfig.DEFAULT));

    private final NicSetup setup;
    private final List<PortConfig> ports;
    private final int appSlots;
    private final int wireSlots;
    private final int linkSlots;
    private final FrameRegion region;
    private final PortRegistry registry = new PortRegistry(PORTS);
    private final SwitchCounters counters;
    private final IngressHalf[] ingress = new IngressHalf[PORTS];
    private final EgressHalf[] egress = new EgressHalf[PORTS];
    private final List<Duty> duties;

    /** Assembles a card; its ports have no devices yet. */
    public NicEngine(NicSetup setup, EngineHost host) {
        this(setup, host, true, List.of());
    }

    /**
     * Assembles a card; its ports have no devices yet.
     *
     * @param countsWorker whether the worker that runs it counts here what it does
     * @param hostCounters what whoever runs it counts here beside
     */
    public NicEngine(
            NicSetup setup,
            EngineHost host,
            boolean countsWorker,
            List<? extends CounterId> hostCounters) {
        this.setup = setup;
        this.ports =
                List.of(
                        port(
                                setup.name() + ".app",
                                setup.appDevice(),
                                setup.appRateBps(),
                                setup.mtuBytes(),
                                unlimited(setup.wire().traffic()),
                                FlowControlConfig.NONE),
                        port(
                                        setup.name() + ".wire",
                                        setup.wireDevice(),
                                        setup.rateBps(),
                                        setup.mtuBytes(),
                                        setup.wire().traffic(),
                                        setup.wire().flowControl())
                                .withMechanisms(setup.wire().mechanisms()));
        boolean controls = IngressFlow.isConfigured(ports.get(WIRE));
        int ringSlots = ConfigDefaults.ringSlots(setup.wireDevice());
        this.appSlots = setup.slots().app();
        this.wireSlots = setup.slots().wire() + (controls ? ringSlots + setup.wire().slots() : 0);
        this.linkSlots = controls ? SwitchEngine.LINK_SLOTS : 0;
        int slots = appSlots + wireSlots + linkSlots;
        this.region =
                new FrameRegion(
                        slots,
                        setup.slots().bytesEach(),
                        setup.wireDevice() instanceof DeviceConfig.AfXdp,
                        host.slotMemory());
        this.counters = new SwitchCounters(setup.name(), ports, countsWorker ? 1 : 0, hostCounters);
        host.bindCounters(counters.directory());
        WorkerPlan plan = new WorkerPlan(1, List.of(WORKER, WORKER, WORKER, WORKER));
        Wiring wiring = new Wiring(plan, host, new int[] {appSlots, wireSlots});
        for (int port = 0; port < PORTS; port++) {
            build(port, ports, wiring, host);
        }
        this.duties = List.of(ingress[APP], egress[APP], ingress[WIRE], egress[WIRE]);
    }

    private void build(int port, List<PortConfig> ports, Wiring wiring, EngineHost host) {
        int in = Outbox.ingressHalf(port);
        int out = Outbox.egressHalf(port);
        ingress[port] =
                new IngressHalf(
                        half(port, in, ports, wiring, host),
                        port == APP ? slots(0, appSlots) : slots(appSlots, wireSlots),
                        false,
                        new OppositeForwarding(1 - port));
        wiring.built(port, ingress[port]);
        egress[port] =
                new EgressHalf(
                        half(port, out, ports, wiring, host),
                        UNTAGGED,
                        port == WIRE ? slots(appSlots + wireSlots, linkSlots) : new Frame[0]);
    }

    private HalfSetup half(
            int port, int duty, List<PortConfig> ports, Wiring wiring, EngineHost host) {
        boolean isIngress = duty == Outbox.ingressHalf(port);
        return new HalfSetup(
                port,
                ports,
                region,
                wiring.towards(duty),
                wiring.outboxOf(duty),
                registry,
                isIngress ? counters.ingress(port) : counters.egress(port),
                isIngress ? counters.ingressDrops(port) : counters.egressDrops(port),
                isIngress ? counters.ingressPriorities(port) : counters.egressPriorities(port),
                isIngress ? null : counters.congestion(port),
                wiring.doorbellFromOutside(duty),
                host.presentTime(),
                host.housekeepingIntervalNs(),
                host.maxCatchUpNs(),
                host.devicesRing(),
                host.wireFormat(port),
                false,
                0,
                0);
    }

    private Frame[] slots(int first, int count) {
        Frame[] slots = new Frame[count];
        for (int i = 0; i < count; i++) {
            slots[i] = region.frame(first + i);
        }
        return slots;
    }

    /** What the application takes is not what a priority may send. */
    private static TrafficConfig unlimited(TrafficConfig wire) {
        return wire.withRateLimitsBps(TrafficConfig.DEFAULT.rateLimitsBps());
    }

    /** Queues and accounts hold whatever the slots do: nothing is dropped between the sides. */
    private static PortConfig port(
            String name,
            DeviceConfig device,
            long rateBps,
            int mtuBytes,
            TrafficConfig traffic,
            FlowControlConfig flowControl) {
        return ConfigDefaults.port(name, device)
                .withRateBps(rateBps)
                .withMtuBytes(mtuBytes)
                .withQueueLimitBytes(Long.MAX_VALUE)
                .withAccountCapBytes(Long.MAX_VALUE)
                .withAccountCapSlots(Integer.MAX_VALUE)
                .withTraffic(traffic)
                .withFlowControl(flowControl);
    }

    public NicSetup setup() {
        return setup;
    }

    /** What a side is, as a port: {@link #APP} or {@link #WIRE}. */
    public PortConfig port(int side) {
        return ports.get(side);
    }

    /** All duties, by number. */
    public List<Duty> duties() {
        return duties;
    }

    /** {@link #APP} or {@link #WIRE}. */
    public IngressHalf ingress(int port) {
        return ingress[port];
    }

    /** {@link #APP} or {@link #WIRE}. */
    public EgressHalf egress(int port) {
        return egress[port];
    }

    public FrameRegion region() {
        return region;
    }

    public CounterDirectory counters() {
        return counters.directory();
    }

    /**
     * What the worker that runs it counts.
     *
     * @throws ArrayIndexOutOfBoundsException if it does not do so here
     */
    public CounterBlock workerCounters() {
        return counters.worker(WORKER);
    }

    /** What whoever runs it counts. */
    public CounterBlock hostCounters() {
        return counters.own();
    }

    public PortRegistry registry() {
        return registry;
    }
}
