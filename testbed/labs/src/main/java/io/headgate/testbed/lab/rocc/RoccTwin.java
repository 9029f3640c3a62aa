package io.headgate.testbed.lab.rocc;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.PortTraffic;
import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.congestion.Rocc;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.dataplane.queue.WireFormat;
import io.headgate.hostagent.rate.RoccReactionConfig;
import io.headgate.hostagent.rate.RoccReactionMechanism;
import io.headgate.testbed.lab.rocc.Demand.Sender;
import io.headgate.testbed.lab.series.Alone;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.bed.Experiment;
import io.headgate.testbed.scenario.bed.Observation;
import io.headgate.testbed.scenario.bed.Recording;
import io.headgate.testbed.scenario.bed.Recording.Kind;
import io.headgate.testbed.scenario.bed.VirtualBed;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.SendPattern;
import io.headgate.testbed.traffic.spec.SendPattern.Lateness;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The RoCC lab's network in virtual time, with RoCC or without it: the same rates, thresholds and
 * parameters, greedy senders instead of applications, and no delays by the machine. The report
 * shows it next to what the lab measured on real frames, as in figure 3.10 of Menikkumbura's
 * dissertation (Purdue, 2022).
 */
public final class RoccTwin {
    private static final long PS_PER_S = 1_000_000_000_000L;
    private static final long INTERVAL_PS = PS_PER_S / 100;
    private static final long QUEUE_LIMIT_BYTES = 800_000;
    private static final double KBPS_PER_MBPS = 1e3;
    private static final double MBPS_PER_GBPS = 1e3;
    private static final double US_PER_S = 1e6;
    private static final int HEADER_BYTES = 14;
    private static final Rocc ROCC = new Rocc();

    /**
     * The lab's settings.
     *
     * @param rateBps of all links
     * @param delayNs of all links
     * @param xoffBytes from which pauses are sent
     * @param priority that is lossless and watched
     * @param dscp which is that priority
     * @param periodNs of the congestion point
     * @param middleBytes growth in a period at which the rate is halved; of a queue twice as long
     *     it falls to its least
     */
    public record Settings(
            long rateBps,
            long delayNs,
            int mtuBytes,
            long xoffBytes,
            int priority,
            int dscp,
            long periodNs,
            long middleBytes,
            int seconds,
            long seed) {}

    /** What it came to, and how that was over time. */
    public record Run(Trial trial, History history) {}

    private final Settings with;
    private final Demand demand;
    private final boolean isControlled;
    private final int frameBytes;

    private RoccTwin(Settings with, Demand demand, boolean isControlled) {
        this.with = with;
        this.demand = demand;
        this.isControlled = isControlled;
        this.frameBytes = with.mtuBytes + HEADER_BYTES;
    }

    /**
     * Runs it, which takes a moment.
     *
     * @param isControlled whether with RoCC
     * @param referenceKb target length of the queue; 0 without RoCC
     * @throws ScenarioException if it cannot be run
     */
    public static Run run(Settings with, Demand demand, boolean isControlled, double referenceKb)
            throws ScenarioException {
        RoccTwin twin = new RoccTwin(with, demand, isControlled);
        Observation seen = VirtualBed.run(twin.experiment(), with.seed, new Alone());
        return twin.run(seen, referenceKb);
    }

    private static String port(int host) {
        return "s1/p" + host;
    }

    private static String flow(int number) {
        return "flow" + (number + 1);
    }

    private String ofPoint(String counter) {
        return port(Demand.HOSTS + 1) + " rocc." + counter + ".p" + with.priority;
    }

    private static String pauses(int host) {
        return port(host) + " " + EgressCounter.LINK_CONTROL_TRANSMITTED.label();
    }

    private Experiment experiment() {
        PortTraffic ports =
                PortTraffic.NONE
                        .with("classify.trust", TrafficConfig.Trust.DSCP)
                        .with("lossless", List.of(with.priority))
                        .with("flow-control", FlowControlConfig.Mode.PFC)
                        .with("buffers.xoff", with.xoffBytes);
        if (isControlled) {
            ports =
                    ports.with(ROCC, "priorities", List.of(with.priority))
                            .with(ROCC, "qmid", with.middleBytes)
                            .with(ROCC, "qmax", 2 * with.middleBytes);
        }
        Topology topology =
                Topologies.singleSwitch(Demand.HOSTS + 1, LinkSpec.of(with.rateBps, with.delayNs))
                        .withSizes(new Topology.Sizes(with.mtuBytes, QUEUE_LIMIT_BYTES, 0))
                        .withPorts(ports);
        FrameShape shape = FrameShape.udp(frameBytes).withPriority(with.priority, with.dscp);
        List<FlowSpec> flows = new ArrayList<>();
        for (int i = 0; i < demand.senders().size(); i++) {
            Sender sender = demand.senders().get(i);
            flows.add(
                    FlowSpec.greedy(flow(i), sender.host() - 1, Demand.HOSTS, shape)
                            .paced(pattern(Math.round(sender.share() * with.rateBps))));
        }
        List<String> counters = new ArrayList<>();
        if (isControlled) {
            counters.addAll(List.of(ofPoint("rate"), ofPoint("notices")));
        }
        IntStream.rangeClosed(1, Demand.HOSTS).forEach(host -> counters.add(pauses(host)));
        List<String> names = flows.stream().map(FlowSpec::name).toList();
        return new Experiment(
                topology,
                flows,
                List.of(),
                with.seconds * PS_PER_S,
                new Recording(INTERVAL_PS, names, List.of(port(Demand.HOSTS + 1)))
                        .with(Kind.COUNTER, counters));
    }

    private SendPattern pattern(long bps) {
        if (!isControlled) {
            return new SendPattern.ConstantRate(bps, Lateness.MADE_UP);
        }
        // As long without a notice as the authors' simulator waits, in periods.
        RoccReactionConfig reaction =
                new RoccReactionConfig(0, with.periodNs, with.periodNs * 11 / 8);
        return new SendPattern.Controlled(new RoccReactionMechanism().use(reaction), bps);
    }

    private Run run(Observation seen, double referenceKb) {
        Series queue = seen.seriesOf("queue " + port(Demand.HOSTS + 1));
        Series rate = isControlled ? seen.seriesOf("counter " + ofPoint("rate")) : queue;
        int samples = Math.min(rate.values().length, queue.values().length);
        double[] seconds = new double[samples];
        double[] fair = new double[samples];
        double[] queued = new double[samples];
        for (int i = 0; i < samples; i++) {
            seconds[i] = rate.timesUs()[i] / US_PER_S;
            fair[i] = isControlled ? rate.values()[i] / KBPS_PER_MBPS : 0;
            queued[i] = queue.values()[i];
        }
        List<double[]> hosts = new ArrayList<>();
        for (int host = 1; host <= Demand.HOSTS; host++) {
            hosts.add(new double[samples]);
        }
        double fromUs = Trial.fromSeconds(with.seconds) * US_PER_S;
        double toUs = Trial.toSeconds(with.seconds) * US_PER_S;
        List<Double> flows = new ArrayList<>();
        for (int i = 0; i < demand.senders().size(); i++) {
            Series one = seen.seriesOf("throughput " + flow(i));
            flows.add(one.mean(fromUs, toUs) * wireMbps());
            addSmoothed(one.values(), hosts.get(demand.senders().get(i).host() - 1));
        }
        History history = new History(seconds, fair, queued, hosts);
        double from = fromUs / US_PER_S;
        double to = toUs / US_PER_S;
        long paused = 0;
        for (int host = 1; host <= Demand.HOSTS; host++) {
            paused += last(seen.seriesOf("counter " + pauses(host)));
        }
        Trial trial =
                new Trial(
                        demand,
                        isControlled,
                        with.rateBps / 1e6,
                        Trial.share(demand, flows, with.rateBps / 1e6),
                        history.mean(fair, from, to),
                        flows,
                        history.mean(queued, from, to),
                        referenceKb,
                        paused,
                        isControlled ? last(seen.seriesOf("counter " + ofPoint("notices"))) : 0,
                        seen.drops().values().stream().mapToLong(Long::longValue).sum());
        return new Run(trial, history);
    }

    /** Factor from Gb/s of frames to Mb/s on the wire. */
    private double wireMbps() {
        double onWire = frameBytes + WireFormat.ETHERNET.overheadBytes();
        return MBPS_PER_GBPS * onWire / frameBytes;
    }

    /** Means over as many samples as on real frames. */
    private void addSmoothed(double[] gbps, double[] to) {
        double sum = 0;
        for (int i = 0; i < Math.min(gbps.length, to.length); i++) {
            sum += gbps[i] - (i < History.RATE_OF ? 0 : gbps[i - History.RATE_OF]);
            to[i] += sum / Math.min(i + 1, History.RATE_OF) * wireMbps();
        }
    }

    private static long last(Series totals) {
        double[] values = totals.values();
        return values.length == 0 ? 0 : Math.round(values[values.length - 1]);
    }
}
