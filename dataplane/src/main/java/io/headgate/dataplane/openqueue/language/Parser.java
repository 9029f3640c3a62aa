package io.headgate.dataplane.openqueue.language;

import io.headgate.dataplane.openqueue.language.Program.Body;
import io.headgate.dataplane.openqueue.language.Program.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Parses the statements of a file by recursive descent: imports, constants, definitions,
 * declarations and assignments, distinguished by their first words.
 */
final class Parser {
    private static final int MOST_STATEMENTS = 1_000;

    private final Tokens tokens;
    private final Expressions expressions;

    private final List<Program.Import> imports = new ArrayList<>();
    private final List<Program.Constant> constants = new ArrayList<>();
    private final List<Program.Definition> definitions = new ArrayList<>();
    private final List<Program.Declaration> declarations = new ArrayList<>();
    private final List<Program.Assignment> assignments = new ArrayList<>();

    private Parser(Source source) throws PolicyException {
        tokens = new Tokens(Lexer.tokens(source));
        expressions = new Expressions(tokens);
    }

    static Program parse(Source source) throws PolicyException {
        Parser parser = new Parser(source);
        for (int count = 0; parser.tokens.now().kind() != Token.Kind.END; count++) {
            if (count == MOST_STATEMENTS) {
                throw parser.tokens
                        .now()
                        .error("a policy has at most " + MOST_STATEMENTS + " statements");
            }
            parser.statement();
        }
        return new Program(
                parser.imports,
                parser.constants,
                parser.definitions,
                parser.declarations,
                parser.assignments);
    }

    private void statement() throws PolicyException {
        Token first = tokens.now();
        if (first.isName("import")) {
            tokens.next();
            Token name = tokens.now();
            if (name.kind() != Token.Kind.STRING) {
                throw tokens.expected("a library's file in quotes, such as \"standard.oq\"");
            }
            tokens.next();
            tokens.skip(";");
            imports.add(new Program.Import(name.text(), name.place()));
            return;
        }
        Field.Entity type = Field.Entity.named(first.text());
        if (type != null && tokens.after(1).kind() == Token.Kind.NAME) {
            tokens.next();
            declaration(tokens.name("a name"), type);
            return;
        }
        Token name =
                tokens.name(
                        "a statement: import \"…\", q1 = Queue(…), q1.procPrio = …, or a definition"
                                + " such as fifo(p1, p2) = …");
        if (tokens.now().is("(")) {
            definition(name);
        } else if (tokens.now().is(".")) {
            assignment(name);
        } else if (tokens.now().is("=")) {
            if (tokens.after(1).kind() == Token.Kind.NUMBER) {
                constant(name);
            } else {
                declaration(name, null);
            }
        } else {
            throw tokens.expected("\"=\", \".\" or \"(\" after \"" + name.text() + "\"");
        }
    }

    private void constant(Token name) throws PolicyException {
        tokens.expect("=");
        constants.add(new Program.Constant(name.text(), expressions.number(), name.place()));
        tokens.expect(";");
    }

    // ---- q1 = Queue(1000);

    private void declaration(Token name, Field.@Nullable Entity type) throws PolicyException {
        tokens.expect("=");
        Token word = tokens.now();
        Field.Entity made = Field.Entity.named(word.text());
        if (made == null || made == Field.Entity.PACKET || word.kind() != Token.Kind.NAME) {
            throw tokens.expected("Queue(…), Buffer(…) or Port(…), or a number");
        }
        if (type != null && type != made) {
            throw tokens.expected(type.word() + "(…), as the declaration says");
        }
        tokens.next();
        tokens.expect("(");
        Token size = null;
        boolean isPercent = false;
        List<Token> queues = new ArrayList<>();
        if (made != Field.Entity.PORT || tokens.now().kind() == Token.Kind.NUMBER) {
            size = amount();
            isPercent = made == Field.Entity.PORT && tokens.skip("%");
            if (made != Field.Entity.QUEUE) {
                tokens.expect(",");
            }
        }
        if (made != Field.Entity.QUEUE) {
            do {
                queues.add(tokens.name("the name of a queue"));
            } while (tokens.skip(","));
        }
        tokens.expect(")");
        tokens.expect(";");
        declarations.add(
                new Program.Declaration(
                        made, name.text(), size, isPercent, List.copyOf(queues), name.place()));
    }

    private Token amount() throws PolicyException {
        Token token = tokens.now();
        if (token.kind() != Token.Kind.NUMBER && token.kind() != Token.Kind.NAME) {
            throw tokens.expected("a size: a number, or the name of a constant");
        }
        tokens.next();
        return token;
    }

    // ---- fifo(p1, p2) = (p1.arrival < p2.arrival)

    private void definition(Token name) throws PolicyException {
        tokens.expect("(");
        List<String> parameters = new ArrayList<>();
        while (!tokens.now().is(")")) {
            Token parameter = tokens.name("a parameter's name or \")\"");
            if (parameters.contains(parameter.text())) {
                throw parameter.error("the name \"%s\" twice", parameter.text());
            }
            if (parameters.size() == 2) {
                throw parameter.error("a third parameter; a function has at most two");
            }
            parameters.add(parameter.text());
            if (!tokens.skip(",")) {
                break;
            }
        }
        tokens.expect(")");
        tokens.expect("=");
        Body body = expressions.body();
        tokens.skip(";");
        definitions.add(
                new Program.Definition(name.text(), List.copyOf(parameters), body, name.place()));
    }

    // ---- q1.procPrio = fifo;

    private void assignment(Token object) throws PolicyException {
        tokens.expect(".");
        Token attribute = tokens.name("an attribute such as procPrio");
        tokens.expect("=");
        Value value = value();
        tokens.expect(";");
        assignments.add(new Program.Assignment(object, attribute, value));
    }

    private Value value() throws PolicyException {
        Token first = tokens.now();
        if (first.kind() == Token.Kind.NUMBER) {
            return new Value.Initial(expressions.number(), first.place());
        }
        if (first.isName("inline")) {
            tokens.next();
            tokens.expect("{");
            Body body = expressions.body();
            tokens.expect("}");
            return new Value.Inline(body, first.place());
        }
        Token name = tokens.name("the name of a definition, inline{…}, or a number");
        List<Token> arguments = new ArrayList<>();
        if (tokens.skip("(")) {
            while (!tokens.now().is(")")) {
                Token argument = tokens.now();
                if (argument.kind() != Token.Kind.NAME && argument.kind() != Token.Kind.NUMBER) {
                    throw tokens.expected("a name, a number or \")\"");
                }
                arguments.add(argument);
                tokens.next();
                if (!tokens.skip(",")) {
                    break;
                }
            }
            tokens.expect(")");
        }
        return new Value.Named(name, List.copyOf(arguments));
    }
}
