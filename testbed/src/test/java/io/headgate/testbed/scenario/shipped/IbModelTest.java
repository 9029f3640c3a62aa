package io.headgate.testbed.scenario.shipped;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Scenarios;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The input-buffered switch and its schemes, beside a model that shares nothing with the engine.
 */
class IbModelTest {
    private static final double US = 60_000;
    private static final Offset<Double> POINTS = within(4.0);

    @Test
    void withoutMarksTheVictimHasWhatTheModelSays() throws Exception {
        isAsModelled("none", new IbModel(IbModel.Scheme.NONE, 1), 20_000);
    }

    @Test
    @Tag("long")
    void everyFlowHasWhatTheModelSays() throws Exception {
        isAsModelled("naive", new IbModel(IbModel.Scheme.NAIVE, 1), US);
        isAsModelled("input", new IbModel(IbModel.Scheme.INPUT, 1), US);
        isAsModelled("output-4", new IbModel(IbModel.Scheme.OUTPUT, 4), US);
        isAsModelled("output-8", new IbModel(IbModel.Scheme.OUTPUT, 8), US);
    }

    private static void isAsModelled(String scheme, IbModel model, double us) throws Exception {
        CellResult result =
                ShippedTest.run(
                                Scenarios.named("ib-marking"),
                                BedKind.VIRTUAL,
                                false,
                                null,
                                "scheme=" + scheme,
                                "victim=always",
                                "duration=" + Math.round(us) + "us")
                        .getFirst();
        assertThat(result.failure()).isNull();
        model.run(us);
        double local = result.measure(IbMarking.LOCAL);
        double remote = result.measure(IbMarking.ROOT) - local;
        assertThat(local).as(scheme).isCloseTo(model.localPercent(), POINTS);
        assertThat(remote).as(scheme).isCloseTo(model.remotePercent(), POINTS);
        assertThat(result.measure(IbMarking.VICTIM))
                .as(scheme)
                .isCloseTo(model.victimPercent(), POINTS);
    }
}
