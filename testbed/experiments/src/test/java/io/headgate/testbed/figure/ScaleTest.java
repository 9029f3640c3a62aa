package io.headgate.testbed.figure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.headgate.testbed.figure.Scale.Range;
import io.headgate.testbed.scenario.Figure.Axis;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class ScaleTest {
    @Test
    void theUnitFollowsTheRange() {
        Scale bytes =
                Scale.vertical(Axis.linear("buffer", "byte"), Range.of(0, 200_000), Scale.BELOW);
        assertThat(bytes.title()).isEqualTo("buffer (kB)");
        assertThat(bytes.labels()).containsExactly("0", "50", "100", "150", "200");
        Scale time = Scale.horizontal(Axis.linear("time", "us"), Range.of(0, 0.5), 6);
        assertThat(time.title()).isEqualTo("time (ns)");
        Scale seconds = Scale.horizontal(Axis.linear("time", "us"), Range.of(0, 2e6), 6);
        assertThat(seconds.title()).isEqualTo("time (s)");
        assertThat(seconds.labels()).containsExactly("0", "0.5", "1", "1.5", "2");
        assertThat(
                        Scale.vertical(Axis.linear("rate", "Gb/s"), Range.of(0, 0.1), Scale.BELOW)
                                .title())
                .isEqualTo("rate (Mb/s)");
        assertThat(
                        Scale.vertical(Axis.linear("sent", "frames"), Range.of(0, 3e6), Scale.BELOW)
                                .title())
                .isEqualTo("sent (10³ frames)");
        assertThat(Scale.vertical(Axis.linear("delay", "us"), Range.of(0, 9), Scale.BELOW).title())
                .isEqualTo("delay (µs)");
    }

    @Test
    void stepsAreOneTwoTwoAndAHalfOrFive() {
        for (double span = 1e-7; span < 1e9; span *= 1.07) {
            double step = Scale.step(span, 6, 0);
            double mantissa = step / Math.pow(10, Math.floor(Math.log10(step) + 1e-9));
            assertThat(mantissa)
                    .as("span %s", span)
                    .satisfiesAnyOf(
                            m -> assertThat(m).isCloseTo(1, within()),
                            m -> assertThat(m).isCloseTo(2, within()),
                            m -> assertThat(m).isCloseTo(2.5, within()),
                            m -> assertThat(m).isCloseTo(5, within()));
            assertThat(span / step).as("span %s", span).isBetween(2.0, 6.0);
        }
    }

    @Test
    void whatIsNoSpanHasNoSteps() {
        for (double span : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Scale.step(span, 6, 0))
                    .withMessageContaining(Double.toString(span));
        }
        Axis endless = new Axis("time", "us", false, Double.NaN, 0, "", List.of());
        assertThat(Scale.horizontal(endless, Range.of(0, 2), 6).high()).isEqualTo(2);
    }

    private static Offset<Double> within() {
        return Offset.offset(1e-6);
    }

    @Test
    void linearAxesHaveTheirZeroAndRoom() {
        Scale rate =
                Scale.vertical(Axis.linear("throughput", "Gb/s"), Range.of(8, 9.8), Scale.BELOW);
        assertThat(rate.low()).isZero();
        assertThat(rate.high()).isGreaterThan(9.8);
        assertThat(rate.breaks()).contains(0.0);
        Scale touching = Scale.vertical(Axis.linear("queue", "kB"), Range.of(0, 10), Scale.BELOW);
        // Half a line's width, no more.
        assertThat(touching.low()).isBetween(-0.15, -0.1);
        assertThat(Scale.vertical(Axis.linear("queue", "kB"), Range.of(0, 10), 0).low()).isZero();
    }

    @Test
    void logarithmicAxesHaveDecadesOrOneTwoFive() {
        Axis sizes = new Axis("flow size", "byte", true);
        assertThat(Scale.horizontal(sizes, Range.of(1e3, 1e7), 6).labels())
                .containsExactly("10⁰", "10¹", "10²", "10³", "10⁴");
        Axis slowdown = new Axis("slowdown", "", true);
        assertThat(Scale.vertical(slowdown, Range.of(1, 40), Scale.BELOW).labels())
                .containsExactly("1", "2", "5", "10", "20", "50");
        assertThat(Scale.vertical(slowdown, Range.of(35, 70), Scale.BELOW).labels())
                .containsExactly("30", "50", "70");
    }

    @Test
    void whatIsCountedHasWholeTicks() {
        Axis senders = Axis.linear("senders", "");
        assertThat(Scale.horizontal(senders, Range.of(1, 4, 10), 5).labels())
                .containsExactly("0", "5", "10");
        assertThat(Scale.horizontal(senders, Range.of(1, 2, 3), 6).labels())
                .containsExactly("1", "2", "3");
        assertThat(Scale.horizontal(Axis.linear("load", ""), Range.of(0.5, 10), 5).labels())
                .containsExactly("0", "2.5", "5", "7.5", "10");
        assertThat(
                        Scale.vertical(Axis.linear("deadlocks", ""), Range.of(0, 1), Scale.BELOW)
                                .labels())
                .containsExactly("0", "1");
    }

    @Test
    void anAxisOfTimeEndsWithTheRun() {
        Scale time = Scale.horizontal(Axis.time(5_000), Range.of(0, 4_700), 6);
        assertThat(time.title()).isEqualTo("time (ms)");
        assertThat(time.high()).isEqualTo(5);
        assertThat(time.labels()).endsWith("5");
    }
}
