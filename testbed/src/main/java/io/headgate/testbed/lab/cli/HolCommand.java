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
        List<Way> ways = wanted == null ? List.of() : Way.all(detectors(wanted));
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
                        new HolLab(
                                options,
                                List.of(Mode.NONE, Mode.PFC, Mode.CREDITS),
                                records,
                                arguments.command(),
                                progress),
                List.of("Captures and plots of each are in " + options.reportDirectory()),
                "in this run frames were lost without flow control, and none with it");
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
