package io.headgate.testbed.datacenter;

import io.headgate.config.FlowControlConfig.Mode;
import io.headgate.control.cli.work.BenchException;
import io.headgate.testbed.lab.HolLab;
import io.headgate.testbed.lab.HolLab.Comparison;
import io.headgate.testbed.lab.HolLab.Trial;
import io.headgate.testbed.lab.LabOptions;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.LabRecords;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * RFC 8239, section 5: a group of four ports, two that send and two that receive; the first sends
 * to both, the second congests one of them. Is the flow to the other one, the victim, held up? It
 * is {@link HolLab}'s experiment, hosts and their agents included: without flow control, with
 * priority flow control (PFC), with credits.
 */
final class HeadOfLine {
    private static final List<Mode> MODES = List.of(Mode.NONE, Mode.PFC, Mode.CREDITS);

    private HeadOfLine() {}

    /** What was seen, and what should not have been. */
    record Result(List<Trial> trials, List<String> problems) {
        Result {
            trials = List.copyOf(trials);
            problems = List.copyOf(problems);
        }

        List<Comparison> comparisons() {
            return trials.stream().map(Trial::comparison).toList();
        }
    }

    /** The lab, not run yet; {@code directory} is for captures and iperf3's own results. */
    static HolLab lab(DatacenterPlan plan, String prefix, Path directory, LabRecords records) {
        LabOptions options =
                new LabOptions(
                        LabOptions.DeviceKind.AFPACKET,
                        "auto",
                        "backoff",
                        String.format(Locale.ROOT, "%dbps", plan.flowRateBps()),
                        plan.seconds(),
                        1500,
                        false,
                        false,
                        directory,
                        directory,
                        prefix,
                        plan.seed());
        PrintStream nobody =
                new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        return new HolLab(options, MODES, records, "headgate bench datacenter", nobody);
    }

    static Result run(HolLab lab) throws BenchException {
        try {
            List<String> problems = lab.run().problems();
            return new Result(
                    lab.trials(), problems.stream().map(one -> "head of line: " + one).toList());
        } catch (BedException failure) {
            throw new BenchException(failure);
        }
    }

    /** As tables write it. */
    static String word(Mode mode) {
        return mode == Mode.NONE ? "none (lossy)" : mode.name().toLowerCase(Locale.ROOT);
    }
}
