package io.headgate.testbed.scenario;

import java.util.List;

/** What tells one of several results from the others. */
public final class Labels {
    private Labels() {}

    /** Such as {@code load 0.5, seed 2}; empty for a single one. */
    public static String of(List<CellResult> results, CellResult result) {
        List<String> varied =
                result.cell().values().names().stream()
                        .filter(name -> isVaried(results, name))
                        .toList();
        boolean manySeeds = results.stream().map(r -> r.cell().seed()).distinct().count() > 1;
        boolean manyBeds = results.stream().map(r -> r.cell().bed()).distinct().count() > 1;
        return result.cell().label(varied, manySeeds, manyBeds);
    }

    private static boolean isVaried(List<CellResult> results, String name) {
        return results.stream().map(r -> r.cell().values().text(name)).distinct().count() > 1;
    }

    /** A text with the label behind it, where there is one. */
    public static String behind(String text, List<CellResult> results, CellResult result) {
        String label = of(results, result);
        return label.isEmpty() ? text : text + " (" + label + ")";
    }
}
