package io.headgate.dataplane.openqueue.language;

import io.headgate.dataplane.openqueue.language.Field.Entity;
import io.headgate.dataplane.openqueue.language.Program.Body;
import io.headgate.dataplane.openqueue.language.Program.Definition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The functions and constants of a file and its libraries, with unique names. */
final class Definitions {
    private static final int MOST_LIBRARIES = 32;

    private final Policy.Library library;
    private final Map<String, Definition> functions = new LinkedHashMap<>();
    private final Map<String, Double> constants = new LinkedHashMap<>();
    private final List<String> imported = new ArrayList<>();

    Definitions(Policy.Library library) {
        this.library = library;
    }

    Map<String, Double> constants() {
        return constants;
    }

    @Nullable Definition find(String name) {
        return functions.get(name);
    }

    String names() {
        return functions.isEmpty() ? "none" : String.join(", ", functions.keySet());
    }

    void add(Source source, Program program) throws PolicyException {
        imported.add(source.name());
        for (Program.Import each : program.imports()) {
            addLibrary(source, each);
        }
        for (Program.Constant constant : program.constants()) {
            requireNew(constant.name(), constant.place());
            constants.put(constant.name(), constant.value());
        }
        for (Definition definition : program.definitions()) {
            requireNew(definition.name(), definition.place());
            functions.put(definition.name(), definition);
        }
    }

    private void addLibrary(Source importer, Program.Import each) throws PolicyException {
        Source found = library.find(importer, each.name());
        if (found == null) {
            throw each.place().error("there is no library \"%s\"", each.name());
        }
        if (imported.contains(found.name())) {
            return;
        }
        if (imported.size() == MOST_LIBRARIES) {
            throw each.place().error("more than " + MOST_LIBRARIES + " libraries");
        }
        Program program = Parser.parse(found);
        if (!program.declarations().isEmpty()) {
            throw program.declarations()
                    .getFirst()
                    .place()
                    .error("a library has definitions only, no queues, buffers or ports");
        }
        add(found, program);
    }

    private void requireNew(String name, Source.Place place) throws PolicyException {
        if (functions.containsKey(name) || constants.containsKey(name)) {
            throw place.error("the name \"%s\" twice", name);
        }
        if (Entity.named(name) != null || name.equals("inline") || name.equals("import")) {
            throw place.error("\"%s\" is a word of the language", name);
        }
    }

    /** Checks all definitions, used or not: each must be valid for some use. */
    void checkAll() throws PolicyException {
        for (Definition definition : functions.values()) {
            check(definition);
        }
    }

    private void check(Definition definition) throws PolicyException {
        List<String> parameters = definition.parameters();
        switch (definition.body()) {
            case Body.Predicate(Pred pred) when parameters.size() == 2 -> {
                requireLight(pred.weight(), definition);
                try {
                    Scope.comparing(Entity.PACKET, parameters, constants).pred(pred);
                } catch (PolicyException notOfPackets) {
                    try {
                        Scope.comparing(Entity.QUEUE, parameters, constants).pred(pred);
                    } catch (PolicyException norOfQueues) {
                        throw pick(notOfPackets, norOfQueues);
                    }
                }
            }
            case Body.Predicate(Pred pred) -> {
                requireLight(pred.weight(), definition);
                Scope.condition(Entity.QUEUE, true, parameters, constants).pred(pred);
            }
            case Body.Numeric(_) when parameters.size() == 2 ->
                    throw definition
                            .place()
                            .error(
                                    "expected a comparison of %s and %s, found a number",
                                    parameters.get(0), parameters.get(1));
            case Body.Numeric(Expr expr) -> {
                requireLight(expr.weight(), definition);
                Scope.selection(parameters, constants).expr(expr);
            }
            case Body.Cases(List<Policy.Case> cases) -> {
                if (parameters.size() == 2) {
                    throw definition
                            .place()
                            .error("a condition has one parameter, or none; it is of one thing");
                }
                checkCases(definition, cases);
            }
        }
    }

    private void checkCases(Definition definition, List<Policy.Case> cases) throws PolicyException {
        for (Policy.Case each : cases) {
            requireLight(each.pred().weight(), definition);
        }
        PolicyException first = null;
        for (Entity of : List.of(Entity.QUEUE, Entity.BUFFER, Entity.PORT)) {
            try {
                Scope.condition(of, true, definition.parameters(), constants)
                        .cases(cases, null, definition.place());
                return;
            } catch (PolicyException e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }

    /** Picks the later of two errors in one text: the text made sense up to there. */
    private static PolicyException pick(PolicyException one, PolicyException other) {
        if (other.line() == one.line() && other.column() == one.column()) {
            return one.or(other);
        }
        boolean isLater =
                other.line() > one.line()
                        || (other.line() == one.line() && other.column() > one.column());
        return isLater ? other : one;
    }

    private static void requireLight(int weight, Definition definition) throws PolicyException {
        if (weight > Checker.MOST_WEIGHT) {
            throw definition.place().error("a function has at most %d parts", Checker.MOST_WEIGHT);
        }
    }
}
