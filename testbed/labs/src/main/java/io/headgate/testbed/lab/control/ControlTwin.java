package io.headgate.testbed.lab.control;

import io.headgate.config.ConfigException;
import io.headgate.dataplane.queue.WireFormat;
import io.headgate.testbed.lab.control.ControlTrial.Counts;
import io.headgate.testbed.lab.series.Alone;
import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.campaign.Sweep;
import io.headgate.testbed.scenario.file.ScenarioReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The lab's network once more in virtual time: a scenario file, which a report keeps. */
public final class ControlTwin {
    private static final double US_PER_S = 1e6;
    private static final double US_PER_MS = 1e3;
    private static final double MBPS_PER_GBPS = 1e3;

    /**
     * The lab's settings.
     *
     * @param hosts that send; the receiver comes after them
     * @param ports settings of ports, as a file has them, but for congestion
     * @param frameBytes of the longest packets, before telemetry
     */
    public record Settings(
            long rateBps,
            long delayNs,
            int mtuBytes,
            int frameBytes,
            int hosts,
            String ports,
            int dscp,
            int seconds,
            long seed) {}

    /** What it came to, and how that was over time. */
    public record Run(ControlTrial trial, History history) {}

    private ControlTwin() {}

    /** The scenario, as a file has it. */
    public static String file(Settings with, @Nullable LabControl control) {
        StringBuilder text = new StringBuilder();
        String ports = control == null ? "{}" : LabControl.text(control.atSwitches());
        text.append(
                String.format(
                        Locale.ROOT,
                        """
                        name: twin
                        duration: %ds
                        topology:
                          name: star
                          mtu: %d
                          link: {rate: %dbps, delay: %dns}
                          builder: {single-switch: {hosts: %d}}
                          ports: {%s, congestion: %s}
                        record: {interval: 10ms, queues: [s1/p%d]}
                        traffic:
                        """,
                        with.seconds,
                        with.mtuBytes,
                        with.rateBps,
                        with.delayNs,
                        with.hosts + 1,
                        with.ports,
                        ports,
                        with.hosts + 1));
        for (int host = 1; host <= with.hosts; host++) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            "  - {name: h%d, from: h%d, to: h%d, frame: %dB, dscp: %d, ecn: %s,"
                                    + " transport: rocev2, verb: write, window: 256%s%s}%n",
                            host,
                            host,
                            with.hosts + 1,
                            with.frameBytes,
                            with.dscp,
                            control != null && control.goesByMarks() ? "ect1" : "none",
                            host < with.hosts
                                    ? ""
                                    : ", stop: "
                                            + Math.round(ControlTrial.STOPS_AT * 1e3 * with.seconds)
                                            + "ms",
                            control == null ? "" : ", control: " + control.atHosts()));
        }
        return text.toString();
    }

    /**
     * Runs it, which takes a moment.
     *
     * @throws ScenarioException if it cannot be run
     */
    public static Run run(Settings with, String file, String name) throws ScenarioException {
        Outcome seen;
        try {
            Scenario scenario = ScenarioReader.read(file, "the lab's twin");
            EnumSet<BedKind> bed = EnumSet.of(BedKind.VIRTUAL);
            String seed = Long.toString(with.seed);
            Sweep sweep = Sweep.of(scenario, List.of(), seed, bed, 0);
            seen = scenario.run(sweep.cells().getFirst(), new Alone());
        } catch (ConfigException e) {
            throw new ScenarioException(e.getMessage());
        }
        Series queue = seen.series("queue s1/p" + (with.hosts + 1));
        double[] seconds = Arrays.stream(queue.timesUs()).map(us -> us / US_PER_S).toArray();
        double onWire = (double) WireFormat.ETHERNET.wireBytes(with.frameBytes) / with.frameBytes;
        List<double[]> mbps = new ArrayList<>();
        for (int host = 1; host <= with.hosts; host++) {
            double[] received = seen.series("throughput h" + host).values();
            mbps.add(smoothed(received, seconds.length, onWire * MBPS_PER_GBPS));
        }
        History history = new History(seconds, queue.values(), mbps);
        Counts counts =
                new Counts(
                        sum(seen, "time stopped of h") / US_PER_MS,
                        Math.round(sum(seen, "pauses sent of s1")),
                        Math.round(sum(seen, "packets repeated")),
                        Math.round(sum(seen, "frames dropped")));
        return new Run(trial(with, name, history, counts), history);
    }

    private static double sum(Outcome seen, String name) {
        return seen.measures().stream()
                .filter(measure -> measure.name().startsWith(name))
                .mapToDouble(Measure::value)
                .sum();
    }

    private static double[] smoothed(double[] gbps, int samples, double factor) {
        double[] mbps = new double[samples];
        double sum = 0;
        for (int i = 0; i < Math.min(gbps.length, samples); i++) {
            sum += gbps[i] - (i < History.RATE_OF ? 0 : gbps[i - History.RATE_OF]);
            mbps[i] = factor * sum / Math.min(i + 1, History.RATE_OF);
        }
        return mbps;
    }

    /** What a run came to, whichever bed it was on. */
    public static ControlTrial trial(Settings with, String name, History history, Counts counts) {
        // Hosts begin and end as the machine lets them: when they did, their frames tell.
        double begin = 0;
        double end = Double.MAX_VALUE;
        for (int host = 0; host < with.hosts; host++) {
            begin = Math.max(begin, history.first(host));
            end = host < with.hosts - 1 ? Math.min(end, history.last(host)) : end;
        }
        double stop = history.last(with.hosts - 1);
        double from = begin + ControlTrial.SETTLED_AT * (stop - begin);
        double again = stop + ControlTrial.SETTLED_AT * (end - stop);
        List<Double> three = new ArrayList<>();
        List<Double> two = new ArrayList<>();
        for (int host = 0; host < with.hosts; host++) {
            double[] mbps = history.senderMbps().get(host);
            three.add(history.mean(mbps, from, stop));
            if (host < with.hosts - 1) {
                two.add(history.mean(mbps, again, end));
            }
        }
        return new ControlTrial(
                name,
                with.rateBps / 1e6,
                three,
                two,
                history.mean(history.queueKb(), from, stop),
                counts);
    }
}
