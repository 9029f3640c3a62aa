package io.headgate.testbed.lab;

import io.headgate.config.FlowControlConfig;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Section;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.Programs;
import io.headgate.testbed.netns.Tools;
import io.headgate.testbed.netns.Tools.Tool;
import java.nio.file.Path;
import java.util.List;

/** Has tshark count the frames of flow control in a capture. */
final class ControlFrames {
    private static final long TIMEOUT_MS = 180_000;

    private ControlFrames() {}

    /** Wireshark's filter for the frames of a kind of flow control. */
    static String filter(FlowControlConfig.Mode mode) {
        return mode == FlowControlConfig.Mode.CREDITS
                ? "eth.type == 0x88b5"
                : "macc.opcode == 0x0101";
    }

    /** Adds to the report how many there are; a problem if there are none. */
    static void check(Programs programs, Path file, FlowControlConfig.Mode mode, RunReport report)
            throws BedException {
        if (Tools.find(Tool.TSHARK).isEmpty()) {
            return;
        }
        Programs.Result result =
                programs.run(
                        null,
                        TIMEOUT_MS,
                        List.of(
                                "tshark",
                                "-n",
                                "-r",
                                file.toString(),
                                "-Y",
                                filter(mode),
                                "-T",
                                "fields",
                                "-e",
                                "frame.len"));
        long frames = result.output().lines().filter(line -> line.matches("[0-9]+")).count();
        report.add(
                new Section(
                        "Flow control in the capture",
                        frames,
                        frames + " frames match " + filter(mode)));
        if (frames == 0) {
            report.problem("no frame of flow control is in the capture");
        }
    }
}
