package io.headgate.dataplane.openqueue.language;

import io.headgate.dataplane.openqueue.language.Expr.Role;
import org.jspecify.annotations.Nullable;

/**
 * A comparator of two packets or two queues: which one ranks higher. If it ranks neither higher or
 * both, the packet that arrived first ranks higher, or the queue that was declared first.
 *
 * @param name name of the definition; "inline" if it has none
 * @param precedes whether {@link Role#FIRST} ranks higher than {@link Role#SECOND}
 */
public record Order(String name, Pred precedes) {

    /**
     * A number by which packets or queues are ordered.
     *
     * @param expr the number of {@link Role#FIRST}
     * @param isLargestFirst whether the larger number ranks higher
     */
    public record Key(Expr expr, boolean isLargestFirst) {}

    /** The same with the lowest first. */
    public Order reversed() {
        return new Order(name, precedes.with(Order::swappedLeaf));
    }

    /** The number by which both are compared; null if the comparator does more than that. */
    public @Nullable Key key() {
        if (!(precedes instanceof Pred.Compare(Pred.Relation relation, Expr left, Expr right))
                || !right.equals(swapped(left))) {
            return null;
        }
        boolean isOfFirst = isOf(left, Role.FIRST, Role.HEAD_OF_FIRST);
        boolean isOfSecond = isOf(left, Role.SECOND, Role.HEAD_OF_SECOND);
        if (!isOfFirst && !isOfSecond) {
            return null;
        }
        return switch (relation) {
            case LESS, LESS_OR_EQUAL -> new Key(isOfFirst ? left : right, !isOfFirst);
            case GREATER, GREATER_OR_EQUAL -> new Key(isOfFirst ? left : right, isOfFirst);
            case EQUAL, UNEQUAL -> null;
        };
    }

    private static boolean isOf(Expr expr, Role one, Role other) {
        return expr.accesses().allMatch(each -> each.role() == one || each.role() == other);
    }

    /** The same number with the two arguments swapped. */
    static Expr swapped(Expr expr) {
        return expr.with(Order::swappedLeaf);
    }

    private static Expr swappedLeaf(Expr leaf) {
        return leaf instanceof Expr.Access(Role role, Field field)
                ? new Expr.Access(other(role), field)
                : leaf;
    }

    private static Role other(Role role) {
        return switch (role) {
            case FIRST -> Role.SECOND;
            case SECOND -> Role.FIRST;
            case HEAD_OF_FIRST -> Role.HEAD_OF_SECOND;
            case HEAD_OF_SECOND -> Role.HEAD_OF_FIRST;
            case PACKET, BUFFER, PORT -> role;
        };
    }
}
