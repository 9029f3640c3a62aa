package io.headgate.testbed.lab.series;

import io.headgate.config.read.SwitchChange;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What {@code headgate set}, {@code reload} and orders changed of a network's switches while it
 * ran: a report whose numbers are of other settings than its configurations says so. Any thread.
 */
public final class LabChanges {
    /**
     * Most changes of one network that are kept: if a program changes a switch all the time, the
     * first ones suffice.
     */
    private static final int MOST = 100;

    /**
     * One key.
     *
     * @param atNs of {@link System#nanoTime}
     */
    public record Change(long atNs, String switchName, SwitchChange what) {}

    /** As programs read it. */
    private record Row(double seconds, String at, String key, String before, String after) {}

    private final long startNs;
    private final List<Change> all = new ArrayList<>();
    private int more;

    /**
     * @param startNs of the lab
     */
    public LabChanges(long startNs) {
        this.startNs = startNs;
    }

    public synchronized void add(String switchName, List<SwitchChange> changes) {
        long nowNs = System.nanoTime();
        for (SwitchChange change : changes) {
            if (all.size() < MOST) {
                all.add(new Change(nowNs, switchName, change));
            } else {
                more++;
            }
        }
    }

    /** In their order. */
    public synchronized List<Change> all() {
        return List.copyOf(all);
    }

    /**
     * Adds those of all networks of a lab, with their times since the lab began; nothing if nothing
     * was changed.
     */
    public static void describe(List<LabChanges> networks, RunReport report) {
        List<Row> rows = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        networks.forEach(one -> one.describe(rows, text));
        if (!rows.isEmpty()) {
            report.add(new Section("Changed while it ran", rows, text.toString()));
        }
    }

    private synchronized void describe(List<Row> rows, StringBuilder text) {
        for (Change one : all) {
            double seconds = (one.atNs - startNs) / 1e9;
            text.append(
                    String.format(
                            Locale.ROOT,
                            "changed at %.1f s: %s %s%n",
                            seconds,
                            one.switchName,
                            one.what));
            rows.add(
                    new Row(
                            seconds,
                            one.switchName,
                            one.what.key(),
                            SwitchChange.words(one.what.before()),
                            SwitchChange.words(one.what.after())));
        }
        if (more > 0) {
            text.append("and ").append(more).append(" more keys later\n");
        }
    }
}
