package io.headgate.testbed.lab.own;

import io.headgate.config.Mechanisms;
import io.headgate.config.Reason;
import io.headgate.config.yaml.YamlConfig;
import io.headgate.hostagent.rate.RateControls;
import io.headgate.hostagent.rdma.PerfPlan;
import io.headgate.hostagent.rdma.RdmaSetup;
import io.headgate.testbed.lab.control.LabControl;
import io.headgate.testbed.lab.outage.ProbeFlow;
import io.headgate.testbed.lab.rdma.RdmaFlow;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.topology.Topology;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads a lab's flows of RoCEv2. */
final class LabRdma {
    /** What only such flows have. */
    static final List<String> KEYS =
            List.of(
                    "verb",
                    "message",
                    "queue-pairs",
                    "depth",
                    "timeout",
                    "transport",
                    "reordering");

    private static final List<String> OF_OTHERS =
            List.of("rate", "socket", "tcp-control", "interval", "burst", "ecn");
    private static final long PS_PER_NS = 1000;

    /** What the first packet of a WRITE has around its payload, without FCS. */
    private static final int HEADERS_BYTES = 74;

    /** A server misses a client of which nothing comes for twice as long. */
    private static final long LATEST_MS = 30_000;

    private final YamlConfig yaml;
    private final Topology topology;
    private final boolean asPublished;
    private final List<RdmaFlow> flows = new ArrayList<>();

    /** Each flow as a scenario has it. */
    private final List<String> twins = new ArrayList<>();

    /**
     * @param asPublished whether keys of controls are for the links that papers have
     */
    LabRdma(YamlConfig yaml, Topology topology, boolean asPublished) {
        this.yaml = yaml;
        this.topology = topology;
        this.asPublished = asPublished;
    }

    List<RdmaFlow> flows() {
        return flows;
    }

    /** Whether a flow has nothing of others. */
    boolean hasItsKeys(String at) {
        for (String key : OF_OTHERS) {
            if (yaml.isGiven(at + "/" + key)) {
                yaml.refuse(
                        at + "/" + key,
                        key + " with protocol: rdma",
                        "message, depth, queue-pairs and control, such as {control: {fixed: {rate:"
                                + " 20Mbps}}}");
                return false;
            }
        }
        return true;
    }

    /** Adds a flow between two hosts, by their numbers. */
    void add(String at, LabTraffic said, int from, int to, long startMs, long durationMs) {
        if (startMs > LATEST_MS) {
            yaml.refuse(
                    at + "/start",
                    "a connection that waits for " + startMs / 1000 + " s",
                    "at most 30s: connections exist from the beginning");
            return;
        }
        LabControl control = labControl(at + "/control", said.control(), from);
        RdmaFlow flow =
                new RdmaFlow(
                        said.name(),
                        from,
                        to,
                        said.verb() == LabTraffic.Verb.SEND
                                ? PerfPlan.Test.SEND_BW
                                : PerfPlan.Test.WRITE_BW,
                        said.messageBytes(),
                        said.queuePairs(),
                        said.depth(),
                        startMs,
                        durationMs,
                        said.dscp(),
                        said.timeoutPs() / PS_PER_NS,
                        reordering(at, said),
                        control == null ? null : RateControls.of(control.use()));
        if (flow.memoryBytes() > RdmaFlow.MOST_BYTES) {
            yaml.refuse(
                    at,
                    flow.queuePairs()
                            + " queue pairs with messages of "
                            + flow.messageBytes()
                            + " bytes",
                    "64 MiB together");
        }
        flows.add(flow);
        twins.add(twin(flow, control));
    }

    /** A flow in virtual time: as many packets under way as its messages have. */
    private String twin(RdmaFlow flow, @Nullable LabControl control) {
        int payload = RdmaSetup.largestMtu(topology.sizes().mtuBytes());
        long packets =
                (long) flow.depth() * Math.ceilDiv(flow.messageBytes(), Math.max(1, payload));
        boolean goesByMarks = flow.control() != null && flow.control().mechanism().needsMarks();
        return "{name: flow-%d, from: %s, to: %s, frame: %dB, dscp: %d, ecn: %s, transport: %s, verb: %s, message: %dB, window: %d, start: %dms, stop: %dms%s}"
                .formatted(
                        flows.size(),
                        topology.hosts().get(flow.from()).name(),
                        topology.hosts().get(flow.to()).name(),
                        payload + HEADERS_BYTES,
                        flow.dscp(),
                        goesByMarks ? "ect1" : "none",
                        flow.transport(),
                        flow.verb(),
                        flow.messageBytes(),
                        packets,
                        flow.startMs(),
                        flow.startMs() + flow.durationMs(),
                        control == null ? "" : ", control: " + control.atHosts());
    }

    /**
     * The network and its flows as a scenario.
     *
     * @param said the topology, as the file has it
     * @param counters of switches that are recorded
     */
    String twin(Map<String, Object> said, int seconds, List<String> counters) {
        Map<String, Object> network = new LinkedHashMap<>(said);
        network.remove("for-control");
        network.put("ports", topology.ports().said());
        StringBuilder text = new StringBuilder("name: twin\nduration: " + seconds + "s\n");
        text.append("topology: ").append(LabControl.text(network)).append("\nrecord: ");
        text.append(LabControl.text(Map.of("interval", "10ms", "counters", counters)));
        text.append("\ntraffic:\n");
        for (int i = 0; i < flows.size(); i++) {
            for (int pair = 0; pair < flows.get(i).queuePairs(); pair++) {
                text.append("  - ").append(twins.get(i)).append('\n');
            }
        }
        return text.toString();
    }

    private int reordering(String at, LabTraffic said) {
        String key = at + "/reordering";
        if (said.transport() == LabTraffic.Transport.SELECTIVE) {
            return said.reordering();
        }
        if (yaml.isGiven(key)) {
            yaml.refuse(
                    key,
                    "reordering without transport: selective",
                    "also transport: selective; other transports accept packets only in order");
        }
        return 0;
    }

    /** By which a host's flows may send; null: nothing is said. */
    @Nullable LabControl labControl(String at, Mechanisms.@Nullable Use use, int host) {
        if (use == null) {
            return null;
        }
        Map<String, Object> keys = new LinkedHashMap<>();
        if (yaml.place(at).said() instanceof Map<?, ?> said
                && said.get(use.name()) instanceof Map<?, ?> given) {
            given.forEach((key, value) -> keys.put((String) key, value));
        }
        try {
            LabControl control = LabControl.of(use.name(), keys, asPublished, rateBps(host));
            if (!control.atSwitches().isEmpty()
                    && !topology.ports().said().containsKey("congestion")) {
                yaml.refuse(
                        at,
                        use.name() + " at ports without its congestion mechanism",
                        "its mechanism in topology.ports, such as congestion: "
                                + LabControl.text(control.atSwitches()));
            }
            return control;
        } catch (BedException e) {
            yaml.refuse(at, yaml.described(at), Reason.of(e));
            return null;
        }
    }

    private long rateBps(int host) {
        String name = topology.hosts().get(host).name();
        return topology.links().stream()
                .filter(link -> link.a().equals(name) || link.b().equals(name))
                .mapToLong(link -> link.spec().rateBps())
                .findFirst()
                .orElseThrow();
    }

    /** Refuses what a card whose applications are endpoints has no interface for. */
    void check(
            List<OwnLabSpec.Flow> others,
            List<ProbeFlow> probes,
            List<OwnLabSpec.Command> commands) {
        if (flows.isEmpty() || !yaml.isSound()) {
            return;
        }
        if (RdmaSetup.largestMtu(topology.sizes().mtuBytes()) == 0) {
            yaml.refuse(
                    "/topology/mtu",
                    topology.sizes().mtuBytes() + " bytes",
                    "at least 316 with protocol: rdma");
        }
        for (int host = 0; host < topology.hosts().size(); host++) {
            int self = host;
            String name = topology.hosts().get(host).name();
            long ends = flows.stream().filter(flow -> isAt(flow, self)).count();
            if (ends > RdmaSetup.MOST_ENDS) {
                yaml.refuse(
                        "/traffic",
                        ends + " flows of RoCEv2 at " + name,
                        "at most " + RdmaSetup.MOST_ENDS + " of a host");
            } else if (ends > 0
                    && (others.stream().anyMatch(flow -> flow.from() == self || flow.to() == self)
                            || probes.stream()
                                    .anyMatch(flow -> flow.from() == self || flow.to() == self)
                            || commands.stream().anyMatch(one -> one.host() == self))) {
                yaml.refuse(
                        "/traffic",
                        name + " with protocol: rdma and with programs",
                        "only one of the two per host: a card that speaks RoCEv2 has no interface"
                                + " for iperf3 or commands");
            }
        }
    }

    private static boolean isAt(RdmaFlow flow, int host) {
        return flow.from() == host || flow.to() == host;
    }
}
