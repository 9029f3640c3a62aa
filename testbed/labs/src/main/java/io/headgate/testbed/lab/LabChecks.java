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
import java.util.EnumSet;
import java.util.List;

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
            report.problem(missing + " of " + all + " slots did not come home");
        }
        report.add(
                new Section(
                        "Slots",
                        List.of(all, all - missing),
                        (all - missing) + " of " + all + " at home after the devices were closed"));
    }

    private static long slotsFree(LabSwitches switches) {
        return LabCounters.of(switches).total(Scope.INGRESS, IngressCounter.SLOTS_FREE);
    }

    /** Has tshark read the capture, if it is there. */
    void capture(Programs programs, LabCapture capture) {
        capture.parts().forEach(part -> capture(programs, part));
    }

    private void capture(Programs programs, LabCapture.Part part) {
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
            return;
        }
        if (!Tools.provide(EnumSet.of(Tool.TSHARK), progress::say).isEmpty()) {
            String unread = took + Tools.sentence(EnumSet.of(Tool.TSHARK)) + ", so nothing read it";
            report.add(new Section(part.name(), summary, unread));
            return;
        }
        progress.say("Capture: tshark reads " + summary.written() + " frames");
        try {
            CaptureCheck check = CaptureCheck.of(programs, file);
            String found =
                    "tshark finds "
                            + check.bad().size()
                            + " malformed or of a wrong checksum among "
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
        } catch (BedException e) {
            report.problem(Reason.of(e));
        }
    }
}
