package io.headgate.hostagent;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.FlowControlConfig;
import io.headgate.config.HostConfig;
import io.headgate.config.Mechanism;
import io.headgate.config.Mechanisms;
import io.headgate.config.MemoryConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.WorkerConfig;
import io.headgate.dataplane.counter.HostCounter;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.device.linux.Affinity;
import io.headgate.dataplane.device.linux.ReservedMemory;
import io.headgate.dataplane.device.tap.TapDevice;
import io.headgate.dataplane.device.tap.TapSteering;
import io.headgate.dataplane.runner.DeviceFactory;
import io.headgate.dataplane.runner.DutyFailures;
import io.headgate.dataplane.runner.EngineWarmUp;
import io.headgate.dataplane.runner.ErrorRecord;
import io.headgate.dataplane.runner.PortSupervisor;
import io.headgate.dataplane.runner.RealTimeEngine;
import io.headgate.hostagent.card.CardSetup;
import io.headgate.hostagent.card.HostCard;
import io.headgate.hostagent.rate.FlowRates;
import io.headgate.hostagent.rate.FlowShaper;
import io.headgate.hostagent.rate.HostNotices;
import io.headgate.hostagent.rate.RateControls;
import io.headgate.hostagent.telemetry.FlowPaths;
import io.headgate.hostagent.telemetry.PathWatch;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs lossless network cards for the hosts of this machine. Each host has a TAP, which
 * applications use like any interface, a device towards the switch, and between them a card made of
 * the engine's own halves. Any thread may close it.
 */
public final class HostAgent implements AutoCloseable {
    private static final int FEW_CORES = 4;

    private final HostConfig config;
    private final RealTimeEngine<HostCard> cards;
    private final SenderGovernor governor = new SenderGovernor();
    private volatile @Nullable PortSupervisor supervisor;
    private final Shown shown;
    private final ErrorRecord errors;
    private final Consumer<String> log;

    /**
     * Provides zeroed memory for data that a card publishes, such as counters, aligned to 128
     * bytes.
     */
    @FunctionalInterface
    public interface CounterMemory {
        MemorySegment of(int nic, long lengthBytes);
    }

    /**
     * The memory in which each card publishes its data for other processes.
     *
     * @param rates the rates of its flows, if there is a rate control
     * @param paths the ports by which frames come to it, if the frames report them
     */
    public record Shown(CounterMemory counters, CounterMemory rates, CounterMemory paths) {}

    private HostAgent(
            HostConfig config,
            RealTimeEngine<HostCard> cards,
            Shown shown,
            ErrorRecord errors,
            Consumer<String> log) {
        this.config = config;
        this.cards = cards;
        this.shown = shown;
        this.errors = errors;
        this.log = log;
    }

    /**
     * Starts an agent: warms the cards up, opens all devices, makes the TAPs.
     *
     * @param log takes lines for a person, without their ends; called by several threads
     * @throws DeviceException if a device cannot be opened; nothing is left running or open then
     */
    public static HostAgent start(HostConfig config, Shown shown, Consumer<String> log)
            throws DeviceException {
        for (HostConfig.Nic nic : config.nics()) {
            rateControl(nic);
        }
        warmUp(config.nics(), log);
        ErrorRecord errors = new ErrorRecord();
        DutyFailures failures = new DutyFailures(log, errors);
        RealTimeEngine<HostCard> cards =
                new RealTimeEngine<>(seats(config, shown.counters), config.workers(), failures);
        HostAgent agent = new HostAgent(config, cards, shown, errors, log);
        try {
            for (int nic = 0; nic < config.nics().size(); nic++) {
                agent.open(nic);
            }
            // Only now: what one side takes in before the other is in use would be dropped.
            cards.start();
            agent.governor.start();
            PortSupervisor watches = new PortSupervisor(cards, agent.new Sides(), log, errors);
            agent.supervisor = watches;
            failures.tell(watches);
            watches.start();
        } catch (DeviceException | RuntimeException failure) {
            agent.close();
            throw failure;
        }
        return agent;
    }

    /** The rate control that is on for the flows of a host, or null. */
    public static @Nullable RateControls<?> controls(HostConfig.Nic nic) throws DeviceException {
        List<Mechanisms.Use> uses =
                nic.rateControl().of(Mechanism.Kind.RATE_CONTROL).stream()
                        .filter(Mechanisms.Use::isEnabled)
                        .toList();
        if (uses.isEmpty()) {
            return null;
        }
        RateControls<?> control = RateControls.of(uses.getFirst());
        if (uses.size() > 1) {
            throw new DeviceException(
                    ("host %s: rate-control has %s mechanisms, but a flow can use only one; turn"
                                    + " the others off with enabled: false")
                            .formatted(nic.name(), uses.size()));
        }
        return control;
    }

    /** The rate control for the flows of a host's applications; null: none. */
    static @Nullable RateControls<?> rateControl(HostConfig.Nic nic) throws DeviceException {
        RateControls<?> control = controls(nic);
        boolean isEchoed =
                control != null && (control.mechanism().needsEcho() || control.needsConnections());
        if (control != null && (isEchoed || control.mechanism().needsMarks())) {
            throw new DeviceException(
                    "host "
                            + nic.name()
                            + ": rate-control "
                            + control.mechanism().name()
                            + (isEchoed
                                    ? " needs acknowledgements, which are not visible in the"
                                            + " applications' traffic;"
                                    : " needs congestion notification packets, which"
                                            + " applications do not send;")
                            + " on a TAP, only a rate control that needs neither can control flows,"
                            + " such as fixed");
        }
        return control;
    }

    /** The errors since the start, one entry per kind. */
    public List<ErrorRecord.Entry> errors() {
        return errors.entries();
    }

    static void warmUp(List<HostConfig.Nic> nics, Consumer<String> log) {
        EngineWarmUp.systemCalls();
        Set<FlowControlConfig.Mode> modes = EnumSet.noneOf(FlowControlConfig.Mode.class);
        nics.forEach(nic -> modes.add(nic.wire().flowControl().mode()));
        modes.stream().map(CardWarmUp::run).filter(line -> !line.isEmpty()).forEach(log);
    }

    /** Assigns card n to worker n modulo the number of workers. */
    private static List<RealTimeEngine.Seat<HostCard>> seats(
            HostConfig config, CounterMemory counters) {
        int workers = workers(config);
        List<RealTimeEngine.Seat<HostCard>> seats = new ArrayList<>();
        for (int number = 0; number < config.nics().size(); number++) {
            int card = number;
            CardSetup setup = setup(config.nics().get(card));
            seats.add(
                    new RealTimeEngine.Seat<>(
                            HostCard.ONE_WORKER,
                            card % workers,
                            lengthBytes -> counters.of(card, lengthBytes),
                            ReservedMemory.withinWhatThereIs(),
                            host ->
                                    new HostCard(
                                            setup,
                                            host,
                                            card < workers,
                                            List.of(HostCounter.values()))));
        }
        return seats;
    }

    static CardSetup setup(HostConfig.Nic nic) {
        return CardSetup.of(nic.name(), nic.rateBps())
                .withAppRateBps(nic.receiveRateBps())
                .withMtuBytes(nic.mtuBytes())
                .withSlots(
                        nic.transmitSlots(),
                        nic.receiveSlots(),
                        MemoryConfig.slotBytesFor(nic.linkMtuBytes()))
                .withWire(nic.wire())
                .withCodePoint(nic.ecn().codePoint())
                .withDevices(nic.tap(), nic.device());
    }

    /** Number of workers; a machine with few cores should leave them to the applications. */
    private static int workers(HostConfig config) {
        int cards = config.nics().size();
        WorkerConfig workers = config.workers();
        int wanted =
                switch (workers.layout()) {
                    case SINGLE -> 1;
                    case COUNT -> workers.count();
                    case PER_HALF -> cards;
                    case AUTO -> {
                        int cores = Affinity.allowedCores().length;
                        yield cores <= FEW_CORES ? 1 : cores / 2;
                    }
                };
        return Math.clamp(wanted, 1, cards);
    }

    /** The ports of the cards, two per card, for the supervisor that watches their devices. */
    private final class Sides implements PortSupervisor.Ports {
        @Override
        public List<String> names() {
            return cards.engines().stream()
                    .flatMap(card -> Stream.of(card.port(HostCard.APP), card.port(HostCard.WIRE)))
                    .map(PortConfig::name)
                    .toList();
        }

        @Override
        public @Nullable String netns(int port) {
            HostConfig.Nic nic = config.nics().get(port / HostCard.PORTS);
            return (port % HostCard.PORTS == HostCard.APP ? nic.tap() : nic.device()).netns();
        }

        @Override
        public PortDevice open(int port) throws DeviceException {
            return HostAgent.this.open(port / HostCard.PORTS, port % HostCard.PORTS);
        }
    }

    /** Publishes the ports by which frames come to a card, if the frames report them. */
    static void showPaths(
            RealTimeEngine<HostCard> cards, int number, LongFunction<MemorySegment> memory) {
        HostCard card = cards.engines().get(number);
        if (card.knowsPaths()) {
            int flows = PathWatch.FLOWS;
            MemorySegment shown = memory.apply(FlowPaths.bytes(flows));
            card.watchHops(new PathWatch(new FlowPaths(shown, flows, originNs(cards))));
        }
    }

    /** This machine's monotonic clock at the cards' time 0. */
    private static long originNs(RealTimeEngine<HostCard> cards) {
        return System.nanoTime() - cards.nowNs();
    }

    private PortDevice open(int number, int side) throws DeviceException {
        HostConfig.Nic nic = config.nics().get(number);
        HostCard card = cards.engines().get(number);
        try {
            return side == HostCard.APP
                    ? openTap(nic, number, card)
                    : new DeviceFactory(card.region()).open(card.port(side));
        } catch (DeviceException failure) {
            throw new DeviceException("host " + nic.name() + ": " + failure.getMessage(), failure);
        }
    }

    private void open(int number) throws DeviceException {
        showPaths(cards, number, bytes -> shown.paths.of(number, bytes));
        for (int side = 0; side < HostCard.PORTS; side++) {
            PortDevice device = open(number, side);
            cards.attach(HostCard.PORTS * number + side, device);
            log.accept(
                    String.format(
                            "host %s: %s %s (%s) towards %s",
                            config.nics().get(number).name(),
                            device.info().kind(),
                            device.info().name(),
                            device.info().detail(),
                            side == HostCard.APP ? "applications" : "the switch"));
        }
    }

    private PortDevice openTap(HostConfig.Nic nic, int number, HostCard card)
            throws DeviceException {
        RateControls<?> control = rateControl(nic);
        TapDevice tap =
                TapDevice.open(
                        nic.tap().netns(),
                        nic.tap().interfaceName(),
                        nic.tap().create(),
                        nic.mtuBytes(),
                        card.region(),
                        control == null ? null : steering(nic),
                        false);
        try {
            return throttle(nic, number, card, tap, control);
        } catch (DeviceException failure) {
            tap.close();
            throw failure;
        }
    }

    /**
     * Assigns flows to queues: those that are not controlled have the first queue for themselves.
     */
    private static TapSteering steering(HostConfig.Nic nic) {
        List<TapSteering.Flows> flows =
                nic.controlledFlows().stream()
                        .map(one -> new TapSteering.Flows(protocol(one.protocol()), one.port()))
                        .toList();
        return new TapSteering(1 + nic.flowQueues(), flows);
    }

    private static int protocol(HostConfig.Flows.Protocol protocol) {
        return switch (protocol) {
            case ANY -> TapSteering.Flows.ANY;
            case TCP -> TapSteering.Flows.TCP;
            case UDP -> TapSteering.Flows.UDP;
        };
    }

    /** Makes it possible to hold back a TAP's senders, if the kernel supports it. */
    private PortDevice throttle(
            HostConfig.Nic nic,
            int number,
            HostCard card,
            TapDevice tap,
            @Nullable RateControls<?> control)
            throws DeviceException {
        TapSettings settings = TapSettings.of(nic);
        settings.hold();
        Throttle valve;
        try {
            valve = governor.add(nic, tap.queues(), card.hostCounters());
        } catch (DeviceException e) {
            if (control != null) {
                throw e;
            }
            log.accept(
                    "host %s: %s; what applications send while the card is full will be lost"
                            .formatted(nic.name(), e.getMessage()));
            return tap;
        }
        FlowShaper shaper =
                control == null
                        ? null
                        : new FlowShaper(
                                control::control,
                                control.noticePeriodNs(),
                                tap.queues(),
                                nic.rateBps(),
                                ConfigDefaults.maxFrameBytes(nic.mtuBytes()));
        if (shaper != null) {
            MemorySegment memory = shown.rates.of(number, FlowRates.bytes(FlowShaper.FLOWS));
            shaper.showAt(new FlowRates(memory, FlowShaper.FLOWS, nic.rateBps(), originNs(cards)));
        }
        if (shaper != null && control != null && control.noticePeriodNs() > 0) {
            card.takeNotices(new HostNotices(shaper, card.noticeCounters(), false));
        }
        return new ThrottledTap(
                tap,
                settings,
                shaper,
                card.ingress(HostCard.APP).accounts(),
                nic.transmitSlots(),
                valve,
                nic.throttling().floorBps(),
                card.hostCounters());
    }

    public RealTimeEngine<HostCard> cards() {
        return cards;
    }

    /** Closes all devices, which removes the TAPs that were made, and ends all threads. */
    @Override
    public void close() {
        PortSupervisor watches = supervisor;
        if (watches == null) {
            closeCards();
        } else {
            watches.close(this::closeCards);
        }
    }

    private void closeCards() {
        try {
            governor.close();
        } finally {
            cards.close();
        }
    }
}
