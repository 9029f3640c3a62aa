package io.headgate.testbed.scenario.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.control.report.Json;
import io.headgate.testbed.scenario.report.Comparison.Difference;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

class ComparisonTest {
    @TempDir private Path directory;

    private static List<String> together(String... where) {
        List<Difference> all = Stream.of(where).map(one -> new Difference(one, "1", "2")).toList();
        return Comparison.together(all, Set.of("1", "2", "3")).stream()
                .map(Difference::where)
                .toList();
    }

    @Test
    void placesStandTogetherWhereTheSameRunsHaveThem() {
        assertThat(
                        together(
                                "run 1, ports/0/rate",
                                "run 1, ports/1/rate",
                                "run 2, ports/0/rate",
                                "run 2, ports/1/rate"))
                .containsExactly("runs 1, 2, ports/*/rate (2 places)");
        assertThat(together("run 1, ports/0/rate", "run 2, ports/1/rate"))
                .containsExactly("run 1, ports/0/rate", "run 2, ports/1/rate");
    }

    @Test
    void whatAllRunsThatWereComparedHaveNamesNoRun() {
        assertThat(together("run 1, seed", "run 2, seed", "run 3, seed"))
                .containsExactly("all 3 runs, seed");
    }

    /** Otherwise a switch that was added moves all behind it. */
    @Test
    void entriesWithNamesAreComparedByTheirNames() {
        List<Difference> differences = new ArrayList<>();
        Comparison.compare(
                differences,
                "ports",
                Json.INDENTED.readTree("[{\"name\": \"p1\", \"rate\": 1}, {\"name\": \"p2\"}]"),
                Json.INDENTED.readTree(
                        "[{\"name\": \"p0\", \"rate\": 2}, {\"name\": \"p1\", \"rate\": 3}, {\"name\":"
                                + " \"p2\"}]"));
        assertThat(differences)
                .containsExactly(
                        new Difference("ports/[p1]/rate", "1", "3"),
                        new Difference("ports/[p0]", null, "name p0, rate 2"));
        assertThat(together("ports/[p0]/rate", "ports/[p1]/rate"))
                .containsExactly("ports/*/rate (2 places)");
    }

    @Test
    void onlyNumbersThatDifferAreStars() {
        assertThat(together("switches/3/ports/0/rate", "switches/3/ports/7/rate"))
                .containsExactly("switches/3/ports/*/rate (2 places)");
    }

    @Test
    void textsThatDifferInTheirLineEndsAloneAreNotTheSame() {
        assertThat(compared("a\nb\n", "a\nb"))
                .containsExactly(new Difference("file, line ends", "2 LF", "1 LF"));
        assertThat(compared("a\nb\n", "a\nb\r\n"))
                .containsExactly(new Difference("file, line ends", "2 LF", "1 LF, 1 CRLF"));
        assertThat(compared("a\nb\n", "a\nc\n"))
                .containsExactly(new Difference("file, line 2", "b", "c"));
    }

    private static List<Difference> compared(String a, String b) {
        List<Difference> differences = new ArrayList<>();
        Comparison.compare(differences, "file", StringNode.valueOf(a), StringNode.valueOf(b));
        return differences;
    }

    /** A run of a result, its queue by what it was made with. */
    private static String run(int number, String load, String xoff, long seed, double queue) {
        String other = xoff.isEmpty() ? "" : ", 'xoff': {'text': '" + xoff + "'}";
        return """
        {'run': %d, 'seed': %d, 'bed': 'virtual', 'scale': 1, 'digest': 'd%s %s',
         'parameters': {'load': {'text': '%s'}%s},
         'measures': [{'name': 'queue', 'unit': 'kB', 'value': %s}]}\
        """
                .formatted(number, seed, number, queue, load, other, queue);
    }

    private Path result(String name, List<String> runs) throws IOException {
        String json =
                "{'format': 'headgate-result', 'version': 1, 'varied': ['load', 'xoff'], 'runs': ["
                        + String.join(",", runs)
                        + "]}";
        return Files.writeString(directory.resolve(name), json.replace('\'', '"'));
    }

    private Comparison comparison(List<String> a, List<String> b) throws Exception {
        return Comparison.of(result("a.json", a), result("b.json", b));
    }

    private JsonNode measures(List<String> a, List<String> b) throws Exception {
        return Json.INDENTED.readTree(comparison(a, b).toJson());
    }

    /** A has what B has not, and its runs stand in another order. */
    @Test
    void runsBelongTogetherByWhatBothResultsVaryAndTheSeed() throws Exception {
        List<String> a = new ArrayList<>();
        List<String> b = new ArrayList<>();
        for (int seed = 1; seed <= 3; seed++) {
            a.add(run(a.size(), "low", "10kB", seed, 10 + seed));
            a.add(run(a.size(), "high", "10kB", seed, 50 + seed));
        }
        for (int seed = 3; seed >= 1; seed--) {
            b.add(run(b.size(), "high", "", seed, 60 + 1.5 * seed));
            b.add(run(b.size(), "low", "", seed, 20 + 1.5 * seed));
        }
        JsonNode measures = measures(a, b).path("measures");
        assertThat(measures.size()).isEqualTo(2);
        for (JsonNode one : measures) {
            assertThat(one.path("difference").asDouble()).isCloseTo(11, within(1e-9));
            assertThat(one.path("seeds").asInt()).isEqualTo(3);
            assertThat(one.path("test").asString()).isEqualTo("paired t-test");
        }
        assertThat(measures.findValuesAsString("setting"))
                .containsExactlyInAnyOrder("load low", "load high");
    }

    /** Each run of B would be compared with some of A, and seeds would overwrite each other. */
    @Test
    void whatOneResultAloneVariesHasNoStatistics() throws Exception {
        List<String> a = new ArrayList<>();
        List<String> b = new ArrayList<>();
        for (int seed = 1; seed <= 2; seed++) {
            for (String load : List.of("low", "high")) {
                a.add(run(a.size(), load, "10kB", seed, 10 + seed));
                a.add(run(a.size(), load, "20kB", seed, 50 + seed));
                b.add(run(b.size(), load, "", seed, 60 + seed));
            }
        }
        JsonNode compared = measures(a, b);
        assertThat(compared.path("measures").size()).isZero();
        assertThat(compared.path("remarks").toString())
                .contains("Runs are compared only by their order")
                .contains("their measurements are not tested");
    }

    /** Settings of which none are alike are looked for first, with seeds and without. */
    @Test
    void runsThatAreComparedInTheirOrderAloneStayInIt() throws Exception {
        List<String> a = new ArrayList<>();
        List<String> b = new ArrayList<>();
        for (int seed = 1; seed <= 2; seed++) {
            for (String load : List.of("low", "high")) {
                a.add(run(a.size(), load, "", seed, 10 + seed));
                b.add(run(b.size(), "more than " + load, "", seed, 60 + seed));
            }
        }
        JsonNode compared = measures(a, b);
        assertThat(compared.path("remarks").toString())
                .contains("Runs are compared only by their order");
        assertThat(compared.path("configured").toString())
                .contains("run 3, parameter load")
                .doesNotContain("of B", "seed");
    }

    @Test
    void otherSeedsOfOneSettingAreComparedUnpaired() throws Exception {
        List<String> a = new ArrayList<>();
        List<String> b = new ArrayList<>();
        for (int seed = 1; seed <= 3; seed++) {
            for (String load : List.of("low", "high")) {
                a.add(run(a.size(), load, "", seed, 10 + seed));
            }
        }
        for (String load : List.of("high", "low")) {
            for (int seed = 4; seed <= 6; seed++) {
                b.add(run(b.size(), load, "", seed, (load.equals("low") ? 20 : 60) + seed));
            }
        }
        JsonNode measures = measures(a, b).path("measures");
        assertThat(measures.findValuesAsString("setting")).containsExactly("load high", "load low");
        assertThat(measures.findValuesAsString("test")).containsOnly("Welch's t-test");
        assertThat(measures.path(0).path("b").asDouble()).isEqualTo(65);
    }

    @Test
    void allTestsAreCounted() throws Exception {
        List<String> a = new ArrayList<>();
        List<String> b = new ArrayList<>();
        for (int setting = 0; setting < 50; setting++) {
            for (int seed = 1; seed <= 2; seed++) {
                a.add(run(a.size(), "l" + setting, "", seed, seed));
                b.add(run(b.size(), "l" + setting, "", seed, setting + 1.5 * seed));
            }
        }
        assertThat(comparison(a, b).describe())
                .startsWith("Measured differently; paired t-test over 2 seeds; different if")
                .contains("p < 0.05, of 50 tests", "and 10 more");
    }
}
