package io.headgate.testbed.lab.twin;

import io.headgate.config.ConfigException;
import io.headgate.config.Mechanisms;
import io.headgate.config.Reason;
import io.headgate.config.SwitchConfig;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.control.report.Json;
import io.headgate.dataplane.counter.DropCounters;
import io.headgate.testbed.lab.control.LabControl;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.Words;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/** Reads the files that a lab wrote into its report's directory. */
final class RecordedLab {
    private static final String REPORT = "report.json";
    private static final long MAX_BYTES = 200_000_000;
    private static final Pattern PHASE = Pattern.compile("(?:phase|run) \"(.{1,100})\".*");

    /** Behind a flow's ends where others have the same. */
    private static final String NUMBER = "(?:-([0-9]+))?\\.json";

    /** The section of all flows in reports of before there were phases. */
    private static final String FLOWS_BEFORE = "Flows";

    private static final String LOCAL = "local";

    /** The section of what was dropped in a warm-up. */
    private static final String WARM_UP = "Warm-up";

    /** Twice as long, and a second more, is as long as a run in virtual time may be. */
    private static final int MOST_SECONDS = 499;

    private static final double BITS_PER_GBIT = 1e9;
    private static final double BYTES_PER_KB = 1e3;
    private static final double US_PER_S = 1e6;

    /** Traffic has begun where a port sends this share of its rate. */
    private static final double BEGUN_SHARE = 0.1;

    private static final int DSCP_SHIFT = 2;

    private final Path directory;
    private final JsonNode report;
    private final List<String> leftOut = new ArrayList<>();

    private RecordedLab(Path directory) throws ScenarioException {
        this.directory = directory;
        this.report = json(directory.resolve(REPORT));
    }

    /**
     * The lab that a report describes.
     *
     * @param title its command
     * @param seed the root of its switches' choices
     * @param leftOut parts that have no twin, a sentence each
     */
    record Lab(String title, long seed, List<RecordedPhase> phases, List<String> leftOut) {}

    /**
     * Reads it.
     *
     * @throws ScenarioException if it is not what a lab wrote, or nothing of it has a twin
     */
    static Lab read(Path directory) throws ScenarioException {
        RecordedLab lab = new RecordedLab(directory);
        List<RecordedPhase> phases = lab.phases();
        if (phases.isEmpty()) {
            throw new ScenarioException(
                    "nothing in "
                            + directory
                            + " has a twin: "
                            + (lab.leftOut.isEmpty()
                                    ? "its hosts sent no UDP"
                                    : String.join("; ", lab.leftOut)));
        }
        long seed = lab.report.path("options").path("seed").asLong(1);
        return new Lab(lab.report.path("title").asString(""), seed, phases, lab.leftOut);
    }

    private static JsonNode json(Path file) throws ScenarioException {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new ScenarioException(
                        file + " has more than 200 MB: no lab writes such a file");
            }
            return Json.COMPACT.readTree(Files.readString(file));
        } catch (IOException e) {
            throw new ScenarioException(
                    "cannot read " + file + ", which a lab writes: " + Reason.of(e));
        } catch (JacksonException e) {
            throw new ScenarioException(file + " is not the JSON that a lab writes");
        }
    }

    private ScenarioException wrong(String what) {
        return new ScenarioException(
                directory.resolve(REPORT)
                        + ": "
                        + what
                        + "; allowed is the report of a lab with the switches of each phase, such as hol, incast, or"
                        + " a lab of your own");
    }

    // ---- phases

    private List<RecordedPhase> phases() throws ScenarioException {
        Map<String, List<JsonNode>> byPhase = new LinkedHashMap<>();
        for (JsonNode one : report.path("switches")) {
            byPhase.computeIfAbsent(one.path("since").asString(""), _ -> new ArrayList<>())
                    .add(one);
        }
        if (hasWarmUp()) {
            throw new ScenarioException(
                    directory.resolve(REPORT)
                            + ": the lab had a warm-up, but a twin has none: its switches are at"
                            + " rest before the traffic begins; allowed is a lab without warm-up");
        }
        List<RecordedNetwork> networks = networks();
        if (networks.isEmpty()) {
            throw wrong("it describes no network");
        }
        if (networks.size() != byPhase.size()) {
            throw wrong(
                    "networks of "
                            + networks.size()
                            + " phases, but counters of switches in "
                            + byPhase.size());
        }
        List<String> suffixes = suffixes();
        List<RecordedPhase> phases = new ArrayList<>();
        int number = 0;
        for (Map.Entry<String, List<JsonNode>> phase : byPhase.entrySet()) {
            Matcher named = PHASE.matcher(phase.getKey());
            String name = named.matches() ? named.group(1) : "";
            RecordedNetwork network = networks.get(number);
            boolean hasSeries = suffixes.size() == networks.size();
            String suffix = hasSeries ? suffixes.get(number) : null;
            number++;
            if (name.isEmpty() && hasPhases()) {
                throw wrong(
                        "its phases share one network, and it has only the sums of that"
                                + " network's counters");
            }
            List<RecordedPhase.Flow> flows = flows(name, network);
            if (!flows.isEmpty()) {
                phases.add(phase(name, network, phase.getValue(), flows, suffix));
            }
        }
        return phases;
    }

    /** Of several runs the section of each has its name behind it. */
    private boolean hasWarmUp() {
        return report.path("results").properties().stream()
                .map(Map.Entry::getKey)
                .anyMatch(name -> name.equals(WARM_UP) || name.startsWith(WARM_UP + " "));
    }

    /** Whether a lab that is a file had phases: without, its flows are those of "traffic". */
    private boolean hasPhases() {
        for (JsonNode flow : report.path("results").path("UDP")) {
            if (!flow.path("phase").asString("traffic").equals("traffic")) {
                return true;
            }
        }
        return false;
    }

    private RecordedPhase phase(
            String name,
            RecordedNetwork network,
            List<JsonNode> switches,
            List<RecordedPhase.Flow> flows,
            @Nullable String suffix)
            throws ScenarioException {
        if (switches.size() != network.switches().size()) {
            throw wrong(
                    "a network of "
                            + network.switches().size()
                            + " switches, and configurations of "
                            + switches.size());
        }
        List<SwitchConfig> configs = new ArrayList<>();
        Map<String, Map<String, Long>> counters = new HashMap<>();
        for (int i = 0; i < switches.size(); i++) {
            configs.add(config(switches.get(i).path("config")));
            for (JsonNode counter : switches.get(i).path("counters")) {
                String port = counter.path("owner").asString("");
                String scope = counter.path("scope").asString("");
                if ((scope.equals("INGRESS") || scope.equals("EGRESS")) && !port.equals(LOCAL)) {
                    counters.computeIfAbsent(
                                    network.switches().get(i) + "/" + port, _ -> new HashMap<>())
                            .merge(
                                    counter.path("label").asString(""),
                                    counter.path("value").asLong(0),
                                    Long::sum);
                }
            }
            for (JsonNode drop : switches.get(i).path("drops")) {
                counters.computeIfAbsent(
                                network.switches().get(i) + "/" + drop.path("port").asString(""),
                                _ -> new HashMap<>())
                        .merge(
                                DropCounters.LABEL_PREFIX + drop.path("reason").asString(""),
                                drop.path("frames").asLong(0),
                                Long::sum);
            }
        }
        Double own = network.seconds();
        double seconds = own == null ? report.path("options").path("seconds").asDouble(0) : own;
        if (!(seconds > 0 && seconds <= MOST_SECONDS)) {
            throw wrong("it has no duration in seconds above 0 and up to " + MOST_SECONDS);
        }
        return new RecordedPhase(
                name,
                network,
                configs,
                flows,
                seconds,
                counters,
                suffix == null ? List.of() : series(network, configs, suffix));
    }

    private SwitchConfig config(JsonNode config) throws ScenarioException {
        try {
            return SwitchConfigReader.read(config.toString(), REPORT);
        } catch (ConfigException e) {
            throw new ScenarioException(e);
        }
    }

    private List<RecordedNetwork> networks() throws ScenarioException {
        List<RecordedNetwork> networks = new ArrayList<>();
        for (Map.Entry<String, JsonNode> result : report.path("results").properties()) {
            if (result.getKey().startsWith(RecordedNetwork.RESULT)) {
                try {
                    networks.add(
                            Json.COMPACT.treeToValue(result.getValue(), RecordedNetwork.class));
                } catch (JacksonException e) {
                    throw wrong("'" + Words.shown(result.getKey()) + "' is not a network");
                }
            }
        }
        return networks;
    }

    // ---- traffic

    private List<RecordedPhase.Flow> flows(String phase, RecordedNetwork network)
            throws ScenarioException {
        List<Path> files;
        try (Stream<Path> all = Files.list(directory)) {
            files =
                    all.filter(file -> file.getFileName().toString().startsWith("iperf3-"))
                            .sorted()
                            .toList();
        } catch (IOException e) {
            throw new ScenarioException("cannot read " + directory + ": " + Reason.of(e));
        }
        List<RecordedPhase.Flow> flows = new ArrayList<>();
        for (Path file : files) {
            String rest = file.getFileName().toString().substring("iperf3-".length());
            String word = phase.toLowerCase(Locale.ROOT).replace(' ', '-') + "-";
            if (phase.isEmpty()) {
                // A lab of a file numbers its flows.
                word = rest.substring(0, rest.indexOf('-') + 1);
            }
            if (!rest.startsWith(word)) {
                continue;
            }
            String ends = rest.substring(word.length());
            for (int from = 0; from < network.hosts().size(); from++) {
                for (int to = 0; to < network.hosts().size(); to++) {
                    String both = network.hosts().get(from) + "-" + network.hosts().get(to);
                    Matcher own = Pattern.compile(Pattern.quote(both) + NUMBER).matcher(ends);
                    if (own.matches()) {
                        String number = phase.isEmpty() ? word.replace("-", "") : own.group(1);
                        add(file, from, to, said(phase, both, number), flows);
                    }
                }
            }
        }
        return flows;
    }

    /**
     * What the report says of a flow; nothing where it has no such.
     *
     * @param number among all; null: the first of these ends
     */
    private JsonNode said(String phase, String ends, @Nullable String number) {
        for (String section : List.of("UDP", "UDP " + phase, FLOWS_BEFORE)) {
            for (JsonNode flow : report.path("results").path(section)) {
                String own = flow.path("from").asString("") + "-" + flow.path("to").asString("");
                String counted = flow.path("number").asString("");
                if (number == null ? own.equals(ends) : counted.equals(number)) {
                    return flow;
                }
            }
        }
        return MissingNode.getInstance();
    }

    private Mechanisms.@Nullable Use control(JsonNode flow) throws ScenarioException {
        String control = flow.path("control").asString("");
        try {
            return control.isEmpty() ? null : LabControl.read(control);
        } catch (ConfigException e) {
            throw new ScenarioException(e);
        }
    }

    private void add(Path file, int from, int to, JsonNode said, List<RecordedPhase.Flow> flows)
            throws ScenarioException {
        JsonNode json = json(file);
        JsonNode test = json.path("start").path("test_start");
        String protocol = test.path("protocol").asString("");
        if (!protocol.equals("UDP")) {
            leftOut.add(
                    file.getFileName()
                            + " is of "
                            + (protocol.isEmpty() ? "a flow that failed" : Words.shown(protocol))
                            + ", but a twin sends only UDP");
            return;
        }
        long bytes = 0;
        for (JsonNode interval : json.path("intervals")) {
            bytes += interval.path("sum").path("bytes").asLong(0);
        }
        int datagramBytes = test.path("blksize").asInt(0);
        if (datagramBytes < 1 || datagramBytes > 65_507 || bytes < 1) {
            throw new ScenarioException(
                    file
                            + ": "
                            + bytes
                            + " bytes in datagrams of "
                            + datagramBytes
                            + "; 1 to 65507 are allowed");
        }
        flows.add(
                new RecordedPhase.Flow(
                        file.getFileName().toString(),
                        from,
                        to,
                        bytes,
                        datagramBytes,
                        test.path("target_bitrate").asLong(0),
                        test.path("tos").asInt(0) >> DSCP_SHIFT & 0x3F,
                        said.path("startSeconds").asDouble(0),
                        control(said)));
    }

    // ---- over time

    /** What the figures of each network have in their names, in the order of networks. */
    private List<String> suffixes() {
        List<String> suffixes = new ArrayList<>();
        for (JsonNode figure : report.path("results").path("Series")) {
            String name = figure.path("figure").asString("");
            if (name.startsWith("throughput")) {
                suffixes.add(name.substring("throughput".length()));
            }
        }
        return suffixes;
    }

    private List<Series> series(
            RecordedNetwork network, List<SwitchConfig> configs, String suffix) {
        List<Series> all = new ArrayList<>();
        for (JsonNode figure : report.path("results").path("Series")) {
            String name = figure.path("figure").asString("");
            for (Map.Entry<String, JsonNode> line : figure.path("lines").properties()) {
                // A network of one switch has its ports without the switch's name.
                String port = line.getKey();
                String place =
                        port.contains("/") ? port : network.switches().getFirst() + "/" + port;
                if (name.equals("throughput" + suffix)) {
                    all.add(series("sent " + place, line.getValue(), BITS_PER_GBIT));
                } else if (name.equals("queues" + suffix)) {
                    all.add(series("queue " + place, line.getValue(), BYTES_PER_KB));
                } else if (name.equals("stopped" + suffix)) {
                    all.add(series("stopped " + line.getKey(), line.getValue(), 1));
                }
            }
        }
        double begunUs = begunUs(all, configs);
        return Double.isNaN(begunUs)
                ? List.of()
                : all.stream().map(one -> later(one, begunUs)).toList();
    }

    private static Series series(String name, JsonNode line, double factor) {
        double[] times = numbers(line.path("x"), US_PER_S);
        double[] values = numbers(line.path("y"), factor);
        int length = Math.min(times.length, values.length);
        return new Series(name, "", Arrays.copyOf(times, length), Arrays.copyOf(values, length));
    }

    private static double[] numbers(JsonNode list, double factor) {
        double[] numbers = new double[list.size()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = factor * list.path(i).asDouble(Double.NaN);
        }
        return numbers;
    }

    /** The look before the first one that saw traffic; NaN: none did. */
    private static double begunUs(List<Series> all, List<SwitchConfig> configs) {
        double leastBps =
                configs.stream()
                        .flatMap(config -> config.ports().stream())
                        .mapToLong(port -> port.rateBps())
                        .min()
                        .orElse(1);
        double begunUs = Double.NaN;
        for (Series one : all) {
            for (int i = 1; one.name().startsWith("sent ") && i < one.values().length; i++) {
                if (one.values()[i] >= BEGUN_SHARE * leastBps) {
                    double us = one.timesUs()[i - 1];
                    begunUs = Double.isNaN(begunUs) ? us : Math.min(begunUs, us);
                    break;
                }
            }
        }
        return begunUs;
    }

    private static Series later(Series one, double byUs) {
        double[] times = one.timesUs().clone();
        for (int i = 0; i < times.length; i++) {
            times[i] -= byUs;
        }
        return new Series(one.name(), one.unit(), times, one.values());
    }
}
