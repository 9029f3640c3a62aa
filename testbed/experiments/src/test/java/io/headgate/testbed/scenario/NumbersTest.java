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
        assertThat(Numbers.difference(4.7536, 205.246, "us")).isEqualTo("+4.754 µs, +2.316 %");
        assertThat(Numbers.difference(-1.6708e-6, 9.84395, "Gb/s")).isEqualTo("below 0.001 %");
        assertThat(Numbers.difference(0, 9.84395, "Gb/s")).isEqualTo("0 Gb/s");
        assertThat(Numbers.difference(-3, 0, "frames")).isEqualTo("-3 frames");
    }

    @Test
    void numbersForPeopleHaveFewDigitsAndTheUnitThatNeedsThem() {
        assertThat(Numbers.shown(803_934, "byte")).isEqualTo("803.9 kB");
        assertThat(Numbers.shown(1234.567, "Mb/s")).isEqualTo("1235 Mb/s");
        assertThat(Numbers.shown(51_234.5, "us")).isEqualTo("51.23 ms");
        assertThat(Numbers.shown(0.25, "us")).isEqualTo("250 ns");
        assertThat(Numbers.shown(999_999, "byte")).isEqualTo("1 MB");
        assertThat(Numbers.shown(-999.96, "us")).isEqualTo("-1 ms");
        assertThat(Numbers.shown(999_900, "byte")).isEqualTo("999.9 kB");
        assertThat(Numbers.shown(144_633, "frames")).isEqualTo("144633 frames");
        assertThat(Numbers.shown(0, "byte")).isEqualTo("0 byte");
        assertThat(Numbers.shown(Double.NaN, "us")).isEqualTo("not measured");
        assertThat(Numbers.shown(1.5e-9, "")).isEqualTo("1.500e-09");
    }

    @Test
    void whatDiffersFromItsLimitIsShownToDiffer() {
        assertThat(Numbers.shown(807_222, "byte", 807_221)).isEqualTo("807.222 kB");
        assertThat(Numbers.shown(803_934, "byte", 807_222)).isEqualTo("803.9 kB");
        assertThat(Numbers.shown(999_999, "byte", 1_000_000)).isEqualTo("999.999 kB");
        assertThat(Check.atMost("q", "us", 10.00004, 10, "").sentence())
                .isEqualTo("q: 10.00004 µs, expected at most 10 µs");
    }

    @Test
    void ratesHaveThreeDigits() {
        assertThat(Numbers.rate(941_234_000)).isEqualTo("941 Mb/s");
        assertThat(Numbers.rate(999_999_999)).isEqualTo("1 Gb/s");
        assertThat(Numbers.rate(12.3e9)).isEqualTo("12.3 Gb/s");
        assertThat(Numbers.rate(0)).isEqualTo("0 b/s");
        assertThat(Numbers.rate(Double.NaN)).isEqualTo("not measured");
        assertThat(Numbers.rate(Double.POSITIVE_INFINITY)).isEqualTo("infinite");
    }
}
