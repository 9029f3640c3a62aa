package io.headgate.dataplane.openqueue.language;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A number that is worked out. As parsed it has {@link Path}s; of a checked policy it has {@link
 * Access}es in their place.
 */
public sealed interface Expr {

    /** A constant. */
    record Constant(double value) implements Expr {}

    /**
     * A name as it stands in the text: {@code currSize}, {@code q.currSize}, {@code
     * q.getHOL().value}, {@code q.buffer.currSize}.
     *
     * @param names what the dots divide
     * @param isOfHead whether {@code getHOL()} stands after the first
     */
    record Path(List<String> names, boolean isOfHead, Source.Place place) implements Expr {
        public Path {
            names = List.copyOf(names);
        }

        String shown() {
            return String.join(isOfHead ? ".getHOL()." : ".", names);
        }
    }

    /** A field of something that is at hand. */
    record Access(Role role, Field field) implements Expr {}

    /** Two numbers and + - * or /, as doubles: a division by zero is infinite or no number. */
    record Arithmetic(char operator, Expr left, Expr right) implements Expr {}

    /** Whose field is meant. */
    enum Role {
        /** The first argument of a comparator; of a condition, its queue. */
        FIRST,
        /** The second argument of a comparator. */
        SECOND,
        /** The packet that the first queue sends next; all its fields are 0 if it has none. */
        HEAD_OF_FIRST,
        /** The same for the second queue. */
        HEAD_OF_SECOND,
        /** The packet that has come, or that leaves. */
        PACKET,
        /** The buffer that the queue shares with others. */
        BUFFER,
        /** The port that the queue belongs to. */
        PORT
    }

    /** Replaces a number that has no operator. */
    @FunctionalInterface
    interface Leaves<E extends Exception> {
        Expr of(Expr leaf) throws E;
    }

    /** The same with other leaves. */
    default <E extends Exception> Expr with(Leaves<E> leaves) throws E {
        return this instanceof Arithmetic(char operator, Expr left, Expr right)
                ? new Arithmetic(operator, left.with(leaves), right.with(leaves))
                : leaves.of(this);
    }

    /** The fields that it looks at. */
    default Stream<Access> accesses() {
        return switch (this) {
            case Access access -> Stream.of(access);
            case Arithmetic(_, Expr left, Expr right) ->
                    Stream.concat(left.accesses(), right.accesses());
            case Constant _, Path _ -> Stream.empty();
        };
    }

    /** How many accesses and operators there are, at most {@link Integer#MAX_VALUE}. */
    default int weight() {
        return this instanceof Arithmetic(_, Expr left, Expr right)
                ? 1 + left.weight() + right.weight()
                : 1;
    }

    /** The expression's one field, where it is nothing else. */
    default @Nullable Field field() {
        return this instanceof Access access ? access.field() : null;
    }
}
