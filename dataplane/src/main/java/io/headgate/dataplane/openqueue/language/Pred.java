package io.headgate.dataplane.openqueue.language;

import java.util.stream.Stream;

/** A predicate: an expression that is true or false. */
public sealed interface Pred {

    /** A comparison of two numbers. */
    record Compare(Relation relation, Expr left, Expr right) implements Pred {}

    /** True if both are true. */
    record And(Pred left, Pred right) implements Pred {}

    /** True if one or both are true. */
    record Or(Pred left, Pred right) implements Pred {}

    /** True if the other is false. */
    record Not(Pred pred) implements Pred {}

    /** Always true, or never. */
    record Constant(boolean value) implements Pred {}

    /** Relations between two numbers; NaN is neither less, equal nor greater. */
    enum Relation {
        LESS("<"),
        LESS_OR_EQUAL("<="),
        GREATER(">"),
        GREATER_OR_EQUAL(">="),
        EQUAL("=="),
        UNEQUAL("!=");

        private final String sign;

        Relation(String sign) {
            this.sign = sign;
        }

        /** Its sign in a policy's text. */
        public String sign() {
            return sign;
        }
    }

    /** The same predicate with the leaves of its numbers replaced. */
    default <E extends Exception> Pred with(Expr.Leaves<E> leaves) throws E {
        return switch (this) {
            case Compare(Relation relation, Expr left, Expr right) ->
                    new Compare(relation, left.with(leaves), right.with(leaves));
            case And(Pred left, Pred right) -> new And(left.with(leaves), right.with(leaves));
            case Or(Pred left, Pred right) -> new Or(left.with(leaves), right.with(leaves));
            case Not(Pred pred) -> new Not(pred.with(leaves));
            case Constant constant -> constant;
        };
    }

    /** All comparisons in it. */
    default Stream<Compare> comparisons() {
        return switch (this) {
            case Compare compare -> Stream.of(compare);
            case And(Pred left, Pred right) ->
                    Stream.concat(left.comparisons(), right.comparisons());
            case Or(Pred left, Pred right) ->
                    Stream.concat(left.comparisons(), right.comparisons());
            case Not(Pred pred) -> pred.comparisons();
            case Constant _ -> Stream.empty();
        };
    }

    /** The number of operators and accesses. */
    default int weight() {
        return switch (this) {
            case Compare c -> 1 + c.left.weight() + c.right.weight();
            case And(Pred left, Pred right) -> 1 + left.weight() + right.weight();
            case Or(Pred left, Pred right) -> 1 + left.weight() + right.weight();
            case Not(Pred pred) -> 1 + pred.weight();
            case Constant _ -> 1;
        };
    }
}
