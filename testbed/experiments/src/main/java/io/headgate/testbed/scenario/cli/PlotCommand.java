package io.headgate.testbed.scenario.cli;

import io.headgate.control.cli.CommandFailure;
import io.headgate.control.cli.HeadgateCommand;
import io.headgate.control.report.Json;
import io.headgate.control.report.Prose;
import io.headgate.testbed.figure.FigureFiles;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Findings;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.SweepFigures;
import io.headgate.testbed.scenario.report.PlotOfResults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code headgate plot}: draws one figure from one or several results. */
@Command(
        name = "plot",
        description = {
            "Draws a measure or a series of one or several results of 'headgate reproduce'.",
            "Without --y it lists the available measures and series. With several results, each is"
                    + " a separate line, bar or panel, and 'result' is a parameter like others."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:drawn", "1:files cannot be written", "2:wrong name, value or result"})
public final class PlotCommand extends HeadgateCommand implements Callable<Integer> {
    private static final int MOST_LISTED = 60;

    @Parameters(
            arity = "1..*",
            paramLabel = "RESULT",
            description = "Directories of results; NAME=DIR gives one a name in the figure.")
    private List<String> results = new ArrayList<>();

    @Option(
            names = "--y",
            paramLabel = "WHAT",
            description = {
                "A measure, such as 'throughput of web', or a series, such as 'queue s1/p3';",
                "with --ecdf 'completion of web', 'slowdown of web' or 'rate of web'."
            })
    private @Nullable String y;

    @Option(
            names = "--x",
            paramLabel = "PARAMETER",
            description =
                    "The horizontal axis of a measure; by default the parameter with most values.")
    private @Nullable String x;

    @Option(
            names = "--group",
            paramLabel = "PARAMETER",
            description =
                    "The parameter whose values become lines or bars; by default all others"
                            + " that vary.")
    private @Nullable String group;

    @Option(
            names = "--facet",
            paramLabel = "PARAMETER",
            description = "The parameter whose values become panels.")
    private @Nullable String facet;

    @Option(
            names = "--log",
            paramLabel = "AXES",
            split = ",",
            description = "Logarithmic axes: x, y or x,y.")
    private List<String> logarithmic = new ArrayList<>();

    @Option(
            names = "--ecdf",
            description = "Draws the share of flows up to each value (empirical distribution).")
    private boolean ecdf;

    @Option(names = "--title", paramLabel = "TEXT", description = "Title of the figure.")
    private String title = "";

    @Option(
            names = "--label",
            paramLabel = "TEXT",
            description = "Label of the vertical axis, before its unit.")
    private String label = "";

    @Option(
            names = "--unit",
            paramLabel = "UNIT",
            description = "Unit of the vertical axis, such as Mb/s, MB or ms.")
    private String unit = "";

    @Option(
            names = "--legend",
            paramLabel = "NAME=TEXT",
            description = "Text that replaces the name of a line, a panel or a word of the axis.")
    private Map<String, String> legend = new LinkedHashMap<>();

    @Option(names = "--points", description = "Points without lines.")
    private boolean points;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "Name of the files: small letters, digits, hyphens; by default from --y.")
    private @Nullable String name;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Directory of NAME.svg, .pdf, .png and .csv; by default the current one.")
    private Path out = Path.of(".");

    @Option(
            names = "--columns",
            paramLabel = "N",
            description = "Width in columns of a paper: 1 (238 pt) or 2 (504 pt).")
    private @Nullable Integer columns;

    @Option(
            names = "--json",
            description =
                    "For programs: the files and the caption, or the available measures and"
                            + " series.")
    private boolean json;

    @Override
    public Integer call() throws CommandFailure {
        try {
            PlotOfResults all = PlotOfResults.read(named(), ScenarioFinder::again);
            if (y == null) {
                list(all);
                return 0;
            }
            draw(all, y);
            return 0;
        } catch (ScenarioException e) {
            throw CommandFailure.badInput(e.getMessage() + ".");
        } catch (IOException e) {
            throw new CommandFailure("cannot write into " + out + ": " + e.getMessage() + ".");
        }
    }

    private void draw(PlotOfResults all, String what) throws ScenarioException, IOException {
        for (String axis : logarithmic) {
            if (!axis.equals("x") && !axis.equals("y")) {
                throw new ScenarioException("--log " + axis + ": x, y or x,y is allowed");
            }
        }
        if (name != null && !name.matches("[a-z0-9][a-z0-9-]{0,63}")) {
            throw new ScenarioException(
                    "--name cannot be '"
                            + name
                            + "': 1 to 64 small letters, digits and hyphens are allowed");
        }
        PlotOfResults.Wanted wanted =
                new PlotOfResults.Wanted(
                        what,
                        new SweepFigures.Layout(
                                x,
                                group,
                                facet,
                                logarithmic.contains("x"),
                                logarithmic.contains("y")),
                        ecdf);
        Figure figure = inWords(all.figure(wanted), what);
        if (name != null) {
            figure = figure.withName(name);
        }
        Files.createDirectories(out);
        FigureFiles.Drawn drawn = FigureFiles.write(figure, ReproduceCommand.column(columns), out);
        if (json) {
            String files = figure.name();
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put(
                    "files",
                    Stream.of(".svg", ".pdf", ".png", ".csv")
                            .map(end -> out.resolve(files + end).toString())
                            .toList());
            answer.put("caption", caption(figure, drawn.notes()));
            print(Json.COMPACT.writeValueAsString(answer) + "\n");
            return;
        }
        System.out.println("Figure " + out.resolve(figure.name() + ".svg") + " (.pdf, .png, .csv)");
        System.out.println(Prose.folded("  " + caption(figure, drawn.notes()), 2));
        Findings.Titled differences = all.differences(wanted);
        if (differences != null) {
            System.out.println();
            System.out.println(Prose.folded("  " + differences.title() + ":", 4));
            System.out.print(differences.table().indented(2));
        }
    }

    private Figure inWords(Figure plain, String what) throws ScenarioException {
        if (!unit.isEmpty() && !plain.y().canBeIn(unit)) {
            String drawn = plain.y().unit().isEmpty() ? "no unit" : plain.y().unit();
            throw new ScenarioException("--unit %s: '%s' is in %s".formatted(unit, what, drawn));
        }
        if (Set.copyOf(legend.values()).size() < legend.size()) {
            throw new ScenarioException("--legend shows two names alike");
        }
        return plain.worded(new Figure.Wording(title, label, unit, points))
                .withPrint(new Figure.Print(0, legend));
    }

    private static String caption(Figure figure, List<String> notes) {
        List<String> sentences = new ArrayList<>(List.of(figure.title() + "."));
        if (!figure.measured().isEmpty()) {
            sentences.add(figure.measured() + ".");
        }
        sentences.addAll(notes);
        return String.join(" ", sentences);
    }

    private void list(PlotOfResults all) {
        if (json) {
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("varied", all.varied());
            answer.put("measures", all.measures());
            answer.put("series", all.series());
            answer.put("flows", all.ofFlows());
            print(Json.COMPACT.writeValueAsString(answer) + "\n");
            return;
        }
        list("Varied (--x, --group, --facet)", all.varied());
        list("Measures (--y)", all.measures());
        list("Series over time (--y)", all.series());
        list("Flows (--ecdf --y)", all.ofFlows());
    }

    private static void list(String heading, List<String> names) {
        if (!names.isEmpty()) {
            System.out.println(heading + ":");
            names.stream().limit(MOST_LISTED).forEach(one -> System.out.println("  " + one));
            if (names.size() > MOST_LISTED) {
                System.out.println("  and " + (names.size() - MOST_LISTED) + " more");
            }
        }
    }

    /** The results by what they are called: a name that was given, or the directory's. */
    private Map<String, Path> named() throws ScenarioException {
        Map<String, Path> named = new LinkedHashMap<>();
        for (String result : results) {
            int equals = result.indexOf('=');
            boolean hasName = equals > 0 && !Files.exists(Path.of(result));
            Path path = Path.of(hasName ? result.substring(equals + 1) : result);
            Path last = path.toAbsolutePath().normalize().getFileName();
            String called =
                    hasName ? result.substring(0, equals) : last == null ? result : last.toString();
            if (called.indexOf(',') >= 0 || called.indexOf('(') >= 0) {
                throw new ScenarioException(
                        "a result cannot have the name '"
                                + called
                                + "': NAME=DIR gives it a name without commas and brackets");
            }
            if (named.put(called, path) != null) {
                throw new ScenarioException(
                        "two results are called "
                                + called
                                + ": NAME=DIR gives one of them another name");
            }
        }
        return named;
    }
}
