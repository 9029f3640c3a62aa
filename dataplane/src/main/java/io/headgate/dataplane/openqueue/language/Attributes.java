package io.headgate.dataplane.openqueue.language;

import io.headgate.dataplane.openqueue.language.Field.Entity;
import io.headgate.dataplane.openqueue.language.Program.Body;
import io.headgate.dataplane.openqueue.language.Program.Value;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The attributes of one queue, buffer or port, each checked for its use. */
final class Attributes {
    private static final String INLINE = "inline";
    private static final String ADM_PRIO = "admPrio";
    private static final String QUEUE_PRIO = "queuePrio";
    private static final String PROC_PRIO = "procPrio";
    private static final String CONGESTION = "congestion";
    private static final String CONG_ACTION = "congAction";
    private static final String POST_ADM = "postAdmAct";
    private static final String POST_SCHED = "postSchedAct";
    private static final String SCHED_PRIO = "schedPrio";
    private static final String QUEUE_SELECT = "queueSelect";
    private static final String WEIGHT_ADM = "weightAdm";
    private static final String WEIGHT_SCHED = "weightSched";
    private static final String ADM_STATE = "admState";
    private static final String SCHED_STATE = "schedState";

    private static final List<String> OF_QUEUE =
            List.of(
                    ADM_PRIO,
                    PROC_PRIO,
                    CONGESTION,
                    CONG_ACTION,
                    POST_ADM,
                    WEIGHT_ADM,
                    WEIGHT_SCHED,
                    ADM_STATE,
                    SCHED_STATE);
    private static final List<String> OF_BUFFER =
            List.of(QUEUE_PRIO, CONGESTION, CONG_ACTION, POST_ADM, ADM_STATE);
    private static final List<String> OF_PORT =
            List.of(SCHED_PRIO, POST_SCHED, QUEUE_SELECT, SCHED_STATE);

    private final String name;
    private final Map<String, Checker.Attribute> given;
    private final Definitions definitions;

    Attributes(String name, Map<String, Checker.Attribute> given, Definitions definitions) {
        this.name = name;
        this.given = given;
        this.definitions = definitions;
    }

    private static List<String> of(Entity entity) {
        return switch (entity) {
            case QUEUE -> OF_QUEUE;
            case BUFFER -> OF_BUFFER;
            case PORT -> OF_PORT;
            case PACKET -> List.of();
        };
    }

    static String names(Entity entity) {
        return String.join(", ", of(entity));
    }

    /**
     * The main name of an attribute, as the listings use several; null if the word is not an
     * attribute.
     */
    static @Nullable String canonical(Entity entity, String word) {
        String known =
                switch (word) {
                    case "proPrio" -> PROC_PRIO;
                    case ADM_PRIO -> entity == Entity.BUFFER ? QUEUE_PRIO : word;
                    default -> word;
                };
        return of(entity).contains(known) ? known : null;
    }

    Policy.Queue queue(double size, int buffer) throws PolicyException {
        boolean shares = buffer >= 0;
        return new Policy.Queue(
                name,
                size,
                buffer,
                order(ADM_PRIO, Entity.PACKET),
                order(PROC_PRIO, Entity.PACKET),
                congestion(Entity.QUEUE, shares),
                condition(POST_ADM, Entity.QUEUE, shares, POST_ADM),
                initial());
    }

    Policy.Buffer buffer(double size, List<Integer> queues) throws PolicyException {
        return new Policy.Buffer(
                name,
                size,
                queues,
                order(QUEUE_PRIO, Entity.QUEUE),
                congestion(Entity.BUFFER, true),
                condition(POST_ADM, Entity.BUFFER, true, POST_ADM),
                initial());
    }

    Policy.Port port(double rate, boolean isPercent, List<Integer> queues) throws PolicyException {
        return new Policy.Port(
                name,
                rate,
                isPercent,
                queues,
                order(SCHED_PRIO, Entity.QUEUE),
                condition(POST_SCHED, Entity.PORT, false, POST_SCHED),
                selection(),
                initial());
    }

    private Policy.Initial initial() throws PolicyException {
        Policy.Initial standard = Policy.Initial.STANDARD;
        return new Policy.Initial(
                number(WEIGHT_ADM, standard.weightAdm()),
                number(WEIGHT_SCHED, standard.weightSched()),
                number(ADM_STATE, standard.admState()),
                number(SCHED_STATE, standard.schedState()));
    }

    private double number(String attribute, double otherwise) throws PolicyException {
        Checker.Attribute value = given.get(attribute);
        if (value == null) {
            return otherwise;
        }
        Double number =
                switch (value.value()) {
                    case Value.Initial(double said, _) -> said;
                    case Value.Named(Token constant, List<Token> arguments) ->
                            arguments.isEmpty()
                                    ? definitions.constants().get(constant.text())
                                    : null;
                    case Value.Inline _ -> null;
                };
        if (number == null) {
            throw value.place().error(attribute + " begins with a number");
        }
        return number;
    }

    /** A function's parameters and body. */
    private record Function(String name, List<String> parameters, Body body, Source.Place place) {}

    private @Nullable Function function(String attribute) throws PolicyException {
        Checker.Attribute value = given.get(attribute);
        if (value == null) {
            return null;
        }
        return switch (value.value()) {
            case Value.Inline(Body body, Source.Place place) ->
                    new Function(INLINE, List.of(), body, place);
            case Value.Initial(_, Source.Place place) ->
                    throw place.error(
                            "expected the name of a definition or inline{…}, found a number");
            case Value.Named(Token named, _) -> {
                Program.Definition definition = definitions.find(named.text());
                if (definition == null) {
                    throw named.error(
                            "there is no definition \"%s\"; there are %s",
                            named.text(), definitions.names());
                }
                yield new Function(
                        named.text(), definition.parameters(), definition.body(), named.place());
            }
        };
    }

    /** An error within a function that makes sense elsewhere is one of where it is used. */
    private static PolicyException doesNotFit(Function function, PolicyException e) {
        return function.name.equals(INLINE)
                ? e
                : function.place.error("\"%s\" does not fit here: %s", function.name, e.sentence());
    }

    private @Nullable Order order(String attribute, Entity of) throws PolicyException {
        Function function = function(attribute);
        if (function == null) {
            return null;
        }
        Scope scope = Scope.comparing(of, function.parameters, definitions.constants());
        if (function.body instanceof Body.Numeric(Expr expr) && function.parameters.isEmpty()) {
            Expr first = scope.expr(expr);
            return new Order(
                    function.name,
                    new Pred.Compare(Pred.Relation.GREATER, first, Order.swapped(first)));
        }
        if (function.body instanceof Body.Predicate(Pred pred) && function.parameters.size() == 2) {
            try {
                return new Order(function.name, scope.pred(pred));
            } catch (PolicyException e) {
                throw doesNotFit(function, e);
            }
        }
        throw function.place.error(
                "%s takes a comparator of two %ss, such as higher(a, b) = (a.%s > b.%s)",
                attribute,
                of == Entity.PACKET ? "packet" : "queue",
                of == Entity.PACKET ? "value" : "currSize",
                of == Entity.PACKET ? "value" : "currSize");
    }

    private List<Policy.Case> congestion(Entity of, boolean hasBuffer) throws PolicyException {
        Function function = function(CONGESTION);
        Checker.Attribute action = given.get(CONG_ACTION);
        if (function == null) {
            if (action != null) {
                throw action.place().error("congAction without a congestion that it is done in");
            }
            return List.of();
        }
        boolean isPredicate =
                function.body instanceof Body.Predicate && function.parameters.size() < 2;
        if (isPredicate && action == null) {
            throw function.place.error(
                    "this condition says what congestion is but not what to do: add congAction, or"
                            + " an action such as (…, drop(1))");
        }
        if (!isPredicate && action != null) {
            throw action.place().error("congAction with a condition that has actions of its own");
        }
        if (isPredicate && function.body instanceof Body.Predicate(Pred pred) && action != null) {
            Scope scope =
                    Scope.condition(of, hasBuffer, function.parameters, definitions.constants());
            return List.of(new Policy.Case(scope.pred(pred), routine(action)));
        }
        return condition(CONGESTION, of, hasBuffer, null);
    }

    /** The routines that figure 2.18 calls. */
    private static List<Action> routine(Checker.Attribute action) throws PolicyException {
        if (action.value() instanceof Value.Named(Token routine, List<Token> arguments)) {
            boolean hasNumber =
                    arguments.size() == 1 && arguments.getFirst().kind() == Token.Kind.NUMBER;
            List<Action> actions =
                    switch (routine.text()) {
                        case "drop_tail" -> {
                            double probability =
                                    hasNumber ? Double.parseDouble(arguments.getFirst().text()) : 1;
                            yield List.of(new Action.Drop(new Expr.Constant(probability)));
                        }
                        case "mark" -> List.of(new Action.Mark());
                        case "notify" -> List.of(new Action.Notify());
                        default -> List.of();
                    };
            if (!actions.isEmpty()) {
                return actions;
            }
        }
        throw action.place()
                .error("expected drop_tail, drop_tail(0.95), mark or notify as congAction");
    }

    private List<Policy.Case> condition(
            String attribute, Entity of, boolean hasBuffer, @Nullable String whyNoDrop)
            throws PolicyException {
        Function function = function(attribute);
        if (function == null) {
            return List.of();
        }
        if (!(function.body instanceof Body.Cases(List<Policy.Case> cases))
                || function.parameters.size() > 1) {
            throw function.place.error(
                    attribute
                            + " takes a condition with actions, such as full(q) ="
                            + " (q.currSize >= q.size, mark)");
        }
        try {
            return Scope.condition(of, hasBuffer, function.parameters, definitions.constants())
                    .cases(cases, whyNoDrop, function.place);
        } catch (PolicyException e) {
            throw doesNotFit(function, e);
        }
    }

    private @Nullable Expr selection() throws PolicyException {
        Function function = function(QUEUE_SELECT);
        if (function == null) {
            return null;
        }
        if (!(function.body instanceof Body.Numeric(Expr expr)) || function.parameters.size() > 1) {
            throw function.place.error(
                    "queueSelect takes the number of a queue, from 0 on, such as by_flow(p) ="
                            + " p.flow");
        }
        return Scope.selection(function.parameters, definitions.constants()).expr(expr);
    }
}
