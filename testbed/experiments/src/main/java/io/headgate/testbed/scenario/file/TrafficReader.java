package io.headgate.testbed.scenario.file;

import io.headgate.config.Mechanisms;
import io.headgate.config.Reason;
import io.headgate.config.key.Codecs;
import io.headgate.config.key.Quantity;
import io.headgate.config.key.Share;
import io.headgate.config.yaml.YamlConfig;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.queue.WireFormat;
import io.headgate.dataplane.random.NamedRandom;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.ArrivalProcess;
import io.headgate.testbed.traffic.spec.ArrivalSpec;
import io.headgate.testbed.traffic.spec.Collective.Kind;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.SendPattern;
import io.headgate.testbed.traffic.spec.SizeDistribution;
import io.headgate.testbed.traffic.spec.Workloads;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Reads the traffic of a scenario file. */
final class TrafficReader {
    private static final int MAX_FLOWS = 100_000;
    private static final int RELIABLE_WINDOW = 4096;
    private static final long NONE = -1;
    private static final String ALL = "all";

    private static final String FLOWS = "/flows";

    private static final String COLLECTIVE = "/collective";

    /** What each line of a file of flows says, and so not the entry. */
    private static final List<String> OF_EACH_FLOW =
            List.of(
                    "from",
                    "to",
                    "size",
                    "count",
                    "start",
                    "arrivals",
                    "collective",
                    "incast",
                    "scatter");

    /** What a collective, or an incast, says itself. */
    private static final List<String> OF_COLLECTIVES =
            List.of("from", "to", "count", "arrivals", "incast", "scatter");

    private static final List<String> OF_INCASTS = List.of("count", "arrivals", "scatter");

    /** What scattered flows cannot have: an entry with an incast is that. */
    private static final List<String> OF_SCATTERED = List.of("arrivals");

    private static final double PS_TIMES_BITS_PER_BYTE = 8e12;

    private final YamlConfig yaml;
    private final ScenarioFile said;
    private final Topology topology;
    private final List<FlowSpec> flows = new ArrayList<>();
    private final List<ArrivalSpec> arrivals = new ArrayList<>();

    /** What draws where scattered flows go and when: it goes on from one entry to the next. */
    private final Map<Long, NamedRandom> scattered = new HashMap<>();

    TrafficReader(YamlConfig yaml, ScenarioFile said, Topology topology) {
        this.yaml = yaml;
        this.said = said;
        this.topology = topology;
    }

    List<FlowSpec> flows() {
        return flows;
    }

    List<ArrivalSpec> arrivals() {
        return arrivals;
    }

    Set<String> groups() {
        Set<String> groups = new LinkedHashSet<>();
        flows.forEach(flow -> groups.add(flow.name()));
        arrivals.forEach(source -> groups.add(source.name()));
        return groups;
    }

    /** Reads all entries; records their errors in the file. */
    void read() {
        for (int i = 0; i < said.traffic().size(); i++) {
            read(said.traffic().get(i), "/traffic/" + i);
        }
    }

    private void read(TrafficEntry entry, String at) {
        if (yaml.isGiven(at + FLOWS)) {
            readFile(entry, at);
            return;
        }
        TrafficEntry.Collective collective = entry.collective();
        if (collective != null) {
            readCollective(entry, collective, at);
            return;
        }
        for (String key : List.of("/from", "/to")) {
            if (!yaml.isGiven(at + key)) {
                yaml.refuse(at + key, "nothing", yaml.allowedAt(at + key) + "; or flows: FILE.csv");
            }
        }
        List<Integer> sources = hosts(entry.from(), at + "/from");
        boolean permuted = isPermutation(entry.to(), at + "/to");
        List<Integer> destinations = permuted ? sources : hosts(entry.to(), at + "/to");
        if (sources.isEmpty() || destinations.isEmpty() || !yaml.isSound()) {
            return;
        }
        if (entry.incast() != null || entry.scatter() != null) {
            readDrawn(entry, at, permuted, sources, destinations);
            return;
        }
        long pairs = (long) sources.size() * (permuted ? 1 : destinations.size());
        if (flows.size() + pairs > MAX_FLOWS && !yaml.isGiven(at + "/arrivals")) {
            yaml.refuse(
                    at,
                    pairs + " flows more",
                    "at most " + MAX_FLOWS + " flows, or arrivals, which need only one source");
            return;
        }
        try {
            if (permuted && sources.size() < 2) {
                yaml.refuse(at + "/to", "a permutation of one host", "two hosts or more in from");
            }
            List<Integer> drawn =
                    permuted && yaml.isSound()
                            ? new PatternReader(entry, MAX_FLOWS).permutation(sources)
                            : destinations;
            add(entry, at, sources, place -> permuted ? List.of(drawn.get(place)) : destinations);
        } catch (IllegalArgumentException e) {
            yaml.refuse(at, Reason.of(e), yaml.allowedAt(at));
        }
    }

    /** Whether each host sends to another one, which is drawn; unless a host has that name. */
    private boolean isPermutation(List<String> to, String at) {
        return !yaml.isList(at)
                && to.equals(List.of(PatternReader.PERMUTATION))
                && topology.hosts().stream()
                        .noneMatch(host -> host.name().equals(PatternReader.PERMUTATION));
    }

    /** A flow as an entry says, of two hosts that its maker replaces. */
    private FlowSpec flow(TrafficEntry entry, String at) {
        int frameBytes = frameBytes(entry, at + "/frame");
        FrameShape shape = classified(entry, shape(entry, at, frameBytes));
        SendPattern pattern = pattern(entry, at + "/send", frameBytes);
        return new FlowSpec(
                entry.name(),
                0,
                1,
                entry.startPs(),
                Objects.requireNonNullElse(entry.stopPs(), Long.MAX_VALUE),
                sizeBytes(entry, at, shape),
                pattern,
                window(entry, shape, pattern),
                shape,
                List.of());
    }

    private void refuse(String at, List<String> keys, String with, String instead) {
        for (String key : keys) {
            if (yaml.isGiven(at + "/" + key)) {
                yaml.refuse(at + "/" + key, key + with, instead);
            }
        }
    }

    private void requireSize(String at, String of) {
        if (!yaml.isGiven(at + "/size")) {
            yaml.refuse(at + "/size", "no size of " + of, yaml.allowedAt(at + "/size"));
        }
    }

    private void readCollective(TrafficEntry entry, TrafficEntry.Collective collective, String at) {
        refuse(at, OF_COLLECTIVES, " with collective", "ranks and size");
        requireSize(at, "a collective");
        List<Integer> ranks = hosts(collective.ranks(), at + COLLECTIVE + "/ranks");
        if (collective.kind() == Kind.PIPELINE && collective.algorithm() != null) {
            yaml.refuse(
                    at + COLLECTIVE + "/algorithm",
                    "an algorithm of a pipeline",
                    "none: each stage sends to the next one");
        }
        if (!yaml.isSound()) {
            return;
        }
        try {
            FlowSpec one = flow(entry, at);
            if (one.windowFrames() == FlowSpec.DATAGRAMS) {
                yaml.refuse(
                        at,
                        "a collective without acknowledgements",
                        "transport: rocev2, or a window");
                return;
            }
            flows.addAll(
                    new PatternReader(entry, MAX_FLOWS - flows.size())
                            .collective(collective, one, ranks, flows));
        } catch (IllegalArgumentException e) {
            refuse(at + COLLECTIVE, e);
        }
    }

    /** An entry whose flows' hosts are drawn: an incast, or flows that are scattered. */
    private void readDrawn(
            TrafficEntry entry,
            String at,
            boolean permuted,
            List<Integer> sources,
            List<Integer> destinations) {
        TrafficEntry.Incast incast = entry.incast();
        TrafficEntry.Scatter scatter = entry.scatter();
        boolean isIncast = incast != null;
        String with = isIncast ? "incast" : "scatter";
        refuse(
                at,
                isIncast ? OF_INCASTS : OF_SCATTERED,
                " with " + with,
                isIncast ? "size, of each flow" : "size or count, of each flow");
        if (isIncast) {
            requireSize(at, "an incast's flows");
        }
        if (permuted) {
            yaml.refuse(at + "/to", "permutation with " + with, "hosts that receive");
        }
        if (!yaml.isSound()) {
            return;
        }
        try {
            PatternReader patterns = new PatternReader(entry, MAX_FLOWS - flows.size());
            FlowSpec one = flow(entry, at);
            if (incast != null) {
                flows.addAll(
                        patterns.incast(incast, one, sources, destinations, said.durationPs()));
            }
            if (incast == null && scatter != null) {
                NamedRandom random =
                        scattered.computeIfAbsent(
                                entry.draw(),
                                draw -> NamedRandom.of(draw, said.name(), "destinations"));
                flows.addAll(patterns.scatter(scatter, one, sources, destinations, random));
            }
        } catch (IllegalArgumentException e) {
            refuse(at + "/" + with, e);
        }
    }

    /** An entry whose flows are in a file. */
    private void readFile(TrafficEntry entry, String at) {
        refuse(at, OF_EACH_FLOW, " with flows", "only one of them: each flow has its own");
        String file = Objects.requireNonNullElse(entry.flows(), "");
        String text = file(file, at + FLOWS, "");
        if (text == null || !yaml.isSound()) {
            return;
        }
        try {
            FlowSpec one = flow(entry, at);
            int first = flows.size();
            for (FlowsFile.Row row :
                    FlowsFile.read(
                            file,
                            text,
                            topology.hosts().stream().map(Topology.Host::name).toList(),
                            MAX_FLOWS - first,
                            one.windowFrames() != FlowSpec.DATAGRAMS)) {
                Integer priority = row.priority();
                FlowSpec flow =
                        one.between(row.source(), row.destination())
                                .during(row.startPs(), Math.max(row.startPs(), one.stopPs()))
                                .withSizeBytes(row.sizeBytes())
                                .withAfter(
                                        row.after().stream()
                                                .map(awaited ->
                                                        new FlowSpec.After(
                                                                first + awaited.flow(),
                                                                awaited.delayPs()))
                                                .toList());
                flows.add(
                        priority == null
                                ? flow
                                : flow.withShape(prioritised(one.shape(), priority)));
            }
        } catch (IllegalArgumentException e) {
            refuse(at + FLOWS, e);
        }
    }

    /** The text of a file that is named at a place; null with a refusal if there is none. */
    private @Nullable String file(String file, String at, String more) {
        String text = NamedFiles.text(said, file);
        if (text.isEmpty() && yaml.isSound()) {
            yaml.refuse(
                    at,
                    "no file " + YamlConfig.quote(file) + ", or an empty one",
                    yaml.allowedAt(at) + more);
        }
        return text.isEmpty() ? null : text;
    }

    /**
     * @param destinations of each source, by its place
     */
    private void add(
            TrafficEntry entry,
            String at,
            List<Integer> sources,
            IntFunction<List<Integer>> destinations) {
        TrafficEntry.Arrivals arriving = entry.arrivals();
        if (arriving != null) {
            for (String key : List.of("size", "count")) {
                if (yaml.isGiven(at + "/" + key)) {
                    yaml.refuse(
                            at + "/" + key, "a " + key + " with arrivals", "size within arrivals");
                }
            }
            readArrivals(entry, arriving, at, sources, destinations);
            return;
        }
        FlowSpec one = flow(entry, at);
        requireKeepable(entry, at, one);
        int before = flows.size();
        for (int place = 0; place < sources.size(); place++) {
            int source = sources.get(place);
            for (int destination : destinations.apply(place)) {
                if (source != destination) {
                    flows.add(one.between(source, destination));
                }
            }
        }
        if (flows.size() == before) {
            yaml.refuse(at, "traffic from a host to itself alone", "two different hosts");
        }
    }

    private void readArrivals(
            TrafficEntry entry,
            TrafficEntry.Arrivals arriving,
            String at,
            List<Integer> sources,
            IntFunction<List<Integer>> destinations) {
        FlowSpec one = flow(entry, at);
        requireKeepable(entry, at, one);
        boolean isKept = isKept(entry);
        for (int place = 0; place < sources.size(); place++) {
            int source = sources.get(place);
            SizeDistribution sizes = sizes(arriving, at + "/arrivals");
            ArrivalProcess process = process(arriving, sizes, at + "/arrivals", source, isKept);
            List<Integer> all = destinations.apply(place);
            // Each connection that is kept is one of two hosts.
            for (List<Integer> to :
                    isKept
                            ? all.stream().filter(host -> host != source).map(List::of).toList()
                            : List.of(all)) {
                arrivals.add(
                        new ArrivalSpec(
                                one.name(),
                                source,
                                to,
                                process,
                                sizes,
                                one.startPs(),
                                one.stopPs(),
                                one.pattern(),
                                one.windowFrames(),
                                one.shape()));
            }
        }
    }

    private long sizeBytes(TrafficEntry entry, String at, FrameShape shape) {
        if (entry.count() > 0) {
            if (entry.sizeBytes() > 0) {
                yaml.refuse(at + "/count", "size and count", "one of them");
            }
            return (long) entry.count() * shape.segmentation().maxSegmentBytes();
        }
        return entry.sizeBytes() > 0 ? entry.sizeBytes() : FlowSpec.UNLIMITED;
    }

    private FrameShape shape(TrafficEntry entry, String at, int frameBytes) {
        boolean isSelective = entry.transport() == TrafficEntry.Transport.SELECTIVE;
        if (!isSelective) {
            refuse(
                    at,
                    List.of("reordering"),
                    " without transport: selective",
                    "also transport: selective; other transports accept packets only in order");
        }
        if (entry.transport() == TrafficEntry.Transport.NONE) {
            refuse(
                    at,
                    List.of("verb", "message", "payload"),
                    " without transport: rocev2",
                    "also transport: rocev2 or selective; only reliable connections have messages");
            return entry.format() == FrameShape.Format.ROCEV2
                    ? FrameShape.rocev2(frameBytes)
                    : FrameShape.udp(frameBytes);
        }
        if (entry.format() == FrameShape.Format.UDP && yaml.isGiven(at + "/format")) {
            yaml.refuse(
                    at + "/format",
                    "udp with transport: " + Codecs.word(entry.transport()),
                    "rocev2, or no format at all");
        }
        return FrameShape.messages(
                frameBytes,
                new FrameShape.Messages(
                        entry.verb(),
                        entry.messageBytes(),
                        entry.payload() == TrafficEntry.Payload.STORED,
                        isSelective ? entry.reordering() : 0));
    }

    /** A frame that the hosts' own cards do not take would never leave them. */
    private int frameBytes(TrafficEntry entry, String at) {
        int mtuBytes = topology.sizes().mtuBytes();
        int mostBytes = mtuBytes + Ethernet.HEADER_BYTES;
        if (entry.frameBytes() > mostBytes && yaml.isGiven(at)) {
            yaml.refuse(
                    at,
                    "frames of " + entry.frameBytes() + " bytes with an MTU of " + mtuBytes,
                    "at most "
                            + mostBytes
                            + " bytes, the MTU and an Ethernet header, or a larger mtu in the"
                            + " topology");
        }
        return Math.min(entry.frameBytes(), mostBytes);
    }

    /** The numbers of hosts that a place names. */
    List<Integer> hosts(List<String> names, String at) {
        if (names.equals(List.of(ALL))) {
            return IntStream.range(0, topology.hosts().size()).boxed().toList();
        }
        List<String> known = topology.hosts().stream().map(Topology.Host::name).toList();
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            int number = known.indexOf(names.get(i));
            if (number < 0) {
                String near = YamlConfig.nearest(names.get(i), known);
                yaml.refuse(
                        yaml.isList(at) ? YamlConfig.child(at, i) : at,
                        "the unknown host " + YamlConfig.quote(names.get(i)),
                        (near == null ? "" : near + "? ")
                                + "a host of the topology, such as "
                                + known.getFirst()
                                + ", or all");
            } else {
                numbers.add(number);
            }
        }
        return numbers;
    }

    /** The same with the words that switches sort and mark frames by. */
    private static FrameShape classified(TrafficEntry entry, FrameShape plain) {
        Integer priority = entry.priority();
        Integer port = entry.sourcePort();
        FrameShape shape = priority == null ? plain : prioritised(plain, priority);
        shape = shape.withPriority(shape.priority(), entry.dscp());
        shape = port == null ? shape : shape.withSourcePort(port);
        return switch (entry.ecn()) {
            case NONE -> shape;
            case ECT0 -> shape.withEcn(FrameShape.ECT_0);
            case ECT1 -> shape.withEcn(FrameShape.ECT_1);
        };
    }

    private static FrameShape prioritised(FrameShape shape, int priority) {
        return shape.withVlan(0).withPriority(priority, shape.dscp());
    }

    private static int window(TrafficEntry entry, FrameShape shape, SendPattern pattern) {
        // Controls that use acknowledgements have them, and a window that they set themselves.
        boolean needsEcho =
                pattern instanceof SendPattern.Controlled controlled && controlled.needsEcho();
        int byDefault = needsEcho ? FlowSpec.MAX_WINDOW_FRAMES : FlowSpec.DATAGRAMS;
        return Objects.requireNonNullElse(
                entry.window(), shape.isReliable() ? RELIABLE_WINDOW : byDefault);
    }

    private SendPattern pattern(TrafficEntry entry, String at, int frameBytes) {
        Mechanisms.Use control = entry.control();
        SendPattern due =
                yaml.isMapping(at) ? dueAt(entry.send(), at, frameBytes) : new SendPattern.Greedy();
        if (control == null) {
            return due;
        }
        return switch (due) {
            case SendPattern.Greedy greedy -> new SendPattern.Controlled(control);
            case SendPattern.ConstantRate demand ->
                    new SendPattern.Controlled(control, demand.rateBps());
            default -> {
                yaml.refuse(
                        at,
                        "bursts or Poisson frames, of flows that are controlled",
                        "greedy or {rate: 1Gbps} with control: the allowed rate, or at most the"
                                + " given one");
                yield due;
            }
        };
    }

    private SendPattern dueAt(TrafficEntry.Send send, String at, int frameBytes) {
        long rateBps = send.rateBps();
        long poissonBps = send.poissonBps();
        boolean bursts = send.onPs() > 0 && send.offPs() > 0;
        boolean half = send.onPs() > 0 != send.offPs() > 0;
        if (rateBps > 0 == poissonBps > 0
                || half
                || (bursts && rateBps == 0)
                || (yaml.isGiven(at + "/random") && !bursts)
                || (yaml.has(at + "/late") && rateBps == 0)
                || (yaml.isGiven(at + "/frames") && poissonBps == 0)) {
            yaml.refuse(at, String.join(" and ", yaml.keys(at)), yaml.allowedAt(at));
            return new SendPattern.Greedy();
        }
        if (poissonBps > 0) {
            SizeDistribution lengths = lengths(send.frames(), at + "/frames", frameBytes);
            double wireBytes =
                    lengths.meanBytes() + WireFormat.ETHERNET.wireBytes(frameBytes) - frameBytes;
            return new SendPattern.PoissonFrames(
                    wireBytes * PS_TIMES_BITS_PER_BYTE / poissonBps, lengths);
        }
        return bursts
                ? new SendPattern.OnOff(
                        rateBps, send.onPs(), send.offPs(), send.random(), send.late())
                : new SendPattern.ConstantRate(rateBps, send.late());
    }

    /** Drawn from a range, or of the flow's frames. */
    private SizeDistribution lengths(List<Long> ends, String at, int frameBytes) {
        if (ends.isEmpty()) {
            return SizeDistribution.fixed(frameBytes);
        }
        int mostBytes = topology.sizes().mtuBytes() + Ethernet.HEADER_BYTES;
        if (ends.getFirst() > ends.getLast() || ends.getLast() > mostBytes) {
            yaml.refuse(
                    at,
                    ends.getFirst() + " to " + ends.getLast() + " bytes",
                    "a length and a longer one, at most "
                            + mostBytes
                            + " bytes, the MTU and an Ethernet header");
            return SizeDistribution.fixed(frameBytes);
        }
        return SizeDistribution.uniform(ends.getFirst(), ends.getLast());
    }

    private static boolean isKept(TrafficEntry entry) {
        return entry.connection() == TrafficEntry.Connection.KEPT;
    }

    private void requireKeepable(TrafficEntry entry, String at, FlowSpec one) {
        if (!isKept(entry)) {
            return;
        }
        if (!yaml.isGiven(at + "/arrivals/sleep")) {
            yaml.refuse(
                    at + "/connection",
                    "a kept connection without sleep",
                    "arrivals with sleep: one flow at a time");
        } else if (one.windowFrames() != FlowSpec.DATAGRAMS && !one.shape().isReliable()) {
            yaml.refuse(
                    at + "/connection",
                    "a kept connection with a window",
                    "transport: rocev2 or selective, or no window");
        } else if (!one.shape().isReliable() && losesFrames()) {
            // Its frames are counted: of one that is lost, all later flows would take the time.
            yaml.refuse(
                    at + "/connection",
                    "a kept connection without a transport, on links that lose frames",
                    "transport: rocev2 or selective, or links without loss");
        }
    }

    private boolean losesFrames() {
        return topology.links().stream()
                .map(link -> link.spec().faults())
                .anyMatch(faults ->
                        faults != null
                                && (faults.lossProbability() > 0
                                        || faults.corruptionProbability() > 0));
    }

    private ArrivalProcess process(
            TrafficEntry.Arrivals said,
            SizeDistribution sizes,
            String at,
            int source,
            boolean isKept) {
        double load = said.load();
        Long sleepPs = said.sleepPs();
        int given = (load > 0 ? 1 : 0) + (said.everyPs() > 0 ? 1 : 0) + (sleepPs != null ? 1 : 0);
        if (given != 1
                || (yaml.isGiven(at + "/jitter") && said.everyPs() == 0)
                || (said.closed() && load <= 0)) {
            yaml.refuse(at, String.join(" and ", yaml.keys(at)), yaml.allowedAt(at));
            return new ArrivalProcess.ClosedLoop(0);
        }
        if (sleepPs != null) {
            return new ArrivalProcess.ClosedLoop(sleepPs, isKept);
        }
        return load == 0
                ? new ArrivalProcess.Periodic(said.everyPs(), said.jitterPs())
                : said.closed()
                        ? ArrivalProcess.ClosedLoop.forLoad(sizes, topology.rateBps(source), load)
                        : ArrivalProcess.Poisson.forLoad(sizes, topology.rateBps(source), load);
    }

    private SizeDistribution sizes(TrafficEntry.Arrivals said, String at) {
        long sizeBytes = said.sizeBytes();
        String workload = Objects.requireNonNullElse(said.workload(), "");
        Object cdf = said.cdf();
        int given = (sizeBytes > 0 ? 1 : 0) + (workload.isEmpty() ? 0 : 1) + (cdf == null ? 0 : 1);
        if (given != 1) {
            yaml.refuse(at, String.join(" and ", yaml.keys(at)), yaml.allowedAt(at));
            return SizeDistribution.fixed(1);
        }
        if (sizeBytes > 0) {
            return SizeDistribution.fixed(sizeBytes);
        }
        if (cdf != null) {
            return cdf(cdf, at + "/cdf");
        }
        if (!Workloads.names().contains(workload)) {
            String near = YamlConfig.nearest(workload, Workloads.names());
            yaml.refuse(
                    at + "/workload",
                    "the unknown distribution " + YamlConfig.quote(workload),
                    (near == null ? "one of " : near + "? one of ")
                            + String.join(", ", Workloads.names()));
            return SizeDistribution.fixed(1);
        }
        return Workloads.named(workload);
    }

    /** A file's distribution, or one of points that the scenario has. */
    private SizeDistribution cdf(Object cdf, String at) {
        try {
            if (!(cdf instanceof List<?> points)) {
                String published = String.join(", ", Workloads.names());
                String file = cdf.toString();
                String text = file(file, at, "; published ones are workload: " + published);
                return text == null ? SizeDistribution.fixed(1) : Workloads.parse(file, text);
            }
            double[] sizes = new double[points.size()];
            double[] cumulative = new double[points.size()];
            for (int i = 0; i < sizes.length; i++) {
                List<?> point = (List<?>) points.get(i);
                Long size = Quantity.SIZE.parse(String.valueOf(point.getFirst()));
                Double share = Share.parse(point.getLast());
                sizes[i] = size == null ? NONE : size;
                cumulative[i] = share == null ? NONE : share;
            }
            return SizeDistribution.of("cdf", SizeDistribution.Between.LINEAR, sizes, cumulative);
        } catch (IllegalArgumentException e) {
            refuse(at, e);
            return SizeDistribution.fixed(1);
        }
    }

    /** What is wrong in a file says what is allowed there. */
    private void refuse(String at, IllegalArgumentException wrong) {
        String said = Reason.of(wrong);
        int end = said.indexOf(Workloads.ALLOWED);
        yaml.refuse(
                at,
                end < 0 ? said : said.substring(0, end),
                end < 0 ? yaml.allowedAt(at) : said.substring(end + Workloads.ALLOWED.length()));
    }
}
