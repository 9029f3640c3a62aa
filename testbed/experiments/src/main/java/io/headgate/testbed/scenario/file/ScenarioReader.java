package io.headgate.testbed.scenario.file;

import io.headgate.config.ConfigException;
import io.headgate.config.Reason;
import io.headgate.config.yaml.ConfigSchema;
import io.headgate.config.yaml.YamlConfig;
import io.headgate.testbed.scenario.About;
import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.MeasureKind;
import io.headgate.testbed.scenario.MeasureKind.Of;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.bed.Beds;
import io.headgate.testbed.scenario.bed.Experiment;
import io.headgate.testbed.scenario.bed.Recording;
import io.headgate.testbed.scenario.bed.Recording.Kind;
import io.headgate.testbed.topology.RealBedKeys;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.topology.TopologyReader;
import io.headgate.testbed.traffic.spec.ArrivalProcess;
import io.headgate.testbed.traffic.spec.ArrivalSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads a scenario from YAML 1.2 (or JSON, which is YAML). All errors that can be found are
 * reported together, in one {@link ConfigException}.
 */
public final class ScenarioReader {
    /** The published schema; it holds that of a topology. */
    public static final ConfigSchema SCHEMA = ScenarioFile.SCHEMA;

    /** Flows whose rates are recorded: each has a series of its own. */
    private static final int MOST_RATES = 256;

    /** Counters that are recorded: a star may stand for a great many. */
    private static final int MOST_COUNTERS = 10_000;

    private static final Pattern TIER = Pattern.compile("[A-Za-z0-9_-]{1,32}");

    private final YamlConfig yaml;
    private final ScenarioFile said;

    private ScenarioReader(YamlConfig yaml, String file) {
        this.yaml = yaml;
        said = ScenarioFile.of(yaml, file);
    }

    /**
     * Reads a text.
     *
     * @param name what to call the text in messages, such as its file's name
     * @throws ConfigException with everything that is wrong
     */
    public static Scenario read(String text, String name) {
        return read(text, name, Beds::run);
    }

    /**
     * Reads a text; another runner than the beds runs the scenario.
     *
     * @throws ConfigException with everything that is wrong
     */
    public static Scenario read(String text, String name, Beds.Runner runner) {
        FileParameters parameters = FileParameters.read(text, name);
        Definition.Last definitions = new Definition.Last(content -> define(content, name));
        return new FileScenario(
                byDefault(parameters, definitions::of).about(),
                parameters,
                (values, run) -> definitions.of(parameters.with(values, run)),
                runner);
    }

    /**
     * The text of a scenario's file, with those of the files that it names.
     *
     * @param name what to call the text in messages, such as its file's name
     * @param directory where relative names of files begin
     * @throws ConfigException if one of those cannot be taken
     */
    public static String withNamedFiles(String text, String name, Path directory) {
        return NamedFiles.in(text, name, directory);
    }

    /**
     * The network of a scenario whose parameters have their defaults.
     *
     * @param name what to call the text in messages, such as its file's name
     * @throws ConfigException with everything that is wrong
     */
    public static Topology topology(String text, String name) {
        return byDefault(FileParameters.read(text, name), content -> define(content, name))
                .experiment()
                .topology();
    }

    private static Definition byDefault(
            FileParameters parameters, Function<String, Definition> definitions) {
        try {
            return definitions.apply(parameters.withDefaults());
        } catch (ConfigException e) {
            throw parameters.withNearest(e);
        }
    }

    /** Reads a text whose parameters have been replaced. */
    static Definition define(String text, String name) {
        YamlConfig yaml = YamlConfig.expanded(text, name, SCHEMA, Arithmetic::said);
        Definition definition = new ScenarioReader(yaml, name).bind();
        yaml.throwIfAny();
        return Objects.requireNonNull(definition, "no scenario, and nothing wrong");
    }

    private @Nullable Definition bind() {
        Topology plain = yaml.has("/topology") ? TopologyReader.bind(yaml, "/topology") : null;
        if (plain == null) {
            return null;
        }
        TrafficReader traffic = new TrafficReader(yaml, said, plain);
        Topology topology = PausesEntry.hosts(said, plain, traffic);
        traffic.read();
        Set<String> groups = traffic.groups();
        long durationPs = said.durationPs();
        About about = said.about();
        boolean isReal = about.beds().contains(BedKind.NETNS);
        List<String> warnings =
                isReal ? RealBedKeys.check(yaml, topology, "/topology", false) : List.of();
        if (!isReal && yaml.isGiven("/scale")) {
            yaml.refuse(
                    "/scale",
                    "a scale in a scenario that runs only in virtual time",
                    "no scale, or netns among the beds");
        }
        if (!yaml.isSound()) {
            return null;
        }
        OrdersReader orders = new OrdersReader(yaml, topology, said);
        orders.read();
        Map<String, List<String>> tiers = tiers(topology);
        Recording recording = recording(topology, traffic, groups, tiers);
        RecordedSeries recorded = new RecordedSeries(yaml, recording, traffic, topology);
        Definition.Wanted wanted =
                new WantedReader(
                                yaml,
                                said,
                                measures(groups, topology, tiers.keySet(), recording),
                                recorded,
                                isReal,
                                OwnMeasure.Times.of(recording.intervalPs(), durationPs))
                        .read(groups);
        if (!yaml.isSound()) {
            return null;
        }
        try {
            Experiment experiment =
                    new Experiment(
                            topology,
                            traffic.flows(),
                            traffic.arrivals(),
                            durationPs,
                            recording,
                            orders.ofSwitches(),
                            orders.ofLinks(),
                            said.drain(durationPs),
                            said.model().network());
            return new Definition(about, experiment, wanted, warnings);
        } catch (IllegalArgumentException e) {
            yaml.refuse("/record", Reason.of(e), yaml.allowedAt("/record"));
            return null;
        }
    }

    private Map<String, List<String>> tiers(Topology topology) {
        Map<String, List<String>> tiers = new LinkedHashMap<>();
        Set<String> ends = hosts(topology);
        ends.addAll(ports(topology));
        said.tiers()
                .forEach((name, places) -> {
                    String at = YamlConfig.child("/tiers", name);
                    if (ends.contains(name) || !TIER.matcher(name).matches()) {
                        yaml.refuse(
                                at,
                                "the name " + YamlConfig.quote(name),
                                "a name of 1 to 32 letters, digits, - or _ that no host has");
                    }
                    tiers.put(name, known(at, places, "host or port", ends));
                });
        return tiers;
    }

    private Recording recording(
            Topology topology,
            TrafficReader traffic,
            Set<String> groups,
            Map<String, List<String>> tiers) {
        RecordEntry record = said.record();
        Set<String> queues = ports(topology);
        tiers.forEach((tier, of) -> {
            if (ports(topology).containsAll(of)) {
                queues.add(tier);
            }
        });
        Set<String> linkEnds = hosts(topology);
        linkEnds.addAll(ports(topology));
        Set<String> counters = new LinkedHashSet<>();
        Set<String> places = places(topology);
        for (int i = 0; i < record.counters().size(); i++) {
            counters.addAll(counters("/record/counters/" + i, record.counters().get(i), places));
        }
        if (counters.size() > MOST_COUNTERS) {
            yaml.refuse(
                    "/record/counters",
                    "a series of each of " + counters.size() + " counters",
                    "at most " + MOST_COUNTERS + " counters in all");
        }
        List<String> throughput = record.throughput();
        return new Recording(
                        record.intervalPs(),
                        throughput == null
                                ? List.copyOf(groups)
                                : recorded("throughput", throughput, "traffic", groups),
                        recorded("queues", record.queues(), "port", queues))
                .with(Kind.BUFFER, recorded("buffers", record.buffers(), "port", queues))
                .with(Kind.STOPPED, recorded("stopped", record.stopped(), "host or port", linkEnds))
                .with(Kind.ON, recorded("on-periods", record.onPeriods(), "host or port", linkEnds))
                .with(
                        Kind.HEADROOM,
                        recorded("headroom", record.headroom(), "port", ports(topology)))
                .with(Kind.COUNTER, List.copyOf(counters))
                .with(Kind.MARKS, recorded("marks", record.marks(), "traffic", groups))
                .with(Kind.RATE, rates(traffic, groups))
                .with(Kind.ALLOWED, kept(traffic))
                .withTiers(tiers);
    }

    /** The counter that an entry names; of a place with a star, those of all that are like it. */
    private List<String> counters(String at, String counter, Set<String> places) {
        String place = counter.split("(/(in|out))? ", 2)[0];
        if (Starred.is(place)) {
            List<String> meant = Starred.among(places, place);
            if (!meant.isEmpty()) {
                return meant.stream().map(one -> one + counter.substring(place.length())).toList();
            }
        }
        requireKnown(at, "place", place, places);
        return List.of(counter);
    }

    /** Names of traffic whose flows' allowed rates are recorded. */
    private List<String> rates(TrafficReader traffic, Set<String> groups) {
        List<String> ratesOf = new ArrayList<>();
        long flows = 0;
        for (int i = 0; i < said.record().rates().size(); i++) {
            String at = "/record/rates/" + i;
            String group = said.record().rates().get(i);
            requireKnown(at, "traffic", group, groups);
            if (traffic.arrivals().stream().anyMatch(source -> source.name().equals(group))) {
                yaml.refuse(
                        at,
                        group + ", whose flows begin and end",
                        "traffic without arrivals, whose flows exist from the start");
            }
            flows += traffic.flows().stream().filter(flow -> flow.name().equals(group)).count();
            ratesOf.add(group);
        }
        if (flows > MOST_RATES) {
            yaml.refuse(
                    "/record/rates",
                    "a series of each of " + flows + " flows",
                    "traffic of at most " + MOST_RATES + " flows in all");
        }
        return ratesOf;
    }

    /** Names of traffic on connections that are kept: what these may send is recorded. */
    private static List<String> kept(TrafficReader traffic) {
        Set<String> kept = new LinkedHashSet<>();
        for (ArrivalSpec source : traffic.arrivals()) {
            if (source.process() instanceof ArrivalProcess.ClosedLoop loop && loop.kept()) {
                kept.add(source.name());
            }
        }
        return List.copyOf(kept);
    }

    private List<String> recorded(String key, List<String> all, String kind, Set<String> known) {
        return known("/record/" + key, all, kind, known);
    }

    /** Words of a list that must be among those known; one with a star is all that are like it. */
    private List<String> known(String list, List<String> all, String kind, Set<String> known) {
        Set<String> words = new LinkedHashSet<>();
        for (int i = 0; i < all.size(); i++) {
            String word = all.get(i);
            List<String> meant = Starred.is(word) ? Starred.among(known, word) : List.of(word);
            requireKnown(
                    YamlConfig.child(list, i),
                    kind,
                    meant.isEmpty() ? word : meant.getFirst(),
                    known);
            words.addAll(meant);
        }
        return List.copyOf(words);
    }

    /** Whatever counts: switches and their ports, hosts and the sides of their cards. */
    private static Set<String> places(Topology topology) {
        Set<String> places = new LinkedHashSet<>(ports(topology));
        topology.switches().forEach(one -> places.add(one.name()));
        for (Topology.Host host : topology.hosts()) {
            places.addAll(List.of(host.name(), host.name() + "/wire", host.name() + "/app"));
        }
        return places;
    }

    private static Set<String> hosts(Topology topology) {
        Set<String> hosts = new LinkedHashSet<>();
        topology.hosts().forEach(host -> hosts.add(host.name()));
        return hosts;
    }

    private static Set<String> ports(Topology topology) {
        Set<String> ports = new LinkedHashSet<>();
        for (Topology.Switch node : topology.switches()) {
            int port = 0;
            for (Topology.Link link : topology.links()) {
                if (link.isAt(node.name())) {
                    ports.add(node.name() + "/p" + ++port);
                }
            }
        }
        return ports;
    }

    private void requireKnown(String at, String kind, String word, Set<String> known) {
        if (!known.contains(word)) {
            yaml.refuse(
                    at, "the unknown " + kind + " " + YamlConfig.quote(word), oneOf(word, known));
        }
    }

    /** The known words for a message, the one most similar to an unknown word first. */
    static String oneOf(String word, Set<String> known) {
        String near = YamlConfig.nearest(word, known);
        return (near == null ? "one of " : near + "? one of ")
                + String.join(", ", known.stream().limit(12).toList())
                + (known.size() > 12 ? " and so on" : "");
    }

    private static Set<String> measures(
            Set<String> groups, Topology topology, Set<String> tiers, Recording recording) {
        Set<String> measures = new LinkedHashSet<>();
        for (MeasureKind kind : MeasureKind.values()) {
            if (kind.of() == Of.RUN) {
                measures.add(kind.title());
            }
        }
        measures.addAll(MeasureKind.names(Of.FLOWS, groups));
        recording.of(Kind.COUNTER).forEach(counter -> measures.add(FileScenario.LAST + counter));
        measures.addAll(MeasureKind.names(Of.PORT, ports(topology)));
        Set<String> ends = ports(topology);
        ends.addAll(hosts(topology));
        measures.addAll(MeasureKind.names(Of.END, ends));
        for (Of of : List.of(Of.PORT, Of.END, Of.TIER)) {
            measures.addAll(MeasureKind.names(of, tiers));
        }
        return measures;
    }
}
