package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.lab.own.OwnLabSpec;
import org.junit.jupiter.api.Test;

class PicturesTest {
    private static String times(double fromS, double toS) {
        return Pictures.times(new OwnLabSpec.Picture("ring", 1000, 2500), fromS, toS);
    }

    @Test
    void aPictureSaysWhenItWasTaken() {
        assertThat(times(1.0004, 2.502)).isEqualTo("from 1 to 2.5 s");
        // An order before it waited until 2.04 s.
        assertThat(times(2.04, 2.5)).isEqualTo("from 2 to 2.5 s");
        assertThat(times(1.3, 3.04)).isEqualTo("from 1.3 to 3 s");
    }

    @Test
    void thereIsNoneOfATimeThatDidNotPass() {
        assertThat(times(3.0, 3.0001)).isEmpty();
        assertThat(times(3.0, 3.001)).isEqualTo("from 3 to 3 s");
    }
}
