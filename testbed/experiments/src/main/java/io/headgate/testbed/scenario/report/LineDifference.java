package io.headgate.testbed.scenario.report;

import java.util.ArrayList;
import java.util.List;

/**
 * Finds the lines in which two texts differ: those outside a longest common subsequence of lines.
 */
final class LineDifference {
    /** Maximum number of compared pairs of lines: 16 MB. */
    private static final long MOST_PAIRS = 4_000_000;

    /**
     * Adjacent lines that differ.
     *
     * @param first number of the first of them in A, or of the line before which B has additional
     *     ones; from 1
     * @param a the lines that only A has
     * @param b the lines that only B has
     */
    record Part(int first, List<String> a, List<String> b) {}

    private LineDifference() {}

    /**
     * The differences, from top to bottom. Time and memory grow with the product of both lengths
     * between the first and the last line that differ; if this is too large, everything between
     * them is one difference.
     */
    static List<Part> of(List<String> a, List<String> b) {
        int shorter = Math.min(a.size(), b.size());
        int head = 0;
        while (head < shorter && a.get(head).equals(b.get(head))) {
            head++;
        }
        int tail = 0;
        while (tail < shorter - head
                && a.get(a.size() - 1 - tail).equals(b.get(b.size() - 1 - tail))) {
            tail++;
        }
        List<String> inA = a.subList(head, a.size() - tail);
        List<String> inB = b.subList(head, b.size() - tail);
        return (inA.size() + 1L) * (inB.size() + 1L) > MOST_PAIRS
                ? List.of(new Part(head + 1, inA, inB))
                : parts(head, inA, inB);
    }

    /** Differences of lines that follow {@code before} common lines. */
    private static List<Part> parts(int before, List<String> a, List<String> b) {
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
                parts.add(new Part(before + fromA + 1, a.subList(fromA, i), b.subList(fromB, j)));
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
