package io.headgate.hostagent.card;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.DeviceConfig;
import io.headgate.config.FlowControlConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.PortConfig.VlanConfig;
import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.congestion.Congestion;
import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.CounterId;
import io.headgate.dataplane.counter.NoticeCounter;
import io.headgate.dataplane.engine.Doorbell;
import io.headgate.dataplane.engine.DutyNumbers;
import io.headgate.dataplane.engine.Engine;
import io.headgate.dataplane.engine.EngineHost;
import io.headgate.dataplane.engine.EngineSetup;
import io.headgate.dataplane.engine.PortBehaviour;
import io.headgate.dataplane.engine.WorkerPlan;
import io.headgate.dataplane.flowcontrol.PortFlowControl;
import io.headgate.dataplane.forwarding.HopWatch;
import io.headgate.dataplane.forwarding.HostForwarding;
import io.headgate.dataplane.forwarding.NoticeTaker;
import io.headgate.dataplane.forwarding.VlanTable;
import java.util.Arrays;
import java.util.List;

/**
 * A host's network card, made of the same halves as a switch's ports: port {@link #APP} towards the
 * applications of the host, port {@link #WIRE} towards the link. Frames that come in by one port
 * leave by the other, paced to the line rate; a frame without a free slot does not enter, which
 * holds its sender back.
 *
 * <p>With flow control, the wire side obeys and sends pauses or credits, as a switch's port does;
 * frames that a slow application has not taken yet are then held in the slots that flow control
 * promises, and the far end is stopped before they run out. Both sides classify frames alike.
 *
 * <p>It has no local port, no forwarding table and few slots, so that hundreds of hosts fit. All
 * its duties run on one worker.
 */
public final class HostCard extends Engine {
    /** The port towards the application. */
    public static final int APP = 0;

    /** The port towards the link. */
    public static final int WIRE = 1;

    public static final int PORTS = 2;

    private static final DutyNumbers NUMBERS = new DutyNumbers(PORTS, false);
    public static final WorkerPlan ONE_WORKER = new WorkerPlan(1, List.of(0, 0, 0, 0));
    private static final List<NoticeCounter> NOTICES = List.of(NoticeCounter.values());

    // The same for all, never written once built: 4,096 words would be most of an idle host.
    private static final VlanTable UNTAGGED =
            new VlanTable(List.of(VlanConfig.DEFAULT, VlanConfig.DEFAULT));

    private final CardSetup setup;
    private final HostForwarding fromWire;
    private final Doorbell appBell;

    /** Assembles a card; its ports have no devices yet. */
    public HostCard(CardSetup setup, EngineHost host) {
        this(setup, host, true, List.of());
    }

    /**
     * Assembles a card; its ports have no devices yet.
     *
     * @param countsWorker whether the worker that runs the card counts its own work here
     * @param hostCounters further counters, of the code that runs the card
     */
    public HostCard(
            CardSetup setup,
            EngineHost host,
            boolean countsWorker,
            List<? extends CounterId> hostCounters) {
        super(engine(setup, host, countsWorker, hostCounters), host);
        this.setup = setup;
        this.appBell = doorbell(NUMBERS.egress(APP), NUMBERS.ingress(APP));
        Doorbell fromApp = doorbell(NUMBERS.ingress(WIRE), NUMBERS.ingress(APP));
        this.fromWire =
                new HostForwarding(
                        APP,
                        () -> fromApp.ring(Doorbell.DEVICE),
                        HostForwarding.AS_SENT,
                        Congestion.sinks(setup.wire().mechanisms()));
        HostForwarding toWire = new HostForwarding(WIRE, () -> {}, setup.codePoint());
        build(UNTAGGED, (port, _) -> port == APP ? toWire : fromWire, Arrays.asList(null, null));
    }

    private static EngineSetup engine(
            CardSetup setup,
            EngineHost host,
            boolean countsWorker,
            List<? extends CounterId> hostCounters) {
        PortConfig app =
                port(
                        CardSetup.application(setup.name()),
                        setup.appDevice(),
                        setup.appRateBps(),
                        setup.mtuBytes(),
                        // What the application takes is not what a priority may send.
                        setup.wire()
                                .traffic()
                                .withRateLimitsBps(TrafficConfig.DEFAULT.rateLimitsBps()),
                        FlowControlConfig.NONE);
        PortConfig wire =
                port(
                                setup.name() + ".wire",
                                setup.wireDevice(),
                                setup.rateBps(),
                                setup.mtuBytes(),
                                setup.wire().traffic(),
                                setup.wire().flowControl())
                        .withMechanisms(setup.wire().mechanisms());
        int held =
                PortFlowControl.isConfigured(wire)
                        ? setup.wireDevice().receiveSlots() + setup.wire().slots()
                        : 0;
        return new EngineSetup(
                setup.name(),
                List.of(
                        port(APP, app, setup.slots().app(), host),
                        port(WIRE, wire, setup.slots().wire() + held, host)),
                new EngineSetup.Duties(ONE_WORKER, NUMBERS, countsWorker ? 1 : 0),
                new EngineSetup.Memory(
                        setup.slots().bytesEach(), setup.wireDevice().mapsSlots(), false, 0),
                null,
                0,
                List.of(hostCounters, NOTICES));
    }

    private static EngineSetup.Port port(int side, PortConfig port, int slots, EngineHost host) {
        return new EngineSetup.Port(
                port,
                PortBehaviour.configured(port, ConfigDefaults.MEMORY, host.wireFormat(side)),
                slots);
    }

    /**
     * A port whose queues and accounts can hold all slots: nothing is dropped between the sides.
     */
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

    public CardSetup setup() {
        return setup;
    }

    /**
     * The doorbell that the application side's device rings, when a frame that it received makes it
     * ready to send.
     */
    public Doorbell appDoorbell() {
        return appBell;
    }

    /** Counters of the code that runs the card. */
    public CounterBlock hostCounters() {
        return own(0);
    }

    /** Sets the receiver of notices from now on; before, they go to the application. Any thread. */
    public void takeNotices(NoticeTaker by) {
        fromWire.takeNotices(by);
    }

    /** Sets the watcher of the ports by which frames came, from now on. Any thread. */
    public void watchHops(HopWatch by) {
        fromWire.watchHops(by);
    }

    /** Whether frames report to this card the ports by which they came. */
    public boolean knowsPaths() {
        return fromWire.knowsPaths();
    }

    /** The counters of notices: {@link NoticeCounter}. */
    public CounterBlock noticeCounters() {
        return own(1);
    }
}
