package io.headgate.testbed.lab.cli;

import io.headgate.control.cli.HeadgateCommand;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Base of the commands of all ready labs. */
@Command(
        showDefaultValues = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:PASS",
            "1:FAIL, or the lab could not be run",
            "2:wrong options",
            LabArguments.INVALID
        })
abstract class ReadyLabCommand extends HeadgateCommand implements Callable<Integer> {
    @Mixin protected LabArguments arguments;
}
