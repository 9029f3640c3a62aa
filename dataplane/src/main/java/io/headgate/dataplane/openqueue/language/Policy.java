package io.headgate.dataplane.openqueue.language;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A checked policy: every name is looked up, and every function has the form that its use requires.
 * Queues, buffers and ports are numbered in the order of their declarations.
 */
public record Policy(List<Queue> queues, List<Buffer> buffers, List<Port> ports) {
    /** Maximum number of queues per port. */
    public static final int MOST_QUEUES = 32;

    /** Maximum number of queues of all ports together, and of ports. */
    public static final int MOST_OF_ALL_PORTS = 128;

    public Policy {
        queues = List.copyOf(queues);
        buffers = List.copyOf(buffers);
        ports = List.copyOf(ports);
    }

    /**
     * Warnings for the policy at an egress port, one sentence each: what the port would miss; empty
     * if nothing.
     */
    public List<String> notices() {
        return Notices.ofPort(this);
    }

    /** The same for a policy that defines all ports of a switch. */
    public List<String> noticesOfFabric() {
        return Notices.ofFabric(this);
    }

    /** The number of the port that has a queue; −1 if none has. */
    public int portOf(int queue) {
        for (int port = 0; port < ports.size(); port++) {
            if (ports.get(port).queues().contains(queue)) {
                return port;
            }
        }
        return -1;
    }

    /** The cases of all conditions. */
    public Stream<Case> cases() {
        return Stream.of(
                        queues.stream().flatMap(q -> Stream.of(q.congestion, q.postAdmission)),
                        buffers.stream().flatMap(b -> Stream.of(b.congestion, b.postAdmission)),
                        ports.stream().map(Port::postScheduling))
                .flatMap(each -> each.flatMap(List::stream));
    }

    /** The orders by which buffers and ports compare their queues. */
    public Stream<Order> ordersOfQueues() {
        return Stream.concat(
                buffers.stream().flatMap(buffer -> Stream.ofNullable(buffer.order)),
                ports.stream().flatMap(port -> Stream.ofNullable(port.schedule)));
    }

    /** The expressions in actions and selections. */
    public Stream<Expr> numbers() {
        return Stream.concat(
                cases().flatMap(Case::numbers),
                ports.stream().flatMap(port -> Stream.ofNullable(port.selection)));
    }

    /** Parses and checks the text of a policy. */
    public static Policy of(Source source, Library library) throws PolicyException {
        return Checker.check(source, library);
    }

    /** Source of imported definitions. */
    @FunctionalInterface
    public interface Library {
        /** A library without definitions. */
        Library NONE = (_, _) -> null;

        /** The library that a file imports under a name; null if it does not exist. */
        @Nullable Source find(Source importer, String name);
    }

    /** A case of a condition: the actions of the first case that holds are executed. */
    public record Case(Pred pred, List<Action> actions) {
        public Case {
            actions = List.copyOf(actions);
        }

        /** The number of operators and accesses in its predicate and actions. */
        int weight() {
            int weight = pred.weight();
            for (Action action : actions) {
                weight +=
                        switch (action) {
                            case Action.Drop(Expr probability) -> probability.weight();
                            case Action.Modify(_, Expr value) -> 1 + value.weight();
                            case Action.Mark _, Action.Notify _ -> 1;
                        };
            }
            return weight;
        }

        /** The expressions of its actions. */
        Stream<Expr> numbers() {
            return actions.stream()
                    .flatMap(action ->
                            switch (action) {
                                case Action.Drop(Expr probability) -> Stream.of(probability);
                                case Action.Modify(_, Expr value) -> Stream.of(value);
                                case Action.Mark _, Action.Notify _ -> Stream.empty();
                            });
        }

        /** Whether it may drop a packet. */
        public boolean drops() {
            return actions.stream().anyMatch(Action.Drop.class::isInstance);
        }
    }

    /** Initial values of the variables of a queue, a buffer or a port. */
    public record Initial(
            double weightAdm, double weightSched, double admState, double schedState) {
        static final Initial STANDARD = new Initial(1, 1, 0, 0);
    }

    /**
     * A queue.
     *
     * @param size maximum size
     * @param buffer number of the buffer that it shares; −1 if none
     * @param admission order in which the lowest packet is dropped in congestion
     * @param processing order in which the highest packet is sent next
     */
    public record Queue(
            String name,
            double size,
            int buffer,
            @Nullable Order admission,
            @Nullable Order processing,
            List<Case> congestion,
            List<Case> postAdmission,
            Initial initial) {}

    /**
     * A buffer that queues share.
     *
     * @param order order of queues: the lowest loses a packet in congestion; null: the queue of the
     *     arriving packet does
     */
    public record Buffer(
            String name,
            double size,
            List<Integer> queues,
            @Nullable Order order,
            List<Case> congestion,
            List<Case> postAdmission,
            Initial initial) {}

    /**
     * A port.
     *
     * @param rate rate in percent of the line or in kbps
     * @param schedule order that decides which queue is served next; null if it has only one queue
     * @param selection number of the queue for a packet, modulo their count; null if the
     *     configuration decides
     */
    public record Port(
            String name,
            double rate,
            boolean isPercent,
            List<Integer> queues,
            @Nullable Order schedule,
            List<Case> postScheduling,
            @Nullable Expr selection,
            Initial initial) {}
}
