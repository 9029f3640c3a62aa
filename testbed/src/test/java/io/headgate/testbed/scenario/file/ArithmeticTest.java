package io.headgate.testbed.scenario.file;

import static org.assertj.core.api.Assertions.assertThat;

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
        "10Gbps * 0.9 / 1Gbps, 9",
        "2 * 1514B, 3028",
        "5us, 5000",
        "8 / 2 / 2, 2",
    })
    void isWhatStandsThere(String text, double value) {
        assertThat(Arithmetic.value(text)).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1 +", "(1", "1)", "a", "1 / 0", "2 3", "$x", "1..2"})
    void otherThingsAreNone(String text) {
        assertThat(Arithmetic.value(text)).isNull();
    }
}
