package io.headgate.dataplane.openqueue.language;

import io.headgate.dataplane.openqueue.language.Expr.Role;
import io.headgate.dataplane.openqueue.language.Field.Entity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of names in one use of a function; looks up the names in the function.
 *
 * @param parameters the function's parameters; empty if it has none, or none is needed
 * @param compared the kind of object that a comparator compares; null in conditions and selections
 * @param subject the object of a condition: names without a dot are its fields
 * @param hasBuffer whether there is a buffer to read
 */
record Scope(
        List<String> parameters,
        @Nullable Entity compared,
        @Nullable Entity subject,
        boolean hasBuffer,
        Map<String, Double> constants) {

    static Scope comparing(Entity what, List<String> parameters, Map<String, Double> constants) {
        return new Scope(parameters, what, null, false, constants);
    }

    static Scope condition(
            Entity of, boolean hasBuffer, List<String> parameters, Map<String, Double> constants) {
        return new Scope(parameters, null, of, hasBuffer, constants);
    }

    static Scope selection(List<String> parameters, Map<String, Double> constants) {
        return new Scope(parameters, null, Entity.PACKET, false, constants);
    }

    // ---- functions

    Pred pred(Pred pred) throws PolicyException {
        return pred.with(this::leaf);
    }

    Expr expr(Expr expr) throws PolicyException {
        return expr.with(this::leaf);
    }

    private Expr leaf(Expr leaf) throws PolicyException {
        return leaf instanceof Expr.Path path ? path(path) : leaf;
    }

    /** Cases with their names looked up; refuses drop if it is not allowed here. */
    List<Policy.Case> cases(List<Policy.Case> cases, @Nullable String whyNoDrop, Source.Place place)
            throws PolicyException {
        List<Policy.Case> resolved = new ArrayList<>();
        for (Policy.Case each : cases) {
            List<Action> actions = new ArrayList<>();
            for (Action action : each.actions()) {
                actions.add(action(action, whyNoDrop, place));
            }
            resolved.add(new Policy.Case(pred(each.pred()), actions));
        }
        return List.copyOf(resolved);
    }

    private Action action(Action action, @Nullable String whyNoDrop, Source.Place place)
            throws PolicyException {
        return switch (action) {
            case Action.Drop(Expr probability) -> {
                if (whyNoDrop != null) {
                    throw place.error(
                            "drop in %s, which may only mark, notify and modify", whyNoDrop);
                }
                yield new Action.Drop(expr(probability));
            }
            case Action.Modify(Expr target, Expr value) -> {
                Expr resolved = expr(target);
                Field field = resolved.field();
                if (field == null || !field.isVariable()) {
                    throw placeOf(target, place)
                            .error(
                                    "expected a variable to modify: %s of a queue, %s of a buffer, or %s"
                                            + " of a port",
                                    Field.names(Entity.QUEUE, true),
                                    Field.names(Entity.BUFFER, true),
                                    Field.names(Entity.PORT, true));
                }
                yield new Action.Modify(resolved, expr(value));
            }
            case Action.Mark mark -> mark;
            case Action.Notify notify -> notify;
        };
    }

    private static Source.Place placeOf(Expr expr, Source.Place otherwise) {
        return expr instanceof Expr.Path path ? path.place() : otherwise;
    }

    // ---- names

    private Expr path(Expr.Path path) throws PolicyException {
        String first = path.names().getFirst();
        int parameter = parameters.indexOf(first);
        if (compared != null) {
            return ofCompared(path, parameter);
        }
        if (path.names().size() == 1 && parameter < 0) {
            return bare(path, first);
        }
        Entity entity = parameter < 0 ? Entity.named(first) : subject;
        if (entity == null) {
            throw path.place().error("\"%s\" is not known here: expected %s", first, whatIsKnown());
        }
        // What a port does is done with a queue of it: an argument stands for that.
        if (parameter >= 0 && entity == Entity.PORT) {
            entity = Entity.QUEUE;
        }
        if (entity == Entity.QUEUE
                && path.names().size() == 3
                && path.names().get(1).equals("buffer")) {
            return field(path, Entity.BUFFER, 2);
        }
        return field(path, entity, 1);
    }

    private String whatIsKnown() {
        List<String> known = new ArrayList<>(parameters);
        if (subject == Entity.PACKET) {
            known.add("Packet");
        } else {
            known.addAll(List.of("Queue", "Packet", "Port"));
            if (hasBuffer) {
                known.add("Buffer");
            }
        }
        return String.join(", ", known) + " before a dot";
    }

    private Expr ofCompared(Expr.Path path, int parameter) throws PolicyException {
        List<String> names = path.names();
        Entity what = compared == null ? Entity.PACKET : compared;
        boolean isInline = parameters.isEmpty();
        boolean isKnown = isInline ? names.getFirst().equals(what.word()) : parameter >= 0;
        if (!isKnown || names.size() != 2) {
            Double constant = names.size() == 1 ? constants.get(names.getFirst()) : null;
            if (constant != null) {
                return new Expr.Constant(constant);
            }
            String example =
                    (isInline ? what.word() : parameters.getFirst())
                            + (what == Entity.PACKET ? ".value" : ".currSize");
            throw path.place()
                    .error(
                            "expected a field of what is compared, such as %s, found \"%s\"",
                            example, path.shown());
        }
        boolean isFirst = parameter <= 0;
        if (path.isOfHead()) {
            if (what != Entity.QUEUE) {
                throw path.place().error("getHOL() of a packet; only queues have a first packet");
            }
            return access(
                    path,
                    isFirst ? Role.HEAD_OF_FIRST : Role.HEAD_OF_SECOND,
                    Entity.PACKET,
                    names.get(1));
        }
        return access(path, isFirst ? Role.FIRST : Role.SECOND, what, names.get(1));
    }

    /** A name without a dot: a constant, or a field of what the condition is of. */
    private Expr bare(Expr.Path path, String name) throws PolicyException {
        Double constant = constants.get(name);
        if (constant != null) {
            return new Expr.Constant(constant);
        }
        Entity of = subject == null ? Entity.QUEUE : subject;
        if (of == Entity.PACKET || Field.named(of, name) != null) {
            return access(path, roleOf(of), of, name);
        }
        return access(path, Role.FIRST, Entity.QUEUE, name);
    }

    private Expr field(Expr.Path path, Entity entity, int at) throws PolicyException {
        List<String> names = path.names();
        if (names.size() != at + 1) {
            throw path.place()
                    .error(
                            "expected a field of a %s (%s), found \"%s\"",
                            entity.word().toLowerCase(Locale.ROOT),
                            Field.names(entity, false),
                            path.shown());
        }
        if (subject == Entity.PACKET && entity != Entity.PACKET) {
            throw path.place().error("a selection may only look at the packet: " + path.shown());
        }
        if (entity == Entity.BUFFER && !hasBuffer) {
            throw path.place().error("there is no buffer here: \"%s\"", path.shown());
        }
        if (path.isOfHead()) {
            if (entity != Entity.QUEUE) {
                throw path.place().error("only a queue has getHOL(): " + path.shown());
            }
            return access(path, Role.HEAD_OF_FIRST, Entity.PACKET, names.get(at));
        }
        return access(path, roleOf(entity), entity, names.get(at));
    }

    private static Role roleOf(Entity entity) {
        return switch (entity) {
            case QUEUE -> Role.FIRST;
            case BUFFER -> Role.BUFFER;
            case PORT -> Role.PORT;
            case PACKET -> Role.PACKET;
        };
    }

    private static Expr access(Expr.Path path, Role role, Entity entity, String name)
            throws PolicyException {
        Field field = Field.named(entity, name);
        if (field == null) {
            throw path.place()
                    .error(
                            "expected a field of a %s (%s), found \"%s\"",
                            entity.word().toLowerCase(Locale.ROOT),
                            Field.names(entity, false),
                            name);
        }
        return new Expr.Access(role, field);
    }
}
