package io.headgate.testbed.lab.cli;

import io.headgate.config.FlowControlConfig.Mode;
import io.headgate.testbed.lab.HolLab;
import io.headgate.testbed.lab.HolMarks.Detector;
import io.headgate.testbed.lab.HolMarks.Way;
import io.headgate.testbed.lab.LabOptions;
import io.headgate.testbed.lab.LabOptions.DeviceKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
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
                    + " credits, one after the other.",
            "With --detect: with PFC and with credits, each with these detectors of congestion at"
                    + " the switch's ports and the hosts' cards; hosts declare ECT(1), and the"
                    + " report counts how the victim's frames are marked."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:PASS",
            "1:FAIL, or the lab could not be run",
            "2:wrong options",
            LabArguments.INVALID
        })
final class HolCommand implements Callable<Integer> {
    @Mixin private LabArguments arguments;

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            description = "Line rate of every link but h4's, which has 0.4 of it, e.g. 50Mbps.",
            defaultValue = "100Mbps")
    private String rate;

    @Option(
            names = "--flow-control",
            paramLabel = "LIST",
            split = ",",
            description = "none, pfc and credits, with commas between, in the order of the runs.",
            defaultValue = "none,pfc,credits")
    private List<String> flowControl;

    @Option(
            names = "--detect",
            paramLabel = "LIST",
            split = ",",
            description =
                    "tcd (ternary), red (by the queue's length) and fecn (InfiniBand's rule, with"
                            + " credits alone), with commas between.")
    private @Nullable List<String> detect;

    @Override
    public Integer call() {
        List<String> wanted = detect;
        List<Mode> modes = flowControl.stream().map(arguments::mode).distinct().toList();
        List<Way> ways = wanted == null ? List.of() : ways(modes, wanted);
        LabOptions options = arguments.options(DeviceKind.AFPACKET, rate);
        if (!ways.isEmpty()) {
            return arguments.run(
                    (records, progress) ->
                            HolLab.detecting(options, ways, records, arguments.command(), progress),
                    List.of("Captures of all marks and plots are in " + options.reportDirectory()),
                    "TCD marked the victim undetermined and next to never congested, and nothing"
                            + " was lost");
        }
        return arguments.run(
                (records, progress) ->
                        new HolLab(options, modes, records, arguments.command(), progress),
                List.of("Captures and plots of each are in " + options.reportDirectory()),
                modes.contains(Mode.NONE)
                        ? "in this run frames were lost without flow control"
                                + (modes.size() > 1 ? ", and none with it" : "")
                        : "in this run no frame was lost");
    }

    private List<Way> ways(List<Mode> modes, List<String> wanted) {
        List<Way> ways =
                Way.all(detectors(wanted)).stream()
                        .filter(way -> modes.contains(way.mode()))
                        .toList();
        if (ways.isEmpty()) {
            throw arguments.wrong(
                    "--detect "
                            + String.join(",", wanted)
                            + " has nothing to tell with --flow-control "
                            + String.join(",", flowControl)
                            + ": pfc or credits is needed, for fecn credits");
        }
        return ways;
    }

    private List<Detector> detectors(List<String> words) {
        List<Detector> detectors = new ArrayList<>();
        for (String word : words) {
            detectors.add(
                    Arrays.stream(Detector.values())
                            .filter(detector -> detector.word().equals(word))
                            .findFirst()
                            .orElseThrow(() ->
                                    arguments.wrong(
                                            "--detect '"
                                                    + word
                                                    + "' is not known: tcd, red and fecn"
                                                    + " are allowed, with commas between"
                                                    + " them")));
        }
        return detectors.stream().distinct().toList();
    }
}
