package io.headgate.testbed.lab.cli;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headgate lab incast}. */
@Command(
        name = "incast",
        description = {
            "Three hosts send to one over a switch, each at the rate of the receiver's link.",
            "The hosts have agents: applications use a TAP, and their sockets wait when the switch"
                    + " pauses (priority flow control, IEEE 802.1Qbb PFC) or grants no credits"
                    + " (credit-based flow control). No frame may be lost anywhere.",
            "This lab is a file: --print shows it, and 'headgate lab FILE' runs your own version."
        })
final class IncastCommand extends ReadyLabCommand {
    @Mixin private ReadyLab ready;

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            description = "Line rate of every link, e.g. 50Mbps.",
            defaultValue = "100Mbps")
    private String rate;

    @Option(
            names = "--flow-control",
            paramLabel = "KIND",
            description = "pfc, credits or none.",
            defaultValue = "pfc")
    private String flowControl;

    @Option(
            names = "--lossy",
            description = "The same as --flow-control none: shows the losses without flow control.")
    private boolean lossy;

    @Override
    public Integer call() {
        String mode = lossy ? "none" : arguments.single("--flow-control", flowControl);
        return ready.run(
                "incast", arguments.settings(rate, Map.of("flow-control", mode)), arguments);
    }
}
