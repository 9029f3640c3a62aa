package io.headgate.testbed.lab.twin;

import io.headgate.config.Mechanisms;
import io.headgate.config.PortConfig;
import io.headgate.config.PortTraffic;
import io.headgate.config.RoutedConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.read.PortTrafficReader;
import io.headgate.config.read.SwitchConfigs;
import io.headgate.control.report.Json;
import io.headgate.dataplane.counter.DropCounters;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.dataplane.queue.WireFormat;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.bed.Experiment;
import io.headgate.testbed.scenario.bed.NetworkModel;
import io.headgate.testbed.scenario.bed.Observation;
import io.headgate.testbed.scenario.bed.Recording;
import io.headgate.testbed.scenario.bed.Recording.Kind;
import io.headgate.testbed.scenario.bed.VirtualBed;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.SendPattern;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs a phase in virtual time: with the same links and configurations of switches, hosts that sort
 * frames and obey as the switches' ports do, and flows of the same bytes at the requested rate.
 * Late frames are made up for, as iperf3 does.
 */
final class TwinRun {
    /** As often as a lab looks at its switches. */
    private static final long INTERVAL_PS = 100_000_000_000L;

    private static final double PS_PER_S = 1e12;
    private static final double BITS_PER_BYTE = 8;
    private static final double BYTES_PER_KB = 1e3;
    private static final int HEADER_BYTES = 42;
    private static final int DSCP_OF_PRIORITY = 8;

    /** What hosts have of a switch's port; sizes follow from their links. */
    private static final List<String> AT_HOSTS =
            List.of("classify", "lossless", "scheduler", "flow-control", "credits");

    static final String XOFF = "pfc.xoff.sent.";

    private final RecordedPhase phase;

    private TwinRun(RecordedPhase phase) {
        this.phase = phase;
    }

    /**
     * Runs it, which takes a moment.
     *
     * @return the same with what was counted and seen in virtual time
     * @throws ScenarioException if it cannot be run
     */
    static RecordedPhase of(RecordedPhase phase, long seed) throws ScenarioException {
        TwinRun twin = new TwinRun(phase);
        try {
            return twin.seen(VirtualBed.run(twin.experiment(), seed, () -> false));
        } catch (IllegalArgumentException e) {
            throw new ScenarioException(e);
        }
    }

    private Topology topology() {
        SwitchConfig first = phase.configs().getFirst();
        RecordedNetwork network = phase.network();
        List<Topology.Host> hosts = network.hosts().stream().map(Topology.Host::new).toList();
        List<Topology.Link> links =
                network.links().stream()
                        .map(link ->
                                new Topology.Link(
                                        link.a(),
                                        link.b(),
                                        LinkSpec.of(link.rateBps(), link.delayNs())))
                        .toList();
        PortConfig port = first.ports().getFirst();
        return new Topology(
                "twin",
                first.mode(),
                RoutedConfig.Paths.FLOW,
                Topology.Sizes.DEFAULT.withMtuBytes(port.mtuBytes()),
                Mechanisms.OfSwitches.NONE,
                atHosts(first),
                hosts,
                network.switches().stream().map(name -> new Topology.Switch(name, 0)).toList(),
                links,
                List.of());
    }

    private static PortTraffic atHosts(SwitchConfig of) {
        Map<String, Object> kept = new LinkedHashMap<>();
        if (SwitchConfigs.toMap(of).get("ports") instanceof List<?> ports
                && ports.getFirst() instanceof Map<?, ?> port) {
            AT_HOSTS.stream()
                    .filter(port::containsKey)
                    .forEach(key -> kept.put(key, port.get(key)));
        }
        return PortTrafficReader.read(Json.COMPACT.writeValueAsString(kept));
    }

    /** A switch as it was, at the links of virtual time. */
    private SwitchConfig asItWas(SwitchConfig planned) {
        SwitchConfig was = phase.configs().get(phase.network().switches().indexOf(planned.name()));
        List<PortConfig> ports = new ArrayList<>();
        for (int i = 0; i < was.ports().size(); i++) {
            PortConfig here = planned.ports().get(i);
            ports.add(
                    was.ports()
                            .get(i)
                            .withName(here.name())
                            .withDevice(here.device())
                            .withAddresses(here.addresses()));
        }
        return planned.withPorts(ports)
                .withMemory(was.memory().withPayload(planned.memory().payload()));
    }

    private Experiment experiment() {
        List<FlowSpec> flows = new ArrayList<>();
        for (RecordedPhase.Flow flow : phase.flows()) {
            int frameBytes = flow.datagramBytes() + HEADER_BYTES;
            FrameShape shape =
                    FrameShape.udp(frameBytes)
                            .withPriority(flow.dscp() / DSCP_OF_PRIORITY, flow.dscp());
            long frames = Math.ceilDiv(flow.bytes(), flow.datagramBytes());
            double onWire =
                    (double) WireFormat.ETHERNET.wireBytes(frameBytes) / flow.datagramBytes();
            FlowSpec spec =
                    FlowSpec.greedy(flow.file(), flow.from(), flow.to(), shape)
                            .during(Math.round(flow.startS() * PS_PER_S), Long.MAX_VALUE)
                            .withSizeBytes(frames * shape.segmentation().maxSegmentBytes());
            long bps = Math.round(flow.targetBps() * onWire);
            Mechanisms.Use control = flow.control();
            if (bps > 0) {
                spec =
                        spec.withPattern(
                                control == null
                                        ? new SendPattern.ConstantRate(
                                                bps, SendPattern.Lateness.MADE_UP)
                                        : new SendPattern.Controlled(control, bps));
            }
            flows.add(spec);
        }
        // As long again, for what then still waits at hosts.
        long durationPs = Math.round((2 * phase.seconds() + 1) * PS_PER_S);
        Recording recording =
                new Recording(INTERVAL_PS, List.of(), List.copyOf(ports()))
                        .with(Kind.COUNTER, counters())
                        .with(Kind.STOPPED, stopped());
        return new Experiment(topology(), flows, List.of(), durationPs, recording)
                .withModel(new NetworkModel(null, this::asItWas));
    }

    private List<String> ports() {
        List<String> ports = new ArrayList<>();
        for (int i = 0; i < phase.configs().size(); i++) {
            String node = phase.network().switches().get(i);
            phase.configs().get(i).ports().forEach(port -> ports.add(node + "/" + port.name()));
        }
        return ports;
    }

    private List<String> stopped() {
        return phase.network().hosts().stream()
                .filter(host ->
                        phase.series().stream()
                                .anyMatch(one -> one.name().equals(Kind.STOPPED.series(host))))
                .toList();
    }

    private List<String> counters() {
        List<String> counters = new ArrayList<>();
        for (String port : ports()) {
            counters.add(port + " " + EgressCounter.BYTES_TRANSMITTED.label());
            phase.counters().getOrDefault(port, Map.of()).keySet().stream()
                    .filter(label -> label.startsWith(XOFF))
                    .sorted()
                    .forEach(label -> counters.add(port + " " + label));
        }
        return counters;
    }

    private RecordedPhase seen(Observation observed) {
        Map<String, Map<String, Long>> counted = new LinkedHashMap<>();
        List<Series> series = new ArrayList<>();
        for (String port : ports()) {
            var facts = observed.port(port);
            Map<String, Long> own = new LinkedHashMap<>();
            own.put(EgressCounter.FRAMES_TRANSMITTED.label(), facts.framesTransmitted());
            own.put(EgressCounter.QUEUE_MAX_BYTES.label(), facts.queueMaxBytes());
            facts.drops()
                    .forEach((reason, frames) ->
                            own.put(DropCounters.LABEL_PREFIX + reason, frames));
            counted.put(port, own);
            series.add(scaled("queue " + port, observed, Kind.QUEUE.series(port), BYTES_PER_KB));
            series.add(sent(port, observed));
        }
        for (String counter : counters()) {
            int space = counter.indexOf(' ');
            double[] values = observed.seriesOf(Kind.COUNTER.series(counter)).values();
            if (values.length > 0) {
                counted.getOrDefault(counter.substring(0, space), new LinkedHashMap<>())
                        .put(counter.substring(space + 1), (long) values[values.length - 1]);
            }
        }
        stopped().forEach(host -> series.add(observed.seriesOf(Kind.STOPPED.series(host))));
        return phase.withCounters(counted).withSeries(series);
    }

    private static Series scaled(String name, Observation from, String what, double factor) {
        Series one = from.seriesOf(what);
        double[] values = one.values().clone();
        for (int i = 0; i < values.length; i++) {
            values[i] *= factor;
        }
        return new Series(name, "", one.timesUs(), values);
    }

    private static Series sent(String port, Observation from) {
        String counter = port + " " + EgressCounter.BYTES_TRANSMITTED.label();
        Series bytes = from.seriesOf(Kind.COUNTER.series(counter));
        double[] bps = new double[bytes.values().length];
        for (int i = 0; i < bps.length; i++) {
            double before = i == 0 ? 0 : bytes.values()[i - 1];
            bps[i] = (bytes.values()[i] - before) * BITS_PER_BYTE * PS_PER_S / INTERVAL_PS;
        }
        return new Series("sent " + port, "", bytes.timesUs(), bps);
    }
}
