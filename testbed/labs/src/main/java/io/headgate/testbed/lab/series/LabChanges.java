package io.headgate.testbed.lab.series;

import io.headgate.config.read.SwitchChange;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Section;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Records the changes that {@code headgate set}, {@code reload} and orders made to a network's
 * switches while it ran, so that a report says if its numbers belong to other settings than its
 * configurations. Any thread.
 */
public final class LabChanges {
    /**
     * Most changes of one network that are kept: if a program changes a switch all the time, the
     * first ones suffice.
     */
    private static final int MOST = 100;

    /** Most settings that a mark names. */
    private static final int MOST_WORDS = 2;

    /** The longest value that a mark shows; a longer one is a mapping. */
    private static final int MOST_LETTERS = 20;

    /**
     * The change of one key.
     *
     * @param atNs of {@link System#nanoTime}
     */
    public record Change(long atNs, String switchName, SwitchChange what) {}

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
     * What was set at one time, in a few words: {@code set p2.rate=1Mbps}, and what is set to the
     * same at several ports without these, {@code set rate=1Mbps}.
     */
    public static String words(List<SwitchChange> changes) {
        Map<String, List<String>> alike = new LinkedHashMap<>();
        for (SwitchChange one : changes) {
            String after = SwitchChange.words(one.after());
            String value = after.length() > MOST_LETTERS ? "" : "=" + after;
            String key = one.path().getFirst().equals("ports") ? ofPort(one.key()) : one.key();
            alike.computeIfAbsent(key + value, _ -> new ArrayList<>()).add(one.key() + value);
        }
        List<String> words = new ArrayList<>();
        alike.forEach((word, all) -> words.add(all.size() == 1 ? all.getFirst() : word));
        int more = words.size() - MOST_WORDS;
        return "set "
                + String.join(", ", words.subList(0, Math.min(words.size(), MOST_WORDS)))
                + (more > 0 ? " and " + more + " more" : "");
    }

    /** A key of a port without the port's name. */
    private static String ofPort(String key) {
        return key.substring(key.indexOf('.') + 1);
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
