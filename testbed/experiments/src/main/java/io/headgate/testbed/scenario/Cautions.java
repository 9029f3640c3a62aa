package io.headgate.testbed.scenario;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a reader of a result must know of its statistics before quoting them. */
public final class Cautions {
    private static final int MOST = 5;
    private static final double PERCENT = 100;

    /** Flows of a name over the seeds of a setting. */
    private record Pooled(
            String group,
            String label,
            long begun,
            long unfinished,
            double bytes,
            double unfinishedBytes,
            boolean waited) {

        double share() {
            return unfinishedBytes / bytes;
        }

        String sentence() {
            return group
                    + (label.isEmpty() ? "" : " (" + label + ")")
                    + ": "
                    + unfinished
                    + " of "
                    + begun
                    + " flows, with "
                    + Numbers.text(Math.rint(PERCENT * PERCENT * share()) / PERCENT, "%")
                    + " of their bytes ("
                    + Numbers.shown(unfinishedBytes, "byte")
                    + " of "
                    + Numbers.shown(bytes, "byte")
                    + "), had not finished when their run ended; "
                    + (waited
                            ? "percentiles count them as slower than the others, means and rates"
                                    + " are of the other "
                            : "completion times, slowdowns and rates are of the other ")
                    + (begun - unfinished);
        }
    }

    private Cautions() {}

    /**
     * Cautions about runs: flows that had not finished, and seeds that change nothing; a sentence
     * each.
     */
    public static List<String> of(List<CellResult> results) {
        List<String> cautions = new ArrayList<>();
        List<Pooled> open = unfinished(results);
        open.stream().limit(MOST).map(Pooled::sentence).forEach(cautions::add);
        if (open.size() > MOST) {
            cautions.add(
                    (open.size() - MOST)
                            + " more settings have unfinished flows: 'flows unfinished' and 'bytes"
                            + " unfinished' in measures.csv");
        }
        String seeds = Seeds.caution(results);
        if (!seeds.isEmpty()) {
            cautions.add(seeds);
        }
        return cautions;
    }

    /** Those settings that have any, the largest share of bytes first. */
    private static List<Pooled> unfinished(List<CellResult> results) {
        List<Pooled> all = new ArrayList<>();
        for (List<CellResult> setting : Seeds.bySetting(results).values()) {
            String label =
                    String.join(
                            ", ",
                            Labels.split(Labels.behind("", results, setting.getFirst()))
                                    .withoutSeed());
            Map<String, Pooled> byGroup = new LinkedHashMap<>();
            for (CellResult run : setting) {
                Outcome outcome = run.outcome();
                for (String group : outcome == null ? List.<String>of() : Flows.groups(outcome)) {
                    Flows flows = outcome == null ? null : Flows.of(outcome, group);
                    if (flows != null) {
                        byGroup.merge(
                                group,
                                new Pooled(
                                        group,
                                        label,
                                        flows.count(),
                                        flows.unfinished(),
                                        flows.bytes(),
                                        flows.unfinishedBytes(),
                                        flows.waitedInVain()),
                                Cautions::together);
                    }
                }
            }
            all.addAll(byGroup.values());
        }
        all.removeIf(one -> one.unfinished == 0);
        all.sort(Comparator.comparingDouble(one -> -one.share()));
        return all;
    }

    private static Pooled together(Pooled a, Pooled b) {
        return new Pooled(
                a.group,
                a.label,
                a.begun + b.begun,
                a.unfinished + b.unfinished,
                a.bytes + b.bytes,
                a.unfinishedBytes + b.unfinishedBytes,
                a.waited || b.waited);
    }

    /** How many flows of a name were left out of a figure; empty if none was. */
    static String ofGroup(List<CellResult> results, String group) {
        return String.join(
                "; ",
                unfinished(results).stream()
                        .filter(one -> one.group.equals(group))
                        .limit(MOST)
                        .map(Pooled::sentence)
                        .toList());
    }

    /** Percentiles that runs do not have, in a sentence for each name of flows. */
    public static List<String> refused(List<CellResult> results) {
        Map<String, Set<String>> refused = new LinkedHashMap<>();
        for (CellResult run : results) {
            Outcome outcome = run.outcome();
            for (String group : outcome == null ? List.<String>of() : Flows.groups(outcome)) {
                Flows flows = outcome == null ? null : Flows.of(outcome, group);
                String why = flows == null ? "" : flows.refusal();
                if (!why.isEmpty()) {
                    refused.computeIfAbsent(group, _ -> new LinkedHashSet<>()).add(why);
                }
            }
        }
        List<String> said = new ArrayList<>();
        refused.forEach((group, all) -> {
            String first = all.iterator().next();
            int others = all.size() - 1;
            said.add(
                    others == 0 ? first : first + " (so it is, with other numbers, in other runs)");
        });
        return said;
    }
}
