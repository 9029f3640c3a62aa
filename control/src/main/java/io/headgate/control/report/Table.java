package io.headgate.control.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Aligned columns for a person. A heading that begins with {@code >} aligns to the right. */
public final class Table {
    private final String[] headings;
    private final boolean[] right;
    private final List<String[]> rows = new ArrayList<>();

    public Table(String... headings) {
        this.headings = headings.clone();
        this.right = new boolean[headings.length];
        for (int column = 0; column < headings.length; column++) {
            if (headings[column].startsWith(">")) {
                right[column] = true;
                this.headings[column] = headings[column].substring(1);
            }
        }
    }

    /** Adds a row with a cell for each heading. */
    public void row(String... cells) {
        if (cells.length != headings.length) {
            throw new IllegalArgumentException(Arrays.toString(cells));
        }
        rows.add(cells.clone());
    }

    /** What stands above the columns. */
    public List<String> headings() {
        return List.of(headings);
    }

    /** All rows, from left to right. */
    public List<List<String>> rows() {
        return rows.stream().map(List::of).toList();
    }

    /** The table, each line behind so many spaces and with its end. */
    public String indented(int spaces) {
        int[] widths = new int[headings.length];
        widen(widths, headings);
        rows.forEach(row -> widen(widths, row));
        StringBuilder text = new StringBuilder();
        line(text, spaces, widths, headings);
        rows.forEach(row -> line(text, spaces, widths, row));
        return text.toString();
    }

    @Override
    public String toString() {
        return indented(0);
    }

    private static void widen(int[] widths, String[] cells) {
        for (int column = 0; column < widths.length; column++) {
            int width = cells[column].codePointCount(0, cells[column].length());
            widths[column] = Math.max(widths[column], width);
        }
    }

    private void line(StringBuilder text, int spaces, int[] widths, String[] cells) {
        StringBuilder line = new StringBuilder(" ".repeat(spaces));
        for (int column = 0; column < widths.length; column++) {
            int width = cells[column].codePointCount(0, cells[column].length());
            String padding = " ".repeat(widths[column] - width);
            line.append(right[column] ? padding + cells[column] : cells[column] + padding);
            line.append("  ");
        }
        text.append(line.toString().stripTrailing()).append('\n');
    }
}
