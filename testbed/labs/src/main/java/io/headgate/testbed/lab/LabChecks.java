package io.headgate.testbed.lab;

import io.headgate.config.Reason;
import io.headgate.control.capture.CaptureWriter;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Section;
import io.headgate.control.run.RunningSwitch;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.IngressCounter;
import io.headgate.testbed.lab.capture.CaptureCheck;
import io.headgate.testbed.lab.capture.CaptureWindows;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.Programs;
import io.headgate.testbed.netns.Tools;
import io.headgate.testbed.netns.Tools.Tool;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks at the end of the traffic: whether all slots were returned, and whether the captured
 * frames are correct.
 */
final class LabChecks {
    private static final int SHOWN = 3;

    private final RunReport report;
    private final Progress progress;

    LabChecks(RunReport report, Progress progress) {
        this.report = report;
        this.progress = progress;
    }

    /** Takes the devices away, after which every slot must be free in its pool. */
    void slots(LabSwitches switches) {
        long slots = 0;
        for (RunningSwitch one : switches.all()) {
            for (int port = 0; port < one.config().ports().size(); port++) {
                one.realTime().detach(port);
            }
            var engine = one.realTime().engine();
            for (int port = 0; port < engine.ports(); port++) {
                slots += engine.ingress(port).homeSlots();
            }
        }
        long all = slots;
        LabNetwork.await(() -> slotsFree(switches) == all);
        long missing = all - slotsFree(switches);
        if (missing != 0) {
            report.problem(missing + " of " + all + " slots did not become free");
        }
        report.add(
                new Section(
                        "Slots",
                        List.of(all, all - missing),
                        (all - missing) + " of " + all + " free after the devices were closed"));
    }

    private static long slotsFree(LabSwitches switches) {
        return LabCounters.of(switches).total(Scope.INGRESS, IngressCounter.SLOTS_FREE);
    }

    /** Has tshark read the capture, if it is there, once for all that is looked at in it. */
    void capture(Programs programs, LabCapture capture, OwnFindings findings) {
        for (int node = 0; node < capture.parts().size(); node++) {
            LabCapture.Part part = capture.parts().get(node);
            List<String[]> frames = capture(programs, part, findings.fields(node));
            if (frames != null) {
                findings.control(capture, node, frames);
            }
        }
    }

    /** Returns the frames, with some fields more; null: nothing has been read. */
    private @Nullable List<String[]> capture(
            Programs programs, LabCapture.Part part, List<String> more) {
        CaptureWindows windows = part.windows();
        Path file = part.file();
        report.file(part.inSentence(), file);
        CaptureWriter.Summary summary = windows.summary();
        String took =
                summary.written()
                        + " frames, "
                        + summary.leftOut()
                        + " left out, in "
                        + file
                        + "; ";
        String problem = windows.problem();
        if (problem != null) {
            report.problem(problem);
        }
        if (!Tools.provide(EnumSet.of(Tool.TSHARK), progress::say).isEmpty()) {
            String unread = took + Tools.sentence(EnumSet.of(Tool.TSHARK)) + ", so it is unchecked";
            report.add(new Section(part.name(), summary, unread));
            return null;
        }
        progress.say("Capture: tshark reads " + summary.written() + " frames");
        try {
            List<String> cut = new ArrayList<>();
            List<String[]> frames = CaptureCheck.read(programs, file, more, cut::add);
            cut.forEach(report::problem);
            if (problem != null || !cut.isEmpty()) {
                return frames;
            }
            CaptureCheck check = CaptureCheck.of(frames);
            String found =
                    "tshark finds "
                            + check.bad().size()
                            + " malformed or with a wrong checksum among "
                            + check.frames();
            if (!check.bad().isEmpty()) {
                report.problem(
                        "capture: "
                                + found
                                + ": "
                                + String.join(
                                        "; ",
                                        check.bad().stream()
                                                .limit(SHOWN)
                                                .map(CaptureCheck.BadFrame::describe)
                                                .toList())
                                + (check.bad().size() > SHOWN ? "; and more" : "")
                                + "; see "
                                + CaptureCheck.command(file));
            }
            report.add(new Section(part.name(), check, took + found));
            return frames;
        } catch (BedException e) {
            report.problem(Reason.of(e));
            return null;
        }
    }
}
