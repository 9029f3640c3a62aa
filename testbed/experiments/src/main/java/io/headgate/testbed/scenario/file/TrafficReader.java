package io.headgate.testbed.scenario.file;

import io.headgate.config.Mechanisms;
import io.headgate.config.Reason;
import io.headgate.config.key.Quantity;
import io.headgate.config.read.MechanismReader;
import io.headgate.config.yaml.YamlConfig;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.queue.WireFormat;
import io.headgate.dataplane.random.NamedRandom;
import io.headgate.hostagent.rdma.Verb;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.ArrivalProcess;
import io.headgate.testbed.traffic.spec.ArrivalSpec;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.SendPattern;
import io.headgate.testbed.traffic.spec.SizeDistribution;
import io.headgate.testbed.traffic.spec.Workloads;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Reads the traffic of a scenario file. */
final class TrafficReader {
    private static final int MAX_FLOWS = 100_000;
    private static final int DEFAULT_FRAME_BYTES = 1514;
    private static final int RELIABLE_WINDOW = 4096;
    private static final int DEFAULT_REORDERING = 3;
    private static final long NONE = -1;
    private static final String ALL = "all";

    /** Where an entry names a file of flows, and one of sizes. */
    static final String FLOWS = "/flows";

    static final String CDF = "/arrivals/cdf";

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
    private final Topology topology;
    private final List<FlowSpec> flows = new ArrayList<>();
    private final List<ArrivalSpec> arrivals = new ArrayList<>();

    /** What draws where scattered flows go and when: it goes on from one entry to the next. */
    private final Map<Long, NamedRandom> scattered = new HashMap<>();

    TrafficReader(YamlConfig yaml, Topology topology) {
        this.yaml = yaml;
        this.topology = topology;
    }

    List<FlowSpec> flows() {
        return flows;
    }

    List<ArrivalSpec> arrivals() {
        return arrivals;
    }

    /** Names of all. */
    Set<String> groups() {
        Set<String> groups = new LinkedHashSet<>();
        flows.forEach(flow -> groups.add(flow.name()));
        arrivals.forEach(source -> groups.add(source.name()));
        return groups;
    }

    /** Reads one entry; records its errors in the file. */
    void read(String at) {
        if (yaml.isGiven(at + FLOWS)) {
            readFile(at);
            return;
        }
        if (yaml.isMapping(at + PatternReader.COLLECTIVE)) {
            readCollective(at);
            return;
        }
        for (String key : List.of("/from", "/to")) {
            if (!yaml.isGiven(at + key)) {
                yaml.refuse(at + key, "nothing", yaml.allowedAt(at + key) + "; or flows: FILE.csv");
            }
        }
        List<Integer> sources = hosts(at + "/from");
        boolean permuted = isPermutation(at + "/to");
        List<Integer> destinations = permuted ? sources : hosts(at + "/to");
        if (sources.isEmpty() || destinations.isEmpty() || !yaml.isSound()) {
            return;
        }
        if (yaml.isMapping(at + PatternReader.INCAST)) {
            readDrawn(at, PatternReader.INCAST, sources, destinations);
            return;
        }
        if (yaml.isMapping(at + PatternReader.SCATTER)) {
            readDrawn(at, PatternReader.SCATTER, sources, destinations);
            return;
        }
        long pairs = (long) sources.size() * (permuted ? 1 : destinations.size());
        if (flows.size() + pairs > MAX_FLOWS && !yaml.isGiven(at + "/arrivals")) {
            yaml.refuse(
                    at,
                    pairs + " flows more",
                    "at most " + MAX_FLOWS + " flows, or arrivals, which have one source for all");
            return;
        }
        try {
            if (permuted && sources.size() < 2) {
                yaml.refuse(at + "/to", "a permutation of one host", "two hosts or more in from");
            }
            List<Integer> drawn =
                    permuted && yaml.isSound()
                            ? new PatternReader(yaml, at, MAX_FLOWS).permutation(sources)
                            : destinations;
            add(at, sources, place -> permuted ? List.of(drawn.get(place)) : destinations);
        } catch (IllegalArgumentException e) {
            yaml.refuse(at, Reason.of(e), yaml.allowedAt(at));
        }
    }

    /** Whether each host sends to another one, which is drawn; unless a host has that name. */
    private boolean isPermutation(String at) {
        return !yaml.isList(at)
                && yaml.text(at, "").equals(PatternReader.PERMUTATION)
                && topology.hosts().stream()
                        .noneMatch(host -> host.name().equals(PatternReader.PERMUTATION));
    }

    /** A flow as an entry says, of two hosts that its maker replaces. */
    private FlowSpec flow(String at) {
        int frameBytes = frameBytes(at + "/frame");
        FrameShape shape = classified(at, shape(at, frameBytes));
        SendPattern pattern = pattern(at, frameBytes);
        return new FlowSpec(
                yaml.text(at + "/name", ""),
                0,
                1,
                yaml.quantity(at + "/start", Quantity.DELAY, 0),
                yaml.quantity(at + "/stop", Quantity.DELAY, Long.MAX_VALUE),
                sizeBytes(at, shape),
                pattern,
                window(at, shape, pattern),
                shape);
    }

    private void refuseKeys(String at, List<String> keys, String with, String instead) {
        for (String key : keys) {
            if (yaml.isGiven(at + "/" + key)) {
                yaml.refuse(at + "/" + key, key + " with " + with, instead);
            }
        }
    }

    private void requireSize(String at, String of) {
        if (!yaml.isGiven(at + "/size")) {
            yaml.refuse(at + "/size", "no size of " + of, yaml.allowedAt(at + "/size"));
        }
    }

    private void readCollective(String at) {
        refuseKeys(at, OF_COLLECTIVES, "collective", "ranks and size");
        requireSize(at, "a collective");
        String said = at + PatternReader.COLLECTIVE + "/ranks";
        List<Integer> ranks = yaml.isGiven(said) ? hosts(said) : everyHost();
        boolean isPipeline =
                yaml.text(at + PatternReader.COLLECTIVE + "/kind", "").equals("pipeline");
        if (isPipeline && yaml.isGiven(at + PatternReader.COLLECTIVE + "/algorithm")) {
            yaml.refuse(
                    at + PatternReader.COLLECTIVE + "/algorithm",
                    "an algorithm of a pipeline",
                    "none: stages send to the next one");
        }
        if (!yaml.isSound()) {
            return;
        }
        try {
            FlowSpec one = flow(at);
            if (one.windowFrames() == FlowSpec.DATAGRAMS) {
                yaml.refuse(
                        at,
                        "a collective whose senders do not know what arrived",
                        "transport: rocev2, or a window");
                return;
            }
            flows.addAll(
                    new PatternReader(yaml, at, MAX_FLOWS - flows.size())
                            .collective(one, ranks, flows));
        } catch (IllegalArgumentException e) {
            refuse(at + PatternReader.COLLECTIVE, e);
        }
    }

    /** An entry whose flows' hosts are drawn: an incast, or flows that are scattered. */
    private void readDrawn(
            String at, String kind, List<Integer> sources, List<Integer> destinations) {
        boolean isIncast = kind.equals(PatternReader.INCAST);
        String with = kind.substring(1);
        refuseKeys(
                at,
                isIncast ? OF_INCASTS : OF_SCATTERED,
                with,
                isIncast ? "size, of each flow" : "size or count, of each flow");
        if (isIncast) {
            requireSize(at, "an incast's flows");
        }
        if (isPermutation(at + "/to")) {
            yaml.refuse(at + "/to", "permutation with " + with, "hosts that receive");
        }
        if (!yaml.isSound()) {
            return;
        }
        try {
            PatternReader patterns = new PatternReader(yaml, at, MAX_FLOWS - flows.size());
            FlowSpec one = flow(at);
            flows.addAll(
                    isIncast
                            ? patterns.incast(
                                    one,
                                    sources,
                                    destinations,
                                    yaml.quantity("/duration", Quantity.DELAY, 0))
                            : patterns.scatter(
                                    one,
                                    sources,
                                    destinations,
                                    scattered.computeIfAbsent(
                                            yaml.integer(at + PatternReader.DRAW, 1),
                                            draw ->
                                                    NamedRandom.of(
                                                            draw,
                                                            yaml.text("/name", ""),
                                                            "destinations"))));
        } catch (IllegalArgumentException e) {
            refuse(at + kind, e);
        }
    }

    /** An entry whose flows are in a file. */
    private void readFile(String at) {
        refuseKeys(at, OF_EACH_FLOW, "flows", "one of both: each flow has its own");
        String file = yaml.text(at + FLOWS, "");
        String text = file(at + FLOWS, "");
        if (text == null || !yaml.isSound()) {
            return;
        }
        try {
            FlowSpec one = flow(at);
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
                                .sized(row.sizeBytes())
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

    /**
     * The text of a file that is named at a place; null with a refusal if there is none.
     *
     * @param more of what is allowed
     */
    private @Nullable String file(String at, String more) {
        String file = yaml.text(at, "");
        String text = NamedFiles.text(yaml, file);
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
    private void add(String at, List<Integer> sources, IntFunction<List<Integer>> destinations) {
        if (yaml.isGiven(at + "/arrivals")) {
            for (String key : List.of("size", "count")) {
                if (yaml.isGiven(at + "/" + key)) {
                    yaml.refuse(
                            at + "/" + key, "a " + key + " with arrivals", "size within arrivals");
                }
            }
            readArrivals(at, sources, destinations);
            return;
        }
        FlowSpec one = flow(at);
        requireKeepable(at, one);
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
            String at, List<Integer> sources, IntFunction<List<Integer>> destinations) {
        FlowSpec one = flow(at);
        requireKeepable(at, one);
        boolean isKept = isKept(at);
        for (int place = 0; place < sources.size(); place++) {
            int source = sources.get(place);
            ArrivalProcess process = process(at + "/arrivals", source, isKept);
            SizeDistribution sizes = sizes(at + "/arrivals");
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

    private long sizeBytes(String at, FrameShape shape) {
        if (yaml.isGiven(at + "/count")) {
            if (yaml.isGiven(at + "/size")) {
                yaml.refuse(at + "/count", "size and count", "one of them");
            }
            int segmentBytes = shape.segmentation().maxSegmentBytes();
            return (long) yaml.count(at + "/count", 1) * segmentBytes;
        }
        return yaml.quantity(at + "/size", Quantity.SIZE, FlowSpec.UNLIMITED);
    }

    private FrameShape shape(String at, int frameBytes) {
        String transport = yaml.text(at + "/transport", "none");
        boolean isSelective = transport.equals("selective");
        if (!isSelective && yaml.isGiven(at + "/reordering")) {
            yaml.refuse(
                    at + "/reordering",
                    "reordering without transport: selective",
                    "transport: selective with it: others take packets in order alone");
        }
        if (!isSelective && !transport.equals("rocev2")) {
            for (String key : List.of("verb", "message", "payload")) {
                if (yaml.isGiven(at + "/" + key)) {
                    yaml.refuse(
                            at + "/" + key,
                            key + " without transport: rocev2",
                            "transport: rocev2 or selective with it: only reliable connections have"
                                    + " messages");
                }
            }
            return yaml.text(at + "/format", "udp").equals("rocev2")
                    ? FrameShape.rocev2(frameBytes)
                    : FrameShape.udp(frameBytes);
        }
        if (yaml.text(at + "/format", "rocev2").equals("udp")) {
            yaml.refuse(
                    at + "/format",
                    "udp with transport: " + transport,
                    "rocev2, or no format at all");
        }
        long messageBytes =
                yaml.quantity(at + "/message", Quantity.SIZE, FrameShape.Messages.DEFAULT_BYTES);
        return FrameShape.messages(
                frameBytes,
                new FrameShape.Messages(
                        yaml.text(at + "/verb", "send").equals("write") ? Verb.WRITE : Verb.SEND,
                        Math.toIntExact(messageBytes),
                        yaml.text(at + "/payload", "elided").equals("stored"),
                        isSelective ? yaml.count(at + "/reordering", DEFAULT_REORDERING) : 0));
    }

    /** A frame that the hosts' own cards do not take would never leave them. */
    private int frameBytes(String at) {
        int mtuBytes = topology.sizes().mtuBytes();
        int mostBytes = mtuBytes + Ethernet.HEADER_BYTES;
        int frameBytes =
                (int) yaml.quantity(at, Quantity.SIZE, Math.min(DEFAULT_FRAME_BYTES, mostBytes));
        if (frameBytes > mostBytes) {
            yaml.refuse(
                    at,
                    "frames of " + frameBytes + " bytes with an MTU of " + mtuBytes,
                    "at most "
                            + mostBytes
                            + " bytes, the MTU and an Ethernet header, or a larger mtu in the"
                            + " topology");
            return mostBytes;
        }
        return frameBytes;
    }

    List<Integer> hosts(String at) {
        List<String> names = yaml.oneOrMore(at, item -> yaml.text(item, ""));
        if (names.equals(List.of(ALL))) {
            return everyHost();
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

    private List<Integer> everyHost() {
        return IntStream.range(0, topology.hosts().size()).boxed().toList();
    }

    /** The same with the words that switches sort and mark frames by. */
    private FrameShape classified(String at, FrameShape plain) {
        FrameShape shape = plain;
        if (yaml.isGiven(at + "/priority")) {
            shape = prioritised(shape, yaml.count(at + "/priority", 0));
        }
        if (yaml.isGiven(at + "/dscp")) {
            shape = shape.withPriority(shape.priority(), yaml.count(at + "/dscp", 0));
        }
        if (yaml.isGiven(at + "/source-port")) {
            shape = shape.withSourcePort(yaml.count(at + "/source-port", 0));
        }
        return switch (yaml.text(at + "/ecn", "none")) {
            case "ect0" -> shape.withEcn(FrameShape.ECT_0);
            case "ect1" -> shape.withEcn(FrameShape.ECT_1);
            default -> shape;
        };
    }

    private static FrameShape prioritised(FrameShape shape, int priority) {
        return shape.withVlan(0).withPriority(priority, shape.dscp());
    }

    private int window(String at, FrameShape shape, SendPattern pattern) {
        return yaml.count(
                at + "/window", shape.isReliable() ? RELIABLE_WINDOW : anyWindow(pattern));
    }

    /** Controls that use acknowledgements have them, and a window that they set themselves. */
    private static int anyWindow(SendPattern pattern) {
        return pattern instanceof SendPattern.Controlled controlled && controlled.needsEcho()
                ? FlowSpec.MAX_WINDOW_FRAMES
                : FlowSpec.DATAGRAMS;
    }

    private SendPattern pattern(String flow, int frameBytes) {
        String at = flow + "/send";
        Mechanisms.Use control = MechanismReader.RATE_CONTROL.bind(yaml, flow + "/control");
        SendPattern due = yaml.isMapping(at) ? dueAt(at, frameBytes) : new SendPattern.Greedy();
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
                        "greedy or {rate: 1Gbps} with control: all it may, or no more than that");
                yield due;
            }
        };
    }

    private SendPattern dueAt(String at, int frameBytes) {
        long rateBps = yaml.quantity(at + "/rate", Quantity.RATE, NONE);
        long poissonBps = yaml.quantity(at + "/poisson", Quantity.RATE, NONE);
        long onPs = yaml.quantity(at + "/on", Quantity.DELAY, NONE);
        long offPs = yaml.quantity(at + "/off", Quantity.DELAY, NONE);
        boolean bursts = onPs != NONE && offPs != NONE;
        boolean half = (onPs == NONE) != (offPs == NONE);
        boolean random = yaml.isGiven(at + "/random");
        if ((rateBps == NONE) == (poissonBps == NONE)
                || half
                || (bursts && rateBps == NONE)
                || (random && !bursts)
                || (yaml.has(at + "/late") && rateBps == NONE)
                || (yaml.isGiven(at + "/frames") && poissonBps == NONE)) {
            yaml.refuse(at, String.join(" and ", yaml.keys(at)), yaml.allowedAt(at));
            return new SendPattern.Greedy();
        }
        if (poissonBps != NONE) {
            SizeDistribution lengths = lengths(at + "/frames", frameBytes);
            double wireBytes =
                    lengths.meanBytes() + WireFormat.ETHERNET.wireBytes(frameBytes) - frameBytes;
            return new SendPattern.PoissonFrames(
                    wireBytes * PS_TIMES_BITS_PER_BYTE / poissonBps, lengths);
        }
        SendPattern.Lateness late = yaml.choice(at + "/late", SendPattern.Lateness.MADE_UP);
        return bursts
                ? new SendPattern.OnOff(
                        rateBps, onPs, offPs, yaml.flag(at + "/random", false), late)
                : new SendPattern.ConstantRate(rateBps, late);
    }

    /** Drawn from a range, or of the flow's frames. */
    private SizeDistribution lengths(String at, int frameBytes) {
        List<Long> ends =
                yaml.items(at).stream()
                        .map(item -> yaml.quantity(item, Quantity.SIZE, frameBytes))
                        .toList();
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

    private boolean isKept(String at) {
        return yaml.text(at + "/connection", "").equals("kept");
    }

    private void requireKeepable(String at, FlowSpec one) {
        if (!isKept(at)) {
            return;
        }
        if (!yaml.isGiven(at + "/arrivals/sleep")) {
            yaml.refuse(
                    at + "/connection",
                    "a connection that is kept, without sleep",
                    "arrivals with sleep: one flow at a time");
        } else if (one.windowFrames() != FlowSpec.DATAGRAMS && !one.shape().isReliable()) {
            yaml.refuse(
                    at + "/connection",
                    "a connection that is kept, with a window",
                    "transport: rocev2 or selective, or no window");
        } else if (!one.shape().isReliable() && losesFrames()) {
            // Its frames are counted: of one that is lost, all later flows would take the time.
            yaml.refuse(
                    at + "/connection",
                    "a connection that is kept, without a transport, where a link loses frames",
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

    /**
     * @param isKept whether connections are
     */
    private ArrivalProcess process(String at, int source, boolean isKept) {
        double load = yaml.number(at + "/load", NONE);
        boolean isClosed = yaml.flag(at + "/closed", false);
        long everyPs = yaml.quantity(at + "/every", Quantity.DELAY, NONE);
        long sleepPs = yaml.quantity(at + "/sleep", Quantity.DELAY, NONE);
        int given = (load > 0 ? 1 : 0) + (everyPs != NONE ? 1 : 0) + (sleepPs != NONE ? 1 : 0);
        if (given != 1
                || (yaml.isGiven(at + "/jitter") && everyPs == NONE)
                || (isClosed && load <= 0)) {
            yaml.refuse(at, String.join(" and ", yaml.keys(at)), yaml.allowedAt(at));
            return new ArrivalProcess.ClosedLoop(0);
        }
        if (everyPs != NONE) {
            return new ArrivalProcess.Periodic(
                    everyPs, yaml.quantity(at + "/jitter", Quantity.DELAY, 0));
        }
        return isClosed
                ? ArrivalProcess.ClosedLoop.forLoad(sizes(at), rateBps(source), load)
                : load > 0
                        ? ArrivalProcess.Poisson.forLoad(sizes(at), rateBps(source), load)
                        : new ArrivalProcess.ClosedLoop(sleepPs, isKept);
    }

    long rateBps(int host) {
        String name = topology.hosts().get(host).name();
        return topology.links().stream()
                .filter(link -> link.a().equals(name) || link.b().equals(name))
                .findFirst()
                .orElseThrow()
                .spec()
                .rateBps();
    }

    private SizeDistribution sizes(String at) {
        long sizeBytes = yaml.quantity(at + "/size", Quantity.SIZE, NONE);
        String workload = yaml.text(at + "/workload", "");
        boolean hasCdf = yaml.isGiven(at + "/cdf");
        int given = (sizeBytes == NONE ? 0 : 1) + (workload.isEmpty() ? 0 : 1) + (hasCdf ? 1 : 0);
        if (given != 1) {
            yaml.refuse(at, String.join(" and ", yaml.keys(at)), yaml.allowedAt(at));
            return SizeDistribution.fixed(1);
        }
        if (sizeBytes != NONE) {
            return SizeDistribution.fixed(sizeBytes);
        }
        if (hasCdf) {
            return cdf(at + "/cdf");
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
    private SizeDistribution cdf(String at) {
        try {
            if (!yaml.isList(at)) {
                String published = String.join(", ", Workloads.names());
                String text = file(at, "; published ones are workload: " + published);
                return text == null
                        ? SizeDistribution.fixed(1)
                        : Workloads.parse(yaml.text(at, ""), text);
            }
            List<String> points = yaml.items(at);
            double[] sizes = new double[points.size()];
            double[] cumulative = new double[points.size()];
            for (int i = 0; i < sizes.length; i++) {
                sizes[i] = yaml.quantity(points.get(i) + "/0", Quantity.SIZE, NONE);
                cumulative[i] = yaml.number(points.get(i) + "/1", NONE);
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
