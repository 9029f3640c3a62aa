package io.headgate.dataplane.congestion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.ConfigException;
import io.headgate.config.read.SwitchConfigReader;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** max(Ton), as sections 4.3 and 4.4 of "Congestion Detection in Lossless Networks" have it. */
class TcdConfigTest {
    private static TcdConfig read(String port) {
        return Objects.requireNonNull(
                SwitchConfigReader.read(
                                "name: s1\nports:\n  - {name: p1, device: {tap: t1}, lossless: [3], "
                                        + port
                                        + "}\n",
                                "f.yaml")
                        .ports()
                        .getFirst()
                        .mechanisms()
                        .get(TcdConfig.class));
    }

    @ParameterizedTest
    @CsvSource({"40Gbps, 34400", "100Gbps, 26960", "200Gbps, 24480"})
    void maxTonOfPausesIsThePapers(String rate, long maxOnNs) {
        TcdConfig config =
                read(
                        "rate: "
                                + rate
                                + ", mtu: 1000, flow-control: pfc, link: {delay: 1us}, buffers:"
                                + " {xoff: 12kB, xon: 10kB}, congestion: {tcd: {}}");
        assertThat(config.maxOnNs()).isEqualTo(maxOnNs);
        assertThat(config.epsilon()).isEqualTo(0.05);
    }

    @Test
    void maxTonOfTheTestBedComesFromItsThresholdsAndItsMeasuredReaction() {
        TcdConfig config =
                read(
                        "rate: 10Gbps, mtu: 1000, flow-control: pfc, buffers: {xoff: 800kB, xon:"
                                + " 770kB}, congestion: {tcd: {epsilon: 0.04, reaction: 20us}}");
        assertThat(config.maxOnNs()).isEqualTo(870_000);
    }

    @Test
    void withCreditsMaxTonIsTheirPeriodAndByHandItIsWhatIsSaid() {
        String credits = "rate: 10Gbps, flow-control: credits, credits: {period: 60us}, ";
        assertThat(read(credits + "congestion: {tcd: {}}").maxOnNs()).isEqualTo(60_000);
        assertThat(read(credits + "congestion: {tcd: {max-on: 70us}}").maxOnNs()).isEqualTo(70_000);
    }

    @Test
    void aThresholdIsOneLengthUnlessTwoAreSaid() {
        TcdConfig config = read("flow-control: pfc, congestion: {tcd: {kmin: 50kB}}");
        assertThat(config.kmaxBytes()).isEqualTo(50_000);
        assertThatThrownBy(() -> read("congestion: {tcd: {kmin: 50kB, kmax: 40kB}}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("kmax")
                .hasMessageContaining("at least kmin, which is 50kB");
    }

    @Test
    void infiniBandsRuleNeedsCredits() {
        assertThatThrownBy(() -> read("flow-control: pfc, congestion: {fecn: {}}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("fecn")
                .hasMessageContaining("flow-control: credits");
    }
}
