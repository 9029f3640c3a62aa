package io.headgate.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.read.SwitchConfigReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What credits carry in a round trip, against arithmetic. */
final class CreditRoundTripTest {
    private static CreditRoundTrip roundTrip(String link, String credits) {
        PortConfig port =
                SwitchConfigReader.read(
                                """
                                name: s1
                                ports:
                                  - name: p1
                                    device: {afpacket: v1}
                                    rate: 10Gbps
                                    flow-control: credits
                                    link: {delay: %s, own-reaction: 20us, peer-reaction: 20us}
                                    credits: {%s}
                                """
                                        .formatted(link, credits),
                                "s1.yaml")
                        .ports()
                        .getFirst();
        return CreditRoundTrip.of(port).orElseThrow();
    }

    @Test
    void framesThatGrowNeedMoreCredits() {
        String credits = "buffer: 500kB}\n    congestion: {grower: {bytes: 100}";
        assertThat(roundTrip("1ms", credits).neededBytes())
                .isEqualTo(roundTrip("1ms", "buffer: 500kB").neededBytes() + 2 * 100);
    }

    @Test
    void creditsBelowARoundTripAreToldWithTheSizeThatWouldDo() {
        // 1,953 blocks of 256 bytes in 2 ms; 10 Gb/s bring 2.5 MB in them.
        CreditRoundTrip few = roundTrip("1ms", "buffer: 500kB");
        assertThat(few.grantedBytes()).isEqualTo(499_968);
        assertThat(few.mostBps()).isEqualTo(1_999_872_000L);
        // 2,060 us and the gap of 20 us at 10 Gb/s, and two frames of 1,546 bytes of wire.
        assertThat(few.neededBytes()).isEqualTo(2_575_000 + 2 * 1546);
        assertThat(few.warning())
                .contains(
                        "at most 2.0 Gb/s of 10.0 Gb/s",
                        "block-scale: 5} at both ends would be enough");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "buffer: 500kB",
                "buffer: 100kB, buffer-slots: 40",
                "block-scale: 0",
                "buffer: 500kB, block-scale: 7",
                "buffer: 2400kB, block-scale: 5",
                "update: periodic, period: 500us"
            })
    void whatItAsksForWouldDo(String few) {
        String warning = roundTrip("1ms", few).warning();
        String asked = warning.substring(warning.indexOf('{') + 1, warning.indexOf('}'));
        String update = few.startsWith("update") ? few + ", " : "";
        CreditRoundTrip enough = roundTrip("1ms", update + asked);
        assertThat(enough.warning()).isEmpty();
        assertThat(enough.grantedBytes()).isGreaterThanOrEqualTo(enough.neededBytes());
        assertThat(asked.contains("buffer-slots")).isEqualTo(few.contains("buffer-slots"));
        assertThat(asked.contains("block-scale: 7")).isEqualTo(few.contains("block-scale: 7"));
    }

    @Test
    void noMoreIsGrantedThanThereAreSlotsFor() {
        assertThat(roundTrip("1ms", "buffer: 100kB, buffer-slots: 40").grantedBytes())
                .isEqualTo(40 * 256);
    }

    /** Told once a period, credits are missed for as long. */
    @Test
    void creditsThatAreToldInPeriodsTakeOneMore() {
        String periodic = "update: periodic, period: 500us";
        assertThat(roundTrip("1ms", periodic).neededBytes())
                .isEqualTo(roundTrip("1ms", "min-gap: 0ns").neededBytes() + 500 * 1250);
    }

    @Test
    void moreThanCreditsCanCountIsToldAsSuch() {
        assertThat(roundTrip("50ms", "buffer: 500kB").warning())
                .contains("no credit size is large enough: the maximum, with block-scale: 7, is");
    }

    @Test
    void ofAShortLinkNothingIsTold() {
        assertThat(roundTrip("10us", "buffer: 500kB").warning()).isEmpty();
        assertThat(roundTrip("0ns", "buffer: 2kB").warning()).isEmpty();
    }
}
