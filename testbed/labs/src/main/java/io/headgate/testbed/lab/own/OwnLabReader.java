package io.headgate.testbed.lab.own;

import io.headgate.config.ConfigException;
import io.headgate.config.PortTraffic;
import io.headgate.config.key.Quantity;
import io.headgate.config.read.RateControlKey;
import io.headgate.config.yaml.ConfigSchema;
import io.headgate.config.yaml.YamlConfig;
import io.headgate.testbed.lab.control.LabControl;
import io.headgate.testbed.lab.outage.ProbeFlow;
import io.headgate.testbed.netns.Iperf3.Protocol;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.file.FileParameters;
import io.headgate.testbed.topology.RealBedKeys;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.topology.TopologyReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a lab from YAML 1.2 (or JSON, which is YAML). Reports all errors that it can find together,
 * in one {@link ConfigException}.
 */
public final class OwnLabReader {
    /** The published schema; it holds that of a topology. */
    public static final ConfigSchema SCHEMA =
            ConfigSchema.load(
                    OwnLabReader.class,
                    "headgate-lab.schema.json",
                    FileParameters.SCHEMA,
                    TopologyReader.SCHEMA,
                    RateControlKey.SCHEMA);

    /** What stands in phases, where there are any. */
    private static final List<String> OF_PHASES = List.of("/traffic", "/commands", "/orders");

    private static final long MS_PER_SECOND = 1000;
    private static final int DEFAULT_SECONDS = 5;
    private static final String PROBE = "probe";
    private static final String WARM_UP = "/warm-up";
    private static final int WARM_UP_SECONDS = 2;

    /** ECN's code points in the order of their numbers. */
    private static final List<String> ECN = List.of("none", "ect1", "ect0", "ce");

    private static final int ECN_BITS = 2;
    private static final long PS_PER_NS = 1000;
    private static final long PROBE_INTERVAL_PS = 5 * LabOrders.PS_PER_MS;

    private final YamlConfig yaml;
    private boolean hasCards;

    private OwnLabReader(YamlConfig yaml) {
        this.yaml = yaml;
    }

    /**
     * Reads a file whose parameters have their defaults.
     *
     * @throws ConfigException with everything that is wrong
     */
    public static OwnLabSpec read(Path file) {
        return read(YamlConfig.readText(file), file.toString());
    }

    /**
     * Reads a text whose parameters have their defaults.
     *
     * @param name what to call the text in messages, such as its file's name
     * @throws ConfigException with everything that is wrong
     */
    public static OwnLabSpec read(String text, String name) {
        FileParameters parameters = FileParameters.read(text, name);
        Set<String> runs = parameters.names();
        return bound(parameters.withDefaults(name, SCHEMA), "", new LabWants.Runs(runs, runs));
    }

    /**
     * Reads a text: a lab for each combination of its parameters' values.
     *
     * @param name what to call the text in messages, such as its file's name
     * @param settings values of parameters, by name; others have their defaults
     * @throws ConfigException with everything that is wrong
     * @throws ScenarioException if a setting is not allowed
     */
    public static List<OwnLabSpec> read(String text, String name, Map<String, String> settings)
            throws ScenarioException {
        FileParameters parameters = FileParameters.read(text, name);
        Map<String, YamlConfig> files = parameters.all(settings, name, SCHEMA);
        LabWants.Runs runs = new LabWants.Runs(parameters.names(settings), files.keySet());
        List<OwnLabSpec> labs = new ArrayList<>();
        files.forEach((run, yaml) -> labs.add(bound(yaml, run, runs)));
        return labs;
    }

    private static OwnLabSpec bound(YamlConfig yaml, String run, LabWants.Runs runs) {
        OwnLabSpec spec = new OwnLabReader(yaml).bind(run, runs);
        yaml.throwIfAny();
        if (spec == null) {
            throw new IllegalStateException("no lab, and nothing wrong");
        }
        return spec;
    }

    private @Nullable OwnLabSpec bind(String run, LabWants.Runs runs) {
        Topology topology = yaml.has("/topology") ? TopologyReader.bind(yaml, "/topology") : null;
        if (topology == null || !yaml.isSound()) {
            return null;
        }
        hasCards = !topology.ports().equals(PortTraffic.NONE);
        List<String> warnings = RealBedKeys.check(yaml, topology, "/topology", true);
        List<ProbeFlow> probes = new ArrayList<>();
        LabRdma rdma = new LabRdma(yaml, topology);
        LabOrders orders = new LabOrders(yaml, topology);
        LabWants wants = new LabWants(yaml, topology, runs);
        boolean hasPhases = !yaml.items("/phases").isEmpty();
        OwnLabSpec.Phase warmUp = warmUp(topology, orders);
        List<OwnLabSpec.Phase> phases = new ArrayList<>();
        if (hasPhases && !run.isEmpty()) {
            yaml.refuse(
                    "/phases",
                    "phases where a parameter has several values",
                    "one value of each parameter, or traffic without phases");
        } else if (hasPhases) {
            phases.addAll(phases(topology, orders, wants));
            wants.ofLab(phases.stream().map(OwnLabSpec.Phase::name).toList());
        } else {
            List<LabExpectation> expected = wants.ofLab(List.of());
            int seconds = seconds("/duration", DEFAULT_SECONDS);
            phases.add(phase("", run, topology, seconds, probes, rdma, orders, expected, wants));
        }
        if (yaml.isSound()) {
            wants.check(
                    phases,
                    hasPhases ? phases.stream().map(OwnLabSpec.Phase::name).toList() : List.of());
        }
        if (!yaml.isSound()) {
            return null;
        }
        OwnLabSpec spec =
                new OwnLabSpec(
                        yaml.text("/name", topology.name()),
                        run,
                        topology,
                        yaml.text("/capture", "moments").equals("all"),
                        warmUp,
                        phases,
                        rdma.flows(),
                        probes,
                        LabOrders.ms(yaml, "/reroute"),
                        wants.expected(),
                        wants.series(),
                        wants.derived(),
                        wants.compared(),
                        warnings);
        if (spec.capturesAll() && spec.measuresMarks()) {
            yaml.refuse("/capture", "all where marks are measured", "moments");
        }
        return spec;
    }

    /** The lab's traffic from its first moment on, for another time; null: none. */
    private OwnLabSpec.@Nullable Phase warmUp(Topology topology, LabOrders orders) {
        if (!yaml.has(WARM_UP)) {
            return null;
        }
        int seconds = seconds(WARM_UP + "/duration", WARM_UP_SECONDS);
        List<OwnLabSpec.Flow> flows = new ArrayList<>();
        List<ProbeFlow> probes = new ArrayList<>();
        LabRdma rdma = new LabRdma(yaml, topology);
        for (String at : yaml.items("/traffic")) {
            flows(at, topology, seconds("/duration", DEFAULT_SECONDS), flows, probes, rdma);
        }
        if (flows.isEmpty() || !probes.isEmpty() || !rdma.flows().isEmpty()) {
            yaml.refuse(
                    WARM_UP,
                    "a warm-up of other traffic than tcp and udp",
                    "it where traffic, outside of phases, is of tcp and udp alone");
            return null;
        }
        List<OwnLabSpec.Flow> warm =
                flows.stream()
                        .map(one ->
                                new OwnLabSpec.Flow(
                                        one.name(),
                                        one.from(),
                                        one.to(),
                                        one.protocol(),
                                        one.rateBps(),
                                        0,
                                        seconds,
                                        one.tos(),
                                        one.socketBytes(),
                                        one.tcpControl(),
                                        one.burst(),
                                        one.rateControl()))
                        .toList();
        return new OwnLabSpec.Phase(
                "warm-up",
                seconds,
                warm,
                List.of(),
                yaml.isSound() ? orders.read(WARM_UP + "/orders", seconds) : List.of(),
                List.of());
    }

    /** The phases of a file that has some; what they have is refused outside them. */
    private List<OwnLabSpec.Phase> phases(Topology topology, LabOrders orders, LabWants wants) {
        for (String key : OF_PHASES) {
            if (yaml.isGiven(key)) {
                yaml.refuse(key, key.substring(1) + " next to phases", "it in a phase");
            }
        }
        int usual = seconds("/duration", DEFAULT_SECONDS);
        List<OwnLabSpec.Phase> phases = new ArrayList<>();
        for (String at : yaml.items("/phases")) {
            List<ProbeFlow> probes = new ArrayList<>();
            LabRdma rdma = new LabRdma(yaml, topology);
            int seconds = seconds(at + "/duration", usual);
            List<LabExpectation> expected = wants.ofPhase(at);
            phases.add(
                    phase(
                            at,
                            yaml.text(at + "/name", ""),
                            topology,
                            seconds,
                            probes,
                            rdma,
                            orders,
                            expected,
                            wants));
            if (!probes.isEmpty() || !rdma.flows().isEmpty()) {
                yaml.refuse(
                        at + "/traffic",
                        "rdma or probe in a phase",
                        "tcp and udp in phases; others in a lab without phases");
            }
            // Their files are told apart by these words.
            String word = phases.getLast().word();
            if (phases.stream().filter(one -> one.word().equals(word)).count() > 1) {
                yaml.refuse(at + "/name", "a second " + YamlConfig.quote(word), "another name");
            }
        }
        return phases;
    }

    /**
     * What happens at the same time.
     *
     * @param at the phase's place; empty for that of a file without phases
     * @param name the phase's, or that of a run; may be empty
     */
    private OwnLabSpec.Phase phase(
            String at,
            String name,
            Topology topology,
            int seconds,
            List<ProbeFlow> probes,
            LabRdma rdma,
            LabOrders orders,
            List<LabExpectation> expected,
            LabWants wants) {
        List<OwnLabSpec.Flow> flows = new ArrayList<>();
        for (String flow : yaml.items(at + "/traffic")) {
            flows(flow, topology, seconds, flows, probes, rdma);
        }
        List<OwnLabSpec.Command> commands = new ArrayList<>();
        for (String command : yaml.items(at + "/commands")) {
            command(command, topology, seconds, commands);
        }
        rdma.check(flows, probes, commands);
        wants.check(at, expected, flows);
        return new OwnLabSpec.Phase(
                name,
                seconds,
                flows,
                commands,
                yaml.isSound() ? orders.read(at + "/orders", seconds) : List.of(),
                expected);
    }

    private void flows(
            String at,
            Topology topology,
            int all,
            List<OwnLabSpec.Flow> into,
            List<ProbeFlow> probes,
            LabRdma rdma) {
        String protocol = yaml.text(at + "/protocol", "tcp");
        boolean isRdma = protocol.equals(LabRdma.PROTOCOL);
        if (!(isRdma ? rdma.hasItsKeys(at) : hasItsKeys(at, protocol))) {
            return;
        }
        long startMs = LabOrders.ms(yaml, at + "/start");
        int left = Math.max(1, Math.toIntExact((all * MS_PER_SECOND - startMs) / MS_PER_SECOND));
        // iperf3 has whole seconds.
        boolean isExact = isRdma && yaml.isGiven(at + "/duration");
        int seconds = isExact ? left : seconds(at + "/duration", left);
        long durationMs = isExact ? LabOrders.ms(yaml, at + "/duration") : seconds * MS_PER_SECOND;
        if (startMs + durationMs > all * MS_PER_SECOND) {
            yaml.refuse(
                    at,
                    "a flow that ends behind the lab's " + all + " s",
                    "start and duration that fit, or a longer duration of the lab");
            return;
        }
        boolean isNone = true;
        for (int from : hosts(at + "/from", topology)) {
            for (int to : hosts(at + "/to", topology)) {
                if (from == to) {
                    continue;
                }
                isNone = false;
                if (isRdma) {
                    rdma.add(at, from, to, startMs, durationMs);
                } else if (protocol.equals(PROBE)) {
                    probes.add(probe(at, from, to, startMs, seconds));
                } else {
                    into.add(flow(at, from, to, startMs, seconds, rdma, into));
                }
            }
        }
        if (isNone && yaml.isSound()) {
            yaml.refuse(at, "traffic from a host to itself alone", "two different hosts");
        }
    }

    /** Whether a flow that is not of RoCEv2 has what its protocol needs, and nothing of others. */
    private boolean hasItsKeys(String at, String protocol) {
        boolean isUdp = protocol.equals("udp");
        if (isUdp != yaml.isGiven(at + "/rate")) {
            yaml.refuse(
                    at,
                    isUdp ? "protocol: udp without rate" : "rate with " + named(protocol),
                    "rate with protocol: udp, such as {from: h1, to: h2, protocol: udp, rate:"
                            + " 50Mbps}; TCP sends as fast as it can");
            return false;
        }
        boolean isProbe = protocol.equals(PROBE);
        if (yaml.isGiven(at + "/control") && (isProbe || !hasCards)) {
            yaml.refuse(
                    at + "/control",
                    isProbe ? "control with probe" : "control at hosts without cards of ours",
                    "protocol: rdma, or tcp and udp where topology.ports has flow control");
            return false;
        }
        for (String key : List.of("burst", "ecn")) {
            if (!isUdp && yaml.isGiven(at + "/" + key)) {
                yaml.refuse(at + "/" + key, key + " with " + named(protocol), "protocol: udp");
                return false;
            }
        }
        for (String key : List.of("socket", "tcp-control")) {
            boolean isOfOthers = isProbe || (isUdp && key.equals("tcp-control"));
            if (isOfOthers && yaml.isGiven(at + "/" + key)) {
                yaml.refuse(at + "/" + key, key + " with " + protocol, "protocol: tcp");
                return false;
            }
        }
        if (!isProbe && yaml.isGiven(at + "/interval")) {
            yaml.refuse(at + "/interval", "interval with " + protocol, "protocol: probe");
            return false;
        }
        for (String key : LabRdma.KEYS) {
            if (yaml.isGiven(at + "/" + key)) {
                yaml.refuse(at + "/" + key, key + " with " + protocol, "protocol: rdma");
                return false;
            }
        }
        return true;
    }

    private static String named(String protocol) {
        return protocol.equals("tcp") ? "TCP" : protocol;
    }

    private ProbeFlow probe(String at, int from, int to, long startMs, int seconds) {
        long intervalNs =
                yaml.quantity(at + "/interval", Quantity.DELAY, PROBE_INTERVAL_PS) / PS_PER_NS;
        return new ProbeFlow(from, to, startMs, seconds, intervalNs, yaml.count(at + "/dscp", 0));
    }

    private OwnLabSpec.Flow flow(
            String at,
            int from,
            int to,
            long startMs,
            int seconds,
            LabRdma rdma,
            List<OwnLabSpec.Flow> others) {
        LabControl control = rdma.labControl(at + "/control", from);
        String rateControl = control == null ? "" : control.atHosts();
        boolean isOther =
                others.stream()
                        .anyMatch(one ->
                                one.from() == from && !one.rateControl().equals(rateControl));
        if (isOther) {
            yaml.refuse(
                    at + "/control",
                    "another control than that of the host's other flows",
                    "one for all that a host sends by tcp and udp: its card has it");
        }
        return new OwnLabSpec.Flow(
                yaml.text(at + "/name", ""),
                from,
                to,
                yaml.text(at + "/protocol", "tcp").equals("udp") ? Protocol.UDP : Protocol.TCP,
                yaml.quantity(at + "/rate", Quantity.RATE, 0),
                startMs,
                seconds,
                yaml.count(at + "/dscp", 0) << ECN_BITS
                        | ECN.indexOf(yaml.text(at + "/ecn", "none")),
                Math.toIntExact(yaml.quantity(at + "/socket", Quantity.SIZE, 0)),
                yaml.text(at + "/tcp-control", ""),
                yaml.count(at + "/burst", 0),
                rateControl);
    }

    private void command(String at, Topology topology, int all, List<OwnLabSpec.Command> into) {
        boolean isService = yaml.text(at + "/until", "done").equals("end");
        long startMs = LabOrders.ms(yaml, at + "/start");
        if (isService && startMs != 0) {
            yaml.refuse(
                    at + "/start",
                    "a start with until: end",
                    "no start: what runs until the end is there before everything else");
        } else if (startMs >= all * MS_PER_SECOND) {
            yaml.refuse(at + "/start", "a start behind the lab's " + all + " s", "an earlier one");
        }
        for (int host : hosts(at + "/at", topology)) {
            into.add(new OwnLabSpec.Command(host, yaml.text(at + "/run", ""), startMs, isService));
        }
    }

    /** Whole seconds, as iperf3 has them. */
    private int seconds(String at, int absent) {
        long ps = yaml.quantity(at, Quantity.DELAY, absent * MS_PER_SECOND * LabOrders.PS_PER_MS);
        long second = MS_PER_SECOND * LabOrders.PS_PER_MS;
        if (ps % second != 0) {
            yaml.refuse(at, YamlConfig.quote(yaml.text(at, "")), yaml.allowedAt(at));
        }
        return Math.toIntExact(ps / second);
    }

    /** Numbers of hosts, in the order in which they are named. */
    private List<Integer> hosts(String at, Topology topology) {
        List<Integer> numbers = new ArrayList<>();
        List<String> names = topology.hosts().stream().map(Topology.Host::name).toList();
        for (String name : yaml.oneOrMore(at, item -> yaml.text(item, ""))) {
            int number = names.indexOf(name);
            if (number >= 0) {
                numbers.add(number);
            } else {
                yaml.refuse(
                        at,
                        "no host " + YamlConfig.quote(name),
                        "hosts of the topology: " + String.join(", ", names));
            }
        }
        return numbers;
    }
}
