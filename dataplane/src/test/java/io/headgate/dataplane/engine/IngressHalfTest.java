package io.headgate.dataplane.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.PortConfig.VlanConfig;
import io.headgate.dataplane.device.FaultyDevice;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a half asks of its device, and how often. */
class IngressHalfTest {
    private static final int FRAMES = 1000;

    @Test
    void devicesAreAskedForDropsInTheirTurnHoweverManyFramesPass() {
        TestSwitch s =
                new TestSwitch(
                        TestSwitch.bridge(
                                List.of(
                                        TestSwitch.port("p0", VlanConfig.DEFAULT),
                                        TestSwitch.port("p1", VlanConfig.DEFAULT)),
                                1_000_000));
        FaultyDevice from = new FaultyDevice();
        FaultyDevice to = new FaultyDevice();
        to.copies = true;
        s.reattach(0, from);
        s.reattach(1, to);
        for (int frame = 0; frame < FRAMES; frame++) {
            from.arriving = 1;
            s.settle();
            s.nowNs += 10_000;
        }
        assertThat(s.value("p1", "frames.transmitted")).isEqualTo(FRAMES);
        // Of ten visits of its housekeeping, a half asks at every eighth.
        assertThat(from.dropReadings).isBetween(1, 3);
        assertThat(to.dropReadings).isBetween(1, 3);
    }
}
