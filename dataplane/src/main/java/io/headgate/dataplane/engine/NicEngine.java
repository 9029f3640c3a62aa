package io.headgate.dataplane.engine;

import io.headgate.config.DeviceConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.PortConfig.VlanConfig;
import io.headgate.dataplane.engine.counter.CounterDirectory;
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
    private final FrameRegion region;
    private final PortRegistry registry = new PortRegistry(PORTS);
    private final SwitchCounters counters;
    private final IngressHalf[] ingress = new IngressHalf[PORTS];
    private final EgressHalf[] egress = new EgressHalf[PORTS];
    private final List<Duty> duties;

    /** Assembles a card; its ports have no devices yet. */
    public NicEngine(NicSetup setup, EngineHost host) {
        this.setup = setup;
        int slots = setup.appSlots() + setup.wireSlots();
        this.region = new FrameRegion(slots, setup.slotBytes(), false);
        List<PortConfig> ports =
                List.of(
                        port(setup, "app", setup.appRateBps()),
                        port(setup, "wire", setup.rateBps()));
        this.counters = new SwitchCounters(setup.name(), ports, 1);
        host.bindCounters(counters.directory());
        WorkerPlan plan = new WorkerPlan(1, List.of(WORKER, WORKER, WORKER, WORKER));
        Wiring wiring = new Wiring(plan, host, 2 * PORTS, slots);
        for (int port = 0; port < PORTS; port++) {
            build(port, ports.get(port), wiring, host);
        }
        this.duties = List.of(ingress[APP], egress[APP], ingress[WIRE], egress[WIRE]);
    }

    private void build(int port, PortConfig config, Wiring wiring, EngineHost host) {
        int in = Outbox.ingressHalf(port);
        int out = Outbox.egressHalf(port);
        ingress[port] =
                new IngressHalf(
                        half(port, in, config, wiring, host),
                        slotsOf(port),
                        false,
                        new OppositeForwarding(1 - port));
        egress[port] =
                new EgressHalf(half(port, out, config, wiring, host), UNTAGGED, new Frame[0]);
    }

    private HalfSetup half(int port, int duty, PortConfig config, Wiring wiring, EngineHost host) {
        boolean isIngress = duty == Outbox.ingressHalf(port);
        return new HalfSetup(
                port,
                config.name(),
                config,
                region,
                wiring.towards(duty),
                wiring.outboxOf(duty),
                registry,
                isIngress ? counters.ingress(port) : counters.egress(port),
                isIngress ? counters.ingressDrops(port) : counters.egressDrops(port),
                isIngress ? counters.ingressPriorities(port) : counters.egressPriorities(port),
                wiring.doorbellFromOutside(duty),
                host.housekeepingIntervalNs(),
                host.maxCatchUpNs(),
                host.devicesRing(),
                host.wireFormat(port),
                0);
    }

    private Frame[] slotsOf(int port) {
        int first = port == APP ? 0 : setup.appSlots();
        Frame[] slots = new Frame[port == APP ? setup.appSlots() : setup.wireSlots()];
        for (int i = 0; i < slots.length; i++) {
            slots[i] = region.frame(first + i);
        }
        return slots;
    }

    /** Queues and accounts hold whatever the slots do: nothing is dropped between the sides. */
    private static PortConfig port(NicSetup setup, String side, long rateBps) {
        return new PortConfig(
                setup.name() + "." + side,
                new DeviceConfig.Virtual(setup.name() + "." + side),
                rateBps,
                setup.mtuBytes(),
                VlanConfig.DEFAULT,
                Long.MAX_VALUE,
                Long.MAX_VALUE,
                Integer.MAX_VALUE,
                List.of());
    }

    public NicSetup setup() {
        return setup;
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

    public PortRegistry registry() {
        return registry;
    }
}
