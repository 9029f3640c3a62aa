package io.headgate.testbed.scenario.report;

import java.util.ArrayList;
import java.util.List;

/** Lines of two texts that are not in a longest sequence of lines that both have. */
final class LineDifference {
    /**
     * Neighbouring lines that differ.
     *
     * @param first number of the first of them in A, or of the one before which B has more; from 1
     * @param a the lines that only A has
     * @param b the lines that only B has
     */
    record Part(int first, List<String> a, List<String> b) {}

    private LineDifference() {}

    /** What differs, from top to bottom; of the order of the product of both lengths. */
    static List<Part> of(List<String> a, List<String> b) {
        int[][] alike = alikeFrom(a, b);
        List<Part> parts = new ArrayList<>();
        int i = 0;
        int j = 0;
        while (i < a.size() || j < b.size()) {
            int fromA = i;
            int fromB = j;
            while ((i < a.size() || j < b.size())
                    && !(i < a.size() && j < b.size() && a.get(i).equals(b.get(j)))) {
                if (j == b.size() || (i < a.size() && alike[i + 1][j] >= alike[i][j + 1])) {
                    i++;
                } else {
                    j++;
                }
            }
            if (i > fromA || j > fromB) {
                parts.add(new Part(fromA + 1, a.subList(fromA, i), b.subList(fromB, j)));
            }
            i++;
            j++;
        }
        return parts;
    }

    /** How many lines, at most, both have in this order from line i of A and line j of B on. */
    private static int[][] alikeFrom(List<String> a, List<String> b) {
        int[][] alike = new int[a.size() + 1][b.size() + 1];
        for (int i = a.size() - 1; i >= 0; i--) {
            for (int j = b.size() - 1; j >= 0; j--) {
                alike[i][j] =
                        a.get(i).equals(b.get(j))
                                ? alike[i + 1][j + 1] + 1
                                : Math.max(alike[i + 1][j], alike[i][j + 1]);
            }
        }
        return alike;
    }
}
