package io.headgate.testbed.datacenter;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.headgate.config.SwitchConfig;
import io.headgate.testbed.lab.LabOptions;
import io.headgate.testbed.lab.OwnLab;
import io.headgate.testbed.lab.cli.ReadyLab;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.Iperf3;
import io.headgate.testbed.netns.LabRecords;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Series;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * RFC 8239, section 5: a group of four ports, two that send and two that receive; the first sends
 * to both, the second congests one of them. The test measures whether this delays the flow to the
 * other receiver, the victim. It runs the ready lab {@code hol}, with its hosts and agents: without
 * flow control, with priority flow control (PFC), and with credits.
 */
final class HeadOfLine {
    private static final String LAB = "hol";

    /** The place of the victim, and its port, in the lab's file. */
    private static final int VICTIM = 2;

    private HeadOfLine() {}

    /**
     * The result for one kind of flow control; rates are of payload, in bits per second.
     *
     * @param mode none, pfc or credits
     * @param lostFrames anywhere
     * @param victim what its port sent, over time
     */
    record Trial(
            String mode,
            double victimOfferedBps,
            double victimBps,
            double congestedBps,
            long victimLost,
            long lostFrames,
            @JsonIgnore SwitchConfig config,
            @JsonIgnore Series victim) {
        double victimShare() {
            return victimBps / victimOfferedBps;
        }

        /** As tables write it. */
        String word() {
            return mode.equals("none") ? "none (lossy)" : mode;
        }
    }

    /** The results, and the problems. */
    record Result(List<Trial> trials, List<String> problems) {
        Result {
            trials = List.copyOf(trials);
            problems = List.copyOf(problems);
        }
    }

    /** The lab, not run yet; {@code directory} is for captures and iperf3's own results. */
    static OwnLab lab(DatacenterPlan plan, String prefix, Path directory, LabRecords records)
            throws BedException {
        String rate = plan.flowRateBps() + "bps";
        LabOptions options =
                new LabOptions(
                        LabOptions.DeviceKind.AFPACKET,
                        "auto",
                        "backoff",
                        rate,
                        plan.seconds(),
                        1500,
                        false,
                        false,
                        directory,
                        directory,
                        prefix,
                        plan.seed(),
                        false);
        PrintStream nobody =
                new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        try {
            List<OwnLabSpec> runs =
                    ReadyLab.read(LAB, Map.of("rate", rate, "duration", plan.seconds() + "s"));
            return new OwnLab(runs, 1, options, records, "headgate bench datacenter", nobody);
        } catch (ScenarioException e) {
            throw new BedException(e);
        }
    }

    static Result run(OwnLab lab) throws BedException {
        List<String> problems = lab.run().problems();
        return new Result(
                lab.ran().stream().map(HeadOfLine::trial).toList(),
                problems.stream().map(one -> "head of line: " + one).toList());
    }

    private static Trial trial(OwnLab.Ran run) {
        Iperf3.Outcome victim = run.flows().get(VICTIM);
        return new Trial(
                run.name(),
                victim.flow().udpBps(),
                victim.receivedBps(),
                run.flows().subList(0, VICTIM).stream()
                        .mapToDouble(Iperf3.Outcome::receivedBps)
                        .sum(),
                victim.lostDatagrams(),
                run.lostFrames(),
                run.configs().getFirst(),
                run.sent().get(VICTIM));
    }
}
