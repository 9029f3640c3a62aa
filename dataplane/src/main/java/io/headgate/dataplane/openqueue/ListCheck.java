package io.headgate.dataplane.openqueue;

import io.headgate.dataplane.openqueue.PolicyPlan.QueuePlan;
import io.headgate.dataplane.openqueue.PolicyPlan.Structure;
import io.headgate.dataplane.openqueue.language.Action;
import io.headgate.dataplane.openqueue.language.Expr;
import io.headgate.dataplane.openqueue.language.Field;
import io.headgate.dataplane.openqueue.language.Order;
import io.headgate.dataplane.openqueue.language.Policy;
import io.headgate.dataplane.openqueue.language.Pred;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether rings of frames are enough for a policy ({@link PolicyLists}): where they are, a packet
 * is its frame, and what a policy asks of it is read from that when it is asked.
 */
final class ListCheck {

    private ListCheck() {}

    static boolean isEnoughFor(PolicyPlan plan) {
        Policy policy = plan.policy();
        return !plan.isOfSeveralPorts()
                && plan.queues().stream().allMatch(ListCheck::isList)
                && !(marks(policy) && plan.captured().stream().anyMatch(f -> isMarked(plan, f)))
                && saysNoLater(policy);
    }

    private static boolean isList(QueuePlan queue) {
        return queue.isInOrder()
                && (queue.admission() == null
                        || queue.admission().structure() == Structure.ARRIVAL
                        || queue.admission().structure() == Structure.BUCKETS);
    }

    /** Whether a field's bits are those that marking changes. */
    private static boolean isMarked(PolicyPlan plan, Field field) {
        return plan.binding().source(field) == FrameValue.TOS;
    }

    static boolean marks(Policy policy) {
        return policy.queues().stream()
                        .anyMatch(q -> marks(q.congestion()) || marks(q.postAdmission()))
                || policy.buffers().stream()
                        .anyMatch(b -> marks(b.congestion()) || marks(b.postAdmission()))
                || policy.ports().stream().anyMatch(port -> marks(port.postScheduling()));
    }

    private static boolean marks(List<Policy.Case> cases) {
        return cases.stream()
                .flatMap(each -> each.actions().stream())
                .anyMatch(Action.Mark.class::isInstance);
    }

    /** Whether neither times of arrival are asked for, nor fields of a queue's first packet. */
    private static boolean saysNoLater(Policy policy) {
        for (Policy.Queue queue : policy.queues()) {
            if (!isAtHand(queue.congestion()) || !isAtHand(queue.postAdmission())) {
                return false;
            }
        }
        for (Policy.Buffer buffer : policy.buffers()) {
            if (!isAtHand(buffer.order())
                    || !isAtHand(buffer.congestion())
                    || !isAtHand(buffer.postAdmission())) {
                return false;
            }
        }
        Policy.Port port = policy.ports().getFirst();
        return isAtHand(port.postScheduling())
                && isAtHand(port.schedule())
                && (port.selection() == null || isAtHand(port.selection()));
    }

    private static boolean isAtHand(@Nullable Order order) {
        return order == null || isAtHand(order.precedes());
    }

    private static boolean isAtHand(List<Policy.Case> cases) {
        for (Policy.Case each : cases) {
            if (!isAtHand(each.pred())) {
                return false;
            }
            for (Action action : each.actions()) {
                boolean isAtHand =
                        switch (action) {
                            case Action.Drop(Expr probability) -> isAtHand(probability);
                            case Action.Modify(_, Expr value) -> isAtHand(value);
                            case Action.Mark _, Action.Notify _ -> true;
                        };
                if (!isAtHand) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean isAtHand(Pred pred) {
        return switch (pred) {
            case Pred.Compare(_, Expr left, Expr right) ->
                    (isOrderOfHead(left) && isOrderOfHead(right))
                            || (isAtHand(left) && isAtHand(right));
            case Pred.And(Pred left, Pred right) -> isAtHand(left) && isAtHand(right);
            case Pred.Or(Pred left, Pred right) -> isAtHand(left) && isAtHand(right);
            case Pred.Not(Pred of) -> isAtHand(of);
            case Pred.Constant _ -> true;
        };
    }

    /** Two arrivals of first packets are compared by the order of coming, which frames have. */
    private static boolean isOrderOfHead(Expr expr) {
        return expr instanceof Expr.Access(Expr.Role role, Field field)
                && field == Field.PACKET_ARRIVAL
                && isHead(role);
    }

    private static boolean isHead(Expr.Role role) {
        return role == Expr.Role.HEAD_OF_FIRST || role == Expr.Role.HEAD_OF_SECOND;
    }

    private static boolean isAtHand(Expr expr) {
        return switch (expr) {
            case Expr.Access(Expr.Role role, Field field) ->
                    field.entity() != Field.Entity.PACKET
                            || (!isHead(role) && field != Field.PACKET_ARRIVAL);
            case Expr.Arithmetic(_, Expr left, Expr right) -> isAtHand(left) && isAtHand(right);
            case Expr.Constant _, Expr.Path _ -> true;
        };
    }
}
