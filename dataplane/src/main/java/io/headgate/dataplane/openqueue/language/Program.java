package io.headgate.dataplane.openqueue.language;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A file as parsed: what stands in it, in its order, with nothing looked up yet. */
record Program(
        List<Import> imports,
        List<Constant> constants,
        List<Definition> definitions,
        List<Declaration> declarations,
        List<Assignment> assignments) {

    /** A library of definitions. */
    record Import(String name, Source.Place place) {}

    /** A name for a number. */
    record Constant(String name, double value, Source.Place place) {}

    /**
     * A function of a name.
     *
     * @param parameters none, one or two
     */
    record Definition(String name, List<String> parameters, Body body, Source.Place place) {}

    /** What a definition or {@code inline{}} is. */
    sealed interface Body {
        /** A comparator, or a condition that leaves the action to {@code congAction}. */
        record Predicate(Pred pred) implements Body {}

        /** A number by which to order or to select. */
        record Numeric(Expr expr) implements Body {}

        /** A boundary condition. */
        record Cases(List<Policy.Case> cases) implements Body {}
    }

    /**
     * A queue, a buffer or a port.
     *
     * @param size of a queue or buffer, a number or the name of a constant; of a port its rate,
     *     null if none is said
     * @param isPercent whether the rate is in percent of the line's, not in kbps
     */
    record Declaration(
            Field.Entity entity,
            String name,
            @Nullable Token size,
            boolean isPercent,
            List<Token> queues,
            Source.Place place) {}

    /** What something does. */
    record Assignment(Token object, Token attribute, Value value) {}

    /** The right side of an assignment. */
    sealed interface Value {
        /** A definition by its name; the arguments in parentheses, if any stand there. */
        record Named(Token name, List<Token> arguments) implements Value {}

        /** A body that has no name. */
        record Inline(Body body, Source.Place place) implements Value {}

        /** A number, for a variable to begin with. */
        record Initial(double value, Source.Place place) implements Value {}
    }
}
