package io.headgate.dataplane.openqueue;

import io.headgate.dataplane.openqueue.language.Action;
import io.headgate.dataplane.openqueue.language.Expr;
import io.headgate.dataplane.openqueue.language.Field;
import io.headgate.dataplane.openqueue.language.Order;
import io.headgate.dataplane.openqueue.language.Policy;
import io.headgate.dataplane.openqueue.language.Pred;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The plan for executing a policy: the structure and order of each queue's packets, and the fields
 * that are captured from an arriving frame.
 *
 * @param queues in the policy's order
 * @param captured the fields of packets that the policy reads, without those that every packet has
 *     anyway (arrival, queue)
 */
public record PolicyPlan(
        Policy policy, Binding binding, List<QueuePlan> queues, List<Field> captured) {

    /** What every packet has anyway. */
    private static final List<Field> KEPT =
            List.of(Field.PACKET_ARRIVAL, Field.PACKET_QUEUE, Field.PACKET_POLICY_ID);

    public PolicyPlan {
        queues = List.copyOf(queues);
        captured = List.copyOf(captured);
    }

    /** The structure that holds a queue's packets. */
    public enum Structure {
        /** A list in order of arrival. */
        ARRIVAL("list in order of arrival"),
        /** One list for each value of a small key. */
        BUCKETS("list for each value of the key"),
        /** A heap by a number. */
        KEYED_HEAP("heap by key"),
        /** A heap by the comparator itself. */
        COMPARED_HEAP("heap by comparator");

        private final String words;

        Structure(String words) {
            this.words = words;
        }

        /** Description for the user. */
        public String words() {
            return words;
        }
    }

    /**
     * A structure and its order.
     *
     * @param key null if a comparator decides
     */
    public record RankingPlan(Structure structure, Order order, Order.@Nullable Key key) {}

    /**
     * The plan of a queue.
     *
     * @param processing its best packet is sent next
     * @param admission its worst packet is dropped; null if that is always the arriving one, or if
     *     none is ever dropped
     * @param drops whether its own condition drops packets: then its size is a bound, too
     * @param isShared whether one structure is used for both
     */
    public record QueuePlan(
            RankingPlan processing,
            @Nullable RankingPlan admission,
            boolean drops,
            boolean isShared) {

        /** Whether packets leave in order of arrival. */
        boolean isInOrder() {
            return processing.structure == Structure.ARRIVAL && !isNewestFirst(processing);
        }

        /** Whether packets leave in order of arrival, but are dropped by a small key. */
        boolean dropsByKey() {
            return isInOrder() && admission != null && admission.structure == Structure.BUCKETS;
        }

        /** Whether the dropped packet is always the arriving one (drop-tail). */
        public boolean dropsTail() {
            return drops && admission == null;
        }

        /** Whether packets may leave in another order than that of arrival. */
        public boolean reorders() {
            return !isInOrder();
        }
    }

    /**
     * The plan for a policy that a port can run.
     *
     * @throws IllegalArgumentException in one sentence, if it cannot
     */
    public static PolicyPlan of(Policy policy, Binding binding) {
        return of(policy, binding, policy.notices());
    }

    /** The plan for a policy that defines all ports of a switch; as {@link #of}. */
    static PolicyPlan ofFabric(Policy policy, Binding binding) {
        return of(policy, binding, policy.noticesOfFabric());
    }

    private static PolicyPlan of(Policy policy, Binding binding, List<String> notices) {
        if (!notices.isEmpty()) {
            throw new IllegalArgumentException(notices.getFirst());
        }
        List<QueuePlan> queues = new ArrayList<>();
        for (Policy.Queue queue : policy.queues()) {
            queues.add(planOf(queue, policy, binding));
        }
        List<Field> captured = new ArrayList<>(asked(policy, true));
        captured.removeAll(KEPT);
        return new PolicyPlan(policy, binding, queues, captured);
    }

    private static QueuePlan planOf(Policy.Queue queue, Policy policy, Binding binding) {
        Order processed = queue.processing();
        if (processed == null) {
            throw new IllegalArgumentException("queue " + queue.name() + " has no procPrio");
        }
        RankingPlan processing = ranking(processed, binding);
        boolean drops = drops(queue.congestion());
        boolean bufferDrops =
                queue.buffer() >= 0 && drops(policy.buffers().get(queue.buffer()).congestion());
        if (!drops && !bufferDrops) {
            return new QueuePlan(processing, null, false, false);
        }
        Order admitted = queue.admission() == null ? processed : queue.admission();
        if (binding.dropsFirst() && queue.admission() != null) {
            admitted = admitted.reversed();
        }
        RankingPlan admission = ranking(admitted, binding);
        boolean isFifo = admission.structure == Structure.ARRIVAL && !isNewestFirst(admission);
        if (isFifo && !bufferDrops) {
            return new QueuePlan(processing, null, true, false);
        }
        boolean hasBothEnds =
                admission.structure == Structure.ARRIVAL
                        || admission.structure == Structure.BUCKETS;
        boolean isShared =
                hasBothEnds
                        && admission.structure == processing.structure
                        && admission.key != null
                        && admission.key.equals(processing.key);
        return new QueuePlan(processing, admission, drops, isShared);
    }

    /**
     * Whether rings of frames are enough: packets leave in order of arrival, are dropped at one end
     * or by a small key, and the policy reads no field later that the frame might no longer have.
     */
    public boolean needsOnlyLists() {
        return ListCheck.isEnoughFor(this);
    }

    /** Whether the policy defines all ports of a switch. */
    boolean isOfSeveralPorts() {
        return policy.ports().size() > 1;
    }

    /** Whether packets of a queue may be dropped, by its own condition or its buffer's. */
    public boolean mayDrop(int queue) {
        int buffer = policy.queues().get(queue).buffer();
        return queues.get(queue).drops()
                || (buffer >= 0 && drops(policy.buffers().get(buffer).congestion()));
    }

    static boolean drops(List<Policy.Case> cases) {
        return cases.stream().anyMatch(Policy.Case::drops);
    }

    /**
     * A queue's condition without the case that its size as a bound already covers: dropping the
     * arriving or the worst packet when the queue has that size.
     */
    static List<Policy.Case> beyondBound(Policy.Queue queue) {
        return isBound(queue.congestion(), Field.QUEUE_CURR_SIZE, Field.QUEUE_SIZE)
                ? List.of()
                : queue.congestion();
    }

    /**
     * As {@link #beyondBound(Policy.Queue)}, for the buffer that a queue shares; none if it shares
     * none. A queue that drops packets itself may leave room in a full buffer: the condition is
     * evaluated on the state before.
     */
    static List<Policy.Case> beyondBufferBound(Policy policy, Policy.Queue queue) {
        if (queue.buffer() < 0) {
            return List.of();
        }
        Policy.Buffer buffer = policy.buffers().get(queue.buffer());
        return isBound(buffer.congestion(), Field.BUFFER_CURR_SIZE, Field.BUFFER_SIZE)
                        && !drops(queue.congestion())
                ? List.of()
                : buffer.congestion();
    }

    private static boolean isBound(List<Policy.Case> cases, Field heldField, Field sizeField) {
        return cases.size() == 1
                && cases.getFirst().actions().equals(List.of(new Action.Drop(new Expr.Constant(1))))
                && cases.getFirst().pred()
                        instanceof
                        Pred.Compare(
                                Pred.Relation relation,
                                Expr.Access(_, Field held),
                                Expr.Access(_, Field size))
                && relation == Pred.Relation.GREATER_OR_EQUAL
                && held == heldField
                && size == sizeField;
    }

    static boolean isNewestFirst(RankingPlan ranking) {
        return ranking.key != null && ranking.key.isLargestFirst();
    }

    private static RankingPlan ranking(Order order, Binding binding) {
        Order.Key key = order.key();
        if (key == null) {
            return new RankingPlan(Structure.COMPARED_HEAP, order, null);
        }
        Field field = key.expr().field();
        if (field == Field.PACKET_ARRIVAL) {
            return new RankingPlan(Structure.ARRIVAL, order, key);
        }
        boolean isSmall =
                field == Field.PACKET_QUEUE
                        || (field != null
                                && binding.source(field).bound() > 0
                                && binding.source(field).bound() <= KeySet.KEYS);
        return new RankingPlan(isSmall ? Structure.BUCKETS : Structure.KEYED_HEAP, order, key);
    }

    // ---- which fields are looked at

    /**
     * The fields that are kept with a packet: not those used only for its keys, which are computed
     * on arrival, unless marking may have changed them by then.
     */
    Set<Field> kept() {
        Set<Field> kept = asked(policy, ListCheck.marks(policy));
        kept.removeAll(KEPT);
        return kept;
    }

    /** Whether the policy reads a field of packets. */
    boolean asks(Field field) {
        return asked(policy, true).contains(field);
    }

    private static Set<Field> asked(Policy policy, boolean withKeys) {
        Stream<Order> ofPackets =
                policy.queues().stream()
                        .flatMap(queue -> Stream.of(queue.admission(), queue.processing()))
                        .filter(order -> order != null && (withKeys || order.key() == null));
        Stream<Pred> preds =
                Stream.concat(
                        Stream.concat(ofPackets, policy.ordersOfQueues()).map(Order::precedes),
                        policy.cases().map(Policy.Case::pred));
        Stream<Expr> numbers =
                preds.flatMap(Pred::comparisons)
                        .flatMap(each -> Stream.of(each.left(), each.right()));
        return Stream.concat(numbers, policy.numbers())
                .flatMap(Expr::accesses)
                .map(Expr.Access::field)
                .filter(field -> field.entity() == Field.Entity.PACKET)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
