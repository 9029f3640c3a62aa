package io.headgate.testbed.swarm.check;

import io.headgate.config.FlowControlConfig.Mode;
import io.headgate.testbed.swarm.draw.LinkNames;
import io.headgate.testbed.virtual.VirtualNode;
import io.headgate.testbed.virtual.link.VirtualLink;
import java.util.ArrayList;
import java.util.List;

/** One direction of a link of a case: its sender, its receiver, and the case's settings for it. */
record Direction(
        String name,
        VirtualLink link,
        int fromEnd,
        Mode mode,
        VirtualNode sender,
        VirtualNode receiver) {

    /** Both directions of all links. */
    static List<Direction> all(CaseNetwork built) {
        List<Direction> wires = new ArrayList<>();
        List<String> names = LinkNames.of(built.what().topology());
        for (int i = 0; i < names.size(); i++) {
            for (int end = 0; end < 2; end++) {
                VirtualLink link = built.network().link(i);
                wires.add(
                        new Direction(
                                names.get(i),
                                link,
                                end,
                                built.what().settings().modeOf(names.get(i)),
                                built.run().node(link.end(end)),
                                built.run().node(link.end(1 - end))));
            }
        }
        return wires;
    }

    int senderPort() {
        return link.end(fromEnd).port();
    }

    int receiverPort() {
        return link.end(1 - fromEnd).port();
    }

    boolean isControlled() {
        return mode != Mode.NONE;
    }

    @Override
    public String toString() {
        return sender() + ":" + senderPort() + " to " + receiver() + ":" + receiverPort();
    }
}
