package io.headgate.testbed.conform;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.conform.CaseResult.Verdict;
import io.headgate.testbed.scenario.BedKind;
import java.io.PrintStream;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Cases on real frames, each in one of its forms. */
@Tag("netns")
class ConformanceNetnsTest {
    private static final String WORDS = "default: \"([a-z][a-z0-9-]*),[a-z0-9,-]+\"";
    private static final String FIRST = "$1";
    private static final int ATTEMPTS = 3;

    private static void passes(ConformanceCase one, String rate, String form) throws Exception {
        ConformanceCase once =
                new ConformanceCase(
                        one.number(), one.name(), one.text().replaceAll(WORDS, "default: " + form));
        PrintStream nowhere = new PrintStream(PrintStream.nullOutputStream());
        CaseResult result = new ConformanceRun(BedKind.NETNS, rate, 1, nowhere, false).run(once);
        // A machine that held up the switch or a card for longer than the case allows for.
        for (int attempt = 1; attempt < ATTEMPTS && result.verdict() != Verdict.PASS; attempt++) {
            System.out.println("INVALID, and no failure yet: " + result.seen());
            result = new ConformanceRun(BedKind.NETNS, rate, 1, nowhere, false).run(once);
        }
        assertThat(result.verdict()).as(result.seen()).isEqualTo(Verdict.PASS);
    }

    static Stream<ConformanceCase> realCases() {
        return ConformanceCase.all().stream()
                .filter(one -> one.scenario().about().beds().contains(BedKind.NETNS));
    }

    /** Those that count frames and pauses: how fast this machine is does not decide them. */
    @ParameterizedTest
    @CsvSource({
        "c02,,",
        "c03, pause,",
        "c04, no-bit,",
        "c07,,",
        "c13,, 40Gbps",
        "c14, over,",
        "c15,,",
        "c22, p3, 40Gbps",
        "c29,, 40Gbps",
        "c37, hold,"
    })
    void theSwitchPassesOnRealFrames(String number, @Nullable String form, @Nullable String rate)
            throws Exception {
        passes(
                ConformanceCase.named(List.of(number)).getFirst(),
                rate == null ? "" : rate,
                form == null ? FIRST : form);
    }

    @Tag("long")
    @ParameterizedTest(name = "{0}")
    @MethodSource("realCases")
    void theSwitchPassesOnRealFramesAtTheRateOfTheCommand(ConformanceCase one) throws Exception {
        passes(one, "", FIRST);
    }
}
