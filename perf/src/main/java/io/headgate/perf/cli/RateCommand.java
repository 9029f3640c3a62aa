package io.headgate.perf.cli;

import io.headgate.control.cli.bench.BenchException;
import io.headgate.control.report.RunReport;
import io.headgate.perf.engine.HopScale;
import io.headgate.perf.rate.CongestionPointBenchmark;
import io.headgate.perf.rate.ControlBenchmark;
import io.headgate.perf.rate.FlowShaperBenchmark;
import io.headgate.perf.rate.TelemetryControlBenchmark;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code headgate bench rate}. */
@Command(
        name = "rate",
        description =
                "Time that RoCC's congestion point and flow table cost per frame in the switch, and"
                        + " time per frame of a limited flow and per acknowledgement in a host"
                        + " (JMH).")
final class RateCommand extends JmhCommand {
    private static final List<String> TABLES =
            List.of("queued", "aged", "afd-ft", "elephant-trap", "bubble-cache");
    private static final double POINT_LIMIT_NS = 20;
    private static final double SHAPER_LIMIT_NS = 150;

    /** Limit for an acknowledgement, and for each record in it. */
    private static final double ACKNOWLEDGED_LIMIT_NS = 20;

    @Option(
            names = "--table",
            split = ",",
            defaultValue = "queued",
            paramLabel = "KIND",
            description =
                    "flow tables: queued, aged, afd-ft, elephant-trap, bubble-cache; default:"
                            + " queued")
    private String[] tables = {};

    @Override
    public Integer call() {
        require(TABLES.containsAll(List.of(tables)), "--table: of " + String.join(", ", TABLES));
        return super.call();
    }

    @Override
    RunReport measured() throws BenchException {
        ChainedOptionsBuilder options =
                new OptionsBuilder()
                        .include(CongestionPointBenchmark.class.getName())
                        .include(FlowShaperBenchmark.class.getName())
                        .include(TelemetryControlBenchmark.class.getName())
                        .include(ControlBenchmark.class.getName())
                        .param("table", tables);
        HopScale scale = besideHop(options, RateCommand::times);
        return report(
                scale,
                scale.section(
                        "What controlling rates costs a frame",
                        "the smallest and the largest value over rounds that measure all cases in"
                                + " turn",
                        "what",
                        "table",
                        "notices",
                        "flows"));
    }

    private static Map<HopScale.Case, Double> times(Collection<RunResult> results) {
        Map<HopScale.Case, Double> times = new LinkedHashMap<>();
        for (RunResult result : results) {
            String benchmark = result.getParams().getBenchmark();
            if (benchmark.contains(TelemetryControlBenchmark.class.getSimpleName())) {
                int hops = Integer.parseInt(result.getParams().getParam("hops"));
                String control = benchmark.endsWith("hpccAcknowledged") ? "HPCC" : "ICC";
                List<String> words =
                        List.of(control + ", acknowledgement", "", "", hops + " ports' records");
                times.put(
                        new HopScale.Case(words, ACKNOWLEDGED_LIMIT_NS * (1 + hops)),
                        result.getPrimaryResult().getScore());
                continue;
            }
            if (benchmark.contains(ControlBenchmark.class.getSimpleName())) {
                String control = result.getParams().getParam("control");
                times.put(
                        new HopScale.Case(
                                List.of(control + ", acknowledgement", "", "", ""),
                                ACKNOWLEDGED_LIMIT_NS),
                        result.getPrimaryResult().getScore());
                continue;
            }
            boolean isPoint =
                    result.getParams()
                            .getBenchmark()
                            .contains(CongestionPointBenchmark.class.getSimpleName());
            List<String> words =
                    List.of(
                            isPoint ? "congestion point" : "shaper",
                            isPoint ? result.getParams().getParam("table") : "",
                            isPoint ? result.getParams().getParam("notices") : "",
                            result.getParams().getParam("flows") + " flows");
            times.put(
                    new HopScale.Case(words, isPoint ? POINT_LIMIT_NS : SHAPER_LIMIT_NS),
                    result.getPrimaryResult().getScore());
        }
        return times;
    }
}
