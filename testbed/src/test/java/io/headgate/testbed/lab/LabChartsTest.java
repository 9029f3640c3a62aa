package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LabChartsTest {
    @Test
    void thePageBeginsWithWhatWasRunAndHowItEnded() {
        assertThat(LabCharts.page("headgate lab hol", List.of(), "<svg/>", "text"))
                .contains("<h1>headgate lab hol</h1>", "<p>PASS</p>", "<svg/>", "<pre>text</pre>");
        assertThat(LabCharts.page("a < b", List.of("one", "two"), "", ""))
                .contains("<h1>a &lt; b</h1>", "<p>FAIL: one; two.</p>");
    }
}
