package io.headgate.testbed.lab.own;

import io.headgate.config.ConfigException;
import io.headgate.config.PortTraffic;
import io.headgate.config.Reason;
import io.headgate.config.key.Codecs;
import io.headgate.config.key.Known;
import io.headgate.config.key.Section;
import io.headgate.config.yaml.ConfigSchema;
import io.headgate.config.yaml.YamlConfig;
import io.headgate.testbed.lab.control.LabControl;
import io.headgate.testbed.lab.outage.ProbeFlow;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.Iperf3.Protocol;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.file.FileParameters;
import io.headgate.testbed.scenario.file.ScenarioReader;
import io.headgate.testbed.topology.RealBedKeys;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.topology.TopologyReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a lab from YAML 1.2 (or JSON, which is YAML). Reports all errors that it can find together,
 * in one {@link ConfigException}.
 */
public final class OwnLabReader {
    /** The published schema; it holds that of a topology. */
    public static final ConfigSchema SCHEMA = LabFile.SCHEMA;

    /** What stands in phases, where there are any. */
    private static final List<String> OF_PHASES = List.of("/traffic", "/commands", "/orders");

    private static final long MS_PER_SECOND = 1000;
    private static final String WARM_UP = "/warm-up";
    private static final int ECN_BITS = 2;
    private static final long PS_PER_NS = 1000;

    private final YamlConfig yaml;
    private final LabFile said;
    private final Topology topology;
    private final List<String> warnings;
    private final LabOrders orders;
    private final LabWants wants;

    private OwnLabReader(YamlConfig yaml, LabFile said, Topology topology, LabWants.Runs runs) {
        this.yaml = yaml;
        this.said = said;
        this.topology = topology;
        warnings = RealBedKeys.check(yaml, topology, "/topology", true);
        orders = new LabOrders(yaml, topology, said.phases());
        wants = new LabWants(yaml, said, topology, runs);
    }

    /** The traffic of a phase, by what carries it. */
    private final class Flows {
        final List<OwnLabSpec.Flow> ofPrograms = new ArrayList<>();
        final List<ProbeFlow> probes = new ArrayList<>();
        final LabRdma rdma = new LabRdma(yaml, topology, said.asPublished());
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
        LabFile said =
                Objects.requireNonNull(
                        Section.of(LabFile.class).read(yaml.place(""), Known.NOTHING));
        Topology topology = yaml.has("/topology") ? topology(yaml, said) : null;
        OwnLabSpec spec =
                topology == null || !yaml.isSound()
                        ? null
                        : new OwnLabReader(yaml, said, topology, runs).bind(run);
        yaml.throwIfAny();
        if (spec == null) {
            throw new IllegalStateException("no lab, and nothing wrong");
        }
        return spec;
    }

    private @Nullable OwnLabSpec bind(String run) {
        Flows all = new Flows();
        boolean hasPhases = !said.phases().isEmpty();
        OwnLabSpec.Phase warmUp = warmUp();
        List<OwnLabSpec.Phase> phases = new ArrayList<>();
        if (hasPhases && !run.isEmpty()) {
            yaml.refuse(
                    "/phases",
                    "phases with several values of a parameter",
                    "one value of each parameter, or traffic without phases");
        } else if (hasPhases) {
            phases.addAll(phases());
            wants.ofLab(phases.stream().map(OwnLabSpec.Phase::name).toList());
        } else {
            List<LabExpectation> expected = wants.ofLab(List.of());
            int seconds = seconds("/duration", said.durationPs());
            LabFile.Phase only = new LabFile.Phase(run, null, said.what());
            phases.add(phase("", only, seconds, all, expected));
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
                        said.name().isEmpty() ? topology.name() : said.name(),
                        run,
                        topology,
                        said.capture() == LabFile.Capture.ALL,
                        warmUp,
                        phases,
                        "",
                        all.rdma.flows(),
                        all.probes,
                        LabOrders.ms(yaml, "/reroute", said.reroutePs()),
                        wants.expected,
                        said.series(),
                        said.measures(),
                        wants.compared,
                        wants.says(),
                        warnings);
        if (spec.capturesAll() && spec.measuresMarks()) {
            yaml.refuse("/capture", "all where marks are measured", "moments");
        }
        checkCaptures(spec, orders.capturing());
        return said.twin() ? withTwin(spec, all.rdma) : spec;
    }

    /** The network; what is published for other links is slowed down if the file says so. */
    private static @Nullable Topology topology(YamlConfig yaml, LabFile said) {
        Topology topology = TopologyReader.bind(yaml, "/topology");
        if (topology == null || !said.asPublished()) {
            return topology;
        }
        long slowestBps =
                topology.links().stream().mapToLong(link -> link.spec().rateBps()).min().orElse(1);
        try {
            return topology.withPorts(LabControl.slowed(topology.ports(), slowestBps));
        } catch (BedException e) {
            yaml.refuse(
                    "/topology/ports",
                    "what cannot be slowed down: " + Reason.of(e),
                    yaml.allowedAt("/topology/ports"));
            return null;
        }
    }

    /** With its twin; of what a scenario of reliable connections does not say, it is refused. */
    private OwnLabSpec withTwin(OwnLabSpec spec, LabRdma rdma) {
        boolean isOfRdma =
                !spec.rdma().isEmpty() && spec.flows().isEmpty() && spec.probes().isEmpty();
        boolean isLeftAlone =
                spec.commands().isEmpty()
                        && spec.orders().stream()
                                .allMatch(order ->
                                        order.captureMs() > 0
                                                || (order.once() == null
                                                        && order.steps().isEmpty()));
        if (!isOfRdma || !isLeftAlone) {
            yaml.refuse(
                    "/twin",
                    isOfRdma
                            ? "a twin of a lab with commands, or with orders that change something or wait"
                            : "a twin of a lab whose traffic is not all rdma",
                    "true if all traffic has protocol: rdma, without commands, and without orders"
                            + " except those that capture, explain or have a picture");
        }
        String twin = rdma.twin(said.topology(), spec.seconds(), spec.counters());
        try {
            if (yaml.isSound()) {
                ScenarioReader.read(twin, "twin.yaml");
            }
        } catch (ConfigException e) {
            yaml.refuse(
                    "/twin",
                    "a twin that is not possible: " + Reason.of(e),
                    "true if virtual time supports everything in the lab");
        }
        return spec.withTwin(twin);
    }

    /**
     * Refuses orders that capture next to another capture.
     *
     * @param ordered their places
     */
    private void checkCaptures(OwnLabSpec spec, List<String> ordered) {
        for (String at : ordered) {
            // A port shows its frames to one capture at a time, and the end of one shuts it.
            if (spec.capturesAll()) {
                yaml.refuse(
                        at,
                        "an order that captures together with capture: all",
                        "only one of the two");
            } else if (spec.measuresMarks()) {
                yaml.refuse(
                        at,
                        "an order that captures in a lab that measures marks",
                        "only one of the two: marks have their own capture");
            }
        }
    }

    /** The lab's traffic from its first moment on, for another time; null: none. */
    private OwnLabSpec.@Nullable Phase warmUp() {
        LabFile.WarmUp warmUp = said.warmUp();
        if (warmUp == null || !canWarmUp(warmUp)) {
            return null;
        }
        int seconds = seconds(WARM_UP + "/duration", warmUp.durationPs());
        Flows flows = new Flows();
        int all = seconds("/duration", said.durationPs());
        addFlows("", said.what(), all, flows);
        if (!yaml.isSound()) {
            return null;
        }
        return new OwnLabSpec.Phase(
                "warm-up",
                seconds,
                flows.ofPrograms.stream()
                        .map(one -> one.withStartMs(0).withSeconds(seconds))
                        .toList(),
                List.of(),
                yaml.isSound()
                        ? orders.read(WARM_UP + "/orders", warmUp.orders(), seconds)
                        : List.of(),
                List.of());
    }

    /** Refuses what a warm-up cannot have, and labs that cannot have one. */
    private boolean canWarmUp(LabFile.WarmUp warmUp) {
        List<LabTraffic> traffic = said.what().traffic();
        boolean isOfPrograms =
                traffic.stream()
                        .allMatch(one ->
                                one.protocol() == LabTraffic.Protocol.TCP
                                        || one.protocol() == LabTraffic.Protocol.UDP);
        if (!said.phases().isEmpty()) {
            yaml.refuse(
                    WARM_UP, "a warm-up together with phases", "a warm-up in a lab without phases");
        } else if (!isOfPrograms) {
            yaml.refuse(
                    WARM_UP,
                    "a warm-up with traffic of protocol: rdma or probe",
                    "a warm-up if all traffic is tcp and udp");
        } else if (traffic.isEmpty()) {
            yaml.refuse(
                    WARM_UP, "a warm-up without traffic", "a warm-up with traffic of tcp or udp");
        }
        for (int i = 0; i < warmUp.orders().size(); i++) {
            for (String key : List.of("explain", "capture", "picture")) {
                String at = WARM_UP + "/orders/" + i + "/" + key;
                // Nothing of a warm-up is in the report.
                if (yaml.isGiven(at)) {
                    yaml.refuse(at, key + " in a warm-up", "this key in the lab's orders");
                }
            }
        }
        return yaml.isSound();
    }

    /** The phases of a file that has some; what they have is refused outside them. */
    private List<OwnLabSpec.Phase> phases() {
        for (String key : OF_PHASES) {
            if (yaml.isGiven(key)) {
                yaml.refuse(key, key.substring(1) + " together with phases", "this key in a phase");
            }
        }
        int usual = seconds("/duration", said.durationPs());
        List<OwnLabSpec.Phase> phases = new ArrayList<>();
        for (int i = 0; i < said.phases().size(); i++) {
            LabFile.Phase phase = said.phases().get(i);
            String at = "/phases/" + i;
            Flows flows = new Flows();
            int seconds = phase.ownPs() == null ? usual : seconds(at + "/duration", phase.ownPs());
            List<LabExpectation> expected = wants.ofPhase(at, phase);
            phases.add(phase(at, phase, seconds, flows, expected));
            if (!flows.probes.isEmpty() || !flows.rdma.flows().isEmpty()) {
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
     * @param phase of a file without phases one with the name of the run
     */
    private OwnLabSpec.Phase phase(
            String at,
            LabFile.Phase phase,
            int seconds,
            Flows flows,
            List<LabExpectation> expected) {
        LabFile.What what = phase.what();
        addFlows(at, what, seconds, flows);
        List<OwnLabSpec.Command> commands = new ArrayList<>();
        for (int i = 0; i < what.commands().size(); i++) {
            command(at + "/commands/" + i, what.commands().get(i), seconds, commands);
        }
        flows.rdma.check(flows.ofPrograms, flows.probes, commands);
        wants.check(at, expected, flows.ofPrograms);
        return new OwnLabSpec.Phase(
                phase.name(),
                seconds,
                flows.ofPrograms,
                commands,
                yaml.isSound() ? orders.read(at + "/orders", what.orders(), seconds) : List.of(),
                expected);
    }

    private void addFlows(String at, LabFile.What what, int all, Flows into) {
        for (int i = 0; i < what.traffic().size(); i++) {
            addFlows(at + "/traffic/" + i, what.traffic().get(i), all, into);
        }
    }

    private void addFlows(String at, LabTraffic said, int all, Flows into) {
        boolean isRdma = said.protocol() == LabTraffic.Protocol.RDMA;
        if (!(isRdma ? into.rdma.hasItsKeys(at) : hasItsKeys(at, said.protocol()))) {
            return;
        }
        long startMs = LabOrders.ms(yaml, at + "/start", said.startPs());
        int left = Math.max(1, Math.toIntExact((all * MS_PER_SECOND - startMs) / MS_PER_SECOND));
        // iperf3 has whole seconds.
        Long own = said.durationPs();
        int seconds = own == null || isRdma ? left : seconds(at + "/duration", own);
        long durationMs =
                own != null && isRdma
                        ? LabOrders.ms(yaml, at + "/duration", own)
                        : seconds * MS_PER_SECOND;
        if (startMs + durationMs > all * MS_PER_SECOND) {
            yaml.refuse(
                    at,
                    "a flow that ends after the lab's " + all + " s",
                    "a shorter start and duration, or a longer duration of the lab");
            return;
        }
        boolean isNone = true;
        for (int from : hosts(at + "/from", said.from())) {
            for (int to : hosts(at + "/to", said.to())) {
                if (from == to) {
                    continue;
                }
                isNone = false;
                if (isRdma) {
                    into.rdma.add(at, said, from, to, startMs, durationMs);
                } else if (said.protocol() == LabTraffic.Protocol.PROBE) {
                    long intervalNs = said.intervalPs() / PS_PER_NS;
                    into.probes.add(
                            new ProbeFlow(from, to, startMs, seconds, intervalNs, said.dscp()));
                } else {
                    into.ofPrograms.add(flow(at, said, from, to, startMs, seconds, into));
                }
            }
        }
        if (isNone && yaml.isSound()) {
            yaml.refuse(at, "traffic only from a host to itself", "two different hosts");
        }
    }

    /** Whether a flow that is not of RoCEv2 has what its protocol needs, and nothing of others. */
    private boolean hasItsKeys(String at, LabTraffic.Protocol carrier) {
        boolean isUdp = carrier == LabTraffic.Protocol.UDP;
        String protocol = Codecs.word(carrier);
        if (isUdp != yaml.isGiven(at + "/rate")) {
            yaml.refuse(
                    at,
                    isUdp ? "protocol: udp without rate" : "rate with " + named(protocol),
                    "rate with protocol: udp, such as {from: h1, to: h2, protocol: udp, rate:"
                            + " 50Mbps}; TCP sends as fast as it can");
            return false;
        }
        boolean isProbe = carrier == LabTraffic.Protocol.PROBE;
        if (yaml.isGiven(at + "/control")
                && (isProbe || topology.ports().equals(PortTraffic.NONE))) {
            yaml.refuse(
                    at + "/control",
                    isProbe
                            ? "control with probe"
                            : "control at hosts without Headgate's own cards",
                    "protocol: rdma, or tcp and udp if topology.ports has flow control");
            return false;
        }
        return (isUdp || lacks(at, carrier, "udp", List.of("burst", "ecn")))
                && (!isProbe || lacks(at, carrier, "tcp", List.of("socket")))
                && (!(isProbe || isUdp) || lacks(at, carrier, "tcp", List.of("tcp-control")))
                && (isProbe || lacks(at, carrier, "probe", List.of("interval")))
                && lacks(at, carrier, "rdma", LabRdma.KEYS);
    }

    /** Whether a flow has none of the keys of another protocol. */
    private boolean lacks(String at, LabTraffic.Protocol carrier, String other, List<String> keys) {
        for (String key : keys) {
            if (yaml.isGiven(at + "/" + key)) {
                String found = key + " with " + named(Codecs.word(carrier));
                yaml.refuse(at + "/" + key, found, "protocol: " + other);
                return false;
            }
        }
        return true;
    }

    private static String named(String protocol) {
        return protocol.equals("tcp") ? "TCP" : protocol;
    }

    private OwnLabSpec.Flow flow(
            String at, LabTraffic said, int from, int to, long startMs, int seconds, Flows others) {
        LabControl control = others.rdma.labControl(at + "/control", said.control(), from);
        String rateControl = control == null ? "" : control.atHosts();
        boolean isOther =
                others.ofPrograms.stream()
                        .anyMatch(one ->
                                one.from() == from && !one.rateControl().equals(rateControl));
        if (isOther) {
            yaml.refuse(
                    at + "/control",
                    "a control that differs from that of the host's other flows",
                    "one control for all tcp and udp flows of a host: it is part of the host's"
                            + " card");
        }
        return new OwnLabSpec.Flow(
                said.name(),
                from,
                to,
                said.protocol() == LabTraffic.Protocol.UDP ? Protocol.UDP : Protocol.TCP,
                said.rateBps(),
                startMs,
                seconds,
                said.dscp() << ECN_BITS | said.ecn().bits,
                said.socketBytes(),
                said.tcpControl(),
                said.burst(),
                rateControl);
    }

    private void command(String at, LabFile.Command said, int all, List<OwnLabSpec.Command> into) {
        boolean isService = said.until() == LabFile.Command.Until.END;
        long startMs = LabOrders.ms(yaml, at + "/start", said.startPs());
        if (isService && startMs != 0) {
            yaml.refuse(
                    at + "/start",
                    "a start with until: end",
                    "no start: commands that run until the end start before everything else");
        } else if (startMs >= all * MS_PER_SECOND) {
            yaml.refuse(at + "/start", "a start after the lab's " + all + " s", "an earlier one");
        }
        for (int host : hosts(at + "/at", said.at())) {
            into.add(new OwnLabSpec.Command(host, said.run(), startMs, isService));
        }
    }

    /** Whole seconds, as iperf3 has them. */
    private int seconds(String at, long ps) {
        long second = MS_PER_SECOND * LabOrders.PS_PER_MS;
        if (ps % second != 0) {
            yaml.refuse(at, YamlConfig.quote(yaml.text(at, "")), yaml.allowedAt(at));
        }
        return Math.toIntExact(ps / second);
    }

    /** Numbers of hosts, in the order in which they are named. */
    private List<Integer> hosts(String at, List<String> said) {
        List<Integer> numbers = new ArrayList<>();
        List<String> names = topology.hosts().stream().map(Topology.Host::name).toList();
        for (String name : said) {
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
