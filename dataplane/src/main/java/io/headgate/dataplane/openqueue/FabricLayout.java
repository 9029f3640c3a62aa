package io.headgate.dataplane.openqueue;

import io.headgate.dataplane.openqueue.language.Policy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The role of each port of a policy in a switch, and the queues that a packet passes. The policy
 * declares first the ports of the inputs, if any, then those of the crosspoints, if any, row by row
 * (from the first input to each output, from the second, …), then those of the outputs; so their
 * number determines which of these it has. An input's port has first the queues for the first
 * output, then those for the second, and so on, the same number for each. Priorities are spread
 * over queues with the same role.
 */
public final class FabricLayout {
    private static final int PRIORITIES = 8;

    /** The input, for {@link #first}, of frames that the switch itself sends. */
    static final int ITSELF = -1;

    /** The stage of a policy's port. */
    public enum Stage {
        INPUT("input"),
        CROSSPOINT("crosspoint"),
        OUTPUT("output");

        private final String word;

        Stage(String word) {
            this.word = word;
        }

        /** Name for the user. */
        public String word() {
            return word;
        }
    }

    private final Policy policy;
    private final int switchPorts;

    // Number of the policy's first port of a crosspoint, and of an output.
    private final int firstCrosspoint;
    private final int firstOutput;

    // By queue.
    private final int[] outputOf;
    private final int[] carries;

    // By queue and priority, where a packet goes on to; by input, output and priority, where it
    // comes.
    private final int[] next;
    private final int[] first;

    private FabricLayout(Policy policy, int switchPorts, int firstCrosspoint, int firstOutput) {
        this.policy = policy;
        this.switchPorts = switchPorts;
        this.firstCrosspoint = firstCrosspoint;
        this.firstOutput = firstOutput;
        int queues = policy.queues().size();
        this.outputOf = new int[queues];
        this.carries = new int[queues];
        this.next = new int[queues * PRIORITIES];
        this.first = new int[(switchPorts + 1) * switchPorts * PRIORITIES];
        for (int port = 0; port < policy.ports().size(); port++) {
            spread(port);
        }
        for (int priority = 0; priority < PRIORITIES; priority++) {
            connect(priority);
        }
    }

    /** Says which output each queue of a port is for, and which priorities it carries. */
    private void spread(int port) {
        List<Integer> queues = policy.ports().get(port).queues();
        boolean isInput = stage(port) == Stage.INPUT;
        int each = isInput ? queues.size() / switchPorts : queues.size();
        List<Integer> masks = Binding.spread(each, false);
        for (int i = 0; i < queues.size(); i++) {
            outputOf[queues.get(i)] = isInput ? i / each : outputOfPort(port);
            carries[queues.get(i)] = masks.get(i % each);
        }
    }

    private void connect(int priority) {
        for (int port = 0; port < firstOutput; port++) {
            for (int queue : policy.ports().get(port).queues()) {
                int egress = outputOf[queue];
                boolean crosses = stage(port) == Stage.INPUT && hasCrosspoints();
                int behind = crosses ? crosspoint(port, egress) : output(egress);
                next[queue * PRIORITIES + priority] = queueAt(behind, egress, priority);
            }
        }
        for (int egress = 0; egress < switchPorts; egress++) {
            first[at(ITSELF, egress, priority)] = queueAt(output(egress), egress, priority);
            for (int input = 0; input < switchPorts; input++) {
                int port = output(egress);
                if (firstCrosspoint > 0) {
                    port = input;
                } else if (hasCrosspoints()) {
                    port = crosspoint(input, egress);
                }
                first[at(input, egress, priority)] = queueAt(port, egress, priority);
            }
        }
    }

    private int at(int input, int egress, int priority) {
        return ((input + 1) * switchPorts + egress) * PRIORITIES + priority;
    }

    private boolean hasCrosspoints() {
        return firstOutput > firstCrosspoint;
    }

    private int outputOfPort(int port) {
        return port < firstOutput ? (port - firstCrosspoint) % switchPorts : port - firstOutput;
    }

    /**
     * The layout of a policy in a switch.
     *
     * @param switchPorts how many ports the switch has
     * @throws IllegalArgumentException in one sentence, if the policy does not fit it
     */
    public static FabricLayout of(Policy policy, int switchPorts) {
        int count = policy.ports().size();
        int square = switchPorts * switchPorts;
        if (switchPorts < 2) {
            throw new IllegalArgumentException(
                    "a fabric is for a switch of two ports or more, and there is %d"
                            .formatted(switchPorts));
        }
        boolean hasInputs = count == 2 * switchPorts || count == square + 2 * switchPorts;
        boolean hasCrosspoints = count == square + switchPorts || count == square + 2 * switchPorts;
        int firstCrosspoint = hasInputs ? switchPorts : 0;
        int firstOutput = firstCrosspoint + (hasCrosspoints ? square : 0);
        if (count != firstOutput + switchPorts) {
            throw new IllegalArgumentException(
                    ("the policy declares %d ports; for a switch of %d ports it declares %d"
                                    + " (outputs), %d (inputs, outputs), %d (crosspoints, outputs)"
                                    + " or %d (inputs, crosspoints, outputs)")
                            .formatted(
                                    count,
                                    switchPorts,
                                    switchPorts,
                                    2 * switchPorts,
                                    square + switchPorts,
                                    square + 2 * switchPorts));
        }
        for (int port = 0; port < count; port++) {
            int queues = policy.ports().get(port).queues().size();
            if (queues == 0 || (port < firstCrosspoint && queues % switchPorts != 0)) {
                throw new IllegalArgumentException(
                        ("port %s has %d queues; an input's port needs the same number of queues"
                                        + " for each of the %d outputs; any other port needs at"
                                        + " least one")
                                .formatted(policy.ports().get(port).name(), queues, switchPorts));
            }
        }
        requireWholeLines(policy, firstOutput);
        return new FabricLayout(policy, switchPorts, firstCrosspoint, firstOutput);
    }

    private static void requireWholeLines(Policy policy, int firstOutput) {
        for (Policy.Port port : policy.ports().subList(firstOutput, policy.ports().size())) {
            if (port.rate() != 100 || !port.isPercent()) {
                throw new IllegalArgumentException(
                        ("port %s stands at an output, so its rate is the switch port's: write"
                                        + " 100%% or nothing")
                                .formatted(port.name()));
            }
        }
    }

    /**
     * The layout of a policy in the switch that it most probably is for, the first of {@link
     * #fitting}.
     *
     * @throws IllegalArgumentException in one sentence, if it fits no switch
     */
    public static FabricLayout of(Policy policy) {
        List<FabricLayout> fitting = fitting(policy);
        return fitting.isEmpty() ? of(policy, policy.ports().size()) : fitting.getFirst();
    }

    /**
     * The layouts of a policy in all switches that it fits, the most probable first: those with
     * inputs, which have a queue for each output, come first, and within both kinds those with more
     * ports.
     */
    public static List<FabricLayout> fitting(Policy policy) {
        int count = policy.ports().size();
        List<FabricLayout> fitting = new ArrayList<>();
        int withInputs = 0;
        for (int ports = count; ports >= 2; ports--) {
            if (!isLaidOut(count, ports)) {
                continue;
            }
            try {
                FabricLayout layout = of(policy, ports);
                fitting.add(layout.firstCrosspoint > 0 ? withInputs++ : fitting.size(), layout);
            } catch (IllegalArgumentException _) {
                // Not laid out for a switch with this number of ports.
            }
        }
        return fitting;
    }

    /**
     * Whether a policy for a switch with {@code switchPorts} ports may declare {@code count} ports.
     */
    private static boolean isLaidOut(int count, int switchPorts) {
        int others = count - switchPorts;
        int square = switchPorts * switchPorts;
        return others == 0
                || others == switchPorts
                || others == square
                || others == square + switchPorts;
    }

    /** The plan for the policy in this layout. */
    public PolicyPlan plan(Binding binding) {
        return PolicyPlan.ofFabric(
                policy, binding.carrying(Arrays.stream(carries).boxed().toList()));
    }

    /** How many ports the switch has. */
    public int switchPorts() {
        return switchPorts;
    }

    /** The stage of a policy's port. */
    public Stage stage(int port) {
        return port < firstCrosspoint
                ? Stage.INPUT
                : port < firstOutput ? Stage.CROSSPOINT : Stage.OUTPUT;
    }

    /** Number of the policy's port at an output of the switch. */
    int output(int egress) {
        return firstOutput + egress;
    }

    /** The input of the switch for the line of an input's or a crosspoint's port. */
    int inputOf(int port) {
        return port < firstCrosspoint ? port : (port - firstCrosspoint) / switchPorts;
    }

    /** The output of the switch for a queue's packets. */
    int outputOf(int queue) {
        return outputOf[queue];
    }

    /** The first queue of a packet; {@link #ITSELF} is the input of the switch's own packets. */
    int first(int input, int egress, int priority) {
        return first[at(input, egress, priority)];
    }

    /** The next queue of a packet after a queue of an input or a crosspoint. */
    int next(int queue, int priority) {
        return next[queue * PRIORITIES + priority];
    }

    private int crosspoint(int input, int egress) {
        return firstCrosspoint + input * switchPorts + egress;
    }

    private int queueAt(int port, int egress, int priority) {
        for (int queue : policy.ports().get(port).queues()) {
            if (outputOf[queue] == egress && (carries[queue] >>> priority & 1) != 0) {
                return queue;
            }
        }
        throw new IllegalStateException(
                "no queue of port %d is for output %d and priority %d"
                        .formatted(port, egress, priority));
    }

    /** The queues with packets for an output, nearest to the output first. */
    public int[] queuesFor(int egress) {
        List<Integer> queues = new ArrayList<>();
        for (int port = policy.ports().size() - 1; port >= 0; port--) {
            for (int queue : policy.ports().get(port).queues()) {
                if (outputOf[queue] == egress) {
                    queues.add(queue);
                }
            }
        }
        return queues.stream().mapToInt(Integer::intValue).toArray();
    }
}
