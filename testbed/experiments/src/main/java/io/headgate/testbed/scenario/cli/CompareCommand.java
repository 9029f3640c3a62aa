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
            "In configuration, in measured numbers, and, where both were recorded with --trace, in"
                    + " the first event in which the runs part."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:the same", "1:different", "2:one of them cannot be read"})
public final class CompareCommand extends HeadgateCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "A", description = "A result directory or recording.")
    private Path a;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "B",
            description = "Another one; if not given, A with and without its --what-if.")
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
