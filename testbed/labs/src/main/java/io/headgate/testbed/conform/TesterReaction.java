package io.headgate.testbed.conform;

import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Series;
import java.util.Locale;

/** Measures beforehand, on a switch of ours, how fast the tester's own cards obey pauses. */
final class TesterReaction {
    private static final double US_PER_MS = 1e3;

    private TesterReaction() {}

    /**
     * How long after a pause was sent the last frame began to leave, at worst.
     *
     * @param sent pauses that were sent until each sample
     * @param resumed resumptions that were sent until each sample, of the same times
     * @param started frames that had begun to leave the paused card until then
     * @return in us; NaN without a pause
     */
    static double worstUs(double[] timesUs, double[] sent, double[] resumed, double[] started) {
        double worstUs = Double.NaN;
        for (int i = 1; i < sent.length; i++) {
            if (sent[i] > sent[i - 1]) {
                int last = i - 1;
                for (int j = i; j < started.length && resumed[j] == resumed[i]; j++) {
                    last = started[j] > started[j - 1] ? j : last;
                }
                double us = timesUs[last] - timesUs[i - 1];
                worstUs = Double.isNaN(worstUs) ? us : Math.max(worstUs, us);
            }
        }
        return worstUs;
    }

    /**
     * In a sentence, from a run of {@code tester.yaml}.
     *
     * @throws ScenarioException if the card did not stop: then no verdict would mean anything
     */
    static String sentence(Outcome outcome, double slower) throws ScenarioException {
        double stopped = outcome.measure("last of h1/wire stopped.p3");
        if (!(stopped >= 1)) {
            throw new ScenarioException(
                    "the tester's own card does not obey pauses, so no case can be judged");
        }
        Series sent = outcome.series("counter s1/p1 pfc.xoff.sent.p3");
        double worstUs =
                worstUs(
                        sent.timesUs(),
                        sent.values(),
                        outcome.series("counter s1/p1 pfc.xon.sent.p3").values(),
                        outcome.series("counter h1/wire frames.started.p3").values());
        return String.format(
                Locale.ROOT,
                "The tester obeys pauses: a card that a switch of ours paused %.0f times sent its"
                        + " last frame %.2f ms after the pause at worst.",
                stopped,
                worstUs * slower / US_PER_MS);
    }
}
