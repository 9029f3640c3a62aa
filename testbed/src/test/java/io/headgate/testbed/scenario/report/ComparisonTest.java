package io.headgate.testbed.scenario.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.report.Json;
import io.headgate.testbed.scenario.report.Comparison.Difference;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.StringNode;

class ComparisonTest {
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
}
