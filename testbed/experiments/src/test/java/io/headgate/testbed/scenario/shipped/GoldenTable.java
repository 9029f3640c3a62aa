package io.headgate.testbed.scenario.shipped;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Labels;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.Numbers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a scenario measured, as it stands in git: throughput, drops, pauses and completion times of
 * each run, to four digits. A change of the engine that moves a number shows in review as a changed
 * line. The file of a scenario has one section for each list of settings that tests run it with.
 */
final class GoldenTable {
    private static final Path DIRECTORY = Path.of("experiments/src/test/golden");

    /** Tests write the tables instead of comparing. */
    static final String REWRITE = "headgate.rewrite";

    private static final String HEADING = "= ";

    private static final Pattern SHOWN =
            Pattern.compile(
                    "(throughput|goodput|mean completion|p99 completion|mean message time) of .*"
                            + "|max of on .*|frames dropped( by hosts)?|highest queue"
                            + "|(marked (rightly|wrongly)|missed)\\b.*");

    /** What a scenario's file makes of these, where nothing else holds its arithmetic. */
    private static final Map<String, Pattern> OWN =
            Map.of(
                    "compare-controllers",
                    Pattern.compile(
                            "use|fairness|queue(, 99th percentile)?|convergence"
                                    + "|(completion|pauses|stopped), .*"),
                    "ecmp-spread",
                    Pattern.compile("largest deviation at .*"));

    /** Measures of single ports, of which their sum is shown. */
    private static final Pattern SUMMED = Pattern.compile("(pauses received|time stopped) of .*");

    private GoldenTable() {}

    static Path file(String scenario) {
        return DIRECTORY.resolve(scenario + ".txt");
    }

    /** Compares, or writes the section again if asked to. */
    static void holds(String scenario, String settings, List<CellResult> results)
            throws IOException {
        Path file = file(scenario);
        Map<String, String> sections = read(file);
        String heading = HEADING + (settings.isEmpty() ? "as shipped" : settings);
        if (Boolean.getBoolean(REWRITE)) {
            sections.put(heading, body(scenario, results));
            Files.createDirectories(DIRECTORY);
            Files.writeString(
                    file,
                    sections.entrySet().stream()
                            .map(section -> section.getKey() + "\n" + section.getValue())
                            .collect(Collectors.joining("\n")));
            return;
        }
        assertThat(body(scenario, results))
                .as(
                        "what %s measures (%s) differs from %s; if that is right, write all such"
                                + " tables again, look at the difference and commit it: mvn -pl"
                                + " testbed/experiments -am test -Dtest=ShippedTest"
                                + " -Dsurefire.failIfNoSpecifiedTests=false -Dheadgate.rewrite=true",
                        scenario, heading.substring(HEADING.length()), file)
                .isEqualTo(sections.get(heading));
    }

    private static Map<String, String> read(Path file) throws IOException {
        Map<String, String> sections = new TreeMap<>();
        if (Files.exists(file)) {
            for (String section : Files.readString(file).split("\n(?=" + HEADING + ")")) {
                String[] parts = section.split("\n", 2);
                sections.put(parts[0], parts[1]);
            }
        }
        return sections;
    }

    private static String body(String scenario, List<CellResult> results) {
        StringBuilder text = new StringBuilder();
        for (CellResult result : results) {
            String label = Labels.of(results, result);
            text.append(label.isEmpty() ? "" : label + "\n");
            shown(scenario, result.outcomeOrThrow().measures())
                    .forEach(measure ->
                            text.append(
                                    String.format(
                                            "  %-40s %s%n",
                                            measure.name(),
                                            Numbers.text(measure.value(), measure.unit()))));
        }
        return text.toString();
    }

    private static List<Measure> shown(String scenario, List<Measure> all) {
        Pattern own = OWN.getOrDefault(scenario, SHOWN);
        Map<String, Measure> shown = new TreeMap<>();
        for (Measure measure : all) {
            if (Double.isNaN(measure.value())) {
                continue;
            }
            Matcher summed = SUMMED.matcher(measure.name());
            if (summed.matches()) {
                shown.merge(
                        summed.group(1),
                        new Measure(summed.group(1), measure.unit(), measure.value()),
                        (a, b) -> new Measure(a.name(), a.unit(), a.value() + b.value()));
            } else if (SHOWN.matcher(measure.name()).matches()
                    || own.matcher(measure.name()).matches()) {
                shown.put(measure.name(), measure);
            }
        }
        return List.copyOf(shown.values());
    }
}
