package io.headgate.testbed.lab.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headgate lab hol}. */
@Command(
        name = "hol",
        description = {
            "Head-of-line blocking: h1 and h2 congest the port of h4, whose link is slower; a"
                    + " victim flow goes from h1 to h3, whose link is idle.",
            "The same traffic without flow control, with priority flow control (PFC), and with"
                    + " credits, one after the other.",
            "With --detect: PFC and credits, each with these congestion detectors at the switch's"
                    + " ports and the hosts' cards; hosts declare ECT(1), and the report counts the"
                    + " marks of the victim's frames.",
            "Both are files: --print shows them, and 'headgate lab FILE' runs your own version of"
                    + " one."
        })
final class HolCommand extends ReadyLabCommand {
    private static final List<String> MODES = List.of("none", "pfc", "credits");
    private static final List<String> DETECTORS = List.of("tcd", "red", "fecn");

    @Mixin private ReadyLab ready;

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            description =
                    "Line rate of every link except h4's, which has 0.4 times this rate, e.g."
                            + " 50Mbps; at least 2500kbps.",
            defaultValue = "100Mbps")
    private String rate;

    @Option(
            names = "--flow-control",
            paramLabel = "LIST",
            split = ",",
            description = "none, pfc and credits, separated by commas, in the order of the runs.",
            defaultValue = "none,pfc,credits")
    private List<String> flowControl;

    @Option(
            names = "--detect",
            paramLabel = "LIST",
            split = ",",
            description =
                    "tcd (ternary), red (by the queue's length) and fecn (InfiniBand's rule, only"
                            + " with credits), separated by commas.")
    private @Nullable List<String> detect;

    @Override
    public Integer call() {
        List<String> detectors = detect;
        check("--flow-control", flowControl, MODES);
        check("--detect", detectors == null ? List.of() : detectors, DETECTORS);
        return detectors == null
                ? ready.run(
                        "hol", settings("flow-control", String.join(",", flowControl)), arguments)
                : ready.run("hol-marks", settings("detect", ways(detectors)), arguments);
    }

    private void check(String option, List<String> given, List<String> allowed) {
        for (String one : given) {
            arguments.require(
                    allowed.contains(one),
                    "%s '%s' is not known: allowed are %s, with commas between"
                            .formatted(option, one, String.join(", ", allowed)));
        }
    }

    private Map<String, String> settings(String parameter, String values) {
        return arguments.settings(rate, Map.of(parameter, values));
    }

    /** Each flow control with each detector that works there. */
    private String ways(List<String> detectors) {
        List<String> ways = new ArrayList<>();
        for (String mode : flowControl) {
            for (String detector : detectors) {
                boolean works = mode.equals("credits") || !detector.equals("fecn");
                if (!mode.equals("none") && works) {
                    ways.add(mode + "-" + detector);
                }
            }
        }
        arguments.require(
                !ways.isEmpty(),
                ("--detect %s has no effect with --flow-control %s: pfc or credits is needed, for"
                                + " fecn credits")
                        .formatted(String.join(",", detectors), String.join(",", flowControl)));
        return String.join(",", ways);
    }
}
