package io.headgate.control.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * A table of aligned columns for a person. A heading that begins with {@code >} aligns to the
 * right. A table wider than {@link Prose#COLUMNS} gets headings of several lines, and then a last
 * column of several lines if that column is text.
 */
public final class Table {
    private static final int LEAST_TEXT_COLUMNS = 24;

    /**
     * The heading of a column.
     *
     * @param text {@code >} before it: the column aligns to the right
     * @param says what its cells show, and for which period; empty: the text says it
     */
    public record Heading(String text, String says) {}

    private final String[] headings;
    private final List<String> says;
    private final boolean[] right;
    private final List<String[]> rows = new ArrayList<>();

    public Table(String... headings) {
        this(Arrays.stream(headings).map(text -> new Heading(text, "")).toList());
    }

    /** A table whose columns have descriptions. */
    public Table(List<Heading> explained) {
        this.headings = explained.stream().map(Heading::text).toArray(String[]::new);
        this.says = explained.stream().map(Heading::says).toList();
        this.right = new boolean[headings.length];
        for (int column = 0; column < headings.length; column++) {
            if (headings[column].startsWith(">")) {
                right[column] = true;
                this.headings[column] = headings[column].substring(1);
            }
        }
    }

    /**
     * A column of a table whose rows are made from objects.
     *
     * @param cell the value for a row's object, shown as {@link String#valueOf} does
     * @param says what its cells show, and for which period; empty: the heading says it
     */
    public record Column<T>(String heading, Function<? super T, ?> cell, String says) {
        /** The same with a sentence on what it is of, and from when to when. */
        public Column<T> says(String sentence) {
            return new Column<>(heading, cell, sentence);
        }
    }

    public static <T> Column<T> column(String heading, Function<? super T, ?> cell) {
        return new Column<>(heading, cell, "");
    }

    /** The same with a sentence on what it is of, and from when to when. */
    public static <T> Column<T> column(String heading, Function<? super T, ?> cell, String says) {
        return new Column<>(heading, cell, says);
    }

    /** A column of numbers in a format, with such a sentence; NaN is shown as -. */
    public static <T> Column<T> number(
            String heading, String format, ToDoubleFunction<? super T> value, String says) {
        return column(heading, thing -> cell(format, value.applyAsDouble(thing)), says);
    }

    /** A column of numbers in a format; NaN is shown as -. */
    public static <T> Column<T> number(
            String heading, String format, ToDoubleFunction<? super T> value) {
        return column(heading, thing -> cell(format, value.applyAsDouble(thing)));
    }

    /** A number in a format; NaN is shown as -. */
    public static String cell(String format, double number) {
        return Double.isNaN(number) ? "-" : String.format(Locale.ROOT, format, number);
    }

    @SafeVarargs
    public static <T> Table of(Iterable<T> things, Column<T>... columns) {
        List<Column<T>> all = new ArrayList<>();
        for (Column<T> column : columns) {
            all.add(column);
        }
        return of(things, all);
    }

    public static <T> Table of(Iterable<T> things, List<Column<T>> columns) {
        Table table =
                new Table(
                        columns.stream()
                                .map(column -> new Heading(column.heading, column.says))
                                .toList());
        for (T thing : things) {
            table.row(
                    columns.stream()
                            .map(column -> String.valueOf(column.cell.apply(thing)))
                            .toArray(String[]::new));
        }
        return table;
    }

    /** Adds a row with a cell for each heading. */
    public void row(String... cells) {
        if (cells.length != headings.length) {
            throw new IllegalArgumentException(Arrays.toString(cells));
        }
        rows.add(cells.clone());
    }

    /** The headings of the columns. */
    public List<String> headings() {
        return List.of(headings);
    }

    /** The descriptions of the columns, in the same order; empty if the heading says it. */
    public List<String> says() {
        return says;
    }

    /** All rows, from left to right. */
    public List<List<String>> rows() {
        return rows.stream().map(List::of).toList();
    }

    /** The table as text, each line indented by {@code spaces} and ended. */
    public String indented(int spaces) {
        int[] widths = new int[headings.length];
        rows.forEach(row -> widen(widths, row));
        int[] narrow = widths.clone();
        widen(widths, headings);
        int last = headings.length - 1;
        if (spaces + sum(widths) > Prose.COLUMNS) {
            for (int column = 0; column <= last; column++) {
                for (String word : headings[column].split(" ")) {
                    narrow[column] = Math.max(narrow[column], Prose.width(word));
                }
            }
            System.arraycopy(narrow, 0, widths, 0, widths.length);
            int tooWide = spaces + sum(widths) - Prose.COLUMNS;
            if (tooWide > 0 && !right[last]) {
                widths[last] = Math.max(LEAST_TEXT_COLUMNS, widths[last] - tooWide);
            }
        }
        StringBuilder text = new StringBuilder();
        head(text, spaces, widths);
        for (String[] row : rows) {
            List<String> lines =
                    right[last] ? List.of(row[last]) : Prose.lines(row[last], widths[last]);
            String[] cells = row.clone();
            for (String line : lines) {
                cells[last] = line;
                line(text, spaces, widths, cells);
                Arrays.fill(cells, "");
            }
        }
        return text.toString();
    }

    /** Headings end on the line above the first row. */
    private void head(StringBuilder text, int spaces, int[] widths) {
        List<List<String>> all = new ArrayList<>();
        int height = 0;
        for (int column = 0; column < headings.length; column++) {
            all.add(Prose.lines(headings[column], Math.max(1, widths[column])));
            height = Math.max(height, all.getLast().size());
        }
        for (int line = 0; line < height; line++) {
            String[] cells = new String[headings.length];
            for (int column = 0; column < cells.length; column++) {
                List<String> of = all.get(column);
                int at = line - (height - of.size());
                cells[column] = at < 0 ? "" : of.get(at);
            }
            line(text, spaces, widths, cells);
        }
    }

    @Override
    public String toString() {
        return indented(0);
    }

    /** The total width, with the two spaces between columns. */
    private static int sum(int[] widths) {
        return Arrays.stream(widths).sum() + 2 * (widths.length - 1);
    }

    private static void widen(int[] widths, String[] cells) {
        for (int column = 0; column < widths.length; column++) {
            widths[column] = Math.max(widths[column], Prose.width(cells[column]));
        }
    }

    private void line(StringBuilder text, int spaces, int[] widths, String[] cells) {
        StringBuilder line = new StringBuilder(" ".repeat(spaces));
        for (int column = 0; column < widths.length; column++) {
            String padding = " ".repeat(Math.max(0, widths[column] - Prose.width(cells[column])));
            line.append(right[column] ? padding + cells[column] : cells[column] + padding);
            line.append("  ");
        }
        text.append(line.toString().stripTrailing()).append('\n');
    }
}
