package io.headgate.control.policy;

import io.headgate.config.TrafficConfig;
import io.headgate.config.key.Allowed;
import io.headgate.config.key.Checked;
import io.headgate.config.key.Inline;
import io.headgate.config.key.Items;
import io.headgate.config.key.Key;
import io.headgate.config.key.Known;
import io.headgate.config.key.Named;
import io.headgate.config.key.Otherwise;
import io.headgate.config.key.Place;
import io.headgate.config.key.Says;
import io.headgate.dataplane.openqueue.Binding;
import io.headgate.dataplane.openqueue.PolicyPlan;
import io.headgate.dataplane.openqueue.language.Policy;
import java.util.List;

/** The policy of a port, and the fields of its frames that the policy sees. */
@Named(says = "Frames are queued as defined by an OpenQueue policy (config/policies/README.md).")
public record PolicyConfig(
        @Key(codec = PolicyFile.PathOfPolicy.class, example = "lqd.oq")
                @Says(
                        "The policy's file; a relative path starts at this file's directory. If"
                                + " there is no such file, the shipped policy of that name.")
                @Allowed("the path of a policy file, such as policies/lqd.oq")
                PolicyFile file,
        @Key
                @Says("The priorities of each queue; queues have the policy's names.")
                @Allowed("a list such as [{queue: q1, priorities: [0, 1]}]")
                @Otherwise(
                        "priorities are spread over the queues in order; if the policy selects"
                                + " queues itself, each queue carries all priorities")
                @Items(
                        max = Policy.MOST_QUEUES,
                        each = "a mapping such as {queue: q1, priorities: [0, 1]}")
                List<Carried> carries,
        @Inline PacketConfig packets,
        @Key(min = "0", max = "1000000000", absent = "1")
                @Says(
                        "Seed of the random numbers for drop(P); each port has its own random"
                                + " numbers.")
                long seed)
        implements Checked {

    /** The priorities that a queue carries. */
    public record Carried(
            @Key(pattern = "^[A-Za-z_][A-Za-z0-9_]*$")
                    @Says("The queue's name in the policy.")
                    @Allowed("a queue's name, such as q1")
                    String queue,
            @Key(min = "0", max = "7")
                    @Says("The priorities of this queue.")
                    @Allowed("a list of different priorities from 0 to 7, such as [3, 4]")
                    @Items(
                            min = 1,
                            max = 8,
                            unique = true,
                            each = "a priority from 0 to 7, such as 3")
                    List<Integer> priorities) {
        public Carried {
            priorities = List.copyOf(priorities);
        }
    }

    public PolicyConfig {
        carries = List.copyOf(carries);
    }

    static List<Carried> carries(Known known) {
        return List.of();
    }

    private boolean selects() {
        List<Policy.Port> ports = file.policy().ports();
        return ports.size() == 1 && ports.getFirst().selection() != null;
    }

    /** The binding of the policy's queues, with their priorities, and of its packets. */
    public Binding binding() {
        List<Policy.Queue> queues = file.policy().queues();
        List<Integer> masks = Binding.spread(queues.size(), selects());
        if (!carries.isEmpty()) {
            masks = queues.stream().map(queue -> mask(queue.name())).toList();
        }
        return packets.binding(masks);
    }

    private int mask(String queue) {
        int mask = 0;
        for (Carried each : carries) {
            if (each.queue.equals(queue)) {
                for (int priority : each.priorities) {
                    mask |= 1 << priority;
                }
            }
        }
        return mask;
    }

    /** The plan by which the policy is carried out. */
    public PolicyPlan plan() {
        return PolicyPlan.of(file.policy(), binding());
    }

    @Override
    public void check(Known known, Place place) {
        Policy policy = file.policy();
        if (policy.queues().isEmpty() || !policy.notices().isEmpty()) {
            place.child("file")
                    .refuse(
                            policy.notices().isEmpty()
                                    ? "a policy without queues"
                                    : "a policy that no port can run: "
                                            + policy.notices().getFirst(),
                            "a policy with queues, one port that has all queues, and procPrio for"
                                    + " each queue");
            return;
        }
        List<String> names = policy.queues().stream().map(Policy.Queue::name).toList();
        for (Carried each : carries) {
            if (!names.contains(each.queue)) {
                place.child("carries")
                        .refuse(
                                "queue \"" + each.queue + "\"",
                                "a queue of the policy: " + String.join(", ", names));
                return;
            }
        }
        checkPriorities(place);
        LosslessQueues.check(
                plan(),
                known.list("lossless", Integer.class),
                packets.reorders(),
                "carries",
                place);
    }

    private void checkPriorities(Place place) {
        List<Integer> masks = binding().carries();
        for (int priority = 0; priority < TrafficConfig.PRIORITIES; priority++) {
            int bit = 1 << priority;
            long carriers = masks.stream().filter(mask -> (mask & bit) != 0).count();
            if (carriers == 0 || (carriers > 1 && !selects())) {
                place.child("carries")
                        .refuse(
                                "priority %d in %d queues".formatted(priority, carriers),
                                "each priority in exactly one queue, unless the policy has"
                                        + " queueSelect");
                return;
            }
        }
    }
}
