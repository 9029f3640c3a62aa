package io.headgate.testbed.scenario.bed;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.counter.CounterDirectory.Entry;
import io.headgate.dataplane.flowcontrol.EgressFlowControl;
import io.headgate.dataplane.flowcontrol.IngressFlowControl;
import io.headgate.dataplane.linkcontrol.StopTimes;
import io.headgate.hostagent.card.HostCard;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.bed.Recording.Kind;
import io.headgate.testbed.topology.HostPlan;
import io.headgate.testbed.traffic.Flow;
import io.headgate.testbed.virtual.SwitchNode;
import io.headgate.testbed.virtual.VirtualNetwork;
import io.headgate.testbed.virtual.VirtualTimer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongToDoubleFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Samples queues, rates and counters at equal intervals of a run in virtual time. Sampling changes
 * nothing.
 */
final class Probes {
    /** Prefix of a group's name: the series is the standard deviation of its connections' rates. */
    static final String SPREAD = "spread ";

    private static final double BPS_PER_MBPS = 1e6;
    private static final double PS_PER_US = 1e6;
    private static final double BYTES_PER_KB = 1e3;
    private static final long PS_PER_NS = 1000;

    private final VirtualNetwork network;
    private final long intervalPs;
    private final List<Probe> probes = new ArrayList<>();

    private record Probe(String name, String unit, List<double[]> samples) {}

    /** Adds a probe to the run: one that reads counters, or one that reads none. */
    @FunctionalInterface
    private interface Adding {
        VirtualTimer add(VirtualTimer.Task task);
    }

    private record SwitchPort(SwitchNode node, String name) {
        int number() {
            return node.engine().portNumber(name);
        }
    }

    Probes(VirtualNetwork network, long intervalPs) {
        this.network = network;
        this.intervalPs = intervalPs;
    }

    /** Records the mean of the bytes that wait at ports, named as in {@code s1/p4}. */
    void queue(String name, List<String> ports) {
        mean(network.run()::addProbe, Kind.QUEUE.series(name), ports.stream().map(this::queue));
    }

    private LongToDoubleFunction queue(String port) {
        SwitchPort at = port(port);
        CounterDirectory counters = at.node.engine().counters();
        Entry queue = PortFacts.queueBytes(counters.entries(), at.name);
        return nowNs -> counters.value(queue) / BYTES_PER_KB;
    }

    /**
     * Records the mean of the bytes that ports received in their lossless priorities and that are
     * still held.
     */
    void buffer(String name, List<String> ports) {
        mean(
                network.run()::addPlainProbe,
                Kind.BUFFER.series(name),
                ports.stream().map(port -> held(port, 0)));
    }

    private void mean(Adding adding, String series, Stream<LongToDoubleFunction> each) {
        LongToDoubleFunction[] all = each.toArray(LongToDoubleFunction[]::new);
        add(
                adding,
                series,
                "kB",
                0,
                nowNs -> {
                    double sum = 0;
                    for (LongToDoubleFunction one : all) {
                        sum += one.applyAsDouble(nowNs);
                    }
                    return sum / all.length;
                });
    }

    /** Records how much a port holds in its lossless priorities above their thresholds. */
    void headroom(String port) {
        SwitchPort at = port(port);
        PortConfig config = at.node.engine().config().ports().get(at.number());
        FlowControlConfig.Buffers buffers = config.flowControl().buffers();
        if (buffers == null || buffers.xoffBytes() == 0) {
            throw new IllegalArgumentException(
                    port
                            + " has no headroom: headroom is the part above the xoff of PFC with"
                            + " fixed thresholds");
        }
        add(Kind.HEADROOM.series(port), "kB", held(port, buffers.xoffBytes()));
    }

    /** What each lossless priority of a port holds above a threshold, summed. */
    private LongToDoubleFunction held(String port, long thresholdBytes) {
        SwitchPort at = port(port);
        int number = at.number();
        int lossless = at.node.engine().config().ports().get(number).traffic().losslessMask();
        IngressFlowControl flow = at.node.engine().ingress(number).flow();
        if (flow == null) {
            throw new IllegalArgumentException(port + " has no flow control");
        }
        return nowNs -> {
            long bytes = 0;
            for (int priority = 0; priority < TrafficConfig.PRIORITIES; priority++) {
                boolean counts = (lossless >>> priority & 1) != 0;
                long held = counts ? flow.accounts().bytes(priority) : 0;
                bytes += Math.max(0, held - thresholdBytes);
            }
            return bytes / BYTES_PER_KB;
        };
    }

    void rate(String name, Flow flow) {
        add(name, AllowedRates.UNIT, nowNs -> flow.allowedBps() / AllowedRates.BPS_PER_UNIT);
    }

    /**
     * Records the rates that the rate controls of kept connections allow: mean and standard
     * deviation.
     */
    void allowed(String group, Supplier<List<Flow>> kept) {
        double[] deviation = {Double.NaN};
        add(
                Kind.ALLOWED.series(group),
                "Mb/s",
                nowNs -> {
                    double[] mbps =
                            kept.get().stream()
                                    .mapToDouble(flow -> flow.allowedBps() / BPS_PER_MBPS)
                                    .toArray();
                    double mean = Arrays.stream(mbps).average().orElse(Double.NaN);
                    double squares =
                            Arrays.stream(mbps).map(one -> (one - mean) * (one - mean)).sum();
                    deviation[0] = Math.sqrt(squares / mbps.length);
                    return mean;
                });
        // Asked right after the other, which is there before it.
        add(SPREAD + group, "Mb/s", nowNs -> deviation[0]);
    }

    /** Records a counter, named as in {@link CounterName}. */
    void counter(String name) {
        CounterName wanted = CounterName.parse(name);
        CounterDirectory counters = counters(wanted.node());
        Entry entry = wanted.find(counters.entries());
        add(
                network.run()::addProbe,
                Kind.COUNTER.series(name),
                entry.unit(),
                0,
                nowNs -> counters.value(entry));
    }

    private CounterDirectory counters(String node) {
        for (HostPlan host : network.plan().hosts()) {
            if (host.name().equals(node)) {
                return network.host(host.number()).engine().counters();
            }
        }
        return network.switchNode(network.plan().topology().switchNumber(node)).engine().counters();
    }

    /**
     * Records the share of each interval in which a host's card, or a port, was paused or without
     * credits.
     */
    void stopped(String hostOrPort) {
        boolean isPort = hostOrPort.contains("/");
        EgressFlowControl flow;
        int lossless;
        if (isPort) {
            SwitchPort at = port(hostOrPort);
            flow = at.node.engine().egress(at.number()).flow();
            PortConfig config = at.node.engine().config().ports().get(at.number());
            lossless = config.traffic().losslessMask();
        } else {
            HostCard card = network.host(network.plan().topology().host(hostOrPort)).engine();
            flow = card.egress(HostCard.WIRE).flow();
            lossless = card.setup().wire().traffic().losslessMask();
        }
        StopTimes times = flow == null ? null : flow.times();
        if (times == null) {
            throw new IllegalArgumentException(hostOrPort + " has no flow control");
        }
        long[] beforeNs = {0};
        // As of all means over intervals, the time is the middle.
        add(
                network.run()::addPlainProbe,
                Kind.STOPPED.series(hostOrPort),
                "%",
                intervalPs / 2,
                nowNs -> {
                    long sumNs = 0;
                    for (int priority = 0; priority < TrafficConfig.PRIORITIES; priority++) {
                        boolean counts = (lossless >>> priority & 1) != 0;
                        sumNs += counts ? times.totalNs(priority, nowNs) : 0;
                    }
                    double share = (sumNs - beforeNs[0]) * PS_PER_NS * 100.0 / intervalPs;
                    beforeNs[0] = sumNs;
                    return share;
                });
    }

    /** All recorded series, in the order of the requests. */
    List<Series> series() {
        return probes.stream()
                .map(probe -> Series.of(probe.name, probe.unit, probe.samples))
                .toList();
    }

    private SwitchPort port(String port) {
        int slash = port.indexOf('/');
        String switchName = slash < 0 ? "" : port.substring(0, slash);
        int number = network.plan().topology().switchNumber(switchName);
        return new SwitchPort(network.switchNode(number), port.substring(slash + 1));
    }

    /** Adds a probe that reads no counter. */
    private void add(String name, String unit, LongToDoubleFunction valueAtNs) {
        add(network.run()::addPlainProbe, name, unit, 0, valueAtNs);
    }

    /**
     * @param agoPs how long before it is looked at what is seen there was
     */
    private void add(
            Adding adding, String name, String unit, long agoPs, LongToDoubleFunction valueAtNs) {
        Probe probe = new Probe(name, unit, new ArrayList<>());
        probes.add(probe);
        adding.add(
                        (self, nowPs) -> {
                            double value = valueAtNs.applyAsDouble(nowPs / PS_PER_NS);
                            probe.samples.add(new double[] {(nowPs - agoPs) / PS_PER_US, value});
                            self.schedule(nowPs + intervalPs);
                        })
                .schedule(intervalPs);
    }
}
