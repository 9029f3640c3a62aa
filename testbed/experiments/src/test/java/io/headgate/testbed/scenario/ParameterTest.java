package io.headgate.testbed.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class ParameterTest {
    private static final Parameter RATE =
            Parameter.number("rate", Unit.RATE, "10Gbps", "1Mbps", "400Gbps", "line rate");
    private static final Parameter LOAD =
            Parameter.number("load", Unit.NUMBER, "0.5", "0", "0.99", "offered load");
    private static final Parameter KIND =
            Parameter.word("kind", List.of("greedy", "poisson"), "kind of traffic");

    @Test
    void readsUnitsListsAndRanges() throws ScenarioException {
        assertThat(RATE.parse("40Gbps")).containsExactly(40e9);
        assertThat(RATE.parse("1.5Gbps, 100Mbps")).containsExactly(1.5e9, 100e6);
        assertThat(LOAD.parse("0.1..0.7:0.2")).containsExactly(0.1, 0.3, 0.5, 0.7);
        assertThat(LOAD.parse("1%, 7.5 %")).containsExactly(0.01, 0.075);
        assertThat(KIND.parse("poisson")).containsExactly("poisson");
    }

    @Test
    void whatItWritesItReadsBack() throws ScenarioException {
        for (double value : new double[] {1e6, 10e9, 12_345_678, 400e9, 2.5e9}) {
            assertThat(RATE.parse(RATE.format(value))).containsExactly(value);
        }
        assertThat(RATE.format(40e9)).isEqualTo("40Gbps");
        assertThat(Unit.DURATION.format(1_500)).isEqualTo("1.5us");
        assertThat(Unit.DURATION.format(1e8)).isEqualTo("100ms");
        assertThat(Unit.SIZE.format(1500)).isEqualTo("1500B");
        assertThat(Unit.COUNT.format(10_000)).isEqualTo("10k");
    }

    @Test
    void refusesWhatIsOutsideItsRangeInOneSentence() {
        assertThatThrownBy(() -> RATE.parse("500Gbps"))
                .hasMessage(
                        "parameter rate cannot be '500Gbps': allowed is 1Mbps to 400Gbps, for"
                                + " example 10Gbps");
        assertThatThrownBy(() -> RATE.parse("10")).hasMessageContaining("1Mbps to 400Gbps");
        assertThatThrownBy(() -> LOAD.parse("0.1..0.7")).hasMessageContaining("needs a step");
        assertThatThrownBy(() -> LOAD.parse("0..0.9:0.0001")).hasMessageContaining("1000 values");
        assertThatThrownBy(() -> LOAD.parse("0.5..0.1:0.1")).hasMessageContaining("FROM <= TO");
        assertThatThrownBy(() -> KIND.parse("greedi"))
                .hasMessage("parameter kind cannot be 'greedi': allowed is greedy, poisson");
        assertThatThrownBy(() -> KIND.parse("\u001b[31mred"))
                .hasMessageContaining("\\u001b[31mred");
    }

    @Test
    void halfAByteIsNoSize() {
        assertThat(Unit.SIZE.parse("0.5B")).isNull();
        assertThat(Unit.SIZE.parse("1.5kB")).isEqualTo(1500.0);
        assertThat(Unit.SIZE.parse("1.5KB")).isEqualTo(1500.0);
        assertThat(Unit.SIZE.parse("99999999999999999999B")).isNull();
    }

    @Test
    void aValueThatCouldNotBeMeasuredIsNearNothing() {
        assertThat(Check.near("q", "byte", Double.NaN, 10, 0.1, "").passed()).isFalse();
        assertThat(Check.atMost("q", "byte", Double.NaN, 10, "").passed()).isFalse();
        assertThat(Check.near("q", "byte", 10.5, 10, 0.1, "").passed()).isTrue();
        assertThat(Check.within("q", "byte", 10, 10, 0, "").sentence())
                .isEqualTo("q: 10 byte, expected 10 byte exactly (difference 0 byte)");
    }
}
