package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.lab.LabMarks.Count;
import io.headgate.testbed.lab.capture.Tshark;
import io.headgate.testbed.netns.Iperf3;
import java.util.List;
import org.junit.jupiter.api.Test;

class LabMarksTest {
    private static final String OUTPUT =
            """
            10.0.0.1\t10.0.0.3\t5201\t3
            10.0.0.1\t10.0.0.3\t5202\t2
            10.0.0.1\t10.0.0.3\t5202\t0
            tshark: a warning
            10.0.0.1\t10.0.0.3\t53\t3
            10.0.0.2\t10.0.0.3\t5202\t3
            """;

    private static Count count(int number) {
        Iperf3.Flow flow = new Iperf3.Flow(1, 3, 1_000_000, 0, 0, "", 0);
        return LabMarks.count(
                Tshark.parse(OUTPUT, LabMarks.FIELDS.size()), number, flow, "10.0.0.1", "10.0.0.3");
    }

    @Test
    void flowsOfTheSameEndsAreToldApartAndFromWhatCommandsSend() {
        assertThat(count(0)).isEqualTo(new Count(0, 1, 3, 1, 1, 0));
        assertThat(count(1)).isEqualTo(new Count(1, 1, 3, 2, 0, 1));
        assertThat(LabMarks.share(List.of(count(0), count(1)), List.of(1), Count::undetermined))
                .isEqualTo(50);
    }
}
