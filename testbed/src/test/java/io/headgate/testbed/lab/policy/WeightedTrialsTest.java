package io.headgate.testbed.lab.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.headgate.control.report.RunReport;
import io.headgate.testbed.netns.Iperf3.Flow;
import io.headgate.testbed.netns.Iperf3.Outcome;
import io.headgate.testbed.netns.Iperf3.Protocol;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WeightedTrialsTest {
    private static final int SECONDS = 2;

    private static final Map<String, Integer> AS_IN_THE_CHAPTER =
            Map.of(
                    "a", 100, "b", 101, "c", 102, "a-2", 100, "c-2", 101, "a-4", 100, "c-4", 101,
                    "a-8", 100, "c-8", 101);

    private static Outcome outcome(int tos, long sent, long lost) {
        Flow flow = new Flow(1, 4, 1_000_000, tos, 0, "");
        return new Outcome(flow, Protocol.UDP, null, 0, 0, 0, lost, sent, 0, 0, "");
    }

    /**
     * The conclusion if {@code valuable} valuable datagrams a second arrive.
     *
     * @param policy the policy under which they arrive; the others have the chapter's numbers
     */
    private static List<String> problems(String policy, int valuable) {
        WeightedTrials trials = new WeightedTrials();
        for (String each : WeightedTrials.POLICIES) {
            int arrived = each.equals(policy) ? valuable : AS_IN_THE_CHAPTER.getOrDefault(each, 0);
            trials.add(each, List.of(outcome(63, (long) SECONDS * arrived, 0)), SECONDS);
        }
        RunReport report = new RunReport("test");
        trials.conclude(report);
        return report.problems();
    }

    @Test
    void aPolicyIsWorthWhatArrivesOfEachKindInASecond() {
        WeightedTrials trials = new WeightedTrials();
        trials.add(
                "b",
                List.of(outcome(63, 50, 10), outcome(63, 30, 10), outcome(1, 1_000, 800)),
                SECONDS);

        assertThat(trials.value("b")).isEqualTo(63 * 30 + 100);
    }

    @Test
    void nothingIsWrongIfEachIsWorthMoreThanTheOneBefore() {
        assertThat(problems("", 0)).isEmpty();
    }

    @Test
    void asMuchIsNotMore() {
        assertThat(problems("b", 100))
                .containsExactly(
                        "algorithm b is worth 6,300 per s, no more than 6,300 with a (figure 2.19"
                                + " b)");
        assertThat(problems("c-4", 99))
                .containsExactly(
                        "algorithm c-4 is worth 6,237 per s, no more than 6,300 with a-4 (figure"
                                + " 2.19 d)");
    }

    @Test
    void valuableDatagramsComeInBurstsOfBothTheirHosts() {
        assertThat(WeightedTrials.flows(100_000_000, 0))
                .extracting(Flow::from, Flow::to, Flow::tos, Flow::udpBps, Flow::udpBurst)
                .containsExactly(
                        tuple(1, 4, 63, 45_000_000L, 1_000),
                        tuple(2, 4, 63, 45_000_000L, 1_000),
                        tuple(3, 4, 1, 95_000_000L, 0));
    }
}
