package io.headgate.testbed.swarm.draw;

import io.headgate.config.FlowControlConfig.Mode;
import io.headgate.config.Mechanisms;
import io.headgate.control.policy.PacketConfig;
import io.headgate.control.policy.PolicyConfig;
import io.headgate.control.policy.PolicyFile;
import io.headgate.control.policy.PolicyMechanism;
import io.headgate.dataplane.openqueue.language.PolicyException;
import io.headgate.testbed.topology.Topology;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Draws whether and which OpenQueue policies queue the frames of all ports, and when single ports
 * get other policies. Only policies that keep the order of flows are drawn, as everywhere in the
 * swarm. With lossless priorities a switch accepts only policies that never drop; it refuses orders
 * for others, and these have no effect.
 */
final class PolicyDrawer {
    static final String NAME = "policies";

    private static final int MOST = 8;
    private static final int FEW = 2;
    private static final String LOSSLESS = "lossless";
    private static final List<String> POLICIES =
            List.of(
                    "tail-drop",
                    "red",
                    "ecn",
                    "push-out",
                    "lqd",
                    "strict",
                    "wrr",
                    "drr",
                    "crr",
                    "lqf",
                    "sqf",
                    "maxqf",
                    "minqf",
                    LOSSLESS);

    private final Draw draw;
    private final Topology topology;
    private final boolean few;
    private boolean isDrawn;

    /**
     * @param few whether few cases have policies, with few orders: compiling policies takes as long
     *     as several cases
     */
    PolicyDrawer(long seed, Topology topology, boolean few) {
        this.draw = new Draw(seed, NAME);
        this.topology = topology;
        this.few = few;
    }

    /** Returns the settings with the policy of every port, if one is drawn. */
    PortSettings on(PortSettings settings) {
        if (!draw.chance(few ? 0.03 : 0.3)) {
            return settings;
        }
        isDrawn = true;
        boolean isLossless =
                LinkNames.of(topology).stream()
                        .anyMatch(link -> settings.modeOf(link) != Mode.NONE);
        return settings.with(use(isLossless ? LOSSLESS : draw.oneOf(POLICIES)));
    }

    private Mechanisms.Use use(String policy) {
        try {
            return new PolicyMechanism()
                    .use(
                            new PolicyConfig(
                                    PolicyFile.read(Path.of(policy + ".oq")),
                                    List.of(),
                                    PacketConfig.standard(
                                            draw.oneOf(List.of(PacketConfig.SizeUnit.values()))),
                                    draw.between(0, 1_000)));
        } catch (IOException | PolicyException e) {
            throw new IllegalStateException(policy + ": " + e.getMessage(), e);
        }
    }

    /** Returns the drawn orders, and further ones that load policies. */
    List<Order> with(List<Order> orders, long endPs) {
        if (!isDrawn) {
            return orders;
        }
        List<Order> all = new ArrayList<>(orders);
        List<String> links = LinkNames.of(topology);
        int count = draw.between(0, few ? FEW : MOST);
        for (int i = 0; i < count; i++) {
            int link = draw.between(0, links.size() - 1);
            Topology.Link ends = topology.links().get(link);
            boolean isSwitch =
                    topology.switches().stream().anyMatch(each -> each.name().equals(ends.a()));
            all.add(
                    new Order(
                            "policy" + i,
                            isSwitch ? ends.a() : ends.b(),
                            links.get(link),
                            draw.between(0, endPs),
                            "queues.policy."
                                    + (draw.chance(0.15)
                                            ? "enabled=" + draw.chance(0.5)
                                            : "file=" + draw.oneOf(POLICIES) + ".oq")));
        }
        return all;
    }
}
