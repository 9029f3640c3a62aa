package io.headgate.dataplane.openqueue.language;

import java.util.stream.Stream;

/** What is true or false. */
public sealed interface Pred {

    /** Two numbers compared. */
    record Compare(Relation relation, Expr left, Expr right) implements Pred {}

    /** Both. */
    record And(Pred left, Pred right) implements Pred {}

    /** One or both. */
    record Or(Pred left, Pred right) implements Pred {}

    /** Not. */
    record Not(Pred pred) implements Pred {}

    /** Always, or never. */
    record Constant(boolean value) implements Pred {}

    /** How two numbers are compared; NaN is neither less, equal nor greater. */
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

        /** As it stands in a text. */
        public String sign() {
            return sign;
        }
    }

    /** The same with other leaves of its numbers. */
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

    /** How many operators and accesses there are. */
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
