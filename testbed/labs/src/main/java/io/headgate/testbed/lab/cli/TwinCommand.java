package io.headgate.testbed.lab.cli;

import io.headgate.control.cli.CommandFailure;
import io.headgate.control.cli.HeadgateCommand;
import io.headgate.control.report.Json;
import io.headgate.testbed.lab.twin.LabTwin;
import io.headgate.testbed.scenario.ScenarioException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code headgate twin}: repeats a lab in virtual time. */
@Command(
        name = "twin",
        description = {
            "Runs a lab again in virtual time, from the data in its report: links, configurations,"
                    + " and the UDP traffic of hosts.",
            "Compares each port's sent and lost frames, its pauses and its queue, and the time for"
                    + " which hosts were stopped, and shows the first difference.",
            LabTwin.TOLERANCE
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:no difference", "1:they differ", "2:there is no such lab"})
public final class TwinCommand extends HeadgateCommand implements Callable<Integer> {
    @Mixin private final JsonOption json = new JsonOption();

    @Parameters(index = "0", paramLabel = "DIR", description = "The directory of a lab's report.")
    private Path directory;

    @Override
    public Integer call() throws CommandFailure {
        try {
            LabTwin twin = LabTwin.of(directory);
            print(json.isGiven() ? Json.COMPACT.writeValueAsString(twin) + "\n" : twin.toText());
            return twin.isAlike() ? 0 : 1;
        } catch (ScenarioException e) {
            throw CommandFailure.badInput(e.getMessage() + ".");
        }
    }
}
