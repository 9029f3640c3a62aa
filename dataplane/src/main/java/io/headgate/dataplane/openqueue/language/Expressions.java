package io.headgate.dataplane.openqueue.language;

import io.headgate.dataplane.openqueue.language.Program.Body;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parses the right side of a definition: predicates, numbers and cases. */
final class Expressions {
    /** Maximum nesting of parentheses; texts written by people stay below ten. */
    private static final int MOST_DEPTH = 50;

    private static final int MOST_CASES = 32;
    private static final int MOST_ACTIONS = 16;

    private final Tokens tokens;
    private int depth;
    private int comparisons;

    Expressions(Tokens tokens) {
        this.tokens = tokens;
    }

    /** Parses a number from its beginning. */
    double number() throws PolicyException {
        Token token = tokens.now();
        if (token.kind() != Token.Kind.NUMBER) {
            throw tokens.expected("a number");
        }
        tokens.next();
        return Double.parseDouble(token.text());
    }

    /** Parses a predicate, a number, or cases. */
    Body body() throws PolicyException {
        comparisons = 0;
        Body parenthesized = tokens.now().is("(") ? firstCase() : null;
        if (parenthesized != null) {
            return parenthesized;
        }
        if (isPredicate()) {
            Pred pred = pred();
            if (!tokens.skip(",")) {
                return new Body.Predicate(pred);
            }
            Token first = tokens.now();
            Policy.Case only = new Policy.Case(pred, actions());
            requireLight(only.weight(), first);
            return new Body.Cases(List.of(only));
        }
        return new Body.Numeric(expr());
    }

    /** Looks ahead: whether a relation comes before the next comma or the end. */
    private boolean isPredicate() {
        for (int i = 0; ; i++) {
            Token token = tokens.after(i);
            if (isOfPredicate(token)) {
                return true;
            }
            if (token.kind() == Token.Kind.END
                    || token.is(";")
                    || token.is("}")
                    || token.is("=")
                    || token.is(",")) {
                return false;
            }
        }
    }

    /** Whether no number has it. */
    private static boolean isOfPredicate(Token token) {
        String text = token.text();
        return token.isName("true")
                || token.isName("false")
                || (token.kind() == Token.Kind.SIGN
                        && (text.equals("<")
                                || text.equals(">")
                                || text.equals("!")
                                || (text.length() == 2 && !text.equals(":="))));
    }

    /** Cases, if the parenthesis here is that of one; else null, and nothing is read. */
    private @Nullable Body firstCase() throws PolicyException {
        if (!hasCommaInParenthesis()) {
            return null;
        }
        List<Policy.Case> cases = new ArrayList<>();
        int weight = 0;
        do {
            Token first = tokens.now();
            tokens.expect("(");
            Pred pred = pred();
            tokens.expect(",");
            List<Action> actions = actions();
            tokens.expect(")");
            cases.add(new Policy.Case(pred, actions));
            weight += cases.getLast().weight();
            requireLight(weight, first);
            if (cases.size() > MOST_CASES) {
                throw first.error("a condition has at most " + MOST_CASES + " cases");
            }
        } while (tokens.skip("."));
        return new Body.Cases(List.copyOf(cases));
    }

    /** As one function of the policy's class: small, whatever the cases are. */
    private static void requireLight(int weight, Token at) throws PolicyException {
        if (weight > Checker.MOST_WEIGHT) {
            throw at.error("a condition has at most " + Checker.MOST_WEIGHT + " parts in all");
        }
    }

    /** Whether the parenthesis that opens here directly contains a comma, not only a nested one. */
    private boolean hasCommaInParenthesis() {
        int open = 0;
        for (int i = 0; ; i++) {
            Token token = tokens.after(i);
            if (token.is("(")) {
                open++;
            } else if (token.is(")")) {
                open--;
            } else if (token.is(",") && open == 1) {
                return true;
            }
            if (open == 0 || token.kind() == Token.Kind.END || token.is(";")) {
                return false;
            }
        }
    }

    // ---- actions

    private List<Action> actions() throws PolicyException {
        List<Action> actions = new ArrayList<>();
        do {
            if (actions.size() == MOST_ACTIONS) {
                throw tokens.now().error("a case has at most " + MOST_ACTIONS + " actions");
            }
            actions.add(action());
        } while (tokens.skip("."));
        return List.copyOf(actions);
    }

    private Action action() throws PolicyException {
        for (String word : List.of("drop", "mark", "notify", "modify")) {
            if (tokens.now().isName(word)) {
                tokens.next();
                return switch (word) {
                    case "drop" -> new Action.Drop(probability());
                    case "mark" -> new Action.Mark();
                    case "notify" -> new Action.Notify();
                    default -> modify();
                };
            }
        }
        throw tokens.expected("an action: drop(…), mark, notify or modify(… := …)");
    }

    private Expr probability() throws PolicyException {
        if (!tokens.skip("(")) {
            return new Expr.Constant(1);
        }
        Expr probability = expr();
        tokens.expect(")");
        return probability;
    }

    private Action modify() throws PolicyException {
        tokens.expect("(");
        Expr target = path();
        tokens.expect(":=");
        Expr value = expr();
        tokens.expect(")");
        return new Action.Modify(target, value);
    }

    // ---- predicates

    private Pred pred() throws PolicyException {
        Pred left = conjunction();
        while (tokens.skip("||")) {
            left = new Pred.Or(left, conjunction());
        }
        return left;
    }

    private Pred conjunction() throws PolicyException {
        Pred left = simplePred();
        while (tokens.skip("&&")) {
            left = new Pred.And(left, simplePred());
        }
        return left;
    }

    private Pred simplePred() throws PolicyException {
        enter();
        try {
            if (++comparisons > Checker.MOST_WEIGHT) {
                throw tokens.now().error("more than " + Checker.MOST_WEIGHT + " predicates");
            }
            if (tokens.skip("!")) {
                return new Pred.Not(simplePred());
            }
            if (tokens.now().isName("true") || tokens.now().isName("false")) {
                boolean value = tokens.now().isName("true");
                tokens.next();
                return new Pred.Constant(value);
            }
            if (tokens.now().is("(") && isPredicateInParenthesis()) {
                tokens.expect("(");
                Pred pred = pred();
                tokens.expect(")");
                return pred;
            }
            Expr left = expr();
            Pred.Relation relation = relation();
            return new Pred.Compare(relation, left, expr());
        } finally {
            depth--;
        }
    }

    /** Whether the parenthesis that opens here holds a predicate, and not a number. */
    private boolean isPredicateInParenthesis() {
        int open = 0;
        for (int i = 0; ; i++) {
            Token token = tokens.after(i);
            if (token.is("(")) {
                open++;
            } else if (token.is(")")) {
                open--;
            } else if (isOfPredicate(token) || token.is(":=")) {
                return true;
            }
            if (open == 0 || token.kind() == Token.Kind.END || token.is(";")) {
                return false;
            }
        }
    }

    private Pred.Relation relation() throws PolicyException {
        for (Pred.Relation relation : Pred.Relation.values()) {
            if (tokens.skip(relation.sign())) {
                return relation;
            }
        }
        throw tokens.expected("<, <=, >, >=, == or !=");
    }

    // ---- numbers

    private Expr expr() throws PolicyException {
        Expr left = term();
        while (tokens.now().is("+") || tokens.now().is("-")) {
            char operator = tokens.now().text().charAt(0);
            tokens.next();
            left = deeper(new Expr.Arithmetic(operator, left, term()));
        }
        return left;
    }

    private Expr term() throws PolicyException {
        Expr left = factor();
        while (tokens.now().is("*") || tokens.now().is("/")) {
            char operator = tokens.now().text().charAt(0);
            tokens.next();
            left = deeper(new Expr.Arithmetic(operator, left, factor()));
        }
        return left;
    }

    /** A long chain of operators is as deep as nested parentheses are. */
    private Expr deeper(Expr expr) throws PolicyException {
        if (expr.weight() > Checker.MOST_WEIGHT) {
            throw tokens.now().error("an expression has at most " + Checker.MOST_WEIGHT + " parts");
        }
        return expr;
    }

    private Expr factor() throws PolicyException {
        enter();
        try {
            if (tokens.skip("(")) {
                Expr expr = expr();
                tokens.expect(")");
                return expr;
            }
            if (tokens.now().kind() == Token.Kind.NUMBER) {
                return new Expr.Constant(number());
            }
            return path();
        } finally {
            depth--;
        }
    }

    private Expr path() throws PolicyException {
        Token first = tokens.name("a number, a field such as currSize or p1.size, or \"(\"");
        List<String> names = new ArrayList<>(List.of(first.text()));
        boolean isOfHead = false;
        while (tokens.now().is(".") && tokens.after(1).kind() == Token.Kind.NAME) {
            tokens.next();
            Token name = tokens.name("a field");
            if (tokens.skip("(")) {
                tokens.expect(")");
                if (!name.isName("getHOL") || names.size() != 1) {
                    throw name.error(
                            "no function may be called here but getHOL(), as in"
                                    + " q1.getHOL().value");
                }
                isOfHead = true;
                if (!tokens.now().is(".")) {
                    throw tokens.expected("a field of the packet, as in q1.getHOL().value");
                }
            } else {
                names.add(name.text());
            }
            if (names.size() > 3) {
                throw name.error("a name has at most three parts, as in q.buffer.size");
            }
        }
        if (tokens.now().is("(")) {
            throw tokens.now()
                    .error(
                            "\"%s\" is called here; comparators and conditions call no functions",
                            first.text());
        }
        return new Expr.Path(names, isOfHead, first.place());
    }

    private void enter() throws PolicyException {
        if (++depth > MOST_DEPTH) {
            throw tokens.now().error("parentheses more than " + MOST_DEPTH + " deep");
        }
    }
}
