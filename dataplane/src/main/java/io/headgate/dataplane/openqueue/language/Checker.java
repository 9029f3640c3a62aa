package io.headgate.dataplane.openqueue.language;

import io.headgate.dataplane.openqueue.language.Field.Entity;
import io.headgate.dataplane.openqueue.language.Program.Assignment;
import io.headgate.dataplane.openqueue.language.Program.Declaration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Looks up all names of a program, and checks that each function fits its use. */
final class Checker {
    /**
     * Maximum weight of a comparator, so that it takes a small, constant time, as section 2.3.1
     * requires.
     */
    static final int MOST_WEIGHT = 200;

    private final Definitions definitions;
    private final Program program;

    /** What was declared, with the attributes that it was given. */
    private final Map<String, Thing> things = new LinkedHashMap<>();

    private Checker(Definitions definitions, Program program) {
        this.definitions = definitions;
        this.program = program;
    }

    static Policy check(Source source, Policy.Library library) throws PolicyException {
        Program program = Parser.parse(source);
        Definitions definitions = new Definitions(library);
        definitions.add(source, program);
        definitions.checkAll();
        return new Checker(definitions, program).policy();
    }

    /** Something declared, its number among its kind, and its attributes. */
    private record Thing(
            Declaration declaration, int number, double size, Map<String, Attribute> attributes) {}

    /** An assigned value, and its place in the text. */
    record Attribute(Program.Value value, Source.Place place) {}

    private Policy policy() throws PolicyException {
        int[] counts = new int[Entity.values().length];
        for (Declaration declaration : program.declarations()) {
            if (things.containsKey(declaration.name())
                    || definitions.find(declaration.name()) != null
                    || definitions.constants().containsKey(declaration.name())) {
                throw declaration.place().error("the name \"%s\" twice", declaration.name());
            }
            int number = counts[declaration.entity().ordinal()]++;
            requireFew(declaration, number);
            things.put(
                    declaration.name(),
                    new Thing(declaration, number, size(declaration), new LinkedHashMap<>()));
        }
        int[] bufferOf = owners(Entity.BUFFER, counts[Entity.QUEUE.ordinal()]);
        owners(Entity.PORT, counts[Entity.QUEUE.ordinal()]);
        for (Assignment assignment : program.assignments()) {
            assign(assignment);
        }
        List<Policy.Queue> queues = new ArrayList<>();
        List<Policy.Buffer> buffers = new ArrayList<>();
        List<Policy.Port> ports = new ArrayList<>();
        for (Thing thing : things.values()) {
            String name = thing.declaration.name();
            Attributes attributes = new Attributes(name, thing.attributes, definitions);
            switch (thing.declaration.entity()) {
                case QUEUE -> queues.add(attributes.queue(thing.size, bufferOf[thing.number]));
                case BUFFER ->
                        buffers.add(attributes.buffer(thing.size, numbers(thing.declaration)));
                case PORT ->
                        ports.add(
                                attributes.port(
                                        thing.size,
                                        thing.declaration.size() == null
                                                || thing.declaration.isPercent(),
                                        numbers(thing.declaration)));
                case PACKET -> throw thing.declaration.place().error("packets are not declared");
            }
        }
        return new Policy(queues, buffers, ports);
    }

    private static void requireFew(Declaration declaration, int number) throws PolicyException {
        boolean isBuffer = declaration.entity() == Entity.BUFFER;
        int most = isBuffer ? Policy.MOST_QUEUES : Policy.MOST_OF_ALL_PORTS;
        if (number >= most) {
            throw declaration
                    .place()
                    .error("a policy has at most %d of %s", most, declaration.entity().word());
        }
        if (declaration.entity() == Entity.PORT
                && declaration.queues().size() > Policy.MOST_QUEUES) {
            throw declaration.place().error("a port has at most %d queues", Policy.MOST_QUEUES);
        }
    }

    /** A size, or a port's rate: all of the line if none is said. */
    private double size(Declaration declaration) throws PolicyException {
        Token token = declaration.size();
        if (token == null) {
            return 100;
        }
        double size;
        if (token.kind() == Token.Kind.NUMBER) {
            size = Double.parseDouble(token.text());
        } else {
            Double constant = definitions.constants().get(token.text());
            if (constant == null) {
                throw token.error(
                        "expected a number or the name of a constant, found \"%s\"; a"
                                + " constant is declared as in B = 10000;",
                        token.text());
            }
            size = constant;
        }
        if (!(size > 0)) {
            throw token.error("a size or a rate is above 0");
        }
        return size;
    }

    /** For each queue, the number of the buffer or port that has it; −1 if none. */
    private int[] owners(Entity of, int queues) throws PolicyException {
        int[] owners = new int[queues];
        Arrays.fill(owners, -1);
        for (Thing thing : things.values()) {
            if (thing.declaration.entity() != of) {
                continue;
            }
            for (Token token : thing.declaration.queues()) {
                int queue = queue(token);
                if (owners[queue] >= 0) {
                    throw token.error("queue \"%s\" is in a %s already", token.text(), of.word());
                }
                owners[queue] = thing.number;
            }
        }
        return owners;
    }

    private List<Integer> numbers(Declaration declaration) throws PolicyException {
        List<Integer> numbers = new ArrayList<>();
        for (Token token : declaration.queues()) {
            numbers.add(queue(token));
        }
        return List.copyOf(numbers);
    }

    private int queue(Token token) throws PolicyException {
        Thing thing = things.get(token.text());
        if (thing == null || thing.declaration.entity() != Entity.QUEUE) {
            throw token.error("expected a queue, found \"%s\"", token.text());
        }
        return thing.number;
    }

    private void assign(Assignment assignment) throws PolicyException {
        Thing thing = things.get(assignment.object().text());
        if (thing == null) {
            throw assignment
                    .object()
                    .error("there is no queue, buffer or port \"%s\"", assignment.object().text());
        }
        Token word = assignment.attribute();
        String name = Attributes.canonical(thing.declaration.entity(), word.text());
        if (name == null) {
            throw word.error(
                    "expected an attribute of a %s (%s), found \"%s\"",
                    thing.declaration.entity().word().toLowerCase(Locale.ROOT),
                    Attributes.names(thing.declaration.entity()),
                    word.text());
        }
        requireOwnArgument(assignment);
        if (thing.attributes.put(name, new Attribute(assignment.value(), word.place())) != null) {
            throw word.error("%s.%s twice", assignment.object().text(), word.text());
        }
    }

    /** In q1.congestion = tailDrop(q1) the argument says nothing new, and must not say another. */
    private void requireOwnArgument(Assignment assignment) throws PolicyException {
        if (assignment.value() instanceof Program.Value.Named(_, List<Token> arguments)) {
            for (Token argument : arguments) {
                boolean isNumber = argument.kind() == Token.Kind.NUMBER;
                if (!isNumber && !argument.text().equals(assignment.object().text())) {
                    throw argument.error(
                            "expected \"%s\" or nothing: a function is of what it is assigned to",
                            assignment.object().text());
                }
            }
        }
    }
}
