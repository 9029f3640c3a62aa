package io.headgate.testbed.swarm;

import io.headgate.config.FlowControlConfig.Mode;
import io.headgate.config.PortConfig;
import io.headgate.testbed.virtual.HostNode;
import io.headgate.testbed.virtual.SwitchNode;
import io.headgate.testbed.virtual.VirtualLink;
import io.headgate.testbed.virtual.VirtualNode;
import java.util.ArrayList;
import java.util.List;

/** One direction of a link of a case: who sends, who receives, and what the case says of it. */
record Direction(String name, VirtualLink link, int fromEnd, Mode mode) {

    /** Both directions of all links. */
    static List<Direction> all(CaseNetwork built) {
        List<Direction> wires = new ArrayList<>();
        List<String> names = SwarmCase.linkNames(built.what().topology());
        for (int i = 0; i < names.size(); i++) {
            for (int end = 0; end < 2; end++) {
                wires.add(
                        new Direction(
                                names.get(i),
                                built.network().link(i),
                                end,
                                built.what().settings().modeOf(names.get(i))));
            }
        }
        return wires;
    }

    VirtualNode sender() {
        return link.end(fromEnd).node();
    }

    int senderPort() {
        return link.end(fromEnd).port();
    }

    VirtualNode receiver() {
        return link.end(1 - fromEnd).node();
    }

    int receiverPort() {
        return link.end(1 - fromEnd).port();
    }

    boolean isControlled() {
        return mode != Mode.NONE;
    }

    /** A node's port as it is configured. */
    static PortConfig port(VirtualNode node, int port) {
        return switch (node) {
            case SwitchNode switchNode -> switchNode.engine().config().ports().get(port);
            case HostNode host -> host.engine().port(port);
        };
    }

    @Override
    public String toString() {
        return sender() + ":" + senderPort() + " to " + receiver() + ":" + receiverPort();
    }
}
