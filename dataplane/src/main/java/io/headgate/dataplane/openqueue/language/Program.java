package io.headgate.dataplane.openqueue.language;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A parsed file: its statements in order, with no names looked up yet. */
record Program(
        List<Import> imports,
        List<Constant> constants,
        List<Definition> definitions,
        List<Declaration> declarations,
        List<Assignment> assignments) {

    /** An import of a library of definitions. */
    record Import(String name, Source.Place place) {}

    /** A name for a number. */
    record Constant(String name, double value, Source.Place place) {}

    /**
     * A named function.
     *
     * @param parameters none, one or two
     */
    record Definition(String name, List<String> parameters, Body body, Source.Place place) {}

    /** The body of a definition or of {@code inline{}}. */
    sealed interface Body {
        /** A comparator, or a condition that leaves the action to {@code congAction}. */
        record Predicate(Pred pred) implements Body {}

        /** A number for ordering or selection. */
        record Numeric(Expr expr) implements Body {}

        /** A boundary condition. */
        record Cases(List<Policy.Case> cases) implements Body {}
    }

    /**
     * A queue, a buffer or a port.
     *
     * @param size size of a queue or buffer, a number or the name of a constant; for a port its
     *     rate, null if not given
     * @param isPercent whether the rate is in percent of the line's, not in kbps
     */
    record Declaration(
            Field.Entity entity,
            String name,
            @Nullable Token size,
            boolean isPercent,
            List<Token> queues,
            Source.Place place) {}

    /** An assignment to an attribute of a queue, a buffer or a port. */
    record Assignment(Token object, Token attribute, Value value) {}

    /** The right side of an assignment. */
    sealed interface Value {
        /** A definition by its name, with arguments in parentheses, if any. */
        record Named(Token name, List<Token> arguments) implements Value {}

        /** A body without a name. */
        record Inline(Body body, Source.Place place) implements Value {}

        /** The initial value of a variable. */
        record Initial(double value, Source.Place place) implements Value {}
    }
}
