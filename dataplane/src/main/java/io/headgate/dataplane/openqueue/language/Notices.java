package io.headgate.dataplane.openqueue.language;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Warnings about a valid policy: functions that the operator of a switch would miss with it. */
final class Notices {
    private static final double WHOLE_LINE = 100;

    private Notices() {}

    /** Warnings for a policy at an egress port. */
    static List<String> ofPort(Policy policy) {
        List<String> notices = new ArrayList<>();
        List<Policy.Port> ports = policy.ports();
        if (ports.size() != 1) {
            notices.add(
                    ports.isEmpty()
                            ? "it declares no port"
                            : "it declares %d ports: a switch runs it (domain: {fabric: …}); an"
                                            .formatted(ports.size())
                                    + " egress port runs a policy with one port");
        }
        notices.addAll(ofQueues(policy));
        if (ports.size() == 1) {
            ofPort(ports.getFirst(), notices);
            rate(ports.getFirst(), notices);
        }
        return notices;
    }

    /** Warnings for a policy that defines all ports of a switch. */
    static List<String> ofFabric(Policy policy) {
        List<String> notices = ofQueues(policy);
        // So that what depends on the queue remains a method that the JIT compiles.
        if (different(policy.queues(), Policy.Queue::processing) > Policy.MOST_QUEUES
                || different(policy.queues(), Policy.Queue::admission) > Policy.MOST_QUEUES
                || different(policy.ports(), Policy.Port::schedule) > Policy.MOST_QUEUES) {
            notices.add(
                    "it has more than %d different procPrio, admPrio or schedPrio"
                            .formatted(Policy.MOST_QUEUES));
        }
        for (Policy.Port port : policy.ports()) {
            ofPort(port, notices);
            if (port.selection() != null) {
                notices.add(
                        "port %s has queueSelect: with several ports, the port that a packet goes"
                                        .formatted(port.name())
                                + " to and its priority say which queue it is");
            }
        }
        return notices;
    }

    private static <T> long different(List<T> of, Function<T, @Nullable Order> order) {
        return of.stream().map(order).filter(Objects::nonNull).distinct().count();
    }

    private static List<String> ofQueues(Policy policy) {
        List<String> notices = new ArrayList<>();
        for (int queue = 0; queue < policy.queues().size(); queue++) {
            String name = policy.queues().get(queue).name();
            if (policy.portOf(queue) < 0) {
                notices.add("queue %s is in no port".formatted(name));
            }
            if (policy.queues().get(queue).processing() == null) {
                notices.add("queue %s has no procPrio".formatted(name));
            }
        }
        return notices;
    }

    private static void ofPort(Policy.Port port, List<String> notices) {
        if (port.queues().size() > 1 && port.schedule() == null) {
            notices.add("port %s has several queues but no schedPrio".formatted(port.name()));
        }
    }

    /** Warnings for a port with a wire. */
    private static void rate(Policy.Port port, List<String> notices) {
        if (port.rate() != WHOLE_LINE || !port.isPercent()) {
            notices.add(
                    "port %s has a rate of its own: a port's rate is its configuration's, and a"
                                    .formatted(port.name())
                            + " policy's is 100%");
        }
    }
}
