package io.headgate.hostagent.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.key.Section;
import io.headgate.config.read.HostConfigReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A host without a configured period uses that of congestion points at its card's rate. */
class RoccReactionConfigTest {
    @ParameterizedTest
    @CsvSource({"100Mbps, 10000000, 13750000", "10Gbps, 100000, 137500", "40Gbps, 40000, 55000"})
    void thePeriodFollowsFromTheRate(String rate, long periodNs, long recoveryNs) {
        String host =
                """
                name: hosts
                hosts:
                  - {name: h1, rate: %s, tap: t, device: {tap: w}, rate-control: {rocc: {}}}
                """
                        .formatted(rate);
        RoccReactionConfig config =
                HostConfigReader.read(host, "test")
                        .nics()
                        .getFirst()
                        .rateControl()
                        .get(RoccReactionConfig.class);
        assertThat(config).isEqualTo(new RoccReactionConfig(0, periodNs, recoveryNs));
    }

    @Test
    void aSlowerRunHasItsTimesLonger() {
        assertThat(
                        Section.of(RoccReactionConfig.class)
                                .scaled(new RoccReactionConfig(15_000, 40_000, 55_000), 7))
                .isEqualTo(new RoccReactionConfig(105_000, 280_000, 385_000));
    }
}
