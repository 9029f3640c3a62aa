package io.headgate.hostagent;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.HostConfig;
import io.headgate.config.WorkerConfig;
import io.headgate.dataplane.counter.HostCounter;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.device.linux.Affinity;
import io.headgate.dataplane.device.linux.LinuxInterface;
import io.headgate.dataplane.device.linux.Offload;
import io.headgate.dataplane.device.linux.SystemCalls;
import io.headgate.dataplane.engine.NicEngine;
import io.headgate.dataplane.engine.NicSetup;
import io.headgate.dataplane.runner.DeviceFactory;
import io.headgate.dataplane.runner.DutyFailures;
import io.headgate.dataplane.runner.NicWarmUp;
import io.headgate.dataplane.runner.PortSupervisor;
import io.headgate.dataplane.runner.RealTimeNics;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Lossless network cards for the hosts of this machine: each a TAP that applications use as they
 * would any interface, and a device towards the switch, with a card of the engine's own halves
 * between them. Any thread may close it.
 */
public final class HostAgent implements AutoCloseable {
    private static final int FEW_CORES = 4;
    private static final int SIDES = 2;

    private final HostConfig config;
    private final RealTimeNics nics;
    private final SenderGovernor governor = new SenderGovernor();
    private volatile @Nullable PortSupervisor supervisor;
    private final Consumer<String> log;

    private HostAgent(HostConfig config, RealTimeNics nics, Consumer<String> log) {
        this.config = config;
        this.nics = nics;
        this.log = log;
    }

    /**
     * Starts an agent: warms the cards up, opens all devices, makes the TAPs.
     *
     * @param counters where each card counts
     * @param log takes lines for a person, without their ends; called by several threads
     * @throws DeviceException if a device cannot be opened; nothing is left running or open then
     */
    public static HostAgent start(
            HostConfig config, RealTimeNics.CounterMemory counters, Consumer<String> log)
            throws DeviceException {
        warmUp(config, log);
        DutyFailures failures = new DutyFailures(log);
        List<NicSetup> setups = config.nics().stream().map(HostAgent::setup).toList();
        RealTimeNics nics =
                new RealTimeNics(
                        setups,
                        workers(config),
                        config.workers(),
                        counters,
                        List.of(HostCounter.values()),
                        failures);
        HostAgent agent = new HostAgent(config, nics, log);
        try {
            nics.start();
            agent.governor.start();
            for (int nic = 0; nic < setups.size(); nic++) {
                agent.open(nic);
            }
            PortSupervisor watches = new PortSupervisor(agent.new Sides(), log);
            agent.supervisor = watches;
            failures.tell(watches);
            watches.start();
        } catch (DeviceException | RuntimeException failure) {
            agent.close();
            throw failure;
        }
        return agent;
    }

    private static void warmUp(HostConfig config, Consumer<String> log) {
        SystemCalls.warmUp();
        Set<FlowControlConfig.Mode> modes = EnumSet.noneOf(FlowControlConfig.Mode.class);
        config.nics().forEach(nic -> modes.add(nic.wire().flowControl().mode()));
        modes.forEach(mode -> log.accept(NicWarmUp.run(mode)));
    }

    private static NicSetup setup(HostConfig.Nic nic) {
        return NicSetup.of(nic.name(), nic.rateBps())
                .withAppRateBps(nic.receiveRateBps())
                .withMtuBytes(nic.mtuBytes())
                .withSlots(nic.transmitSlots(), nic.receiveSlots(), nic.slotBytes())
                .withWire(nic.wire())
                .withDevices(nic.tap(), nic.device());
    }

    /** Few cores are better left to those who send and receive. */
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

    /** The cards' sides, two a card, for whoever watches their devices. */
    private final class Sides implements PortSupervisor.Ports {
        @Override
        public List<String> names() {
            return IntStream.range(0, SIDES * nics.cards())
                    .mapToObj(port -> nics.engine(port / SIDES).port(port % SIDES).name())
                    .toList();
        }

        @Override
        public @Nullable PortDevice device(int port) {
            return nics.device(port / SIDES, port % SIDES);
        }

        @Override
        public @Nullable String netns(int port) {
            HostConfig.Nic nic = config.nics().get(port / SIDES);
            return (port % SIDES == NicEngine.APP ? nic.tap() : nic.device()).netns();
        }

        @Override
        public PortDevice open(int port) throws DeviceException {
            return HostAgent.this.open(port / SIDES, port % SIDES);
        }

        @Override
        public void attach(int port, PortDevice device) {
            nics.attach(port / SIDES, port % SIDES, device);
        }

        @Override
        public void detach(int port) {
            nics.detach(port / SIDES, port % SIDES);
        }
    }

    private PortDevice open(int number, int side) throws DeviceException {
        HostConfig.Nic nic = config.nics().get(number);
        NicEngine card = nics.engine(number);
        PortDevice device;
        try {
            device = new DeviceFactory(card.region()).open(card.port(side));
            if (side == NicEngine.APP) {
                try {
                    device = hold(nic, card, device);
                } catch (DeviceException failure) {
                    device.close();
                    throw failure;
                }
            }
        } catch (DeviceException failure) {
            throw new DeviceException("host " + nic.name() + ": " + failure.getMessage(), failure);
        }
        return device;
    }

    private void open(int number) throws DeviceException {
        for (int side = 0; side < SIDES; side++) {
            PortDevice device = open(number, side);
            nics.attach(number, side, device);
            log.accept(
                    String.format(
                            "host %s: %s %s (%s) towards %s",
                            config.nics().get(number).name(),
                            device.info().kind(),
                            device.info().name(),
                            device.info().detail(),
                            side == NicEngine.APP ? "applications" : "the switch"));
        }
    }

    /** Makes a TAP's senders ones that can be held back, where the kernel has the means. */
    private PortDevice hold(HostConfig.Nic nic, NicEngine card, PortDevice tap)
            throws DeviceException {
        LinuxInterface tapInterface =
                LinuxInterface.read(nic.tap().netns(), nic.tap().interfaceName());
        tapInterface.setTransmitQueueFrames(nic.holding().tapQueueFrames());
        // One frame at a time: what the kernel has made longer than the bucket would never leave.
        tapInterface.set(Offload.GSO, false);
        HeldTap.HoldSwitch holdSwitch;
        try {
            holdSwitch = governor.add(nic, card.hostCounters());
        } catch (DeviceException none) {
            log.accept(
                    "host "
                            + nic.name()
                            + ": "
                            + none.getMessage()
                            + "; what applications send while the card is full will be lost");
            return tap;
        }
        return new HeldTap(
                tap,
                card.ingress(NicEngine.APP).accounts(),
                new SenderHold(nic.transmitSlots()),
                holdSwitch,
                card.hostCounters());
    }

    public HostConfig config() {
        return config;
    }

    /** The cards, with their threads and devices. */
    public RealTimeNics nics() {
        return nics;
    }

    /** Closes all devices, which removes the TAPs that were made, and ends all threads. */
    @Override
    public void close() {
        try {
            PortSupervisor watches = supervisor;
            if (watches != null) {
                watches.close();
            }
            governor.close();
        } finally {
            nics.close();
        }
    }
}
