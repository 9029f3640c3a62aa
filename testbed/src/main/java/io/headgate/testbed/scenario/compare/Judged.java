package io.headgate.testbed.scenario.compare;

import io.headgate.dataplane.frame.Ethernet;
import io.headgate.testbed.scenario.Flows;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.Values;
import io.headgate.testbed.scenario.bed.Observation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What one run is judged by. A network without flows that last has no fairness, and so on. */
final class Judged {
    static final String USE = "use";
    static final String FAIRNESS = "fairness";
    static final String QUEUE = "queue";
    static final String P99 = "queue, 99th percentile";
    static final String COMPLETION = "completion, mean";
    static final String SLOWEST = "completion, 99th percentile";
    static final String PAUSES = "pauses, of all ports";
    static final String STOPPED = "stopped, all links together";
    static final String CONVERGENCE = "convergence";
    private static final String THROUGHPUT = "throughput ";

    /** Samples that shares are a mean of. */
    private static final int SAMPLES = 10;

    /** What Jain's index, and a victim's part of its link, must not fall below again. */
    private static final double ALIKE = 0.95;

    private static final double RECOVERED = 0.9;

    /** Without this many means above it nothing has converged. */
    private static final int LEAST_MEANS = 3;

    private final Network network;
    private final Values values;
    private final Network.Traffic traffic;
    private final Observation seen;
    private final double wirePerFrame;
    private final @Nullable Flows flows;
    private final List<Measure> measures = new ArrayList<>();

    private Judged(
            Network network,
            Values values,
            int moreBytes,
            Network.Traffic traffic,
            Observation seen) {
        this.network = network;
        this.values = values;
        this.traffic = traffic;
        this.seen = seen;
        double wire = (double) Senders.FRAME_BYTES + Ethernet.WIRE_OVERHEAD_BYTES + moreBytes;
        this.wirePerFrame = wire / Senders.FRAME_BYTES;
        Outcome outcome = new Outcome("", List.of(), seen.series(), List.of(), Map.of());
        this.flows = Flows.of(outcome, Network.SIZED);
    }

    /**
     * All that the run is judged by.
     *
     * @param moreBytes that frames carry on their way
     * @param queue the longest of those watched
     */
    static List<Measure> of(
            Network network,
            Values values,
            int moreBytes,
            Network.Traffic traffic,
            Observation seen,
            Series queue) {
        Judged judged = new Judged(network, values, moreBytes, traffic, seen);
        judged.add(USE, "%", judged.usePercent());
        judged.add(FAIRNESS, "", judged.fairness());
        double[] lengths = judged.within(queue);
        judged.add(QUEUE, "kB", Arrays.stream(lengths).average().orElse(Double.NaN));
        judged.add(P99, "kB", Flows.percentile(lengths, 99));
        if (judged.flows != null) {
            double[] us = judged.completionsUs();
            judged.add(COMPLETION, "us", Arrays.stream(us).average().orElse(Double.NaN));
            judged.add(SLOWEST, "us", Flows.percentile(us, 99));
        }
        judged.add(PAUSES, "pauses", judged.ofBed("pauses sent of"));
        judged.add(STOPPED, "us", judged.ofBed("time stopped of"));
        judged.add(CONVERGENCE, "us", judged.convergenceUs());
        return judged.measures;
    }

    private void add(String name, String unit, double value) {
        if (!Double.isNaN(value)) {
            measures.add(new Measure(name, unit, value));
        }
    }

    private double toUs() {
        return network == Network.INCAST ? lastEndUs() : seen.durationUs();
    }

    /** When the last flow with a size had arrived; the run's end if one had not. */
    private double lastEndUs() {
        Flows all = Objects.requireNonNull(flows);
        double end = 0;
        for (int i = 0; i < all.count(); i++) {
            end = Math.max(end, all.startUs()[i] + completionUs(all, i));
        }
        return end;
    }

    /** For one that had not arrived, what had passed: it takes longer. */
    private double completionUs(Flows all, int flow) {
        return all.isFinished(flow)
                ? all.completionUs()[flow]
                : seen.durationUs() - all.startUs()[flow];
    }

    private double[] completionsUs() {
        Flows all = Objects.requireNonNull(flows);
        double[] us = new double[all.count()];
        for (int i = 0; i < us.length; i++) {
            us[i] = completionUs(all, i);
        }
        return us;
    }

    private double[] within(Series series) {
        double fromUs = network.fromUs(values);
        double toUs = toUs();
        List<Double> kept = new ArrayList<>();
        for (int i = 0; i < series.values().length; i++) {
            if (series.timesUs()[i] >= fromUs && series.timesUs()[i] < toUs) {
                kept.add(series.values()[i]);
            }
        }
        return kept.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** A lasting flow's, on the wire. */
    private double rateBps(String flow) {
        Series series = seen.seriesOf(THROUGHPUT + flow);
        return series.mean(network.fromUs(values), Double.POSITIVE_INFINITY) * 1e9 * wirePerFrame;
    }

    /**
     * What flows have of what they could: lasting ones of their shares, an incast of its link until
     * the last has arrived, others of the hosts' links.
     */
    private double usePercent() {
        if (!traffic.shares().isEmpty()) {
            double all = traffic.shares().values().stream().mapToDouble(each -> each).sum();
            return 100 * traffic.shares().keySet().stream().mapToDouble(this::rateBps).sum() / all;
        }
        if (network == Network.INCAST) {
            double gbps = seen.throughputGbps(Network.SIZED) * seen.durationUs() / lastEndUs();
            return 100 * gbps * 1e9 * wirePerFrame / values.whole(Network.RATE);
        }
        double hostsBps = (double) values.whole(Network.RATE) * traffic.arrivals().size();
        return 100 * seen.throughputGbps(Network.SIZED) * 1e9 * wirePerFrame / hostsBps;
    }

    /** Jain's index of what flows have of their shares, or of an incast's mean rates. */
    private double fairness() {
        if (network == Network.INCAST) {
            return jain(Arrays.stream(completionsUs()).map(us -> 1 / us).toArray());
        }
        return traffic.shares().size() < 2
                ? Double.NaN
                : jain(
                        traffic.shares().entrySet().stream()
                                .mapToDouble(flow -> rateBps(flow.getKey()) / flow.getValue())
                                .toArray());
    }

    static double jain(double[] parts) {
        double sum = Arrays.stream(parts).sum();
        double squares = Arrays.stream(parts).map(part -> part * part).sum();
        return sum * sum / (parts.length * squares);
    }

    private double ofBed(String of) {
        return seen.ofBed().stream()
                .filter(measure -> measure.name().startsWith(of))
                .mapToDouble(Measure::value)
                .sum();
    }

    /**
     * Since the last flow began, until shares stay alike, or a victim has its link back; not a
     * number if that is not so at the end, or nothing lasts.
     */
    private double convergenceUs() {
        if (traffic.shares().isEmpty()) {
            return Double.NaN;
        }
        List<Series> series =
                traffic.shares().keySet().stream()
                        .map(flow -> seen.seriesOf(THROUGHPUT + flow))
                        .toList();
        double[] shares = traffic.shares().values().stream().mapToDouble(each -> each).toArray();
        double sinceUs = traffic.lastStartUs();
        int means = series.getFirst().values().length / SAMPLES;
        int below = -1;
        for (int i = 0; i < means; i++) {
            double[] parts = new double[shares.length];
            for (int flow = 0; flow < shares.length; flow++) {
                parts[flow] = mean(series.get(flow), i) * 1e9 * wirePerFrame / shares[flow];
            }
            boolean isAlike = parts.length == 1 ? parts[0] >= RECOVERED : jain(parts) >= ALIKE;
            below = isAlike ? below : i;
        }
        if (below > means - 1 - LEAST_MEANS) {
            return Double.NaN;
        }
        double atUs = below < 0 ? 0 : series.getFirst().timesUs()[(below + 1) * SAMPLES];
        return Math.max(0, atUs - sinceUs);
    }

    private static double mean(Series series, int part) {
        return Arrays.stream(series.values(), part * SAMPLES, (part + 1) * SAMPLES)
                .average()
                .orElse(Double.NaN);
    }
}
