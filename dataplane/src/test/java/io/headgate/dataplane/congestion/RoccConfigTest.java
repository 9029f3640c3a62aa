package io.headgate.dataplane.congestion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.ConfigException;
import io.headgate.config.key.Section;
import io.headgate.dataplane.congestion.flows.FlowTableKind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** RoCC's parameters: as published for 10, 40 and 100 Gb/s, and by their rule for other links. */
class RoccConfigTest {
    @ParameterizedTest
    @CsvSource({
        "10Gbps, 75000, 150000, 210000, 0.1875, 0.375, 100000, 10000000",
        "40Gbps, 150000, 300000, 360000, 0.3, 1.5, 40000, 10000000",
        "100Gbps, 300000, 600000, 660000, 0.45, 2.25, 40000, 10000000",
        // As much slower as the link: a run at that scale.
        "1Gbps, 75000, 150000, 210000, 0.1875, 0.375, 1000000, 1000000",
        "25Gbps, 150000, 300000, 360000, 0.3, 1.5, 64000, 6250000",
        "400Gbps, 300000, 600000, 660000, 0.45, 2.25, 10000, 40000000",
    })
    void parametersAreThoseOfTheLinksRate(
            String rate,
            long referenceBytes,
            long middleBytes,
            long maximumBytes,
            double alpha,
            double beta,
            long periodNs,
            long rateStepBps) {
        RoccConfig config = RoccPointTest.config(rate, "");
        assertThat(config)
                .isEqualTo(
                        new RoccConfig(
                                referenceBytes,
                                middleBytes,
                                maximumBytes,
                                alpha,
                                beta,
                                periodNs,
                                rateStepBps,
                                600,
                                10 * rateStepBps,
                                config.startRateBps(),
                                FlowTableKind.QUEUED,
                                1024,
                                2 * periodNs,
                                10,
                                3,
                                RoccConfig.Computes.SWITCH,
                                List.of(0, 1, 2, 3, 4, 5)));
        FairRate.Parameters parameters = config.parameters(config.startRateBps());
        assertThat(parameters.minimum()).isEqualTo(10);
        assertThat(parameters.maximum()).isIn(1_000L, 4_000L, 10_000L);
    }

    @Test
    void thresholdsFollowFromTheReferenceAndAreInOrder() {
        RoccConfig config = RoccPointTest.config("10Gbps", "qref: 50kB");
        assertThat(config.middleBytes()).isEqualTo(100_000);
        assertThat(config.maximumBytes()).isEqualTo(160_000);
        assertThatThrownBy(() -> RoccPointTest.config("10Gbps", "qref: 50kB, qmid: 40kB"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("qmid")
                .hasMessageContaining("at least qref, which is 50kB");
        assertThatThrownBy(() -> RoccPointTest.config("10Gbps", "qmid: 200kB, qmax: 190kB"))
                .hasMessageContaining("at least qmid, which is 200kB");
        assertThatThrownBy(() -> RoccPointTest.config("10Gbps", "rate-step: 10000500bps"))
                .hasMessageContaining("whole kilobits a second");
    }

    @Test
    void noRateIsAboveThePorts() {
        assertThatThrownBy(() -> RoccPointTest.config("10Gbps", "fmin: 100Gbps"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("fmin")
                .hasMessageContaining("at most the port's rate, which is 10Gbps");
        assertThatThrownBy(() -> RoccPointTest.config("10Mbps", "rate-step: 65Mbps"))
                .hasMessageContaining("rate-step")
                .hasMessageContaining("fmin");
        assertThatThrownBy(() -> RoccPointTest.config("10Gbps", "flow-table: afd-ft, flows: 3"))
                .hasMessageContaining("at least 4 with flow-table: afd-ft");
    }

    @ParameterizedTest
    @CsvSource({"7, 1428571000, 1428000", "10, 1000000000, 1000000", "10000, 1000000, 1000"})
    void aSlowerRunTellsRatesInWholeKilobitsASecond(int factor, long rateBps, long stepBps) {
        RoccConfig slower =
                Section.of(RoccConfig.class).scaled(RoccPointTest.config("10Gbps", ""), factor);
        assertThat(slower.rateStepBps()).isEqualTo(stepBps);
        assertThat(slower.periodNs()).isEqualTo(100_000L * factor);
        assertThat(slower.leastRateBps()).isEqualTo(100_000 / factor * 1_000L);
        assertThat(slower.startRateBps()).isEqualTo(rateBps);
        assertThat(slower.referenceBytes()).isEqualTo(75_000);
    }
}
