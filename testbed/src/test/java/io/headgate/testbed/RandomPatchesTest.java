package io.headgate.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.FlowControlConfig.Watchdog;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.read.PortTrafficReader;
import io.headgate.config.read.SwitchPatch;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topologies;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class RandomPatchesTest {
    private static final long RATE_BPS = 100_000_000L;

    /** With the action that it has of itself, a watchdog drops what a slow host has paused. */
    @Test
    void noChangeThatIsDrawnHasAWatchdogDropFrames() {
        SwitchConfig config =
                NetworkPlan.of(
                                Topologies.singleSwitch(4, LinkSpec.of(RATE_BPS, 1_000))
                                        .withPorts(
                                                PortTrafficReader.read(
                                                        "{flow-control: pfc, classify: {trust:"
                                                                + " dscp}, congestion: {red: {}}}")),
                                PlanOptions.virtual(1))
                        .switches()
                        .getFirst();
        RandomPatches patches = new RandomPatches(1, config, RATE_BPS);
        int watchdogs = 0;
        for (int change = 0; change < 2_000; change++) {
            config = SwitchPatch.apply(config, List.of(patches.next(config))).config();
            List<Watchdog.Action> actions = actions(config).toList();
            watchdogs += actions.size();
            assertThat(actions).allMatch(action -> action == Watchdog.Action.ALERT);
        }
        assertThat(watchdogs).isPositive();
    }

    private static Stream<Watchdog.Action> actions(SwitchConfig config) {
        return config.ports().stream()
                .map(PortConfig::flowControl)
                .flatMap(flow -> Stream.ofNullable(flow.watchdog()))
                .map(Watchdog::action);
    }
}
