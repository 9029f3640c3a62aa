package io.headgate.testbed.netns.bed;

import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.counter.CounterDirectory.Entry;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.device.afpacket.AfPacketDevice;
import io.headgate.dataplane.device.linux.RealTimePriority;
import io.headgate.dataplane.engine.Duty;
import io.headgate.dataplane.engine.PolledHost;
import io.headgate.dataplane.flowcontrol.Classifier;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.queue.WireFormat;
import io.headgate.hostagent.card.CardSetup;
import io.headgate.hostagent.card.HostCard;
import io.headgate.hostagent.rate.HostNotices;
import io.headgate.testbed.netns.NetnsNetwork;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.bed.CounterName;
import io.headgate.testbed.scenario.bed.PortFacts;
import io.headgate.testbed.scenario.bed.watch.DropWatch;
import io.headgate.testbed.topology.HostPlan;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.traffic.Traffic;
import io.headgate.testbed.traffic.TrafficDevice;
import io.headgate.testbed.traffic.frame.HostAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The hosts of the virtual bed in real time: the same cards and the same traffic, with their wire
 * sides on the interfaces of network namespaces. One thread drives all of them, so other threads
 * read its data only after {@link #close}.
 */
public final class HostCards implements AutoCloseable {
    // A priority has this number for itself: one that is paused does not keep others from the wire.
    private static final int APP_SLOTS = 32;
    private static final int WIRE_SLOTS = 512;
    private static final int SLOT_BYTES = 2048;
    private static final int RING_FRAMES = 2048;
    private static final long HOUSEKEEPING_NS = 100_000_000;

    // What a late wake-up may make up for, described; more would be a burst that no card sends.
    private static final long CATCH_UP_NS = 2_000;

    // What comes is found this late at most, described, and by the clock never later than that. To
    // spin would keep a core from all that has no real-time priority, the kernel's own threads and
    // the compiler among them, and the scheduler would then hold up the switches for as long.
    private static final long NAP_NS = 500;
    private static final long SHORTEST_NAP_NS = 20_000;
    private static final long LONGEST_NAP_NS = 200_000;

    /** Going to sleep and waking takes longer than what is left. */
    private static final long NOT_WORTH_NS = 5_000;

    private static final long PS_PER_NS = 1000;

    private final List<PortDevice> devices = new ArrayList<>();
    private final List<HostPlan> hosts;
    private final List<HostCard> cards = new ArrayList<>();
    private final List<Duty> duties = new ArrayList<>();
    private final Map<String, Long> droppedAtEnd = new LinkedHashMap<>();
    private final Traffic traffic;
    private final long napNs;
    private volatile long originNs;
    private volatile boolean stopping;
    private volatile @Nullable Throwable failure;
    private @Nullable Thread thread;
    private long longestGapNs;

    /**
     * Opens the hosts' interfaces; nothing runs yet.
     *
     * @throws DeviceException if one cannot be opened; none is left open then
     */
    HostCards(NetnsNetwork network, long seed) throws DeviceException {
        this(network.plan(), interfaces(network), seed);
    }

    /** The same on interfaces that the caller names, in the order of the plan's hosts. */
    HostCards(NetworkPlan plan, List<DeviceUnderTest.Interface> interfaces, long seed)
            throws DeviceException {
        int slower = plan.options().scale();
        hosts = plan.hosts();
        napNs = Math.clamp(slower * NAP_NS, SHORTEST_NAP_NS, LONGEST_NAP_NS);
        Traffic.Options options = Traffic.Options.DEFAULT.scaledBy(slower);
        traffic = new Traffic(seed, this::nowPs, () -> 0, WireFormat.ETHERNET, options);
        try {
            for (HostPlan host : hosts) {
                open(host, interfaces.get(host.number()), slower);
            }
        } catch (DeviceException | RuntimeException e) {
            devices.forEach(PortDevice::close);
            throw e;
        }
    }

    private static List<DeviceUnderTest.Interface> interfaces(NetnsNetwork network) {
        return network.plan().hosts().stream()
                .map(host ->
                        new DeviceUnderTest.Interface(
                                network.hostNetns(host.number()), NetnsNetwork.HOST_INTERFACE))
                .toList();
    }

    private void open(HostPlan host, DeviceUnderTest.Interface at, int scale)
            throws DeviceException {
        int appSlots = TrafficConfig.PRIORITIES * APP_SLOTS;
        CardSetup setup = host.card().withSlots(appSlots, WIRE_SLOTS, SLOT_BYTES);
        HostCard card =
                new HostCard(
                        setup,
                        new PolledHost(HOUSEKEEPING_NS, scale * CATCH_UP_NS, calledNs -> nowNs()));
        PortDevice wire = AfPacketDevice.open(at.netns(), at.name(), card.region(), RING_FRAMES);
        devices.add(wire);
        cards.add(card);
        TrafficDevice application = traffic.addHost(address(host));
        application.shareSlots(
                card.ingress(HostCard.APP).accounts(),
                APP_SLOTS,
                new Classifier(setup.wire().traffic()));
        application.lineRateBps(setup.rateBps());
        application.notices(() ->
                card.takeNotices(
                        new HostNotices(application.notified(), card.noticeCounters(), true)));
        card.ingress(HostCard.APP).attach(application);
        card.egress(HostCard.APP).attach(application);
        card.ingress(HostCard.WIRE).attach(wire);
        card.egress(HostCard.WIRE).attach(wire);
        duties.addAll(card.duties());
    }

    private static HostAddress address(HostPlan host) {
        int ipv4 = ByteBuffer.wrap(host.address().getAddress()).getInt();
        return new HostAddress(host.name(), host.mac(), ipv4, host.gatewayMac());
    }

    /** The hosts' traffic; before the start to add flows, after the end to read what became. */
    public Traffic traffic() {
        return traffic;
    }

    /**
     * A counter of a host's card, named as {@link CounterName} says.
     *
     * @throws IllegalArgumentException if there is no such host or counter
     */
    LiveCounter counter(CounterName wanted) {
        for (int host = 0; host < cards.size(); host++) {
            if (hosts.get(host).name().equals(wanted.node())) {
                CounterDirectory counters = cards.get(host).counters();
                Entry entry = wanted.find(counters.entries());
                return new LiveCounter(entry, () -> counters.value(entry));
            }
        }
        throw new IllegalArgumentException("no switch or host is named " + wanted.node());
    }

    void watch(DropWatch drops) {
        for (int host = 0; host < cards.size(); host++) {
            drops.add(hosts.get(host).name(), cards.get(host).counters());
        }
    }

    private long nowPs() {
        return nowNs() * PS_PER_NS;
    }

    /** The hosts' clock, in ns since {@link #start}. Any thread. */
    public long nowNs() {
        return System.nanoTime() - originNs;
    }

    /** Begins time, and what the hosts do in it. */
    public void start() {
        originNs = System.nanoTime();
        thread = Thread.ofPlatform().daemon().name("headgate-hosts").start(this::loop);
    }

    private void loop() {
        RealTimePriority.goAhead();
        Duty[] all = duties.toArray(Duty[]::new);
        long lastNs = nowNs();
        try {
            while (!stopping) {
                long nowNs = nowNs();
                longestGapNs = Math.max(longestGapNs, nowNs - lastNs);
                lastNs = nowNs;
                int work = 0;
                for (Duty duty : all) {
                    work += duty.doWork(nowNs);
                }
                if (work == 0) {
                    nap(all);
                }
            }
        } catch (RuntimeException | Error e) {
            failure = e;
        }
    }

    /** Sleeps until something is due, and a short while at most: cards are looked at, not heard. */
    @SuppressWarnings("ThreadPriorityCheck") // the switch may share the core
    private void nap(Duty[] all) {
        long dueNs = Long.MAX_VALUE;
        for (Duty duty : all) {
            dueNs = Math.min(dueNs, duty.deadlineNs());
        }
        long leftNs = Math.min(dueNs - nowNs(), napNs);
        if (leftNs > NOT_WORTH_NS) {
            LockSupport.parkNanos(leftNs);
        } else {
            Thread.yield();
        }
    }

    /** The longest time between two cycles, in ns: what the machine did to the hosts. */
    public long longestGapNs() {
        return longestGapNs;
    }

    /**
     * Fails if a host did.
     *
     * @throws ScenarioException naming what failed
     */
    public void requireSound() throws ScenarioException {
        Throwable failed = failure;
        if (failed != null) {
            throw new ScenarioException("a host of the real bed failed: " + failed, failed);
        }
    }

    /**
     * Frames that the cards and the kernel behind them dropped, by reason, for a message; after
     * {@link #close}.
     */
    public Map<String, Long> drops() {
        Map<String, Long> all = countedDrops();
        droppedAtEnd.forEach((reason, frames) -> all.merge(reason, -frames, Long::sum));
        all.values().removeIf(frames -> frames == 0);
        return all;
    }

    private Map<String, Long> countedDrops() {
        Map<String, Long> drops = new LinkedHashMap<>();
        cards.forEach(card -> PortFacts.addDrops(card.counters(), drops));
        return drops;
    }

    /** Stops the hosts and closes their interfaces. Idempotent. */
    @Override
    public void close() {
        stopping = true;
        Thread running = thread;
        boolean interrupted = false;
        while (running != null && running.isAlive()) {
            try {
                running.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        try {
            // After a failure the cards must not be touched again.
            if (failure == null) {
                cards.forEach(this::detach);
            }
        } finally {
            devices.forEach(PortDevice::close);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Reads what the kernel has dropped, which a running card does only now and then. */
    private void detach(HostCard card) {
        card.ingress(HostCard.WIRE).detach();
        String waiting = DropReason.PORT_DOWN.name();
        long before = countedDrops().getOrDefault(waiting, 0L);
        card.egress(HostCard.WIRE).detach(nowNs());
        // What still waits at the end goes with the device: no loss.
        long after = countedDrops().getOrDefault(waiting, 0L);
        droppedAtEnd.merge(waiting, after - before, Long::sum);
    }
}
