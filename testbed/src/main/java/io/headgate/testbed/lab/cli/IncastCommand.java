package io.headgate.testbed.lab.cli;

import io.headgate.config.FlowControlConfig.Mode;
import io.headgate.testbed.lab.IncastLab;
import io.headgate.testbed.lab.LabOptions;
import io.headgate.testbed.lab.LabOptions.DeviceKind;
import io.headgate.testbed.lab.capture.ControlFrames;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headgate lab incast}. */
@Command(
        name = "incast",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = {
            "Three hosts send to one over a switch, each as much as the receiver's link carries.",
            "The hosts have agents: applications use a TAP, and their sockets wait when the switch"
                    + " pauses (priority flow control, IEEE 802.1Qbb PFC) or grants no credits"
                    + " (credit-based flow control). Nothing may be lost anywhere."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:PASS",
            "1:FAIL, or the lab could not be run",
            "2:wrong options",
            LabArguments.INVALID
        })
final class IncastCommand implements Callable<Integer> {
    @Mixin private LabArguments arguments;

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
        Mode mode = mode();
        LabOptions options = arguments.options(DeviceKind.AFPACKET, rate);
        Path capture = options.captureDirectory().resolve("capture.pcapng");
        return arguments.run(
                (records, progress) ->
                        new IncastLab(options, mode, records, arguments.command(), progress),
                look(mode, capture),
                mode == Mode.NONE
                        ? "without flow control frames were lost, and every loss has a name"
                        : "in this run nothing was lost in the switch, the agents, the TAPs or the"
                                + " sockets, and all came in order");
    }

    private static List<String> look(Mode mode, Path capture) {
        return switch (mode) {
            case CREDITS ->
                    List.of(
                            "Look at the capture; the plugin shows credit frames:",
                            "  wireshark -X lua_script:config/wireshark/headgate.lua "
                                    + capture
                                    + " -Y headgate_credits");
            case PFC, PAUSE ->
                    List.of(
                            "Look at the capture; Wireshark calls priority flow control \"Class"
                                    + " Based Flow Control [CBFC]\":",
                            "  wireshark " + capture + " -Y '" + ControlFrames.filter(mode) + "'");
            case NONE ->
                    List.of(
                            "Look at the capture, or at what was dropped and why:",
                            "  wireshark " + capture,
                            LabArguments.drops(capture));
        };
    }

    private Mode mode() {
        if (lossy) {
            return Mode.NONE;
        }
        return arguments.mode(flowControl);
    }
}
