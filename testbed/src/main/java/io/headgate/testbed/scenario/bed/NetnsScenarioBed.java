package io.headgate.testbed.scenario.bed;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.DeviceConfig;
import io.headgate.config.MemoryConfig;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.run.RunningSwitch;
import io.headgate.control.run.SwitchOptions;
import io.headgate.control.run.SwitchRunner;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.engine.counter.CounterDirectory.Entry;
import io.headgate.dataplane.engine.counter.CounterDirectory.Scope;
import io.headgate.dataplane.engine.counter.EgressCounter;
import io.headgate.dataplane.engine.counter.IngressCounter;
import io.headgate.dataplane.engine.counter.WorkerCounter;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.BedPlan;
import io.headgate.testbed.netns.LabRecords;
import io.headgate.testbed.netns.NetnsBed;
import io.headgate.testbed.netns.Privilege;
import io.headgate.testbed.netns.Tools;
import io.headgate.testbed.netns.Tools.Tool;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.RunContext;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.topology.LinkPlan;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.virtual.host.ArrivalSpec;
import io.headgate.testbed.virtual.host.FlowGroup;
import io.headgate.testbed.virtual.host.FlowSpec;
import io.headgate.testbed.virtual.host.ThroughputSeries;
import io.headgate.testbed.virtual.host.Traffic;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs experiments on real frames: the switch between network namespaces, in each of them a host's
 * card with the same traffic as in virtual time. Everything is slower by a whole factor, and scaled
 * back.
 *
 * <p>One switch with hosts; the links' delays are those of the kernel and not emulated.
 */
public final class NetnsScenarioBed {
    /**
     * Longest time for which the machine ran none of the hosts, scaled back, in us; what was sent
     * meanwhile is late by as much.
     */
    public static final String HELD_UP = "longest pause of the hosts";

    /** How late the switch woke at worst, scaled back, in us. */
    public static final String WOKE_LATE = "latest wake-up of the switch";

    private static final int MAX_HOSTS = 64;
    private static final long REHEARSAL_NS = 1_000_000_000L;
    private static final long LINK_UP_NS = 5_000_000_000L;
    private static final long REST_NS = 50_000_000L;
    private static final long LONGEST_NAP_NS = 20_000_000L;
    private static final double NS_PER_US = 1e3;
    private static final long PS_PER_NS = 1000;

    /** Tells the beds of this process apart. */
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final Experiment experiment;
    private final long seed;
    private final int scale;
    private final RunContext context;
    private final NetworkPlan plan;
    private final BedPlan bedPlan;

    private NetnsScenarioBed(Experiment experiment, long seed, int scale, RunContext context) {
        this.experiment = experiment;
        this.seed = seed;
        this.scale = scale;
        this.context = context;
        String prefix =
                "hgs" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet() + "-";
        int hosts = experiment.topology().hosts().size();
        int mtuBytes = experiment.topology().sizes().mtuBytes();
        bedPlan = new BedPlan(prefix, hosts, mtuBytes, false, BedPlan.Wiring.VETH);
        plan =
                NetworkPlan.of(
                        experiment.topology(),
                        PlanOptions.virtual(seed)
                                .withPayload(MemoryConfig.Payload.STORED)
                                .withScale(scale)
                                .withDevices((name, port, link) ->
                                        new DeviceConfig.AfPacket(
                                                bedPlan.switchInterface(port + 1),
                                                bedPlan.switchNetns(),
                                                ConfigDefaults.AF_PACKET_RING_FRAMES)));
    }

    /**
     * Runs an experiment to its end, and removes everything again.
     *
     * @param slower factor, a whole number
     * @throws ScenarioException if this bed cannot run it, in a sentence, or it was cancelled
     */
    public static Observation run(
            Experiment experiment, long seed, double slower, RunContext context)
            throws ScenarioException {
        requireRunnable(experiment, slower);
        try {
            return new NetnsScenarioBed(experiment, seed, (int) slower, context).run();
        } catch (BedException | DeviceException | IllegalArgumentException e) {
            throw new ScenarioException(String.valueOf(e.getMessage()), e);
        }
    }

    private static void requireRunnable(Experiment experiment, double slower)
            throws ScenarioException {
        if (slower != Math.rint(slower)) {
            throw new ScenarioException(
                    "--scale cannot be " + slower + " on the netns bed: a whole number is needed");
        }
        int hosts = experiment.topology().hosts().size();
        if (experiment.topology().switches().size() != 1 || hosts > MAX_HOSTS) {
            throw new ScenarioException(
                    "the netns bed has one switch and up to "
                            + MAX_HOSTS
                            + " hosts; topology '"
                            + experiment.topology().name()
                            + "' has "
                            + experiment.topology().switches().size()
                            + " switches and "
                            + hosts
                            + " hosts");
        }
        for (Topology.Link link : experiment.topology().links()) {
            if (!link.spec().isPlain()) {
                throw new ScenarioException(
                        "the link between "
                                + link.a()
                                + " and "
                                + link.b()
                                + " has faults, credits or its own times of delivery and release,"
                                + " which only --bed virtual has");
            }
        }
        if (Privilege.of() == Privilege.NONE) {
            throw new ScenarioException(
                    "the netns bed makes network namespaces, which needs root; --bed virtual does"
                            + " not");
        }
        Set<Tool> missing = Tools.provide(EnumSet.of(Tool.IP, Tool.SETPRIV), line -> {});
        if (!missing.isEmpty()) {
            throw new ScenarioException(Tools.sentence(missing));
        }
    }

    private Observation run() throws BedException, DeviceException, ScenarioException {
        requireHostsInOrder();
        LabRecords records = new LabRecords(LabRecords.DIRECTORY);
        context.say(
                String.format(
                        "netns bed: %d hosts, scaled by %d, about %.1f s of real time",
                        bedPlan.hosts(), scale, realDurationNs() / 1e9));
        try (NetnsBed bed = NetnsBed.plan(bedPlan, records, context::say)) {
            bed.build();
            SwitchOptions how = SwitchOptions.DEFAULT;
            try (RunningSwitch running = SwitchRunner.start(plan.switches().getFirst(), how)) {
                awaitLinks(running);
                rehearse();
                return measure(running);
            }
        }
    }

    /** Host i is at port i of the switch: the namespaces are wired like that. */
    private void requireHostsInOrder() throws ScenarioException {
        for (LinkPlan link : plan.links()) {
            LinkPlan.End host = link.a().isHost() ? link.a() : link.b();
            LinkPlan.End port = link.a().isHost() ? link.b() : link.a();
            if (!host.isHost() || port.isHost() || port.port() != host.node()) {
                throw new ScenarioException(
                        "the netns bed needs the hosts' links in the order of the hosts; link "
                                + link.name()
                                + " is not");
            }
        }
    }

    private long realDurationNs() {
        return Math.multiplyExact(experiment.durationPs() / PS_PER_NS, scale);
    }

    private void awaitLinks(RunningSwitch running) throws ScenarioException {
        long endNs = System.nanoTime() + LINK_UP_NS;
        while (running.counters().total(Scope.INGRESS, IngressCounter.DEVICE_UP)
                < bedPlan.hosts()) {
            if (System.nanoTime() - endNs > 0) {
                throw new ScenarioException("the links of the netns bed did not come up in 5 s");
            }
            LockSupport.parkNanos(REST_NS / 10);
        }
        // An egress half looks at its link at the same interval as the ingress half it is beside.
        LockSupport.parkNanos(2 * REST_NS);
    }

    /** Code that runs for the first time is slow: the traffic runs once for nobody. */
    private void rehearse() throws DeviceException, ScenarioException {
        try (HostCards cards = new HostCards(plan, bedPlan, seed)) {
            start(cards);
            long endNs = Math.min(REHEARSAL_NS, 2 * realDurationNs());
            while (cards.nowNs() < endNs && !context.isCancelled()) {
                LockSupport.parkNanos(LONGEST_NAP_NS);
            }
        }
        LockSupport.parkNanos(REST_NS);
    }

    private void start(HostCards cards) {
        Traffic traffic = cards.traffic();
        experiment.groups().forEach(traffic::group);
        // In virtual time a run ends at one instant. Here the hosts end a little later, and must
        // not send on.
        long endPs = realDurationNs() * PS_PER_NS;
        for (FlowSpec flow : experiment.flows()) {
            FlowSpec slower = Scaling.flow(flow, scale);
            if (slower.startPs() < endPs) {
                traffic.start(slower.during(slower.startPs(), Math.min(slower.stopPs(), endPs)));
            }
        }
        for (ArrivalSpec source : experiment.arrivals()) {
            ArrivalSpec slower = Scaling.source(source, scale);
            if (slower.startPs() < endPs) {
                traffic.start(slower.during(slower.startPs(), Math.min(slower.stopPs(), endPs)));
            }
        }
        cards.start();
    }

    private Observation measure(RunningSwitch running) throws DeviceException, ScenarioException {
        drain(running);
        running.clearWatermarks();
        CounterSnapshot before = running.counters();
        Map<String, Samples> queues = queues(before);
        HostCards cards = new HostCards(plan, bedPlan, seed);
        Map<String, ThroughputSeries> throughputs = new LinkedHashMap<>();
        CounterSnapshot after;
        try (cards) {
            Recording recording = experiment.recording();
            for (String group : recording.throughputOf()) {
                long intervalPs = Scaling.time(recording.intervalPs(), scale);
                throughputs.put(group, cards.traffic().group(group).recordThroughput(intervalPs));
            }
            start(cards);
            sample(running, cards, queues);
            after = running.counters().since(before);
        }
        cards.requireSound();
        return observation(after, cards, throughputs, queues);
    }

    /** Waits until the rehearsal's frames have left the queues. */
    private void drain(RunningSwitch running) {
        long endNs = System.nanoTime() + LINK_UP_NS;
        while (System.nanoTime() - endNs < 0 && waiting(running.counters()) > 0) {
            LockSupport.parkNanos(REST_NS / 10);
        }
        LockSupport.parkNanos(REST_NS);
    }

    private static long waiting(CounterSnapshot counters) {
        return counters.total(Scope.EGRESS, EgressCounter.QUEUE_BYTES);
    }

    private Map<String, Samples> queues(CounterSnapshot counters) {
        Map<String, Samples> queues = new LinkedHashMap<>();
        String switchName = plan.switches().getFirst().name();
        for (String port : experiment.recording().queueAt()) {
            if (!port.startsWith(switchName + "/")) {
                throw new IllegalArgumentException("no port is named " + port);
            }
            Entry entry =
                    PortFacts.queueBytes(
                            counters.entries(), port.substring(switchName.length() + 1));
            queues.put(port, new Samples(counters.entries().indexOf(entry)));
        }
        return queues;
    }

    /** Samples of one counter, at the times at which they were really taken. */
    private static final class Samples {
        private final int index;
        private final List<double[]> taken = new ArrayList<>();

        Samples(int index) {
            this.index = index;
        }

        Series series(String name) {
            return new Series(
                    name,
                    "kB",
                    taken.stream().mapToDouble(sample -> sample[0]).toArray(),
                    taken.stream().mapToDouble(sample -> sample[1]).toArray());
        }
    }

    private void sample(RunningSwitch running, HostCards cards, Map<String, Samples> queues)
            throws ScenarioException {
        long durationNs = realDurationNs();
        boolean sampling = !queues.isEmpty();
        long intervalNs =
                sampling
                        ? Scaling.time(experiment.recording().intervalPs(), scale) / PS_PER_NS
                        : LONGEST_NAP_NS;
        long nextNs = intervalNs;
        for (long nowNs = cards.nowNs(); nowNs < durationNs; nowNs = cards.nowNs()) {
            if (context.isCancelled()) {
                throw new ScenarioException("was ended early");
            }
            cards.requireSound();
            if (nowNs < nextNs) {
                LockSupport.parkNanos(Math.min(nextNs - nowNs, LONGEST_NAP_NS));
                continue;
            }
            if (sampling) {
                CounterSnapshot now = running.counters();
                double timeUs = cards.nowNs() / NS_PER_US / scale;
                for (Samples samples : queues.values()) {
                    samples.taken.add(new double[] {timeUs, now.value(samples.index) / 1e3});
                }
            }
            // Samples that were missed are missing, not made up.
            nextNs += intervalNs * (1 + (nowNs - nextNs) / intervalNs);
            context.progress((double) nowNs / durationNs);
        }
    }

    private List<Measure> ofBed(CounterSnapshot counters, HostCards cards) {
        long latestNs = 0;
        for (String worker : counters.owners(Scope.WORKER)) {
            latestNs =
                    Math.max(
                            latestNs,
                            counters.value(Scope.WORKER, worker, WorkerCounter.LATENESS_MAX_NS));
        }
        long dropped = cards.drops().values().stream().mapToLong(Long::longValue).sum();
        return List.of(
                new Measure(HELD_UP, "us", cards.longestGapNs() / NS_PER_US / scale),
                new Measure(WOKE_LATE, "us", latestNs / NS_PER_US / scale),
                new Measure("frames dropped by hosts", "frames", dropped));
    }

    private Observation observation(
            CounterSnapshot counters,
            HostCards cards,
            Map<String, ThroughputSeries> throughputs,
            Map<String, Samples> queues) {
        Map<String, GroupFacts> groups = new LinkedHashMap<>();
        for (FlowGroup group : cards.traffic().groups()) {
            groups.put(group.name(), GroupFacts.of(cards.traffic(), group, scale));
        }
        Map<Entry, Long> values = new HashMap<>();
        for (int i = 0; i < counters.entries().size(); i++) {
            values.put(counters.entries().get(i), counters.value(i));
        }
        Map<String, PortFacts> ports =
                PortFacts.of(
                        plan.switches().getFirst().name(),
                        counters.entries(),
                        entry -> values.getOrDefault(entry, 0L));
        List<Series> series = new ArrayList<>();
        long realDurationPs = realDurationNs() * PS_PER_NS;
        throughputs.forEach((group, seen) ->
                series.add(VirtualBed.throughput(group, seen, realDurationPs, scale)));
        queues.forEach((port, samples) -> series.add(samples.series(Recording.queue(port))));
        return new Observation(
                "",
                experiment.durationPs() / 1e6,
                groups,
                ports,
                series,
                ofBed(counters, cards),
                Description.of(experiment, plan));
    }
}
