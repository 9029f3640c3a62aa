package io.headgate.perf.cli;

import io.headgate.perf.engine.EngineBenchmark;
import io.headgate.perf.engine.EscapeCost;
import io.headgate.perf.engine.HopScale;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code headgate bench escape}. Forks have the options of this JVM, and so the launcher's. */
@Command(
        name = "escape",
        mixinStandardHelpOptions = true,
        description = "What Escape costs a frame, off and on, while nothing is blocked (JMH).")
final class EscapeCommand implements Callable<Integer> {
    @Mixin private JmhRounds jmh;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws RunnerException {
        ChainedOptionsBuilder options =
                new OptionsBuilder()
                        .include(EngineBenchmark.class.getName())
                        .param("memory", "hot")
                        .param("flowControl", EngineBenchmark.ESCAPE.toArray(String[]::new));
        HopScale scale = jmh.besideHop(options, EscapeCost::of);
        PrintWriter out = spec.commandLine().getOut();
        out.println("\nWhat Escape costs a frame, beside PFC alone: medians of rounds in turn");
        out.print(scale.table("Escape", "time").indented(2));
        out.println("  " + scale.hop());
        out.flush();
        return 0;
    }
}
