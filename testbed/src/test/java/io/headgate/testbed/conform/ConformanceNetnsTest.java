package io.headgate.testbed.conform;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.conform.CaseResult.Verdict;
import io.headgate.testbed.scenario.BedKind;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ten of the cases on real frames, each with the first of its values. */
@Tag("netns")
class ConformanceNetnsTest {
    @ParameterizedTest
    @ValueSource(strings = {"c01", "c02", "c03", "c04", "c05", "c07", "c09", "c22", "c29", "c31"})
    void theSwitchPassesOnRealFrames(String number) throws Exception {
        ConformanceCase one = ConformanceCase.named(List.of(number)).getFirst();
        String text = one.text().replaceAll("default: \"([a-z0-9-]+),[a-z0-9,-]+\"", "default: $1");
        PrintStream nowhere = new PrintStream(PrintStream.nullOutputStream());
        CaseResult result =
                new ConformanceRun(BedKind.NETNS, "", 1, nowhere, false)
                        .run(new ConformanceCase(one.number(), one.name(), text));
        assertThat(result.verdict()).as(result.seen()).isEqualTo(Verdict.PASS);
    }
}
