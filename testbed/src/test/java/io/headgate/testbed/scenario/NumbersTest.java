package io.headgate.testbed.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumbersTest {
    @ParameterizedTest
    @CsvSource({
        "9.84395, 9.844",
        "0.0317999, 0.0318",
        "205.246, 205.2",
        "2917.35, 2917",
        "499620, 499620",
        "1000, 1000",
        "1234567.5, 1234568",
        "-0.00001671, -0.00001671",
        "0.0000000012, 1.20e-09",
        "NaN, not measured",
        "-Infinity, -infinite"
    })
    void aNumberHasFourDigitsAndNoExponentWhereItCanBeReadWithoutOne(double value, String text) {
        assertThat(Numbers.text(value)).isEqualTo(text);
    }

    @Test
    void aDifferenceSaysItsShareUnlessThatIsNearlyNone() {
        assertThat(Numbers.difference(4.7536, 205.246, "us")).isEqualTo("+4.754 us, +2.316 %");
        assertThat(Numbers.difference(-1.6708e-6, 9.84395, "Gb/s")).isEqualTo("below 0.001 %");
        assertThat(Numbers.difference(0, 9.84395, "Gb/s")).isEqualTo("0 Gb/s");
        assertThat(Numbers.difference(-3, 0, "frames")).isEqualTo("-3 frames");
    }
}
