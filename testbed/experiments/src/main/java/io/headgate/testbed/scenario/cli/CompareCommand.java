package io.headgate.testbed.scenario.cli;

import io.headgate.control.cli.CommandFailure;
import io.headgate.control.cli.HeadgateCommand;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.report.Comparison;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code headgate compare}: shows the differences between two results. */
@Command(
        name = "compare",
        description = {
            "Shows how two results of 'headgate reproduce' differ.",
            "Compares configurations, measured numbers and, if both were recorded with --trace, the"
                    + " first different event of the runs."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:the same", "1:different", "2:one of them cannot be read"})
public final class CompareCommand extends HeadgateCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "A", description = "A result directory or a recording.")
    private Path a;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "B",
            description =
                    "Another result; by default, A is compared with and without its --what-if.")
    private @Nullable Path b;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Override
    public Integer call() throws CommandFailure {
        Comparison comparison;
        try {
            comparison = b == null ? Comparison.ofChange(a) : Comparison.of(a, b);
        } catch (ScenarioException e) {
            throw CommandFailure.badInput(e.getMessage() + ".");
        }
        if (json) {
            System.out.println(comparison.toJson());
        } else {
            System.out.print(comparison.describe());
        }
        return comparison.isSame() ? 0 : 1;
    }
}
