package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Doubt;
import io.headgate.testbed.lab.Losses.Loss;
import java.util.List;
import org.junit.jupiter.api.Test;

class LossesTest {
    private static final Loss SOCKETS = new Loss("hosts", "sockets", 3, "");
    private static final Loss SWITCH = new Loss("switch, port p4", "HEADROOM_EXHAUSTED", 2, "");
    private static final Loss FULL = new Loss("switch, port p4", "QUEUE_FULL", 2, "");

    @Test
    void whatSocketsLoseIsBehindTheNetwork() {
        assertThat(Losses.sentence(List.of(SOCKETS)))
                .isEqualTo(
                        "3 frames were lost in sockets, behind the network, where a receiver did"
                                + " not read in time: none in switch, agents or TAPs");
    }

    @Test
    void whatSocketsAloneLoseMakesARunInvalid() {
        assertThat(judged("").doubts()).isEmpty();
        assertThat(judged("", SOCKETS).problems()).isEmpty();
        assertThat(judged("", SOCKETS).doubts()).singleElement().matches(Doubt::ofMachine);
        assertThat(judged("", SWITCH, SOCKETS).problems()).hasSize(1);
        assertThat(judged(", held", SWITCH, SOCKETS).problems()).isEmpty();
        assertThat(judged(", held", SWITCH, SOCKETS).doubts()).hasSize(1);
        assertThat(judged(", held", FULL, SOCKETS).problems()).hasSize(1);
    }

    private static RunReport judged(String held, Loss... losses) {
        RunReport report = new RunReport("test");
        Losses.judge(List.of(losses), 0, held, report);
        return report;
    }

    @Test
    void whatIsLostElsewhereTooIsToldApart() {
        assertThat(Losses.sentence(List.of(SWITCH))).isEqualTo("2 frames were lost");
        assertThat(Losses.sentence(List.of(SWITCH, SOCKETS)))
                .startsWith("5 frames were lost, 3 of them in sockets, behind the network");
    }
}
