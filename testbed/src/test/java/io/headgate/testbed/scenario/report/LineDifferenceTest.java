package io.headgate.testbed.scenario.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.scenario.report.LineDifference.Part;
import java.util.List;
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
    void aTextBesideItselfAndBesideNothing() {
        assertThat(of("a b", "a b")).isEmpty();
        assertThat(of("", "a b")).containsExactly(new Part(1, List.of(), List.of("a", "b")));
        assertThat(of("a b", "")).containsExactly(new Part(1, List.of("a", "b"), List.of()));
    }
}
