package io.headgate.dataplane.openqueue.language;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An expression for a number. After parsing it has {@link Path}s; in a checked policy it has {@link
 * Access}es instead.
 */
public sealed interface Expr {

    /** A constant. */
    record Constant(double value) implements Expr {}

    /**
     * A name as written in the text: {@code currSize}, {@code q.currSize}, {@code
     * q.getHOL().value}, {@code q.buffer.currSize}.
     *
     * @param names the parts between the dots
     * @param isOfHead whether {@code getHOL()} follows the first part
     */
    record Path(List<String> names, boolean isOfHead, Source.Place place) implements Expr {
        public Path {
            names = List.copyOf(names);
        }

        String shown() {
            return String.join(isOfHead ? ".getHOL()." : ".", names);
        }
    }

    /** A field of an object that is available where the expression is used. */
    record Access(Role role, Field field) implements Expr {}

    /** Two numbers and + - * or /, as doubles: a division by zero gives infinity or NaN. */
    record Arithmetic(char operator, Expr left, Expr right) implements Expr {}

    /** The object that an accessed field belongs to. */
    enum Role {
        /** The first argument of a comparator; in a condition, its queue. */
        FIRST,
        /** The second argument of a comparator. */
        SECOND,
        /** The packet that the first queue sends next; all its fields are 0 if it has none. */
        HEAD_OF_FIRST,
        /** The same for the second queue. */
        HEAD_OF_SECOND,
        /** The arriving or leaving packet. */
        PACKET,
        /** The buffer that the queue shares with others. */
        BUFFER,
        /** The port that the queue belongs to. */
        PORT
    }

    /** Replaces a number without an operator. */
    @FunctionalInterface
    interface Leaves<E extends Exception> {
        Expr of(Expr leaf) throws E;
    }

    /** The same expression with its leaves replaced. */
    default <E extends Exception> Expr with(Leaves<E> leaves) throws E {
        return this instanceof Arithmetic(char operator, Expr left, Expr right)
                ? new Arithmetic(operator, left.with(leaves), right.with(leaves))
                : leaves.of(this);
    }

    /** The fields that it reads. */
    default Stream<Access> accesses() {
        return switch (this) {
            case Access access -> Stream.of(access);
            case Arithmetic(_, Expr left, Expr right) ->
                    Stream.concat(left.accesses(), right.accesses());
            case Constant _, Path _ -> Stream.empty();
        };
    }

    /** The number of accesses and operators, at most {@link Integer#MAX_VALUE}. */
    default int weight() {
        return this instanceof Arithmetic(_, Expr left, Expr right)
                ? 1 + left.weight() + right.weight()
                : 1;
    }

    /** The field, if the expression is only a field; else null. */
    default @Nullable Field field() {
        return this instanceof Access access ? access.field() : null;
    }
}
