package io.headgate.testbed.scenario.bed;

import io.headgate.control.counters.CounterSnapshot;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.RealTimePriority;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.LabRecords;
import io.headgate.testbed.netns.NetnsNetwork;
import io.headgate.testbed.netns.Privilege;
import io.headgate.testbed.netns.Tools;
import io.headgate.testbed.netns.Tools.Tool;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.RunContext;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.traffic.FlowGroup;
import io.headgate.testbed.traffic.ThroughputSeries;
import io.headgate.testbed.traffic.Traffic;
import io.headgate.testbed.traffic.spec.ArrivalSpec;
import io.headgate.testbed.traffic.spec.FlowSpec;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs experiments on real frames: switches and hosts of a topology between network namespaces, in
 * each host's a card with the same traffic as in virtual time. Everything is slower by a whole
 * factor, and scaled back.
 *
 * <p>All threads are of this process, with real-time priority where the kernel allows it, so that a
 * machine that is busy with other things is still a test bed. The links' delays are those of the
 * kernel and not emulated.
 */
public final class NetnsBed {
    /**
     * Longest time for which the machine ran none of the hosts, scaled back, in us; what was sent
     * meanwhile is late by as much.
     */
    public static final String HELD_UP = "longest pause of the hosts";

    /** How late a switch woke at worst, scaled back, in us. */
    public static final String WOKE_LATE = "latest wake-up of a switch";

    private static final long REHEARSAL_NS = 1_000_000_000L;
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
    private final NetnsNetwork network;

    private NetnsBed(Experiment experiment, long seed, int scale, RunContext context)
            throws BedException {
        this.experiment = experiment;
        this.seed = seed;
        this.scale = scale;
        this.context = context;
        String prefix =
                "hgs" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet() + "-";
        network =
                NetnsNetwork.of(
                        experiment.topology(),
                        NetnsNetwork.Options.of(prefix, seed)
                                .withScale(scale)
                                .withHosts(NetnsNetwork.Hosts.CARD),
                        new LabRecords(LabRecords.DIRECTORY),
                        context::say);
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
        if (slower != Math.rint(slower)) {
            throw new ScenarioException(
                    "--scale cannot be " + slower + " on the netns bed: a whole number is needed");
        }
        Recording wanted = experiment.recording();
        if (!wanted.bufferAt().isEmpty() || !wanted.stoppedAt().isEmpty()) {
            throw new ScenarioException(
                    "buffers, and when hosts are stopped, are recorded over time in virtual time"
                            + " only: --bed virtual");
        }
        try {
            NetnsNetwork.requireRunnable(experiment.topology());
            requireMeans();
            return new NetnsBed(experiment, seed, (int) slower, context).run();
        } catch (BedException | DeviceException | IllegalArgumentException e) {
            throw new ScenarioException(String.valueOf(e.getMessage()), e);
        }
    }

    private static void requireMeans() throws ScenarioException {
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
        try (network) {
            network.build();
            boolean urgent = RealTimePriority.take();
            context.say(
                    String.format(
                            "netns bed: %d hosts, scaled by %d, about %.1f s of real time%s",
                            experiment.topology().hosts().size(),
                            scale,
                            realDurationNs() / 1e9,
                            urgent
                                    ? ""
                                    : "; the kernel refuses real-time priority, so what else runs"
                                            + " here disturbs it"));
            try (RealTimeEngines switches = RealTimeEngines.start(network.plan())) {
                switches.awaitLinks();
                rehearse();
                return measure(switches);
            } finally {
                if (urgent) {
                    RealTimePriority.giveBack();
                }
            }
        }
    }

    private long realDurationNs() {
        return Math.multiplyExact(experiment.durationPs() / PS_PER_NS, scale);
    }

    /** Code that runs for the first time is slow: the traffic runs once for nobody. */
    private void rehearse() throws DeviceException {
        try (HostCards cards = new HostCards(network, seed)) {
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

    private Observation measure(RealTimeEngines switches)
            throws DeviceException, ScenarioException {
        switches.drain();
        List<CounterSnapshot> before = switches.counters();
        Map<String, Samples> queues = new LinkedHashMap<>();
        for (String port : experiment.recording().queueAt()) {
            queues.put(port, new Samples(switches.queue(port)));
        }
        HostCards cards = new HostCards(network, seed);
        Map<String, ThroughputSeries> throughputs = new LinkedHashMap<>();
        List<CounterSnapshot> after;
        try (cards) {
            Recording recording = experiment.recording();
            for (String group : recording.throughputOf()) {
                long intervalPs = Scaling.time(recording.intervalPs(), scale);
                throughputs.put(group, cards.traffic().group(group).recordThroughput(intervalPs));
            }
            start(cards);
            sample(cards, queues);
            after = switches.since(before);
        }
        cards.requireSound();
        List<Series> series = new ArrayList<>();
        long realDurationPs = realDurationNs() * PS_PER_NS;
        throughputs.forEach((group, seen) ->
                series.add(VirtualBed.throughput(group, seen, realDurationPs, scale)));
        queues.forEach((port, samples) -> series.add(samples.series(Recording.queue(port))));
        Map<String, GroupFacts> groups = new LinkedHashMap<>();
        for (FlowGroup group : cards.traffic().groups()) {
            groups.put(group.name(), GroupFacts.of(cards.traffic(), group, scale));
        }
        return new Observation(
                "",
                experiment.durationPs() / 1e6,
                groups,
                switches.ports(before, after),
                cards.drops(),
                series,
                ofBed(after, cards),
                List.of(),
                Description.of(experiment, network.plan()));
    }

    /** Samples of a queue, at the times at which they were really taken. */
    private static final class Samples {
        private final RealTimeEngines.Queue queue;
        private final List<double[]> taken = new ArrayList<>();

        Samples(RealTimeEngines.Queue queue) {
            this.queue = queue;
        }

        void take(double timeUs) {
            taken.add(new double[] {timeUs, queue.bytes() / 1e3});
        }

        Series series(String name) {
            return new Series(
                    name,
                    "kB",
                    taken.stream().mapToDouble(sample -> sample[0]).toArray(),
                    taken.stream().mapToDouble(sample -> sample[1]).toArray());
        }
    }

    private void sample(HostCards cards, Map<String, Samples> queues) throws ScenarioException {
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
            queues.values().forEach(samples -> samples.take(cards.nowNs() / NS_PER_US / scale));
            // Samples that were missed are missing, not made up.
            nextNs += intervalNs * (1 + (nowNs - nextNs) / intervalNs);
            context.progress((double) nowNs / durationNs);
        }
    }

    private List<Measure> ofBed(List<CounterSnapshot> counters, HostCards cards) {
        return List.of(
                new Measure(HELD_UP, "us", cards.longestGapNs() / NS_PER_US / scale),
                new Measure(
                        WOKE_LATE,
                        "us",
                        RealTimeEngines.latestWakeUpNs(counters) / NS_PER_US / scale));
    }
}
