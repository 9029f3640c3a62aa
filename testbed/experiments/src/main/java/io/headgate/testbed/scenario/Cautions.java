package io.headgate.testbed.scenario;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Writes cautions about a result's statistics, which a reader must know before quoting them. */
public final class Cautions {
    private static final int MOST = 5;
    private static final double PERCENT = 100;

    /** Flows of a name over the seeds of a setting, which the label names. */
    private record Pooled(
            String group,
            String label,
            long begun,
            long unfinished,
            double bytes,
            double unfinishedBytes,
            boolean waited) {

        /** Summed here, once: a setting can have millions of flows. */
        static Pooled of(String label, List<Flows> runs) {
            return new Pooled(
                    runs.getFirst().group(),
                    label,
                    runs.stream().mapToLong(Flows::count).sum(),
                    runs.stream().mapToLong(Flows::unfinished).sum(),
                    runs.stream().mapToDouble(Flows::bytes).sum(),
                    runs.stream().mapToDouble(Flows::unfinishedBytes).sum(),
                    runs.stream().anyMatch(Flows::waitedInVain));
        }

        double share() {
            return unfinishedBytes / bytes;
        }

        String sentence() {
            return group
                    + label
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
                                    + " use only the other "
                            : "completion times, slowdowns and rates use only the other ")
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
                    Labels.split(Labels.behind("", results, setting.getFirst())).ofAllSeeds();
            Map<String, List<Flows>> byGroup = new LinkedHashMap<>();
            for (CellResult run : setting) {
                for (Flows one : run.flows()) {
                    byGroup.computeIfAbsent(one.group(), _ -> new ArrayList<>()).add(one);
                }
            }
            byGroup.values().forEach(runs -> all.add(Pooled.of(label, runs)));
        }
        all.removeIf(one -> one.unfinished == 0);
        all.sort(Comparator.comparingDouble(one -> -one.share()));
        return all;
    }

    /**
     * A sentence on the number of flows of a name that a figure leaves out; empty if it leaves out
     * none.
     */
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
            for (Flows flows : run.flows()) {
                String why = flows.refusal();
                if (!why.isEmpty()) {
                    refused.computeIfAbsent(flows.group(), _ -> new LinkedHashSet<>()).add(why);
                }
            }
        }
        List<String> said = new ArrayList<>();
        refused.forEach((group, all) -> {
            String first = all.iterator().next();
            int others = all.size() - 1;
            said.add(
                    others == 0
                            ? first
                            : first + " (other runs have this too, with other numbers)");
        });
        return said;
    }
}
