package io.headgate.dataplane.openqueue.language;

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
