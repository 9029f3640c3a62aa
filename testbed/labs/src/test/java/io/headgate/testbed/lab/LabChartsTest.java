package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.FlowControlConfig.Mode;
import io.headgate.testbed.figure.Column;
import io.headgate.testbed.figure.FigureCheck;
import io.headgate.testbed.figure.FigureFiles;
import io.headgate.testbed.lab.HolLab.Comparison;
import io.headgate.testbed.lab.HolMarks.Count;
import io.headgate.testbed.lab.HolMarks.Detector;
import io.headgate.testbed.lab.HolMarks.Seen;
import io.headgate.testbed.lab.HolMarks.Way;
import java.util.List;
import org.junit.jupiter.api.Test;

class LabChartsTest {
    @Test
    void headOfLineBlockingIsABarForEachFlowControl() throws Exception {
        List<Comparison> all =
                List.of(
                        new Comparison(Mode.NONE, 45e6, 44.6e6, 39e6, 0, 9000),
                        new Comparison(Mode.PFC, 45e6, 21e6, 39e6, 0, 0),
                        new Comparison(Mode.CREDITS, 45e6, 22e6, 39e6, 0, 0));
        String svg = FigureFiles.draw(HolLab.shares(all), Column.FITTING).svg();
        assertThat(FigureCheck.mistakes(svg)).isEmpty();
        assertThat(svg).contains("credits", "none", "pfc", "asked for 100 %");
    }

    @Test
    void marksOfTheVictimAreBarsForEachDetector() throws Exception {
        List<Seen> all =
                Way.all(List.of(Detector.TCD, Detector.RED, Detector.FECN)).stream()
                        .map(way -> new Seen(way, new Count(1000, 4, 900), new Count(9, 9, 0)))
                        .toList();
        for (Column column : Column.values()) {
            String svg = FigureFiles.draw(HolMarks.chart(all), column).svg();
            assertThat(FigureCheck.mistakes(svg)).as(column.name()).isEmpty();
            assertThat(svg).contains("congested", "undetermined");
        }
    }
}
