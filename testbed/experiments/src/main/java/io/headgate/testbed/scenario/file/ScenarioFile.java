package io.headgate.testbed.scenario.file;

import static io.headgate.config.key.Quantity.DELAY;
import static io.headgate.config.key.Quantity.SIZE;

import io.headgate.config.key.Allowed;
import io.headgate.config.key.Beds;
import io.headgate.config.key.Codec;
import io.headgate.config.key.Inline;
import io.headgate.config.key.Items;
import io.headgate.config.key.Key;
import io.headgate.config.key.Known;
import io.headgate.config.key.Named;
import io.headgate.config.key.Otherwise;
import io.headgate.config.key.Place;
import io.headgate.config.key.Says;
import io.headgate.config.key.Section;
import io.headgate.config.read.Schemas;
import io.headgate.config.yaml.ConfigSchema;
import io.headgate.config.yaml.YamlConfig;
import io.headgate.testbed.scenario.About;
import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.bed.Experiment;
import io.headgate.testbed.scenario.bed.NetworkModel;
import io.headgate.testbed.topology.TopologyReader;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The content of a scenario file. */
record ScenarioFile(
        @Key(pattern = "^[a-z0-9-]{1,32}$")
                @Says("The scenario's name in every output.")
                @Allowed("1 to 32 small letters, digits or -, such as my-incast")
                String name,
        @Key(max = "400", example = "Three senders, one receiver")
                @Says("Summary of the scenario, in one line.")
                @Otherwise("the name")
                String title,
        @Key(max = "400", example = "Zhang et al., SIGCOMM 2021, figure 2")
                @Says("Origin of the scenario: a paper's figure, a formula.")
                @Otherwise("the file")
                String source,
        @Key(max = "2000", example = "the victim keeps its rate")
                @Says("The claim of the source.")
                @Otherwise("nothing")
                String claim,
        @Key
                @Says("The beds on which the scenario can run.")
                @Otherwise("[virtual]")
                @Allowed("a list of virtual and netns, such as [virtual, netns]")
                @Items(min = 1, max = 2, unique = true, each = "virtual or netns")
                List<BedKind> beds,
        @Key(min = "1", max = "100000", absent = "100", example = "200")
                @Says("Slowdown of the real bed.")
                int scale,
        @Inline ParameterKeys parameters,
        @Key(quantity = DELAY, min = "1us", max = "1000s", example = "2ms")
                @Says("Duration of the run.")
                long durationPs,
        @Key(codec = Said.Topology.class)
                @Says("The network, as in a topology file.")
                @Allowed(TopologyReader.ALLOWED)
                Map<String, Object> topology,
        @Key
                @Says("Model of acknowledgements, instead of real ones. In virtual time only.")
                @Otherwise("acknowledgements are real frames")
                @Allowed(
                        "a mapping with acknowledgements, such as {acknowledgements: {link: 20ns,"
                                + " switch: 40ns}}")
                Model model,
        @Key
                @Says("The traffic of the hosts.")
                @Allowed("a list, such as [{name: web, from: h1, to: h4}]")
                @Items(
                        min = 1,
                        max = 10000,
                        repeats = true,
                        each =
                                "a mapping with name, from and to, such as {name: web, from: [h1,"
                                        + " h2], to: h4}, or with name and flows or collective")
                List<TrafficEntry> traffic,
        @Key(codec = Said.Mapping.class)
                @Says(
                        "Contents of the files that flows and cdf name, by file name. Other files"
                                + " are read from the scenario's directory, and added here in"
                                + " results.")
                @Otherwise("none")
                @Allowed("names with texts, such as {sizes.csv: '1000,0.5'}")
                Map<String, Object> files,
        @Key
                @Says(
                        "Pauses that hosts send, independent of buffers, before all data and"
                                + " exactly at these times.")
                @Allowed("a list, such as [{from: h2, priorities: [3], start: 1ms, stop: 2ms}]")
                @Items(
                        max = 1000,
                        each =
                                "a mapping with from, such as {from: h2, priorities: [3, 4], start:"
                                        + " 1ms, stop: 2ms}")
                List<PausesEntry> pauses,
        @Key(pattern = TrafficEntry.HOST)
                @Says(
                        "Hosts whose cards ignore flow control from the link, and never stop the"
                                + " other end.")
                @Otherwise("none")
                @Allowed(TrafficEntry.HOSTS_ALLOWED)
                @Items(min = 1, max = 10000, orOne = true, each = TrafficEntry.HOST_ALLOWED)
                List<String> deaf,
        @Key(quantity = DELAY, min = "0s", max = "3600s", absent = "0s")
                @Says(
                        "Time from a link's change until routers use the remaining routes; bridges"
                                + " keep their addresses.")
                @Allowed("a time such as 100us, or one longer than the run: never")
                long reroutePs,
        @Key
                @Says(
                        "Changes during the run: links that go down and come up, and keys of"
                                + " switches as with headgate set; in virtual time at exactly these"
                                + " times.")
                @Allowed("a list, such as [{at: 10ms, switch: s1, set: {p4: {rate: 1Gbps}}}]")
                @Items(
                        max = 1000,
                        repeats = true,
                        each =
                                "a mapping with at, and one of down, up, and set with switch, such"
                                        + " as {at: 10ms, switch: s1, set: {p4: {rate: 1Gbps}}} or {at:"
                                        + " 10ms, down: s1-s2}")
                List<OrderEntry> orders,
        @Key(codec = Tiers.class)
                @Says(
                        "Sets of ports of switches, and of hosts. Measures of ports also exist for"
                                + " these sets: the sum, or the largest value. Record can name them"
                                + " in queues and buffers: the mean of their ports. In virtual time"
                                + " only.")
                @Beds(real = RecordEntry.VIRTUAL)
                @Otherwise("none")
                @Allowed(
                        "names of 1 to 32 letters, digits, - or _, with lists, such as {core:"
                                + " [c*/p*]}")
                Map<String, List<String>> tiers,
        @Key
                @Says("The series to record over time.")
                @Otherwise("the throughput of all traffic, 200 times")
                @Allowed("a mapping, such as {interval: 10us, throughput: [web], queues: [s1/p4]}")
                RecordEntry record,
        @Key
                @Says("Classes of flows by size, with all measures of flows.")
                @Items(
                        max = 100,
                        each =
                                "a mapping with name and of, such as {name: short, of: web, to:"
                                        + " 100kB}")
                List<SizeClass> classes,
        @Key
                @Says("Series computed from recorded ones.")
                @Items(
                        max = 1000,
                        repeats = true,
                        each =
                                "a mapping with name and one of of and value, and each and as or"
                                        + " neither, such as {name: received in all, of: throughput,"
                                        + " unit: Gb/s}")
                List<DerivedSeries> series,
        @Key
                @Says(
                        "Numbers computed from measured ones or from samples of series, and times"
                                + " at which a series reaches a level.")
                @Allowed(
                        "a list, such as [{name: share of a, value: '[throughput of a] /"
                                + " [throughput of b]'}]")
                @Items(
                        max = 10000,
                        repeats = true,
                        each =
                                "a mapping with name and one of value, reaches, settles, last and"
                                        + " samples, the second and third with level, the fourth with"
                                        + " above or below, the fifth with as, such as {name: full"
                                        + " after, reaches: queue s1/p4, level: 490}")
                List<OwnMeasure> measures,
        @Key
                @Says(
                        "Figures: a measure against a parameter, a series over time, or a"
                                + " distribution over flows.")
                @Otherwise("throughput, queues and counters over time")
                @Items(
                        max = 20,
                        repeats = true,
                        each = "a mapping with y, such as {y: throughput of web, x: senders}")
                List<Plot.Keys> plot,
        @Key
                @Says(
                        "Tables: ranking of a parameter's values by measures, in each setting of"
                                + " all others; from means over seeds, which count as equal if they"
                                + " differ by less than one percent.")
                @Items(
                        max = 20,
                        each =
                                "a mapping with title, by, and most or least, such as {title: Who"
                                        + " wins, by: control, least: [mean completion of web]}")
                List<Ranked> rank,
        @Key
                @Says(
                        "Tables: one row per setting, with the varied parameters and the means of"
                                + " measures over its seeds.")
                @Items(
                        max = 20,
                        each =
                                "a mapping with title and columns, such as {title: Means, columns:"
                                        + " [throughput of web]}")
                List<MeansTable> table,
        @Key @Otherwise("all of the run") @Nullable Part measure,
        @Key
                @Says(
                        "Comparisons of settings that differ only in one parameter: the difference"
                                + " of their measures, and whether it is significant over the"
                                + " seeds.")
                @Otherwise("nothing is compared")
                @Allowed("a list, such as [{by: control, to: none}]")
                @Items(
                        max = 20,
                        each =
                                "a mapping with by, to and measures, such as {by: control, to:"
                                        + " none, measures: [throughput of web]}")
                List<Compared> compare,
        @Key
                @Says("Sentences about each run, with measures in braces.")
                @Otherwise("the dropped frames, and the highest queue")
                @Items(
                        max = 100,
                        repeats = true,
                        each =
                                "a mapping with text, such as {text: 'the queue is full after {full"
                                        + " after}'}")
                List<Saying> say,
        @Key
                @Says("The expected results.")
                @Otherwise("nothing")
                @Allowed("a list, such as [{measure: frames dropped, at-most: 0}]")
                @Items(
                        max = 1000,
                        repeats = true,
                        each =
                                "a mapping with measure, or like and than, and one of near, at-most"
                                        + " and at-least, such as {measure: throughput of web, near:"
                                        + " 9.84, tolerance: 0.01}")
                List<Expectation> expect) {
    /** The key of the file's name in {@link Known}. */
    static final String NAME = "file-name";

    static String title(Known known) {
        return known.get("name", String.class);
    }

    static String source(Known known) {
        return known.get(NAME, String.class);
    }

    static List<BedKind> beds(Known known) {
        return List.of(BedKind.VIRTUAL);
    }

    /** Reads the content of an expanded file. */
    static ScenarioFile of(YamlConfig yaml, String name) {
        return Objects.requireNonNull(
                Section.of(ScenarioFile.class).read(yaml.place(""), Known.of(Map.of(NAME, name))));
    }

    About about() {
        return new About(name, title, source, claim, Set.copyOf(beds), scale);
    }

    /** The model of acknowledgements. */
    record Model(
            @Key
                    @Says(
                            "Acknowledgements that are not sent as frames and never wait: the delay"
                                    + " of each.")
                    @Otherwise("they are frames")
                    @Allowed("a mapping with link and switch, such as {link: 20ns, switch: 40ns}")
                    @Nullable OutOfBand acknowledgements) {
        record OutOfBand(
                @Key(quantity = DELAY, min = "0s", max = "1s", absent = "0s", example = "20ns")
                        @Says("Delay per link.")
                        @Beds(real = RecordEntry.VIRTUAL)
                        long linkPs,
                @Key(quantity = DELAY, min = "0s", max = "1s", absent = "0s", example = "40ns")
                        @Says("Delay per switch.")
                        @Beds(real = RecordEntry.VIRTUAL)
                        long switchPs) {}

        NetworkModel network() {
            return NetworkModel.PLAIN.withOutOfBand(
                    acknowledgements == null
                            ? null
                            : new NetworkModel.OutOfBand(
                                    acknowledgements.linkPs, acknowledgements.switchPs));
        }
    }

    /** A change during the run. */
    record OrderEntry(
            @Key(quantity = DELAY, min = "0s", max = "1000s")
                    @Says("Time since the beginning.")
                    @Allowed("a time such as 10ms, up to the duration")
                    long atPs,
            @Key(pattern = Said.LINK)
                    @Says("Links that go down: frames in transit are lost, and no frame passes.")
                    @Otherwise("up or set")
                    @Allowed(Said.LINKS)
                    @Items(min = 1, max = 128, orOne = true, each = Said.A_LINK)
                    List<String> down,
            @Key(pattern = Said.LINK)
                    @Says("Links that come up again.")
                    @Otherwise("down or set")
                    @Allowed(Said.LINKS)
                    @Items(min = 1, max = 128, orOne = true, each = Said.A_LINK)
                    List<String> up,
            @Key(name = "switch", max = "64")
                    @Says("The switch that is changed.")
                    @Otherwise("the only one")
                    @Allowed("a switch of the topology, such as s1")
                    String node,
            @Key(codec = Said.Mapping.class, min = "1")
                    @Says(
                            "Keys of the switch's configuration with new values, ports by their"
                                    + " names.")
                    @Otherwise("down or up")
                    @Allowed("keys with new values, such as {p4: {rate: 1Gbps}}")
                    Map<String, Object> set) {}

    /** Names with lists of hosts and ports. */
    static final class Tiers implements Codec<Map<String, List<String>>> {
        @Override
        public Map<String, Object> schema() {
            return Said.schema(
                    """
                    {"type": "object", "maxProperties": 100, "additionalProperties":
                      {"type": "array", "minItems": 1, "maxItems": 10000,
                       "x-allowed": "a list of hosts and of ports of switches, such as [c*/p*]",
                       "items":
                        {"type": "string", "pattern": "%s",
                         "x-allowed": "a host, or a switch and its port, such as h1 or s1/p4, or\
                     c*/p* for all that are like it"}}}
                    """
                            .formatted(RecordEntry.END));
        }

        @Override
        public Map<String, List<String>> read(Place place, Known known) {
            Map<String, List<String>> tiers = new LinkedHashMap<>();
            for (String name : place.keys()) {
                Place of = place.child(name);
                tiers.put(
                        name,
                        IntStream.range(0, of.items())
                                .mapToObj(i -> String.valueOf(of.item(i).said()))
                                .toList());
            }
            return Collections.unmodifiableMap(tiers);
        }

        @Override
        public Map<String, List<String>> nothing() {
            return Map.of();
        }
    }

    /** A class of flows of some traffic, by size. */
    record SizeClass(
            @Key(pattern = "^[A-Za-z0-9_-]+( [A-Za-z0-9_-]+)*$", max = "32")
                    @Says("Name of the class in measures and figures.")
                    @Allowed("1 to 32 letters, digits, blanks, - or _, such as short")
                    String name,
            @Key(pattern = TrafficEntry.NAME)
                    @Says("The traffic of these flows.")
                    @Allowed(Said.TRAFFIC)
                    String of,
            @Key(quantity = SIZE, min = "0B", max = "1000GB", absent = "0B")
                    @Says("The class has only flows above this size.")
                    @Allowed("a size such as 1MB")
                    long aboveBytes,
            @Key(quantity = SIZE, min = "1B", max = "1000GB", absent = "1000GB")
                    @Says("The largest size in the class.")
                    @Allowed("a size such as 100kB")
                    long toBytes) {}

    /** The part of a run that is measured. */
    @Named(
            says =
                    "The measured part of a run, without warm-up: flows that begin in it, and bytes"
                            + " that receivers accept in it.",
            allowed = "a mapping with from and until, such as {from: 4ms, until: 8ms}",
            min = 1)
    record Part(
            @Key(quantity = DELAY, min = "0s", max = "1000s", absent = "0s")
                    @Says("Beginning of the part.")
                    @Allowed("a time such as 4ms, a multiple of the interval of 'record'")
                    long fromPs,
            @Key(quantity = DELAY, min = "0s", max = "1000s")
                    @Says("End of the part.")
                    @Otherwise("the run's end")
                    @Allowed("a time such as 8ms, a multiple of the interval of 'record'")
                    @Nullable Long untilPs,
            @Key(quantity = DELAY, min = "0s", max = "1000s")
                    @Says(
                            "Maximum time for which the run continues after its duration, until all"
                                    + " flows that began in it have finished. Traffic without a"
                                    + " 'stop' also continues; nothing else is measured in that"
                                    + " time.")
                    @Beds(real = "warned: only virtual time has it")
                    @Otherwise("0s")
                    @Allowed("a time such as 20ms")
                    @Nullable Long drainPs) {
        long endPs(long durationPs) {
            return untilPs == null ? durationPs : untilPs;
        }
    }

    /** The flows for which the run continues after its duration; null: none. */
    Experiment.@Nullable Drain drain(long durationPs) {
        return measure == null || measure.drainPs == null
                ? null
                : new Experiment.Drain(measure.fromPs, measure.endPs(durationPs), measure.drainPs);
    }

    /** The published schema; it holds that of a topology. */
    static final ConfigSchema SCHEMA =
            Schemas.withDefinitions(
                    ScenarioFile.class,
                    "scenario",
                    "Headgate scenario",
                    "An experiment on a test bed: what runs, what is recorded, and what is"
                            + " expected. Keywords with x- are for people and for Headgate, as in"
                            + " the schema of a switch.",
                    "a mapping with name, topology, duration and traffic, such as {name: s,"
                            + " duration: 1ms, topology: {name: t, builder: {single-switch: {hosts:"
                            + " 4}}}, traffic: [{name: web, from: h1, to: h4}]}",
                    TopologyReader.SCHEMA);
}
