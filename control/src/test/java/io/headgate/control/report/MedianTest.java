package io.headgate.control.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class MedianTest {
    @Test
    void isTheMiddleValueOrTheMeanOfTheTwo() {
        assertThat(Median.of(DoubleStream.of(3, 1, 2))).isEqualTo(2);
        assertThat(Median.of(DoubleStream.of(4, 1, 3, 2))).isEqualTo(2.5);
        assertThat(Median.of(DoubleStream.empty())).isNaN();
    }
}
