package io.headgate.perf.cli;

import io.headgate.control.cli.bench.BenchException;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Check;
import io.headgate.control.report.RunReport.Section;
import io.headgate.perf.engine.JmhScore;
import io.headgate.perf.policy.PolicyBenchmark;
import io.headgate.perf.policy.PolicyCost;
import io.headgate.perf.policy.PolicyLoadBenchmark;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import picocli.CommandLine.Command;

/** {@code headgate bench policies}. */
@Command(
        name = "policies",
        description =
                "Time per frame in OpenQueue's policies, compared with the built-in queues and the"
                        + " same policies written by hand (JMH).")
final class PoliciesCommand extends JmhCommand {
    private static final double LOAD_LIMIT_MS = 50;

    @Override
    RunReport measured() throws BenchException {
        List<PolicyCost> judged = PolicyCost.of(inTurns(of(PolicyCost.JUDGED, "32", "64")));
        List<PolicyCost> figure = PolicyCost.of(inTurns(of(PolicyCost.FIGURE, "64")));
        JmhScore load =
                JmhScore.of(
                        once(new OptionsBuilder().include(PolicyLoadBenchmark.class.getName()))
                                .iterator()
                                .next());
        List<Check> checks = new ArrayList<>(judged.stream().map(PolicyCost::check).toList());
        String policy = load.parameters().get("policy");
        checks.add(
                new Check(
                        "reading, checking, compiling and loading " + policy,
                        "ms",
                        load.score(),
                        load.score(),
                        LOAD_LIMIT_MS));
        String took = String.format(Locale.ROOT, "%s takes %.2f ms", policy, load.score());
        return report(
                checks,
                PolicyCost.judged(judged),
                PolicyCost.figure(figure),
                new Section("From text to queues, in a JVM that has done so before", load, took));
    }

    private ChainedOptionsBuilder of(List<String> contenders, String... coming) {
        ChainedOptionsBuilder options =
                new OptionsBuilder()
                        .include(PolicyBenchmark.class.getName() + "\\.")
                        .param("contenders", contenders.toArray(String[]::new))
                        .param("coming", coming);
        return isSmoke() ? options.param("warmBursts", "100") : options;
    }
}
