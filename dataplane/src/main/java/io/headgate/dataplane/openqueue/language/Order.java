package io.headgate.dataplane.openqueue.language;

import io.headgate.dataplane.openqueue.language.Expr.Role;
import org.jspecify.annotations.Nullable;

/**
 * Which of two packets, or of two queues, ranks higher. Where the comparator says so of neither or
 * of both, the packet that came first does, and the queue that was declared first.
 *
 * @param name of the definition; "inline" if it has none
 * @param precedes whether {@link Role#FIRST} ranks higher than {@link Role#SECOND}
 */
public record Order(String name, Pred precedes) {

    /**
     * One number for each, by which they are ordered.
     *
     * @param expr of {@link Role#FIRST}
     * @param isLargestFirst whether the larger number ranks higher
     */
    public record Key(Expr expr, boolean isLargestFirst) {}

    /** The same with the lowest first. */
    public Order reversed() {
        return new Order(name, swapped(precedes));
    }

    /** The number that both are compared by; null if the comparator does more than that. */
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
        return switch (expr) {
            case Expr.Constant _ -> true;
            case Expr.Path _ -> false;
            case Expr.Access(Role role, _) -> role == one || role == other;
            case Expr.Arithmetic(_, Expr left, Expr right) ->
                    isOf(left, one, other) && isOf(right, one, other);
        };
    }

    private static Pred swapped(Pred pred) {
        return switch (pred) {
            case Pred.Compare(Pred.Relation relation, Expr left, Expr right) ->
                    new Pred.Compare(relation, swapped(left), swapped(right));
            case Pred.And(Pred left, Pred right) -> new Pred.And(swapped(left), swapped(right));
            case Pred.Or(Pred left, Pred right) -> new Pred.Or(swapped(left), swapped(right));
            case Pred.Not(Pred of) -> new Pred.Not(swapped(of));
            case Pred.Constant constant -> constant;
        };
    }

    static Expr swapped(Expr expr) {
        return switch (expr) {
            case Expr.Access(Role role, Field field) -> new Expr.Access(other(role), field);
            case Expr.Arithmetic(char operator, Expr left, Expr right) ->
                    new Expr.Arithmetic(operator, swapped(left), swapped(right));
            case Expr.Constant constant -> constant;
            case Expr.Path path -> path;
        };
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
