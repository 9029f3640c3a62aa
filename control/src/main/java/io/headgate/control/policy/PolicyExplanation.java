package io.headgate.control.policy;

import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.openqueue.FabricLayout;
import io.headgate.dataplane.openqueue.PolicyPlan;
import io.headgate.dataplane.openqueue.PolicyPlan.QueuePlan;
import io.headgate.dataplane.openqueue.PolicyPlan.RankingPlan;
import io.headgate.dataplane.openqueue.language.Field;
import io.headgate.dataplane.openqueue.language.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Explains in words what a policy does with a packet, and with which structures. */
public final class PolicyExplanation {
    private final PolicyPlan plan;
    private final Policy policy;
    private final String unit;
    private final List<String> lines = new ArrayList<>();

    private PolicyExplanation(PolicyPlan plan) {
        this.plan = plan;
        this.policy = plan.policy();
        this.unit = plan.binding().countsPackets() ? "packets" : "bytes";
    }

    public static List<String> of(PolicyPlan plan) {
        PolicyExplanation explanation = new PolicyExplanation(plan);
        explanation.structures();
        explanation.steps();
        return explanation.lines;
    }

    /** The lines of an explanation of a policy that lays out a switch. */
    public static List<String> of(FabricLayout layout, PolicyPlan plan) {
        PolicyExplanation explanation = new PolicyExplanation(plan);
        explanation.add("a switch of %d ports".formatted(layout.switchPorts()));
        for (int port = 0; port < plan.policy().ports().size(); port++) {
            explanation.port(layout.stage(port).word(), plan.policy().ports().get(port));
        }
        explanation.structures();
        explanation.comes("is the one for its output and its priority");
        explanation.add("when the link of an input or a crosspoint is free");
        explanation.add(
                "  it moves a packet from the highest-ranked queue among those whose next queue has"
                        + " room");
        explanation.add("  for the packet, which enters there like an arriving packet");
        explanation.add("when the link of an output is free");
        explanation.add("  the same, among the queues of the output that are not stopped");
        return explanation.lines;
    }

    private void port(String stage, Policy.Port port) {
        boolean isWhole = port.isPercent() && port.rate() == 100;
        add(
                String.format(
                        Locale.ROOT,
                        "%s %s: %s%s%s",
                        stage,
                        port.name(),
                        names(port.queues()),
                        port.schedule() == null ? "" : ", served by " + port.schedule().name(),
                        isWhole
                                ? ""
                                : String.format(
                                        Locale.ROOT,
                                        ", at %,.0f %s",
                                        port.rate(),
                                        port.isPercent() ? "% of the line" : "kbps")));
    }

    private void add(String line) {
        lines.add(line);
    }

    private void structures() {
        for (int i = 0; i < policy.queues().size(); i++) {
            Policy.Queue queue = policy.queues().get(i);
            QueuePlan of = plan.queues().get(i);
            add(
                    String.format(
                            Locale.ROOT,
                            "queue %s: %,.0f %s, priorities %s",
                            queue.name(),
                            queue.size(),
                            unit,
                            priorities(plan.binding().carries().get(i))));
            add(String.format(Locale.ROOT, "  sent first: %s", ranked(of.processing())));
            add(String.format(Locale.ROOT, "  dropped first: %s", dropped(i, of)));
        }
        for (Policy.Buffer buffer : policy.buffers()) {
            add(
                    String.format(
                            Locale.ROOT,
                            "buffer %s: %,.0f %s for %s; in congestion a packet is dropped from %s",
                            buffer.name(),
                            buffer.size(),
                            unit,
                            names(buffer.queues()),
                            buffer.order() == null
                                    ? "the queue of the arriving packet"
                                    : "the lowest-ranked queue by " + buffer.order().name()));
        }
    }

    private String dropped(int number, QueuePlan queue) {
        if (!plan.mayDrop(number)) {
            return "never";
        }
        RankingPlan admission = queue.admission();
        if (admission == null) {
            return "the arriving packet";
        }
        return "the lowest by %s; %s"
                .formatted(
                        admission.order().name(),
                        queue.isShared()
                                ? "the same structure, from its other end"
                                : admission.structure().words());
    }

    private static String ranked(RankingPlan ranking) {
        return "the highest by %s; %s"
                .formatted(ranking.order().name(), ranking.structure().words());
    }

    private String names(List<Integer> queues) {
        return queues.stream()
                .map(queue -> policy.queues().get(queue).name())
                .collect(Collectors.joining(", "));
    }

    private static String priorities(int mask) {
        List<String> all = new ArrayList<>();
        for (int priority = 0; priority < TrafficConfig.PRIORITIES; priority++) {
            if ((mask >>> priority & 1) != 0) {
                all.add(Integer.toString(priority));
            }
        }
        return all.isEmpty() ? "none" : String.join(", ", all);
    }

    private void steps() {
        Policy.Port port = policy.ports().getFirst();
        comes(port.selection() == null ? "carries its priority" : "queueSelect computes");
        add("when the line is free");
        add(
                String.format(
                        Locale.ROOT,
                        "  a queue is served: %s",
                        port.schedule() == null
                                ? "the only one"
                                : ("the highest-ranked by %s, among those with packets that are not"
                                                + " stopped")
                                        .formatted(port.schedule().name())));
        if (!port.postScheduling().isEmpty()) {
            add("  then: postSchedAct");
        }
    }

    private void comes(String queue) {
        add("an arriving packet");
        add(
                String.format(
                        Locale.ROOT,
                        "  is recorded with %s",
                        plan.captured().isEmpty()
                                ? "only its arrival"
                                : plan.captured().stream()
                                        .map(Field::word)
                                        .collect(Collectors.joining(", "))));
        add("  goes to the queue that " + queue);
        if (has(Policy.Queue::congestion) || hasOfBuffers(Policy.Buffer::congestion)) {
            add(
                    "  is checked by congestion, with the state before the packet: the first case"
                            + " that is true applies");
            add(
                    "  enters; then, while its queue or buffer is over its size, the lowest-ranked"
                            + " packet is dropped");
        } else {
            add("  joins");
        }
        if (has(Policy.Queue::postAdmission) || hasOfBuffers(Policy.Buffer::postAdmission)) {
            add("  if it is still in the queue: postAdmAct");
        }
    }

    private boolean has(Function<Policy.Queue, List<?>> what) {
        return policy.queues().stream().anyMatch(queue -> !what.apply(queue).isEmpty());
    }

    private boolean hasOfBuffers(Function<Policy.Buffer, List<?>> what) {
        return policy.buffers().stream().anyMatch(buffer -> !what.apply(buffer).isEmpty());
    }
}
