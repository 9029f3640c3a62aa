package io.headgate.dataplane.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class CounterTextTest {
    @Test
    void aMechanismsCounterHasItsNameBeforeAndThePlaceBehind() {
        CounterText text = CounterText.total("marked", "frames", "frames marked").of("red");
        assertThat(text.label()).isEqualTo("red.marked");
        assertThat(text.atPriority(3))
                .isEqualTo(
                        CounterText.total("red.marked.p3", "frames", "frames marked, priority 3"));
    }

    @Test
    void aMechanismsCounterWithoutLabelIsRefused() {
        assertThatThrownBy(() -> CounterText.total("frames", "frames heard").of("overtake"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(
                        "overtake: its counter of frames (\"frames heard\") has no label");
    }

    @Test
    void aCounterWithoutLabelIsNamedByItsConstant() {
        CounterText text = CounterText.gauge("bytes", "bytes held");
        assertThat(text.named("BYTES_HELD").label()).isEqualTo("bytes.held");
        assertThat(CounterText.gauge("held", "bytes", "bytes held").named("OTHER").label())
                .isEqualTo("held");
    }
}
