package io.headgate.testbed.swarm;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.swarm.draw.Drawing;
import java.io.OutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs a fixed set of seeds: the number that two cores examine in half a minute. */
@Tag("swarm")
class SwarmTest {
    private static final SeedRange SEEDS = new SeedRange(1, 150);

    @Test
    void everySeedHolds() {
        SwarmCampaign campaign =
                new SwarmCampaign(
                        SEEDS,
                        new SwarmCampaign.Options(
                                Drawing.ANY,
                                false,
                                Runtime.getRuntime().availableProcessors(),
                                Long.MAX_VALUE,
                                new PrintStream(OutputStream.nullOutputStream()),
                                false));
        SwarmCampaign.Outcome outcome = campaign.run();
        assertThat(outcome.failures().stream().map(Swarm.Failure::describe)).isEmpty();
        assertThat(outcome.examined()).isEqualTo(SEEDS.count());
    }
}
