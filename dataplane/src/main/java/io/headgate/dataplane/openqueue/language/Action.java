package io.headgate.dataplane.openqueue.language;

/** An action of a condition, executed if the condition holds. */
public sealed interface Action {

    /** Drops the packet of the lowest rank with a probability. */
    record Drop(Expr probability) implements Action {}

    /** Marks the packet: congestion experienced. */
    record Mark() implements Action {}

    /** Counts an event. */
    record Notify() implements Action {}

    /** Sets a variable; after parsing, its name is a {@link Expr.Path}. */
    record Modify(Expr target, Expr value) implements Action {}
}
