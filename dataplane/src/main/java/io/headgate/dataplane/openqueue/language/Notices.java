package io.headgate.dataplane.openqueue.language;

import java.util.ArrayList;
import java.util.List;

/** What a switch's egress port would miss in a policy that is otherwise right. */
final class Notices {
    private static final double WHOLE_LINE = 100;

    private Notices() {}

    static List<String> of(List<Policy.Queue> queues, List<Policy.Port> ports, int[] portOf) {
        List<String> notices = new ArrayList<>();
        if (ports.size() != 1) {
            notices.add(
                    ports.isEmpty()
                            ? "it declares no port"
                            : "it declares %d ports: queues at inputs and crosspoints, and buffers"
                                            .formatted(ports.size())
                                    + " that ports share, need a switch that is laid out by the"
                                    + " policy; an egress port runs a policy with one port");
        }
        for (int queue = 0; queue < queues.size(); queue++) {
            String name = queues.get(queue).name();
            if (portOf[queue] < 0) {
                notices.add("queue %s is in no port".formatted(name));
            }
            if (queues.get(queue).processing() == null) {
                notices.add("queue %s has no procPrio".formatted(name));
            }
        }
        if (ports.size() == 1) {
            Policy.Port port = ports.getFirst();
            if (port.queues().size() > 1 && port.schedule() == null) {
                notices.add("port %s has several queues but no schedPrio".formatted(port.name()));
            }
            if (port.rate() != WHOLE_LINE || !port.isPercent()) {
                notices.add(
                        "port %s has a rate of its own: a port's rate is its configuration's, and"
                                        .formatted(port.name())
                                + " a policy's is 100%");
            }
        }
        return notices;
    }
}
