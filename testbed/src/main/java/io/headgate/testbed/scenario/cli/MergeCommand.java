package io.headgate.testbed.scenario.cli;

import io.headgate.control.cli.CommandFailure;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.report.Conclusion;
import io.headgate.testbed.scenario.report.Result;
import io.headgate.testbed.scenario.report.ResultDirectory;
import io.headgate.testbed.scenario.report.ResultFiles;
import io.headgate.testbed.scenario.report.ResultReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code headgate reproduce merge}: concludes from shards that ran apart. */
@Command(
        name = "merge",
        mixinStandardHelpOptions = true,
        description = "Puts the results of all shards of a sweep together, and concludes.")
final class MergeCommand implements Callable<Integer> {
    @Parameters(
            arity = "1..*",
            paramLabel = "DIR",
            description = "What the shards were given as --out.")
    private List<Path> directories = new ArrayList<>();

    @Option(
            names = "--out",
            required = true,
            paramLabel = "DIR",
            description = "Where the whole result goes.")
    private Path out;

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    /** Picocli fills it in. */
    @SuppressWarnings("NullAway.Init")
    MergeCommand() {}

    @Override
    public Integer call() throws CommandFailure {
        Result result;
        try {
            requireElsewhere();
            result = Conclusion.merge(directories, ScenarioFinder::again);
        } catch (ScenarioException e) {
            throw CommandFailure.badInput(e.getMessage() + ".");
        }
        List<String> commits = Conclusion.commits(result);
        if (commits.size() > 1) {
            System.err.println(
                    "headgate: the shards were run by different commits: "
                            + String.join(", ", commits)
                            + ".");
        }
        try (ResultDirectory directory = ResultDirectory.open(out)) {
            ResultFiles.write(result, directory.making());
            directory.publish();
        } catch (ScenarioException e) {
            throw new CommandFailure(e.getMessage() + ".");
        }
        return ResultPrinter.print(result, out, json);
    }

    private static boolean isSame(Path shard, Path whole) throws ScenarioException {
        try {
            return Files.exists(shard) && Files.exists(whole) && Files.isSameFile(shard, whole);
        } catch (IOException e) {
            throw new ScenarioException("cannot read " + shard + ": " + e.getMessage(), e);
        }
    }

    private void requireElsewhere() throws ScenarioException {
        Path whole = ReproduceCommand.requireNamed(out);
        for (Path directory : directories) {
            if (isSame(ResultReader.fileIn(directory), ResultReader.fileIn(whole))) {
                throw new ScenarioException(
                        "--out cannot be "
                                + out
                                + ": it is one of the shards; allowed is another directory");
            }
        }
    }
}
