package io.headgate.control.report;

import static io.headgate.control.report.Table.column;
import static io.headgate.control.report.Table.number;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.headgate.control.counters.CounterSnapshot.Drop;
import io.headgate.control.report.Table.Column;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The report of a run: the environment; for each switch its whole configuration, counters and
 * drops; and the sections that the run itself adds. One thread fills it in.
 */
public final class RunReport {
    private static final String PAGE = "report.html";

    /**
     * One result.
     *
     * @param data for programs: an object that Jackson can write, best records and lists of them;
     *     units are part of names
     * @param note for people: sentences, or lines that are shown as they are; without the heading
     * @param table below the note; null: none. A section without note and table is for programs
     *     alone
     */
    public record Section(String name, Object data, String note, @Nullable Table table) {
        /** A result without a table. */
        public Section(String name, Object data, String note) {
            this(name, data, note, null);
        }

        /** A result that is a table. */
        public Section(String name, Object data, Table table) {
            this(name, data, "", table);
        }

        /** The section for a person, in lines. */
        public String text() {
            Table rows = table;
            if (rows == null) {
                return note;
            }
            return note.isEmpty() ? rows.toString() : note + "\n" + rows;
        }
    }

    /**
     * A measured value and its limit.
     *
     * @param scaled the value converted to the conditions for which the limit holds; as measured,
     *     if it holds everywhere
     */
    public record Check(String what, String unit, double measured, double scaled, double limit) {
        private static final int MOST_DIGITS = 9;

        /** A value that could not be measured (NaN) is within no limit. */
        @JsonProperty
        public boolean passed() {
            return scaled <= limit;
        }

        private String shown(double value) {
            return Double.isNaN(value) ? "not measured" : rounded(value, digits()) + " " + unit;
        }

        /** The fewest digits that show a value near the limit as different from it. */
        private int digits() {
            int digits = 1;
            while (digits < MOST_DIGITS
                    && (looksLikeLimit(measured, digits) || looksLikeLimit(scaled, digits))) {
                digits++;
            }
            return digits;
        }

        private boolean looksLikeLimit(double value, int digits) {
            return value != limit
                    && Double.parseDouble(rounded(value, digits))
                            == Double.parseDouble(rounded(limit, digits));
        }

        private static String rounded(double value, int digits) {
            return String.format(
                    Locale.ROOT, "%." + (value == Math.rint(value) ? 0 : digits) + "f", value);
        }
    }

    /**
     * A reason why a run proves nothing, whatever its result.
     *
     * @param ofMachine whether the machine is the reason, and not the tested software
     */
    public record Doubt(String why, boolean ofMachine) {
        /** The machine had no time for the run. */
        public static Doubt ofMachine(String why) {
            return new Doubt(why, true);
        }

        /** The control case, with which the run is compared, did not meet its conditions. */
        public static Doubt ofControl(String why) {
            return new Doubt("the control case: " + why, false);
        }
    }

    private final String title;
    private Instant started;
    private final Environment environment = Environment.here();
    private final List<SwitchSection> switches = new ArrayList<>();
    private final List<Section> sections = new ArrayList<>();
    private final List<Check> checks = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private final List<Doubt> doubts = new ArrayList<>();

    /** The doubts that no failure takes back. */
    private final List<Doubt> lasting = new ArrayList<>();

    /** Failures in parts with such doubts, as this report names them. */
    private final List<String> excused = new ArrayList<>();

    /** Whether a part without such a doubt failed. */
    private boolean failsFairly;

    private final Map<String, String> files = new LinkedHashMap<>();
    private final Map<String, Object> options = new LinkedHashMap<>();
    private final List<HtmlPage.Headline> headlines = new ArrayList<>();
    private final List<Picture> pictures = new ArrayList<>();
    private Duration duration = Duration.ZERO;
    private boolean isJudged = true;

    /** Begins a report. */
    public RunReport(String title) {
        this.title = title;
        this.started = Instant.now();
    }

    public void add(SwitchSection section) {
        switches.add(section);
    }

    /** Adds a result; sections are shown in the order in which they were added. */
    public void add(Section section) {
        sections.add(section);
    }

    /** Adds a limit; the run fails if it is not kept. */
    public void check(Check check) {
        checks.add(check);
    }

    /** Adds a figure; a page shows them in the order in which they were added. */
    public void add(Picture picture) {
        pictures.add(picture);
    }

    /**
     * Adds all results of a part of the run.
     *
     * @param which name of the part, added to each section, limit, problem and file, because other
     *     parts have the same; pictures already have different names; empty: it is the only part
     */
    public void addAll(RunReport part, String which) {
        String prefix = which.isEmpty() ? "" : which + ": ";
        part.sections.forEach(section ->
                add(
                        new Section(
                                (section.name + " " + which).strip(),
                                section.data,
                                section.note,
                                section.table)));
        pictures.addAll(part.pictures);
        part.switches.forEach(this::add);
        part.checks.forEach(one ->
                check(new Check(prefix + one.what, one.unit, one.measured, one.scaled, one.limit)));
        part.problems.forEach(problem -> problem(prefix + problem));
        if (part.lasting.isEmpty()) {
            failsFairly |= !part.problems.isEmpty();
        } else {
            part.problems.forEach(problem -> excused.add(prefix + problem));
        }
        part.doubts.forEach(doubt -> {
            Doubt named = new Doubt(prefix + doubt.why, doubt.ofMachine);
            if (part.lasting.contains(doubt)) {
                doubtWhateverFails(named);
            } else {
                doubt(named);
            }
        });
        part.files.forEach((what, file) -> files.put((what + " " + which).strip(), file));
    }

    /** Adds a problem, in one sentence: the run did not show what it should. */
    public void problem(String sentence) {
        problems.add(sentence);
    }

    /** Adds a reason why the run proves nothing: its verdict is INVALID. */
    public void doubt(Doubt why) {
        doubts.add(why);
    }

    /** The same for a doubt that may be the cause of a failure: no failure takes it back. */
    public void doubtWhateverFails(Doubt why) {
        doubts.add(why);
        lasting.add(why);
    }

    /**
     * Takes back the doubts that a failure overrides: the run shows that something is wrong. A
     * lasting doubt excuses only failures in its own part: if another part failed, the verdict is
     * FAIL.
     */
    public void withdrawDoubts() {
        doubts.retainAll(lasting);
        if (!failsFairly || doubts.isEmpty()) {
            return;
        }
        Stream<String> whys = doubts.stream().map(Doubt::why);
        Stream<String> failures = excused.stream().map(one -> "not judged: " + one);
        List<String> lines = Stream.concat(whys, failures).toList();
        add(new Section("Runs that show nothing", lines, String.join("\n", lines)));
        problems.removeAll(excused);
        doubts.clear();
        lasting.clear();
    }

    /** Why the run proves nothing; empty if it proves something. */
    public List<Doubt> doubts() {
        return List.copyOf(doubts);
    }

    /** Adds one of the few most important numbers, with its unit; they are shown first. */
    public void headline(String name, String value) {
        headlines.add(new HtmlPage.Headline(name, value));
    }

    /** Puts headlines before the existing ones. */
    public void beginWith(Map<String, String> first) {
        List<HtmlPage.Headline> added = new ArrayList<>();
        first.forEach((name, value) -> added.add(new HtmlPage.Headline(name, value)));
        headlines.addAll(0, added);
    }

    /** All of them, by name, in their order. */
    public Map<String, String> headlines() {
        Map<String, String> numbers = new LinkedHashMap<>();
        headlines.forEach(one -> numbers.put(one.name(), one.value()));
        return numbers;
    }

    public void options(Map<String, ?> given) {
        options.putAll(given);
    }

    /** Marks the run as one that only measures: without problems its verdict is MEASURED. */
    public void measures() {
        isJudged = false;
    }

    /** Whether the run proves something, nothing went wrong, and every limit is kept. */
    public boolean passed() {
        return doubts.isEmpty() && problems.isEmpty() && checks.stream().allMatch(Check::passed);
    }

    /**
     * INVALID if the run proves nothing, FAIL if something went wrong, otherwise PASS, or MEASURED
     * for a run that only measures.
     */
    public String verdict() {
        return !doubts.isEmpty() ? "INVALID" : !passed() ? "FAIL" : isJudged ? "PASS" : "MEASURED";
    }

    /** The verdict and why, in a line. */
    public String conclusion() {
        String why = why();
        return why.isEmpty() ? verdict() : verdict() + ": " + why;
    }

    private String why() {
        if (!doubts.isEmpty()) {
            return doubts.getFirst().why();
        }
        if (!problems.isEmpty()) {
            return problems.size() == 1 ? problems.getFirst() : problems.size() + " problems";
        }
        long kept = checks.stream().filter(Check::passed).count();
        return checks.isEmpty() ? "" : kept + " of " + checks.size() + " limits are kept";
    }

    /** Adds a file that the run left, such as a capture. */
    public void file(String what, Path file) {
        files.put(what, file.toString());
    }

    public void duration(Duration elapsed) {
        duration = elapsed;
    }

    /**
     * Sets the time at which the run began, if that was before the report; it has lasted until now.
     */
    public void began(Instant when) {
        started = when;
        duration = Duration.between(when, Instant.now());
    }

    /** The problems; empty if there are none. */
    public List<String> problems() {
        return List.copyOf(problems);
    }

    /** Everything, for programs. */
    public String toJson() {
        return Json.INDENTED.writeValueAsString(toMap());
    }

    private Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("title", title);
        map.put("verdict", verdict());
        map.put("headline", headlines());
        map.put("options", options);
        map.put("started", started.toString());
        map.put("durationSeconds", duration.toMillis() / 1000.0);
        map.put("environment", environment);
        map.put("doubts", doubts);
        map.put("problems", problems);
        map.put("checks", checks);
        Map<String, Object> results = new LinkedHashMap<>();
        sections.forEach(section -> results.put(section.name(), section.data()));
        map.put("results", results);
        map.put("columns", columns());
        map.put("files", files);
        map.put("switches", switches);
        return map;
    }

    /** The descriptions of the columns of each table, from left to right. */
    private Map<String, Object> columns() {
        Map<String, Object> columns = new LinkedHashMap<>();
        for (Section section : sections) {
            Table table = section.table();
            if (table != null && table.says().stream().noneMatch(String::isEmpty)) {
                columns.put(section.name(), explained(table));
            }
        }
        if (!switches.isEmpty()) {
            columns.put("workers of switches", explained(workerTable(List.of())));
            columns.put("drops of switches", explained(dropTable(List.of())));
        }
        return columns;
    }

    private static List<Table.Heading> explained(Table table) {
        List<Table.Heading> all = new ArrayList<>();
        for (int column = 0; column < table.headings().size(); column++) {
            all.add(new Table.Heading(table.headings().get(column), table.says().get(column)));
        }
        return all;
    }

    /**
     * Writes the report as text, as JSON and as a page, {@code report.html}, and adds these files
     * to it. All other files must be named before, and pictures written.
     *
     * @param name file name of text and JSON, without their endings
     */
    public void write(Path directory, String name) throws IOException {
        Path text = directory.resolve(name + ".txt");
        Path json = directory.resolve(name + ".json");
        Path page = directory.resolve(PAGE);
        List.of(json, text, page)
                .forEach(file -> files.put(String.valueOf(file.getFileName()), file.toString()));
        Files.writeString(text, toText() + "\n" + conclusion() + "\n");
        Files.writeString(page, toHtml());
        Files.writeString(json, toJson());
    }

    /**
     * The report as a page: verdict and headlines, figures, results, switches, links to files, the
     * environment.
     */
    public String toHtml() {
        HtmlPage page =
                new HtmlPage(title)
                        .verdict(verdict(), doubts.isEmpty() && problems.size() > 1 ? "" : why())
                        .list("warning", doubts.stream().skip(1).map(Doubt::why).toList())
                        .list(
                                "fail",
                                doubts.isEmpty() && problems.size() == 1 ? List.of() : problems)
                        .headlines(headlines);
        page.pictures(pictures);
        if (!checks.isEmpty()) {
            page.heading("Limits").table(checkTable());
        }
        for (Section section : sections) {
            if (!section.text().isEmpty()) {
                page.heading(section.name());
                section(page, section);
            }
        }
        for (SwitchSection one : switches) {
            page.heading("Switch " + one.name());
            page.paragraph("seed " + one.seed() + ", " + one.workerLayout());
            page.paragraph("counted since " + one.since());
            page.table(workerTable(one.workers()));
            if (!one.drops().isEmpty()) {
                page.table(dropTable(one.drops()));
            }
        }
        if (!files.isEmpty()) {
            page.heading("Files").links(links());
        }
        page.heading("Environment").lines(environment.toText().stripIndent().strip());
        return page.finish();
    }

    private static void section(HtmlPage page, Section section) {
        String note = section.note().strip();
        if (note.contains("\n")) {
            page.lines(note);
        } else if (!note.isEmpty()) {
            page.paragraph(note);
        }
        Table table = section.table();
        if (table != null) {
            page.table(table);
        }
    }

    /**
     * Links from the page to files: a relative path for a file in the page's directory, so that the
     * link survives a move; a whole path for others, such as a capture that was written elsewhere.
     */
    private List<String> links() {
        Path page = Path.of(files.getOrDefault(PAGE, PAGE)).toAbsolutePath().normalize();
        Path directory = Objects.requireNonNull(page.getParent());
        return files.values().stream()
                .map(file -> Path.of(file).toAbsolutePath().normalize())
                .map(file -> file.startsWith(directory) ? directory.relativize(file) : file)
                .map(Path::toString)
                .filter(name -> !name.endsWith(".html"))
                .distinct()
                .toList();
    }

    /** The report for a person: environment, results, drops, workers, problems, files. */
    public String toText() {
        StringBuilder text = new StringBuilder();
        text.append(title).append('\n');
        headlines.forEach(one ->
                text.append("  ").append(one.name()).append(": ").append(one.value()).append('\n'));
        text.append(environment.toText());
        for (Section section : sections) {
            if (!section.text().isEmpty()) {
                heading(text, section.name());
                section.text().lines().forEach(line -> text.append("  ").append(line).append('\n'));
            }
        }
        switches.forEach(section -> append(text, section));
        if (!checks.isEmpty()) {
            heading(text, "Limits");
            text.append(checkTable().indented(2));
        }
        if (!files.isEmpty()) {
            heading(text, "Files");
            files.forEach((what, file) -> text.append("  " + what + ": " + file + "\n"));
        }
        if (!doubts.isEmpty()) {
            heading(text, "Invalid, because");
            doubts.forEach(one -> text.append(Prose.folded("  " + one.why(), 4)).append('\n'));
        }
        if (!problems.isEmpty()) {
            heading(text, "Problems");
            problems.forEach(one -> text.append(Prose.folded("  " + one, 4)).append('\n'));
        }
        return text.toString();
    }

    private static void heading(StringBuilder text, String heading) {
        text.append('\n').append(heading).append('\n');
    }

    private static void append(StringBuilder text, SwitchSection section) {
        heading(text, "Switch " + section.name());
        text.append(Prose.folded("  seed " + section.seed() + ", " + section.workerLayout(), 2));
        text.append("\n  counted since ").append(section.since()).append('\n');
        Table devices =
                Table.of(
                        section.devices(),
                        column("port", port -> port.port()),
                        column("device", port -> port.kind() + " " + port.device()),
                        column("", port -> port.detail()),
                        column("link", port -> port.up() ? "up" : "down"));
        text.append(devices.indented(2));
        text.append('\n').append(workerTable(section.workers()).indented(2));
        text.append('\n');
        section.mismatches().forEach(one -> text.append("  ").append(one).append('\n'));
        if (section.drops().isEmpty()) {
            text.append("  no drops\n");
        } else {
            text.append(dropTable(section.drops()).indented(2));
        }
    }

    /** The table of limits, failures first, since a reader looks for them. */
    private Table checkTable() {
        boolean isScaled =
                checks.stream()
                        .anyMatch(check -> Double.compare(check.scaled, check.measured) != 0);
        List<Column<Check>> columns = new ArrayList<>();
        columns.add(column("", check -> check.passed() ? "pass" : "FAIL"));
        columns.add(column("what", Check::what));
        columns.add(column(">measured", check -> check.shown(check.measured)));
        if (isScaled) {
            columns.add(column(">scaled", check -> check.shown(check.scaled)));
        }
        columns.add(column(">limit", check -> check.shown(check.limit)));
        return Table.of(
                checks.stream().sorted(Comparator.comparing(Check::passed)).toList(), columns);
    }

    public static Table workerTable(List<SwitchSection.Worker> workers) {
        return Table.of(workers, workerColumns());
    }

    public static List<Column<SwitchSection.Worker>> workerColumns() {
        return List.of(
                column("worker", worker -> worker.name(), "the thread"),
                number(
                        ">busy (%)",
                        "%.1f",
                        worker -> worker.busyPercent(),
                        "share of the worker's time in cycles that found work, since the counters"
                                + " began"),
                column(
                        ">per frame (ns)",
                        worker ->
                                worker.nsPerFrame() == 0
                                        ? "-"
                                        : String.format("%.0f", worker.nsPerFrame()),
                        "the worker's busy time divided by the frames that the whole switch"
                                + " received, since the counters began; - if fewer than 1,000"
                                + " frames came in total or per second, because then timers are"
                                + " most of the busy time"),
                column(
                        ">empty polls",
                        worker -> worker.emptyCycles(),
                        "cycles that found no work, since the counters began"),
                number(
                        ">longest cycle (µs)",
                        "%.1f",
                        worker -> worker.longestCycleNs() / 1e3,
                        "since watermarks were last cleared"),
                column(
                        ">over threshold (cycles)",
                        worker -> worker.cyclesOverThreshold(),
                        "cycles longer than workers.stall-threshold, since the counters began"),
                number(
                        ">latest wake-up (µs)",
                        "%.1f",
                        worker -> worker.worstLatenessNs() / 1e3,
                        "maximum delay of a wake-up since watermarks were last cleared"));
    }

    public static Table dropTable(List<Drop> drops) {
        return Table.of(drops, dropColumns());
    }

    public static List<Column<Drop>> dropColumns() {
        return List.of(
                column("port", drop -> drop.port(), "the port"),
                column(
                        "side",
                        drop -> drop.ingress() ? "in" : "out",
                        "in: before the egress queues; out: in the egress queues or after them"),
                column("reason", drop -> drop.reason(), "why, by the switch's word"),
                column(
                        ">frames",
                        drop -> drop.frames(),
                        "frames dropped there for this reason, since the counters began"),
                column("meaning", drop -> drop.description(), "what the reason means"));
    }
}
