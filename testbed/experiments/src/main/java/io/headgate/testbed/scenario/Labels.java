package io.headgate.testbed.scenario;

import java.lang.ref.WeakReference;
import java.util.List;

/** Labels that distinguish one of several results from the others. */
public final class Labels {
    /**
     * The parameters that vary in the last list of results. Cached because scenarios ask for the
     * label of every run of one list: otherwise each of ten thousand runs would be compared with
     * all others.
     */
    private static volatile Common last =
            new Common(new WeakReference<>(List.of()), 0, List.of(), false, false);

    private record Common(
            WeakReference<List<CellResult>> of,
            int size,
            List<String> varied,
            boolean manySeeds,
            boolean manyBeds) {
        boolean isOf(List<CellResult> results) {
            return of.refersTo(results) && size == results.size();
        }
    }

    private Labels() {}

    /** Such as {@code load 0.5, seed 2}; empty for a single one. */
    public static String of(List<CellResult> results, CellResult result) {
        Common common = last;
        if (!common.isOf(results)) {
            common = common(results);
            last = common;
        }
        return result.cell().label(common.varied, common.manySeeds, common.manyBeds);
    }

    private static Common common(List<CellResult> results) {
        List<String> varied =
                results.isEmpty()
                        ? List.of()
                        : results.getFirst().cell().values().names().stream()
                                .filter(name -> isVaried(results, name))
                                .toList();
        return new Common(
                new WeakReference<>(results),
                results.size(),
                varied,
                results.stream().map(r -> r.cell().seed()).distinct().count() > 1,
                results.stream().map(r -> r.cell().bed()).distinct().count() > 1);
    }

    private static boolean isVaried(List<CellResult> results, String name) {
        return results.stream().map(r -> r.cell().values().text(name)).distinct().count() > 1;
    }

    /** A text followed by the label, if there is one. */
    public static String behind(String text, List<CellResult> results, CellResult result) {
        String label = of(results, result);
        return label.isEmpty() ? text : text + " (" + label + ")";
    }

    /**
     * A text and the parts of the label after it.
     *
     * @param parts such as {@code load 0.5} and {@code seed 2}; empty if there is no label
     */
    public record Labelled(String text, List<String> parts) {
        public Labelled {
            parts = List.copyOf(parts);
        }

        /** The text followed by the label without the seed. */
        public String ofAllSeeds() {
            String label = String.join(", ", withoutSeed());
            return label.isEmpty() ? text : text + " (" + label + ")";
        }

        /** The parts without the seed. */
        public List<String> withoutSeed() {
            return parts.stream().filter(part -> !part.matches("seed -?[0-9]+")).toList();
        }
    }

    /** Splits a text that {@link #behind} has built. */
    public static Labelled split(String behind) {
        int open = behind.lastIndexOf(" (");
        if (open < 0 || !behind.endsWith(")")) {
            return new Labelled(behind, List.of());
        }
        String label = behind.substring(open + 2, behind.length() - 1);
        return new Labelled(behind.substring(0, open), List.of(label.split(", ")));
    }
}
