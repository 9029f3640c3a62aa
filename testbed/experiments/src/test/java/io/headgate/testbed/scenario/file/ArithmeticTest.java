package io.headgate.testbed.scenario.file;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ArithmeticTest {
    @ParameterizedTest
    @CsvSource({
        "10 / 4, 2.5",
        "1 + 2 * 3, 7",
        "(1 + 2) * 3, 9",
        "-2 - -3, 1",
        "---2, -2",
        "0.0033333333333333335 * 300, 1",
        "10Gbps * 0.9 / 1Gbps, 9",
        "2 * 1514B, 3028",
        "5us, 5000",
        "8 / 2 / 2, 2",
        "2 ^ 3 * 2, 16",
        "'max(1, min(5, 3)) + floor(1.9) + ceil(1.1) + abs(-2)', 8",
        "sqrt(9) + cbrt(8), 5",
        "'round(2.345, 1) + round(2.6)', 5.3",
        "(3 > 2) + (3 >= 3) + (2 < 1) + (1 <= 0), 2",
        "1 = 1 and (2 != 2 or 3 = 2us / 1us), 0",
        "'if(tcd = tcd, 1, 2)', 1",
        "'if(end-of-interval = silent, 1, 2)', 2",
        // (1 + 1 + 2)^2 / (3 (1 + 1 + 4))
        "'jain(1, 1, 2) * 18', 16",
        "'drawn(7, 3, 10) >= 0 and drawn(7, 3, 10) < 10', 1",
        "'drawn(7, 3, 100000) = drawn(7, 3, 100000)', 1",
        "'drawn(7, 3, 100000) = drawn(7, 4, 100000)', 0",
        "'drawn(7, 3, 100000) = drawn(8, 3, 100000)', 0",
    })
    void isWhatStandsThere(String text, double value) {
        assertThat(Arithmetic.value(text)).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1 +",
                "(1",
                "1)",
                "a",
                "1 / 0",
                "2 3",
                "$x",
                "1..2",
                "a + 1",
                "min()",
                "f(1)",
                "[m]",
                "drawn(1, -1, 2)",
                "drawn(1, 0, 0)",
                "drawn(1, 20000, 2)"
            })
    void otherThingsAreNone(String text) {
        assertThat(Arithmetic.value(text)).isNull();
    }

    /** With commas, brackets and blanks, or nothing at all. */
    @Test
    void anyTextInQuotationMarksIsAWord() {
        assertThat(Arithmetic.said("if('{a: (1, 2]}' = '', none, '{a: (1, 2]}')"))
                .isEqualTo("{a: (1, 2]}");
        assertThat(Arithmetic.value("'tcd' = tcd and '' != tcd")).isEqualTo(1);
        assertThat(Arithmetic.value("'a")).isNull();
        assertThat(Arithmetic.said("'a' 'b'")).isNull();
        assertThat(Arithmetic.value("'1' + 1")).isNull();
    }

    @Test
    void bracketsThatGoTooDeepAreNone() {
        String deep = "(".repeat(100_000) + "1" + ")".repeat(100_000);
        assertThat(Arithmetic.value(deep)).isNull();
        assertThat(Arithmetic.value("2^".repeat(100_000) + "1")).isNull();
        assertThat(Arithmetic.value("-".repeat(100_001) + "1")).isEqualTo(-1.0);
        assertThat(Arithmetic.value("(".repeat(50) + "1" + ")".repeat(50))).isEqualTo(1.0);
    }
}
