package io.headgate.dataplane.openqueue.language;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A policy that was checked: every name is looked up, and every function has the form that its use
 * demands. Queues, buffers and ports are numbered in the order of their declarations.
 */
public record Policy(List<Queue> queues, List<Buffer> buffers, List<Port> ports) {
    /** As many as a port's queues may be. */
    public static final int MOST_QUEUES = 32;

    /** Maximum number of queues of all ports together, and of ports. */
    public static final int MOST_OF_ALL_PORTS = 128;

    public Policy {
        queues = List.copyOf(queues);
        buffers = List.copyOf(buffers);
        ports = List.copyOf(ports);
    }

    /** What an egress port would miss in it, each a sentence; empty if one can run it. */
    public List<String> notices() {
        return Notices.ofPort(this);
    }

    /** The same for a policy that lays out a switch's ports. */
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

    /** By which buffers and ports compare their queues. */
    public Stream<Order> ordersOfQueues() {
        return Stream.concat(
                buffers.stream().flatMap(buffer -> Stream.ofNullable(buffer.order)),
                ports.stream().flatMap(port -> Stream.ofNullable(port.schedule)));
    }

    /** The numbers of actions and selections. */
    public Stream<Expr> numbers() {
        return Stream.concat(
                cases().flatMap(Case::numbers),
                ports.stream().flatMap(port -> Stream.ofNullable(port.selection)));
    }

    /** A policy's text, read and checked. */
    public static Policy of(Source source, Library library) throws PolicyException {
        return Checker.check(source, library);
    }

    /** Where imported definitions come from. */
    @FunctionalInterface
    public interface Library {
        /** Has nothing. */
        Library NONE = (_, _) -> null;

        /** The library that a file imports under a name; null if it does not exist. */
        @Nullable Source find(Source importer, String name);
    }

    /** A condition's case: the actions of the first case that holds are done. */
    public record Case(Pred pred, List<Action> actions) {
        public Case {
            actions = List.copyOf(actions);
        }

        /** How many operators and accesses its predicate and its actions have. */
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

        /** The numbers that its actions work out. */
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

    /** What the variables of a queue, a buffer or a port begin with. */
    public record Initial(
            double weightAdm, double weightSched, double admState, double schedState) {
        static final Initial STANDARD = new Initial(1, 1, 0, 0);
    }

    /**
     * A queue.
     *
     * @param size that it never exceeds
     * @param buffer number of the one that it shares; −1 if none
     * @param admission whose lowest packet is dropped in congestion
     * @param processing whose highest packet is sent next
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
     * @param order of queues, the lowest of which loses a packet in congestion; null: the one that
     *     a packet has come for
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
     * @param rate in percent of the line or in kbps
     * @param schedule which queue is served next; null if it has one queue only
     * @param selection the number of the queue that a packet goes to, modulo their count; null if
     *     the configuration says
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
