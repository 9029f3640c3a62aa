package io.headgate.dataplane.openqueue.language;

/** What a condition does that holds. */
public sealed interface Action {

    /** The packet of the lowest rank is dropped with a probability. */
    record Drop(Expr probability) implements Action {}

    /** The packet is marked: congestion was experienced. */
    record Mark() implements Action {}

    /** An event is counted. */
    record Notify() implements Action {}

    /** A variable gets a value; as parsed its name is a {@link Expr.Path}. */
    record Modify(Expr target, Expr value) implements Action {}
}
