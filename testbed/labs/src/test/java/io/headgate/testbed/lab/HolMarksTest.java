package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.FlowControlConfig.Mode;
import io.headgate.control.report.RunReport;
import io.headgate.testbed.lab.HolMarks.Count;
import io.headgate.testbed.lab.HolMarks.Detector;
import io.headgate.testbed.lab.HolMarks.Seen;
import io.headgate.testbed.lab.HolMarks.Way;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a lab of marks tries, and how it judges what it saw. */
class HolMarksTest {
    private static final Way TCD = new Way(Mode.PFC, Detector.TCD);
    private static final Way RED = new Way(Mode.PFC, Detector.RED);
    private static final Count CULPRITS = new Count(1000, 900, 0);
    private static final Seen BY_LENGTH = new Seen(RED, new Count(1000, 100, 0), CULPRITS);

    private static List<String> problems(Count victimWithTcd) {
        RunReport report = new RunReport("test");
        HolMarks.judge(List.of(new Seen(TCD, victimWithTcd, CULPRITS), BY_LENGTH), report);
        return report.problems();
    }

    @Test
    void infinibandsRuleIsTriedWithCreditsAlone() {
        assertThat(Way.all(List.of(Detector.FECN, Detector.TCD)))
                .containsExactly(
                        TCD,
                        new Way(Mode.CREDITS, Detector.FECN),
                        new Way(Mode.CREDITS, Detector.TCD));
    }

    @Test
    void aVictimMayBeMarkedCongestedOnceInAHundredAndATwentiethAsOftenAsByLength() {
        assertThat(problems(new Count(1000, 5, 900))).isEmpty();
        assertThat(problems(new Count(1000, 6, 900)))
                .singleElement()
                .asString()
                .contains("more than a twentieth");
        assertThat(problems(new Count(1000, 11, 900))).hasSize(2);
        assertThat(problems(new Count(1000, 0, 0)))
                .singleElement()
                .asString()
                .contains("never marked undetermined");
        assertThat(problems(new Count(0, 0, 0)))
                .singleElement()
                .asString()
                .contains("nothing of the victim");
    }
}
