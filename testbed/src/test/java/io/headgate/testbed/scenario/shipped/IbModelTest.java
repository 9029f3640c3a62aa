package io.headgate.testbed.scenario.shipped;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Scenarios;
import io.headgate.testbed.scenario.shipped.IbModel.Scheme;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The input-buffered switch and its schemes, beside a model that shares nothing with the engine.
 */
class IbModelTest {
    private static final int BUFFER = 4;
    private static final int LARGE_BUFFER = 12;

    @Test
    @Tag("long")
    void withoutMarksTheVictimHasWhatTheModelSays() throws Exception {
        isAsModelled("none", Scheme.NONE, 1, 20, 1);
    }

    @Test
    @Tag("long")
    void everyFlowHasWhatTheModelSays() throws Exception {
        isAsModelled("naive", Scheme.NAIVE, 1, 60, 4);
        isAsModelled("input", Scheme.INPUT, 1, 60, 4);
        isAsModelled("output-4", Scheme.OUTPUT, 4, 60, 4);
        isAsModelled("output-8", Scheme.OUTPUT, 8, 60, 4);
    }

    private static void isAsModelled(
            String name, Scheme scheme, int threshold, int ms, double points) throws Exception {
        CellResult result =
                ShippedTest.run(
                                Scenarios.named("ib-marking"),
                                BedKind.VIRTUAL,
                                false,
                                null,
                                "scheme=" + name,
                                "victim=always",
                                "duration=" + ms + "ms")
                        .getFirst();
        assertThat(result.failure()).isNull();
        IbModel model = new IbModel(scheme, threshold, BUFFER, true).run(ms * 1e3);
        double local = result.measure(IbMarking.LOCAL);
        double remote = result.measure(IbMarking.ROOT) - local;
        assertThat(local).as(name).isCloseTo(model.localPercent(), within(points));
        assertThat(remote).as(name).isCloseTo(model.remotePercent(), within(points));
        assertThat(result.measure(IbMarking.VICTIM))
                .as(name)
                .isCloseTo(model.victimPercent(), within(points));
    }

    /** What the threshold does to fairness in figure 4 depends on the victim. */
    @Test
    @Tag("long")
    void figure4HasAVictimThatSendsAllTheTime() throws Exception {
        assertThat(remoteOverLocal(8, true))
                .isGreaterThan(remoteOverLocal(4, true))
                .isGreaterThan(remoteOverLocal(16, true));
        assertThat(remoteOverLocal(8, false)).isLessThan(remoteOverLocal(4, false));
        ShippedTest.concludes(
                Scenarios.named("ib-marking"),
                "scheme=output-4,output-6,output-8,output-16",
                "buffer=" + LARGE_BUFFER,
                "victim=always",
                "duration=150ms");
    }

    private static double remoteOverLocal(int threshold, boolean hasVictim) {
        IbModel model = new IbModel(Scheme.OUTPUT, threshold, LARGE_BUFFER, hasVictim);
        return model.run(300e3).remotePercent() / model.localPercent();
    }
}
