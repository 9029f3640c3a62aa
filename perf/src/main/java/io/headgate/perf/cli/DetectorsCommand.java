package io.headgate.perf.cli;

import io.headgate.control.cli.bench.BenchException;
import io.headgate.control.report.RunReport;
import io.headgate.perf.engine.DetectorBenchmark;
import io.headgate.perf.engine.HopScale;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code headgate bench detectors}. */
@Command(
        name = "detectors",
        description =
                "Time that a congestion detector, or telemetry, costs per frame, in bursts of 32"
                        + " and for single frames (JMH).")
final class DetectorsCommand extends JmhCommand {
    private static final String NAMES = "red,tcd,fecn,int-md,ioam";
    private static final double BURST_LIMIT_NS = 2;
    private static final double ALONE_LIMIT_NS = 5;

    // What writes a record into a frame.
    private static final double WRITE_BURST_LIMIT_NS = 5;
    private static final double WRITE_ALONE_LIMIT_NS = 15;

    @Option(
            names = "--detect",
            split = ",",
            defaultValue = NAMES,
            paramLabel = "NAME",
            description = "of " + NAMES + "; default: all")
    private String[] detectors = {};

    @Override
    public Integer call() {
        require(
                DetectorBenchmark.DETECTORS.containsAll(List.of(detectors)),
                "--detect: of " + NAMES);
        return super.call();
    }

    @Override
    RunReport measured() throws BenchException {
        String[] all =
                Stream.concat(
                                Stream.of(detectors).map(DetectorsCommand::without),
                                Stream.of(detectors))
                        .distinct()
                        .toArray(String[]::new);
        ChainedOptionsBuilder options =
                new OptionsBuilder()
                        .include(DetectorBenchmark.class.getName())
                        .param("detector", all);
        HopScale scale = besideHop(options, DetectorsCommand::times);
        return report(
                scale,
                scale.section(
                        "What a detector costs a frame that starts",
                        "the smallest and the largest value over rounds that measure all cases in"
                                + " turn",
                        "detector",
                        "queue",
                        "frames"));
    }

    /** Less what the benchmark takes without any. */
    private static Map<HopScale.Case, Double> times(Collection<RunResult> results) {
        Map<HopScale.Case, Double> times = new LinkedHashMap<>();
        for (RunResult result : results) {
            if (DetectorBenchmark.DETECTORS.contains(detector(result))) {
                boolean isAlone = result.getParams().getBenchmark().endsWith("alone");
                List<String> words =
                        List.of(
                                detector(result),
                                result.getParams().getParam("queue") + " queue",
                                isAlone ? "alone" : "in bursts of 32");
                times.put(
                        new HopScale.Case(words, limitNs(detector(result), isAlone)),
                        ns(result) - ns(without(results, result)));
            }
        }
        return times;
    }

    private static double limitNs(String detector, boolean isAlone) {
        if (isTelemetry(detector)) {
            return isAlone ? WRITE_ALONE_LIMIT_NS : WRITE_BURST_LIMIT_NS;
        }
        return isAlone ? ALONE_LIMIT_NS : BURST_LIMIT_NS;
    }

    private static boolean isTelemetry(String detector) {
        return detector.equals("int-md") || detector.equals("ioam");
    }

    /** What is measured of the benchmark itself. */
    private static String without(String detector) {
        return isTelemetry(detector) ? DetectorBenchmark.UNWRITTEN : DetectorBenchmark.NONE;
    }

    private static RunResult without(Collection<RunResult> results, RunResult like) {
        return results.stream()
                .filter(other ->
                        detector(other).equals(without(detector(like)))
                                && other.getParams()
                                        .getParam("queue")
                                        .equals(like.getParams().getParam("queue"))
                                && other.getParams()
                                        .getBenchmark()
                                        .equals(like.getParams().getBenchmark()))
                .findFirst()
                .orElseThrow();
    }

    private static String detector(RunResult result) {
        return result.getParams().getParam("detector");
    }

    private static double ns(RunResult result) {
        return result.getPrimaryResult().getScore();
    }
}
