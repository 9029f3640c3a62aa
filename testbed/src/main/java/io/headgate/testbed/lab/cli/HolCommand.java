package io.headgate.testbed.lab.cli;

import io.headgate.config.FlowControlConfig.Mode;
import io.headgate.testbed.lab.HolLab;
import io.headgate.testbed.lab.LabOptions;
import io.headgate.testbed.lab.LabOptions.DeviceKind;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headgate lab hol}. */
@Command(
        name = "hol",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = {
            "Head-of-line blocking: h1 and h2 congest the port of h4, whose link is slower; a"
                    + " victim flow goes from h1 to h3, whose link is idle.",
            "The same traffic without flow control, with priority flow control (PFC), and with"
                    + " credits, one after the other."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:PASS", "1:FAIL, or the lab could not be run", "2:wrong options"})
final class HolCommand implements Callable<Integer> {
    @Mixin private LabArguments arguments;

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            description = "Line rate of every link but h4's, which has 0.4 of it, e.g. 50Mbps.",
            defaultValue = "100Mbps")
    private String rate;

    /** Picocli fills it in. */
    @SuppressWarnings("NullAway.Init")
    HolCommand() {}

    @Override
    public Integer call() {
        LabOptions options = arguments.options(DeviceKind.AFPACKET, rate);
        return arguments.run(
                (records, progress) ->
                        new HolLab(
                                options,
                                List.of(Mode.NONE, Mode.PFC, Mode.CREDITS),
                                records,
                                "headgate lab hol",
                                progress),
                List.of("Captures and plots of each are in " + options.reportDirectory()),
                "in this run frames were lost without flow control, and none with it");
    }
}
