package io.headgate.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.FlowControlConfig.Watchdog;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.key.Section;
import io.headgate.config.read.PortTrafficReader;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topologies;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class RandomPatchesTest {
    private static final long RATE_BPS = 100_000_000L;

    /** What has keys that can be set and are not drawn, each with the reason. */
    private static final Map<String, String> NOT_DRAWN =
            Map.of(
                    "ports[].detour.loop-breaker.",
                    "a port has one detour, and Escape is drawn",
                    "ports[].detour.deadlock-breaker.",
                    "the same",
                    "ports[].congestion.witness.",
                    "a mechanism of our tests alone",
                    "ports[].link-control.hold.",
                    "a port of the swarm that kept frames would look defective",
                    "ports[].congestion.telemetry.",
                    "networks of the swarm have no telemetry",
                    "services.",
                    "switches of the swarm have no services",
                    "ports[].device.faults.",
                    "links of the swarm have faults of their own",
                    "routed.routes",
                    "routes are of a whole network; a random list would send frames in circles");

    /** A new key needs a value in {@link RandomPatches}, or a reason here. */
    @Test
    void everyKeyThatCanBeSetWhileASwitchRunsIsDrawnOrSaysWhyNot() {
        Set<String> settable = new LinkedHashSet<>();
        addSettable("", Section.of(SwitchConfig.class).schema(), settable);
        assertThat(settable)
                .hasSizeGreaterThan(80)
                .contains("ports[].congestion.tcd.kmin", "ports[].device.faults.loss");
        NOT_DRAWN.forEach((at, why) ->
                assertThat(settable.removeIf(key -> key.startsWith(at)))
                        .as("%s: %s", at, why)
                        .isTrue());
        assertThat(RandomPatches.allKeys())
                .as("keys with values in RandomPatches")
                .containsExactlyInAnyOrderElementsOf(settable);
    }

    /** A list is set as a whole, but of ports each has a name. */
    private static void addSettable(String at, Map<?, ?> schema, Set<String> keys) {
        mapping(schema, "properties")
                .forEach((name, value) -> {
                    Map<?, ?> key = (Map<?, ?>) value;
                    String path = at + name;
                    if (key.containsKey("$ref") || key.containsKey("x-fixed")) {
                        return; // what ports have in common is said of the ports
                    }
                    if (path.equals("ports")) {
                        addSettable("ports[].", mapping(key, "items"), keys);
                    } else if (key.containsKey("properties")) {
                        addSettable(path + ".", key, keys);
                    } else {
                        keys.add(path);
                    }
                });
    }

    private static Map<?, ?> mapping(Map<?, ?> schema, String key) {
        return schema.get(key) instanceof Map<?, ?> map ? map : Map.of();
    }

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
            config = patches.next(config).after();
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
