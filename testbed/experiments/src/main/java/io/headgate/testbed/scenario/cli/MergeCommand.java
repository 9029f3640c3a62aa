package io.headgate.testbed.scenario.cli;

import io.headgate.control.cli.CommandFailure;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.report.CellLines;
import io.headgate.testbed.scenario.report.Conclusion;
import io.headgate.testbed.scenario.report.Result;
import io.headgate.testbed.scenario.report.ResultDirectory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code headgate reproduce merge}: merges runs that were made separately into one result. */
@Command(
        name = "merge",
        mixinStandardHelpOptions = true,
        description = {
            "Merges the existing parts of a sweep, and evaluates it.",
            "If runs are missing, it lists them and the command that runs exactly these."
        })
final class MergeCommand implements Callable<Integer> {
    private static final String STANDARD_INPUT = "-";

    @Parameters(
            arity = "1..*",
            paramLabel = "DIR",
            description = {
                "The --out directories of the parts: one or several.",
                "-: lines on standard input, from parts with --lines."
            })
    private List<Path> directories = new ArrayList<>();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Directory of the whole result; by default the only given directory.")
    private @Nullable Path out;

    @Option(
            names = "--columns",
            paramLabel = "N",
            description =
                    "Width of figures in columns of a paper: 1 (238 pt) or 2 (504 pt); by default"
                            + " 1, or 2 for several panels.")
    private @Nullable Integer columns;

    @Option(names = "--json", description = "Prints the result as JSON.")
    private boolean json;

    @Override
    public Integer call() throws CommandFailure {
        try {
            return merge(target());
        } catch (ScenarioException e) {
            throw CommandFailure.badInput(e.getMessage() + ".");
        }
    }

    private Path target() throws ScenarioException {
        if (out != null) {
            return ReproduceCommand.requireNamed(out);
        }
        if (directories.size() > 1 || isLines(directories.getFirst())) {
            throw new ScenarioException("--out DIR is needed for the result of several parts");
        }
        return ReproduceCommand.requireNamed(directories.getFirst());
    }

    private static boolean isLines(Path directory) {
        return directory.toString().equals(STANDARD_INPUT);
    }

    private int merge(Path whole) throws ScenarioException {
        // First: what was sent is kept, whatever is wrong with the rest.
        if (directories.stream().anyMatch(MergeCommand::isLines)) {
            int damaged = CellLines.keep(System.in, whole);
            if (damaged > 0) {
                System.err.println(
                        "headgate: "
                                + damaged
                                + (damaged == 1 ? " line is" : " lines are")
                                + " not a complete run of this sweep, and ignored.");
            }
        }
        List<Path> from = new ArrayList<>(directories);
        from.removeIf(MergeCommand::isLines);
        if (Conclusion.hasCells(whole) && from.stream().noneMatch(whole::equals)) {
            from.add(whole);
        }
        Result result = Conclusion.merge(from, whole, ScenarioFinder::again);
        try (ResultDirectory directory = ResultDirectory.open(whole)) {
            directory.publish(result, ReproduceCommand.column(columns), List.of());
        }
        return ResultPrinter.print(result, whole, json);
    }
}
