package io.headgate.dataplane.openqueue;

import io.headgate.dataplane.openqueue.PolicyPlan.QueuePlan;
import io.headgate.dataplane.openqueue.PolicyPlan.Structure;
import io.headgate.dataplane.openqueue.language.Action;
import io.headgate.dataplane.openqueue.language.Expr;
import io.headgate.dataplane.openqueue.language.Field;
import io.headgate.dataplane.openqueue.language.Order;
import io.headgate.dataplane.openqueue.language.Policy;
import io.headgate.dataplane.openqueue.language.Pred;

/**
 * Checks whether rings of frames are enough for a policy ({@link PolicyLists}): a packet is then
 * its frame, and its fields are read from the frame when the policy uses them.
 */
final class ListCheck {

    private ListCheck() {}

    static boolean isEnoughFor(PolicyPlan plan) {
        Policy policy = plan.policy();
        return !plan.isOfSeveralPorts()
                && plan.queues().stream().allMatch(ListCheck::isList)
                && !(marks(policy) && plan.captured().stream().anyMatch(f -> isMarked(plan, f)))
                && policy.cases().map(Policy.Case::pred).allMatch(ListCheck::isAtHand)
                && policy.ordersOfQueues().map(Order::precedes).allMatch(ListCheck::isAtHand)
                && policy.numbers().allMatch(ListCheck::isAtHand);
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
        return policy.cases()
                .flatMap(each -> each.actions().stream())
                .anyMatch(Action.Mark.class::isInstance);
    }

    /** Whether neither times of arrival are asked for, nor fields of a queue's first packet. */
    private static boolean isAtHand(Pred pred) {
        return pred.comparisons()
                .allMatch(each ->
                        (isOrderOfHead(each.left()) && isOrderOfHead(each.right()))
                                || (isAtHand(each.left()) && isAtHand(each.right())));
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
        return expr.accesses()
                .allMatch(each ->
                        each.field().entity() != Field.Entity.PACKET
                                || (!isHead(each.role()) && each.field() != Field.PACKET_ARRIVAL));
    }
}
