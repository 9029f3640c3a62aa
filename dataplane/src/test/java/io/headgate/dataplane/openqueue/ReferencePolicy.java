package io.headgate.dataplane.openqueue;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.openqueue.language.Action;
import io.headgate.dataplane.openqueue.language.Expr;
import io.headgate.dataplane.openqueue.language.Field;
import io.headgate.dataplane.openqueue.language.Order;
import io.headgate.dataplane.openqueue.language.Policy;
import io.headgate.dataplane.openqueue.language.Pred;
import io.headgate.dataplane.queue.Queues;
import io.headgate.dataplane.random.NamedRandom;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * What a policy says, done in the simplest way: packets in a list per queue, in order of arrival;
 * every expression is evaluated each time, every best and worst searched for. No structure, no key,
 * no bytecode.
 */
final class ReferencePolicy {

    /** A packet that waits, with what its fields were when it came. */
    record Packet(Frame frame, int queue, long number, long timeNs, Map<Field, Double> fields) {
        /** Each has a number of its own; that of the fields would take most of the time here. */
        @Override
        public boolean equals(Object other) {
            return other instanceof Packet packet && packet.number == number;
        }

        @Override
        public int hashCode() {
            return Long.hashCode(number);
        }
    }

    private final Policy policy;
    private final Binding binding;
    private final NamedRandom random;
    private final List<List<Packet>> waiting = new ArrayList<>();
    private final Map<String, Double> variables = new HashMap<>();
    private final long[] dropped = new long[Policy.MOST_OF_ALL_PORTS];
    private final long[] pushedOut = new long[Policy.MOST_OF_ALL_PORTS];
    private final long[] most = new long[Policy.MOST_OF_ALL_PORTS];
    private final long[] total = new long[Policy.MOST_OF_ALL_PORTS];
    private final int[] portCurrQueue = new int[Policy.MOST_OF_ALL_PORTS];
    private long numbers = 1;
    int marks;
    int notices;

    ReferencePolicy(Policy policy, Binding binding, NamedRandom random) {
        this.policy = policy;
        this.binding = binding;
        this.random = random;
        for (int i = 0; i < policy.queues().size(); i++) {
            waiting.add(new ArrayList<>());
            Policy.Initial initial = policy.queues().get(i).initial();
            variables.put(Field.QUEUE_WEIGHT_ADM + " " + i, initial.weightAdm());
            variables.put(Field.QUEUE_WEIGHT_SCHED + " " + i, initial.weightSched());
            variables.put(Field.QUEUE_ADM_STATE + " " + i, initial.admState());
            variables.put(Field.QUEUE_SCHED_STATE + " " + i, initial.schedState());
        }
        for (int i = 0; i < policy.buffers().size(); i++) {
            variables.put(
                    Field.BUFFER_ADM_STATE + " " + i, policy.buffers().get(i).initial().admState());
        }
        for (int i = 0; i < policy.ports().size(); i++) {
            variables.put(
                    Field.PORT_SCHED_STATE + " " + i, policy.ports().get(i).initial().schedState());
        }
    }

    /** Packets that wait, of all queues. */
    int waiting() {
        return waiting.stream().mapToInt(List::size).sum();
    }

    long waitingBytes() {
        return waiting.stream()
                .flatMap(List::stream)
                .mapToLong(packet -> packet.frame.lengthBytes)
                .sum();
    }

    // ---- what a function is evaluated with

    /** Who the roles of an expression are; a queue by its number, −1 for none. */
    private record Cast(
            int first, int second, @Nullable Packet firstPacket, @Nullable Packet secondPacket) {}

    private double value(Expr expr, Cast cast) {
        return switch (expr) {
            case Expr.Constant(double value) -> value;
            case Expr.Arithmetic(char operator, Expr left, Expr right) -> {
                double a = value(left, cast);
                double b = value(right, cast);
                yield operator == '+'
                        ? a + b
                        : operator == '-' ? a - b : operator == '*' ? a * b : a / b;
            }
            case Expr.Access(Expr.Role role, Field field) -> access(role, field, cast);
            case Expr.Path path -> throw new AssertionError(path);
        };
    }

    private @Nullable Packet packet(Expr.Role role, Cast cast) {
        return switch (role) {
            case HEAD_OF_FIRST -> head(cast.first);
            case HEAD_OF_SECOND -> head(cast.second);
            case SECOND -> cast.secondPacket;
            default -> cast.firstPacket;
        };
    }

    /** Two arrivals that are compared stand for the order of coming. */
    private double number(Expr expr, Cast cast) {
        Packet packet = packet(((Expr.Access) expr).role(), cast);
        return packet == null ? 0 : packet.number;
    }

    private double access(Expr.Role role, Field field, Cast cast) {
        if (field.entity() == Field.Entity.PACKET) {
            Packet packet = packet(role, cast);
            return packet == null ? 0 : requireNonNull(packet.fields.get(field));
        }
        int queue = role == Expr.Role.SECOND ? cast.second : cast.first;
        int buffer = policy.queues().get(queue).buffer();
        return switch (field) {
            case QUEUE_SIZE -> policy.queues().get(queue).size();
            case QUEUE_CURR_SIZE -> sizeOfQueue(queue);
            case QUEUE_DROPPED -> dropped[queue];
            case QUEUE_TOTAL -> total[queue];
            case BUFFER_SIZE -> policy.buffers().get(buffer).size();
            case BUFFER_CURR_SIZE -> sizeOfBuffer(buffer);
            case BUFFER_CURR_QUEUE -> queue;
            case PORT_RATE -> policy.ports().get(policy.portOf(queue)).rate();
            case PORT_CURR_QUEUE -> portCurrQueue[policy.portOf(queue)];
            default -> requireNonNull(variables.get(variable(field, queue, buffer)));
        };
    }

    private String variable(Field field, int queue, int buffer) {
        return field
                + " "
                + switch (field.entity()) {
                    case QUEUE -> queue;
                    case BUFFER -> buffer;
                    default -> policy.portOf(queue);
                };
    }

    private boolean holds(Pred pred, Cast cast) {
        return switch (pred) {
            case Pred.Constant(boolean value) -> value;
            case Pred.Not(Pred of) -> !holds(of, cast);
            case Pred.And(Pred left, Pred right) -> holds(left, cast) && holds(right, cast);
            case Pred.Or(Pred left, Pred right) -> holds(left, cast) || holds(right, cast);
            case Pred.Compare(Pred.Relation relation, Expr left, Expr right) -> {
                boolean isOrder =
                        left.field() == Field.PACKET_ARRIVAL
                                && right.field() == Field.PACKET_ARRIVAL;
                double a = isOrder ? number(left, cast) : value(left, cast);
                double b = isOrder ? number(right, cast) : value(right, cast);
                yield switch (relation) {
                    case LESS -> a < b;
                    case LESS_OR_EQUAL -> a <= b;
                    case GREATER -> a > b;
                    case GREATER_OR_EQUAL -> a >= b;
                    case EQUAL -> a == b;
                    case UNEQUAL -> a != b;
                };
            }
        };
    }

    // ---- orders

    private boolean ranksHigher(Order order, Packet a, Packet b) {
        boolean ab = holds(order.precedes(), new Cast(-1, -1, a, b));
        boolean ba = holds(order.precedes(), new Cast(-1, -1, b, a));
        return ab != ba ? ab : a.number < b.number;
    }

    private @Nullable Packet extreme(Order order, int queue, boolean best) {
        Packet found = null;
        for (Packet packet : waiting.get(queue)) {
            if (found == null || ranksHigher(order, packet, found) == best) {
                found = packet;
            }
        }
        return found;
    }

    @Nullable Packet head(int queue) {
        return extreme(requireNonNull(policy.queues().get(queue).processing()), queue, true);
    }

    private Packet worst(int queue) {
        Policy.Queue of = policy.queues().get(queue);
        Order order = requireNonNull(of.admission() == null ? of.processing() : of.admission());
        boolean isReversed = of.admission() != null && binding.dropsFirst();
        return requireNonNull(extreme(isReversed ? order.reversed() : order, queue, false));
    }

    private boolean queueRanksHigher(Order order, int a, int b, boolean aIsFirst) {
        boolean ab = holds(order.precedes(), new Cast(a, b, null, null));
        boolean ba = holds(order.precedes(), new Cast(b, a, null, null));
        return ab != ba ? ab : aIsFirst;
    }

    // ---- sizes

    long size(Frame frame) {
        return binding.countsPackets() ? 1 : frame.lengthBytes;
    }

    long sizeOfQueue(int queue) {
        long sum = 0; // no stream: it is asked for at every packet
        for (Packet packet : waiting.get(queue)) {
            sum += size(packet.frame);
        }
        return sum;
    }

    long sizeOfBuffer(int buffer) {
        return policy.buffers().get(buffer).queues().stream().mapToLong(this::sizeOfQueue).sum();
    }

    // ---- packets

    /** Answers the frames that are lost, in order. */
    List<Frame> enqueue(Frame frame, long timeNs) {
        return enqueue(frame, timeNs, -1);
    }

    private static long value(FrameValue of, Frame frame) {
        return switch (of) {
            case NONE -> 0;
            case PRIORITY -> FrameValue.priority(frame);
            case TOS -> FrameValue.tos(frame);
            case DSCP -> FrameValue.dscp(frame);
            case LENGTH -> FrameValue.length(frame);
            case FLOW -> FrameValue.flow(frame);
            case INGRESS -> FrameValue.ingress(frame);
            case TTL -> FrameValue.ttl(frame);
            case PROTOCOL -> FrameValue.protocol(frame);
            case ID -> FrameValue.id(frame);
            case SOURCE -> FrameValue.source(frame);
            case DESTINATION -> FrameValue.destination(frame);
        };
    }

    /** Into a queue by its number; −1: the one that the binding or the policy says. */
    List<Frame> enqueue(Frame frame, long timeNs, int into) {
        Map<Field, Double> fields = new EnumMap<>(Field.class);
        for (Field field : Field.values()) {
            if (field.entity() == Field.Entity.PACKET) {
                fields.put(field, (double) value(binding.source(field), frame));
            }
        }
        fields.put(Field.PACKET_ARRIVAL, (double) timeNs);
        int queue = into < 0 ? select(frame, fields) : into;
        fields.put(Field.PACKET_QUEUE, (double) queue);
        Packet packet = new Packet(frame, queue, numbers++, timeNs, fields);
        total[queue]++;
        Policy.Queue of = policy.queues().get(queue);
        boolean isOver = isHit(act(of.congestion(), queue, packet));
        Policy.Buffer buffer = of.buffer() < 0 ? null : policy.buffers().get(of.buffer());
        boolean isBufferOver = buffer != null && isHit(act(buffer.congestion(), queue, packet));
        waiting.get(queue).add(packet);
        List<Frame> lost = new ArrayList<>();
        while (drops(of.congestion()) && (isOver || sizeOfQueue(queue) > of.size())) {
            isOver = false;
            lose(worst(queue), lost);
        }
        while (buffer != null
                && waiting.get(queue).contains(packet)
                && drops(buffer.congestion())
                && (isBufferOver || sizeOfBuffer(of.buffer()) > buffer.size())) {
            isBufferOver = false;
            lose(worst(buffer.order() == null ? queue : least(buffer)), lost);
        }
        if (waiting.get(queue).contains(packet)) {
            most[queue] = Math.max(most[queue], sizeOfQueue(queue));
            act(of.postAdmission(), queue, packet);
            if (buffer != null) {
                act(buffer.postAdmission(), queue, packet);
            }
        }
        return lost;
    }

    private int select(Frame frame, Map<Field, Double> fields) {
        Policy.Port port = policy.ports().getFirst();
        if (port.selection() == null) {
            for (int queue = policy.queues().size() - 1; queue >= 0; queue--) {
                if ((binding.carries().get(queue) >>> frame.priority & 1) != 0) {
                    return queue;
                }
            }
            throw new AssertionError("no queue for priority " + frame.priority);
        }
        Packet asked = new Packet(frame, -1, -1, 0, fields);
        long selected =
                (long) value(requireNonNull(port.selection()), new Cast(-1, -1, asked, null));
        return port.queues().get((int) Math.floorMod(selected, (long) port.queues().size()));
    }

    private int least(Policy.Buffer buffer) {
        int least = -1;
        for (int queue : buffer.queues()) {
            if (!waiting.get(queue).isEmpty()
                    && (least < 0
                            || queueRanksHigher(
                                    requireNonNull(buffer.order()), least, queue, true))) {
                least = queue;
            }
        }
        return least;
    }

    private void lose(Packet packet, List<Frame> lost) {
        waiting.get(packet.queue).remove(packet);
        dropped[packet.queue]++;
        if (packet.number != numbers - 1) {
            pushedOut[packet.queue]++;
        }
        lost.add(packet.frame);
    }

    private static boolean drops(List<Policy.Case> cases) {
        return cases.stream()
                .anyMatch(c -> c.actions().stream().anyMatch(a -> a instanceof Action.Drop));
    }

    private boolean isHit(double probability) {
        return probability >= 1 || (probability > 0 && random.nextDouble() < probability);
    }

    /** Does what the first case says that holds; answers the probability of its drop. */
    private double act(List<Policy.Case> cases, int queue, Packet packet) {
        Cast cast = new Cast(queue, -1, packet, null);
        for (Policy.Case each : cases) {
            if (!holds(each.pred(), cast)) {
                continue;
            }
            double chance = 0;
            for (Action action : each.actions()) {
                switch (action) {
                    case Action.Drop(Expr probability) -> chance = value(probability, cast);
                    case Action.Mark _ -> marks++;
                    case Action.Notify _ -> notices++;
                    case Action.Modify(Expr target, Expr to) -> {
                        Expr.Access access = (Expr.Access) target;
                        int buffer = policy.queues().get(queue).buffer();
                        variables.put(variable(access.field(), queue, buffer), value(to, cast));
                    }
                }
            }
            return chance;
        }
        return 0;
    }

    /** The frame that starts next of queues that may send; null if none does. */
    @Nullable Frame dequeue(int eligible) {
        Packet packet = serve(0, queue -> (binding.carries().get(queue) & ~eligible) == 0);
        return packet == null ? null : packet.frame;
    }

    /** The packet that a port sends next, from a queue that may send, or null. */
    @Nullable Packet serve(int number, IntPredicate maySend) {
        Policy.Port port = policy.ports().get(number);
        int best = -1;
        for (int queue : port.queues()) {
            if (!waiting.get(queue).isEmpty()
                    && maySend.test(queue)
                    && (best < 0 || queueRanksHigher(schedule(port), queue, best, false))) {
                best = queue;
            }
        }
        if (best < 0) {
            return null;
        }
        Packet packet = requireNonNull(head(best));
        waiting.get(best).remove(packet);
        portCurrQueue[number] = best;
        act(port.postScheduling(), best, packet);
        return packet;
    }

    /** Whether a queue has counted the same. */
    void check(Queues queues, int queue) {
        Map<PolicyCounter, Long> expected =
                Map.of(
                        PolicyCounter.MAX, most[queue],
                        PolicyCounter.CURRENT, sizeOfQueue(queue),
                        PolicyCounter.TOTAL, total[queue],
                        PolicyCounter.DROPPED, dropped[queue],
                        PolicyCounter.PUSHED_OUT, pushedOut[queue]);
        expected.forEach((counter, value) ->
                assertThat(queues.counted(counter.ordinal(), queue))
                        .as("%s of queue %d", counter, queue)
                        .isEqualTo(value));
    }

    private static Order schedule(Policy.Port port) {
        Order schedule = port.schedule();
        return schedule == null ? new Order("none", new Pred.Constant(false)) : schedule;
    }
}
