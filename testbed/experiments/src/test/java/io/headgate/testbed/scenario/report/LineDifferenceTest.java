package io.headgate.testbed.scenario.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.scenario.report.LineDifference.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LineDifferenceTest {
    private static List<Part> of(String a, String b) {
        return LineDifference.of(
                a.isEmpty() ? List.of() : List.of(a.split(" ")),
                b.isEmpty() ? List.of() : List.of(b.split(" ")));
    }

    @Test
    void onlyTheLinesThatDifferAreNamed() {
        assertThat(of("a b c d e", "a x c e f"))
                .containsExactly(
                        new Part(2, List.of("b"), List.of("x")),
                        new Part(4, List.of("d"), List.of()),
                        new Part(6, List.of(), List.of("f")));
    }

    @Test
    void whatIsTooLongToBeComparedIsOneDifferenceBetweenItsFirstAndItsLastLine() {
        List<String> a = numbered(3000);
        List<String> one = new ArrayList<>(a);
        one.set(1500, "x");
        assertThat(LineDifference.of(a, one))
                .containsExactly(new Part(1501, List.of("1500"), List.of("x")));
        List<String> two = new ArrayList<>(a);
        two.set(10, "x");
        two.set(2900, "y");
        assertThat(LineDifference.of(a, two))
                .containsExactly(new Part(11, a.subList(10, 2901), two.subList(10, 2901)));
    }

    private static List<String> numbered(int lines) {
        return IntStream.range(0, lines).mapToObj(Integer::toString).toList();
    }

    @Test
    void aTextBesideItselfAndBesideNothing() {
        assertThat(of("a a", "a")).containsExactly(new Part(2, List.of("a"), List.of()));
        assertThat(of("a b", "a b")).isEmpty();
        assertThat(of("", "a b")).containsExactly(new Part(1, List.of(), List.of("a", "b")));
        assertThat(of("a b", "")).containsExactly(new Part(1, List.of("a", "b"), List.of()));
    }
}
