package io.headgate.testbed.lab.cli;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headgate lab incast}. */
@Command(
        name = "incast",
        description = {
            "Three hosts send to one over a switch, each as much as the receiver's link carries.",
            "The hosts have agents: applications use a TAP, and their sockets wait when the switch"
                    + " pauses (priority flow control, IEEE 802.1Qbb PFC) or grants no credits"
                    + " (credit-based flow control). Nothing may be lost anywhere.",
            "It is a file: --print shows it, and 'headgate lab FILE' runs what you made of it."
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

    @Option(names = "--lossy", description = "The same as --flow-control none: what is lost then.")
    private boolean lossy;

    @Override
    public Integer call() {
        String mode = lossy ? "none" : arguments.single("--flow-control", flowControl);
        return ready.run(
                "incast", arguments.settings(rate, Map.of("flow-control", mode)), arguments);
    }
}
