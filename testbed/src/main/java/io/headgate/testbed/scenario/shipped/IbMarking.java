package io.headgate.testbed.scenario.shipped;

import io.headgate.config.FlowControlConfig.Credits.Update;
import io.headgate.config.FlowControlConfig.Mode;
import io.headgate.config.PortTraffic;
import io.headgate.dataplane.congestion.Mark;
import io.headgate.dataplane.domain.InputBufferedConfig;
import io.headgate.dataplane.domain.InputBufferedConfig.Marking;
import io.headgate.dataplane.domain.InputBufferedMechanism;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.hostagent.rate.Lipd;
import io.headgate.hostagent.rate.LipdConfig;
import io.headgate.testbed.scenario.About;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Findings;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.RunContext;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.SeriesMath;
import io.headgate.testbed.scenario.Values;
import io.headgate.testbed.scenario.bed.Beds;
import io.headgate.testbed.scenario.bed.Experiment;
import io.headgate.testbed.scenario.bed.NetworkModel;
import io.headgate.testbed.scenario.bed.Observation;
import io.headgate.testbed.scenario.bed.Recording;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.SendPattern;
import io.headgate.testbed.virtual.link.LinkSetup;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Ten local and ten remote flows share a link behind a switch with small input buffers, and a
 * victim shares the way of the remote ones: the experiments of Santos, Turner and Janakiraman.
 *
 * <p>A packet of 2,068 bytes is a frame that takes 2,068 bytes on the wire, preamble and gap
 * counted; credits are packets, and reach the sender at once.
 */
public final class IbMarking implements Scenario {
    /** What is marked, and from how many packets for an output on; as the parameter has it. */
    enum Scheme {
        NONE(Marking.NONE, 1),
        NAIVE(Marking.NAIVE, 1),
        INPUT(Marking.INPUT_TRIGGERED, 1),
        OUTPUT_4(Marking.INPUT_OUTPUT_TRIGGERED, 4),
        OUTPUT_6(Marking.INPUT_OUTPUT_TRIGGERED, 6),
        OUTPUT_8(Marking.INPUT_OUTPUT_TRIGGERED, 8),
        OUTPUT_16(Marking.INPUT_OUTPUT_TRIGGERED, 16);

        private final Marking marking;
        private final int threshold;

        Scheme(Marking marking, int threshold) {
            this.marking = marking;
            this.threshold = threshold;
        }

        String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        static Scheme of(Values values) throws ScenarioException {
            return valueOf(values.word("scheme").toUpperCase(Locale.ROOT).replace('-', '_'));
        }
    }

    static final String VICTIM = "victim rate while it sends";
    static final String INTER_SWITCH = "inter-switch link while the victim sends";
    static final String ROOT = "root link, last four fifths";
    static final String LOCAL = "local share of the root link, last four fifths";
    static final String RATIO = "remote over local, last four fifths";

    private static final long PS_PER_US = 1_000_000;
    private static final double US_PER_NS = 1e-3;

    /** 1 GB/s, as InfiniBand's 4X links. */
    private static final long RATE_BPS = 8_000_000_000L;

    private static final double RATE_GBPS = RATE_BPS / 1e9;
    private static final long HEADER_PS = 40_000;
    private static final int PACKET_BYTES = 2068;
    private static final int FRAME_BYTES = PACKET_BYTES - Ethernet.WIRE_OVERHEAD_BYTES;
    private static final int MTU = 2048;
    private static final int EACH = 10;
    private static final long APART_PS = 100 * PS_PER_US;
    private static final int BLOCK_SCALE = 7;
    private static final long BLOCK_BYTES = 64L << BLOCK_SCALE;
    private static final long INTERVAL_PS = 2_000 * PS_PER_US;
    private static final double VICTIM_FROM = 0.4;
    private static final double VICTIM_TO = 0.6;

    /** An acknowledgement of 20 bytes takes 20 ns on a link and 40 ns through a switch. */
    private static final NetworkModel.OutOfBand ACKS = new NetworkModel.OutOfBand(20_000, 40_000);

    @Override
    public About about() {
        return new About(
                "ib-marking",
                "Marking in a switch with small input buffers",
                "Santos, Turner and Janakiraman, \"Evaluation of Congestion Detection Mechanisms"
                        + " for InfiniBand Switches\" (GLOBECOM 2002), figures 2 to 4",
                "Without marks the victim gets 4 % of a link that is used to 32.5 %. Each scheme"
                        + " gives it the link, naive marking at the cost of the remote flows;"
                        + " input- and output-triggered marking is fair, and with a threshold of 8"
                        + " packets uses the root link, too.");
    }

    @Override
    public List<Parameter> parameters() {
        List<String> all = Arrays.stream(Scheme.values()).map(Scheme::word).toList();
        return List.of(
                new Parameter(
                        "scheme",
                        null,
                        List.of("none", "naive", "input", "output-4", "output-8"),
                        0,
                        0,
                        all,
                        "what is marked; output-N: input- and output-triggered, from N packets on"),
                Parameter.count("buffer", "4", "2", "64", "packets that an input holds"),
                Parameter.count(
                        "bypass",
                        "4",
                        "0",
                        "64",
                        "older packets of its input that one may overtake"),
                Parameter.duration("duration", "100ms", "20ms", "2s", "how long it lasts"),
                Parameter.word(
                        "victim",
                        List.of("while", "always"),
                        "whether the victim sends from 0.4 to 0.6 of the duration, or always"));
    }

    private static Topology topology(int buffer) {
        LinkSpec link =
                LinkSpec.of(RATE_BPS, 0)
                        .withDeliverAt(LinkSetup.Delivery.HEADER)
                        .withHeaderPs(HEADER_PS)
                        .withRelease(LinkSetup.Release.END);
        PortTraffic ports =
                Common.lossless()
                        .with("flow-control", Mode.CREDITS)
                        .with("credits.update", Update.ON_CHANGE)
                        .with("credits.period", 1_000_000L)
                        .with("credits.min-gap", 0L)
                        .with("credits.block-scale", BLOCK_SCALE)
                        .with("credits.buffer", buffer * BLOCK_BYTES)
                        .with("credits.buffer-slots", buffer);
        return Topologies.congestionSpreading(EACH, EACH, link)
                .withSizes(new Topology.Sizes(MTU, 500_000, 0))
                .withPorts(ports);
    }

    private static List<FlowSpec> flows(Scheme scheme, long durationPs, boolean victimAlways) {
        FrameShape shape = Common.losslessFrames(FRAME_BYTES).withEcn(FrameShape.ECT_1);
        SendPattern pattern =
                scheme == Scheme.NONE
                        ? new SendPattern.Greedy()
                        : new SendPattern.Controlled(new Lipd().use(new LipdConfig(256)));
        // A1 to A10, AV, B1 to B10, BC, BV: as the network numbers its hosts.
        List<FlowSpec> flows = new ArrayList<>();
        for (int i = 0; i < 2 * EACH; i++) {
            boolean isLocal = i < EACH;
            flows.add(
                    FlowSpec.greedy(
                                    isLocal ? "local" : "remote",
                                    isLocal ? EACH + 1 + i : i - EACH,
                                    2 * EACH + 1,
                                    shape)
                            .during(i * APART_PS, Long.MAX_VALUE)
                            .windowed(1)
                            .paced(pattern));
        }
        FlowSpec victim =
                FlowSpec.greedy("victim", EACH, 2 * EACH + 2, shape).windowed(1).paced(pattern);
        flows.add(
                victimAlways
                        ? victim
                        : victim.during(
                                (long) (durationPs * VICTIM_FROM),
                                (long) (durationPs * VICTIM_TO)));
        return flows;
    }

    @Override
    public Outcome run(Cell cell, RunContext context) throws ScenarioException {
        Values values = cell.values();
        Scheme scheme = Scheme.of(values);
        long durationPs = values.whole("duration") * Common.PS_PER_NS;
        boolean always = values.word("victim").equals("always");
        InputBufferedConfig domain =
                new InputBufferedConfig(
                        values.count("bypass"), scheme.marking, scheme.threshold, Mark.Field.ECN);
        Recording recording =
                new Recording(INTERVAL_PS, List.of("local", "remote", "victim"), List.of());
        List<FlowSpec> flows = flows(scheme, durationPs, always);
        Topology topology = topology(values.count("buffer"));
        Observation seen =
                Beds.run(
                        new Experiment(topology, flows, List.of(), durationPs, recording)
                                .on(
                                        new NetworkModel(
                                                new InputBufferedMechanism().use(domain), ACKS)),
                        cell,
                        context);
        Series local = share(seen, "local");
        Series remote = share(seen, "remote");
        Series victim = share(seen, "victim");
        Series root = SeriesMath.sum("root link", List.of(local, remote));
        Series link = SeriesMath.sum("inter-switch link", List.of(remote, victim));
        double endUs = values.whole("duration") * US_PER_NS;
        // The victim's window, without the first and last interval of it.
        double edgeUs = always ? 0 : INTERVAL_PS / (double) PS_PER_US;
        double fromUs = (always ? 0.2 : VICTIM_FROM) * endUs + edgeUs;
        double toUs = (always ? 1 : VICTIM_TO) * endUs - edgeUs;
        double localRate = local.mean(0.2 * endUs, endUs);
        double remoteRate = remote.mean(0.2 * endUs, endUs);
        List<Measure> measures =
                List.of(
                        new Measure(VICTIM, "%", victim.mean(fromUs, toUs)),
                        new Measure(INTER_SWITCH, "%", link.mean(fromUs, toUs)),
                        new Measure(ROOT, "%", localRate + remoteRate),
                        new Measure(LOCAL, "%", localRate),
                        new Measure(RATIO, "", remoteRate / localRate));
        Observation inShares = seen.withSeries(List.of(root, link, local, remote, victim));
        return inShares.outcome(measures, List.of(sentence(measures)));
    }

    /** A group's rate in percent of a link's; preamble and gap count as the paper's packet does. */
    private static Series share(Observation seen, String group) {
        return seen.seriesOf("throughput " + group)
                .map(group, "%", gbps -> gbps * (100.0 * PACKET_BYTES / FRAME_BYTES / RATE_GBPS));
    }

    private static String sentence(List<Measure> measures) {
        return String.format(
                Locale.ROOT,
                "the victim has %.2f %% of the inter-switch link, which is used to %.1f %%; the"
                        + " root link is used to %.1f %%, and remote flows get %.2f of what local"
                        + " ones get",
                measures.get(0).value(),
                measures.get(1).value(),
                measures.get(2).value(),
                measures.get(4).value());
    }

    @Override
    public Findings conclude(List<CellResult> results) {
        return new IbFindings(results).all();
    }
}
