package io.headgate.testbed.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LabSheetTest {
    private static LabSheet sheet(String lab) {
        return Objects.requireNonNull(LabSheet.of(lab));
    }

    @ParameterizedTest
    @ValueSource(strings = {"four-port", "incast", "hol", "control", "policy", "deadlock"})
    void questionsHaveAnAnswerEachAndDoNotTellIt(String lab) {
        String questions = sheet(lab).questions();
        String all = sheet(lab).with(Map.of());
        assertThat(questions).contains("Time: ", "## Questions").doesNotContain("## Answers", "{{");
        String answers = all.substring(questions.length());
        assertThat(numbered(answers)).isEqualTo(numbered(questions)).isGreaterThan(4);
        assertThat(answers).contains("(not in this run)").doesNotContain("{{");
    }

    private static long numbered(String text) {
        return text.lines().filter(line -> line.matches("[0-9]\\. .*")).count();
    }

    @Test
    void figuresOfTheRunAreWhereTheAnswersAskForThem() {
        Map<String, String> headlines = new LinkedHashMap<>();
        headlines.put("of what the victim asks for, without flow control", "97 %");
        headlines.put("of what the victim asks for, with PFC", "48 %");
        headlines.put("of what the victim asks for, with credits", "$1 47 %");
        assertThat(sheet("hol").with(headlines))
                .contains(
                        "Of this run: **of what the victim asks for, without flow control: 97 %**.",
                        "**of what the victim asks for, with PFC: 48 %**",
                        "**of what the victim asks for, with credits: $1 47 %**");
    }

    @Test
    void labsOfOnesOwnHaveNone() {
        assertThat(LabSheet.of("lab")).isNull();
    }
}
