package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.report.RunReport;
import io.headgate.testbed.lab.column.LabColumn;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A lab's report as its page shows it, and the counters of its switches. It notes which columns a
 * test has read, which finds the columns that no test checks.
 */
final class ReportPage {
    private static final Pattern SECTION =
            Pattern.compile("<h2>(.*?)</h2>(.*?)(?=<h2>|\\z)", Pattern.DOTALL);
    private static final Pattern TABLE =
            Pattern.compile("<table><tr>(.*?)</tr>\n(.*?)</table>", Pattern.DOTALL);
    private static final Pattern HEADING = Pattern.compile("<th( title=\"[^\"]+\")?>(.*?)</th>");
    private static final Pattern ROW = Pattern.compile("<tr>(.*?)</tr>");
    private static final Pattern CELL = Pattern.compile("<td[^>]*>(.*?)</td>");

    /** What no counter of a port can be held against, and why. */
    private static final Map<String, String> NOT_HELD =
            Map.ofEntries(
                    Map.entry("why", "a sentence about the reason in its row"),
                    Map.entry("meaning", "a sentence about the reason in its row"),
                    Map.entry("description", "a sentence about the reason in its row"),
                    Map.entry("from", "names what the row is of"),
                    Map.entry("to", "names what the row is of"),
                    Map.entry("shortest round trip (ms)", "ping's clock: a port has no such time"),
                    Map.entry("command", "as the file has it"),
                    Map.entry("ended", "the exit code of a program in a host"),
                    Map.entry("output", "the name of a file"),
                    Map.entry("start (s)", "as the file has it"),
                    Map.entry("protocol", "as the file has it"),
                    Map.entry("out of order", "ports do not know numbers of frames"));

    /** The first heading of a table whose columns are hosts: which pairs answered. */
    private static final String MATRIX = "from \\ to";

    /** A table; rows and columns in its order. */
    static final class Shown {
        private final List<String> headings = new ArrayList<>();
        private final List<List<String>> rows = new ArrayList<>();
        private final BitSet read = new BitSet();
        private boolean isExplained = true;

        int rows() {
            return rows.size();
        }

        String text(int row, String heading) {
            return text(row, heading, 0);
        }

        /** The text under one of several equal headings, by its number from 0. */
        String text(int row, String heading, int which) {
            int column = headings.indexOf(heading);
            for (int n = 0; n < which; n++) {
                column += 1 + headings.subList(column + 1, headings.size()).indexOf(heading);
            }
            assertThat(headings).contains(heading);
            read.set(column);
            return rows.get(row).get(column);
        }

        double number(int row, String heading) {
            return Double.parseDouble(text(row, heading).replace(",", ""));
        }

        List<Double> numbers(int row, String heading) {
            return Pattern.compile(" +")
                    .splitAsStream(text(row, heading))
                    .map(Double::parseDouble)
                    .toList();
        }

        double sum(String heading, String where, String is) {
            double sum = 0;
            for (int row = 0; row < rows.size(); row++) {
                sum += text(row, where).equals(is) ? number(row, heading) : 0;
            }
            return sum;
        }

        double sum(String heading) {
            double sum = 0;
            for (int row = 0; row < rows.size(); row++) {
                sum += number(row, heading);
            }
            return sum;
        }

        /** The first row in which a column has a value. */
        int row(String heading, String value) {
            for (int row = 0; row < rows.size(); row++) {
                if (text(row, heading).equals(value)) {
                    return row;
                }
            }
            throw new AssertionError(value + " is not in " + rows);
        }

        private boolean isMatrix() {
            return headings.getFirst().equals(MATRIX);
        }

        private List<String> notRead() {
            List<String> left = new ArrayList<>();
            for (int column = 0; column < headings.size(); column++) {
                if (!read.get(column) && !NOT_HELD.containsKey(headings.get(column))) {
                    left.add(headings.get(column));
                }
            }
            return left;
        }
    }

    private final Map<String, List<Shown>> sections = new LinkedHashMap<>();
    private final JsonNode report;

    private ReportPage(JsonNode report) {
        this.report = report;
    }

    static ReportPage of(RunReport run) {
        ReportPage page = new ReportPage(JsonMapper.builder().build().readTree(run.toJson()));
        Matcher section = SECTION.matcher(run.toHtml());
        while (section.find()) {
            Matcher table = TABLE.matcher(section.group(2));
            while (table.find()) {
                page.sections
                        .computeIfAbsent(section.group(1), name -> new ArrayList<>())
                        .add(shown(table));
            }
        }
        return page;
    }

    private static Shown shown(Matcher table) {
        Shown shown = new Shown();
        Matcher heading = HEADING.matcher(table.group(1));
        while (heading.find()) {
            shown.headings.add(heading.group(2));
            shown.isExplained &= heading.group(1) != null;
        }
        Matcher row = ROW.matcher(table.group(2));
        while (row.find()) {
            shown.rows.add(
                    CELL.matcher(row.group(1)).results().map(cell -> cell.group(1)).toList());
        }
        return shown;
    }

    /**
     * @param heading as tables take it
     */
    static boolean isHeldByNothing(String heading) {
        return NOT_HELD.containsKey(heading.replace(">", ""));
    }

    List<Shown> tables(String section) {
        return Objects.requireNonNull(sections.get(section), section);
    }

    Shown table(String section) {
        return tables(section).getFirst();
    }

    /** All sections but one. */
    String[] others(LabColumn.Of than) {
        return sections.keySet().stream()
                .filter(name -> !name.equals(than.section()))
                .toArray(String[]::new);
    }

    Shown table(LabColumn.Of of) {
        return table(of.section());
    }

    JsonNode json() {
        return report;
    }

    String switchName() {
        return switchName(0);
    }

    String switchName(int number) {
        return report.at("/switches/" + number + "/name").asString();
    }

    /** A counter of the first switch. */
    double counter(String scope, String owner, String label) {
        return counter(0, scope, owner, label);
    }

    double counter(int number, String scope, String owner, String label) {
        for (JsonNode one : report.at("/switches/" + number + "/counters")) {
            if (one.path("scope").asString().equals(scope)
                    && one.path("owner").asString().equals(owner)
                    && one.path("label").asString().equals(label)) {
                return one.path("value").asDouble();
            }
        }
        throw new AssertionError("no counter " + scope + " " + owner + " " + label);
    }

    /** Drops of the first switch. */
    double drops(String port, boolean ingress, String reason) {
        return drops(0, port, ingress, reason);
    }

    /**
     * @param reason empty: all
     */
    double drops(int number, String port, boolean ingress, String reason) {
        double sum = 0;
        for (JsonNode drop : report.at("/switches/" + number + "/drops")) {
            boolean isIt =
                    drop.path("port").asString().equals(port)
                            && drop.path("ingress").asBoolean() == ingress
                            && (reason.isEmpty() || drop.path("reason").asString().equals(reason));
            sum += isIt ? drop.path("frames").asDouble() : 0;
        }
        return sum;
    }

    /** All that a switch dropped. */
    double drops(int number) {
        double sum = 0;
        for (JsonNode drop : report.at("/switches/" + number + "/drops")) {
            sum += drop.path("frames").asDouble();
        }
        return sum;
    }

    /**
     * What a section of losses has in all; its rows of the switch are what that dropped.
     *
     * @param number the switch's, whose counters begin with the section's
     */
    double losses(String section, int number) {
        if (!sections.containsKey(section)) {
            assertThat(drops(number)).as(section).isZero();
            return 0;
        }
        Shown losses = table(section);
        double atSwitch = 0;
        for (int row = 0; row < losses.rows(); row++) {
            String where = losses.text(row, "where");
            if (where.startsWith("switch, port ")) {
                String port = where.substring("switch, port ".length());
                String reason = losses.text(row, "reason");
                atSwitch += losses.number(row, "frames");
                assertThat(losses.number(row, "frames"))
                        .isIn(
                                drops(number, port, true, reason),
                                drops(number, port, false, reason));
            }
        }
        assertThat(atSwitch).as(section).isEqualTo(drops(number));
        return losses.sum("frames");
    }

    /**
     * Requires that each column of each table says what it is, on the page and for programs, and
     * that the test has read it, if it is not one of those that nothing can be held against.
     *
     * @param others sections that another test holds
     */
    void everyColumnIsHeld(String... others) {
        Map<String, List<String>> left = new LinkedHashMap<>();
        sections.forEach((name, tables) -> {
            if (tables.getFirst().isMatrix()) {
                return;
            }
            for (Shown shown : tables) {
                assertThat(shown.isExplained).as(name + ": " + shown.headings).isTrue();
                if (!List.of(others).contains(name) && !shown.notRead().isEmpty()) {
                    left.put(name, shown.notRead());
                }
            }
            if (!name.startsWith("Switch ")) {
                assertThat(report.path("columns").path(name).size())
                        .as(name)
                        .isEqualTo(tables.getFirst().headings.size());
            }
        });
        assertThat(left).as("columns that no test holds against anything").isEmpty();
    }
}
