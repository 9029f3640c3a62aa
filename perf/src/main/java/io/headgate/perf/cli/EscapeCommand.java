package io.headgate.perf.cli;

import io.headgate.control.cli.bench.BenchException;
import io.headgate.control.report.RunReport;
import io.headgate.perf.engine.EngineBenchmark;
import io.headgate.perf.engine.EscapeCost;
import io.headgate.perf.engine.HopScale;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import picocli.CommandLine.Command;

/** {@code headgate bench escape}. */
@Command(
        name = "escape",
        description =
                "Time that Escape costs per frame, off and on, while no flow is blocked (JMH).")
final class EscapeCommand extends JmhCommand {
    @Override
    RunReport measured() throws BenchException {
        ChainedOptionsBuilder options =
                new OptionsBuilder()
                        .include(EngineBenchmark.class.getName())
                        .param("memory", "hot")
                        .param("flowControl", EngineBenchmark.ESCAPE.toArray(String[]::new));
        HopScale scale = besideHop(options, EscapeCost::of);
        return report(
                scale,
                scale.section(
                        "What Escape costs a frame, compared with PFC alone",
                        "the smallest and the largest value over rounds that measure all cases in"
                                + " turn",
                        "what",
                        "time"));
    }
}
