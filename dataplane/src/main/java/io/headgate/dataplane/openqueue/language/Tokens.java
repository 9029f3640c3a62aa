package io.headgate.dataplane.openqueue.language;

import java.util.List;

/** The words of a text, read one after the other. */
final class Tokens {
    private final List<Token> all;
    private int at;

    Tokens(List<Token> all) {
        this.all = all;
    }

    Token now() {
        return all.get(at);
    }

    /**
     * The token {@code distance} places after the present one; the last token if the text ends
     * before.
     */
    Token after(int distance) {
        return all.get(Math.min(at + distance, all.size() - 1));
    }

    void next() {
        at = Math.min(at + 1, all.size() - 1);
    }

    /** Skips a sign if it comes next; returns whether it did. */
    boolean skip(String sign) {
        if (!now().is(sign)) {
            return false;
        }
        next();
        return true;
    }

    void expect(String sign) throws PolicyException {
        if (!skip(sign)) {
            Token before = all.get(Math.max(0, at - 1));
            // What is missing at the end of a statement is missing there, not on the next line.
            throw (sign.equals(";") ? before.end() : now().place())
                    .error("expected \"" + sign + "\", found " + now().shown());
        }
    }

    Token name(String what) throws PolicyException {
        Token token = now();
        if (token.kind() != Token.Kind.NAME) {
            throw expected(what);
        }
        next();
        return token;
    }

    /** An error at the present word. */
    PolicyException expected(String what) {
        return now().error("expected " + what + ", found " + now().shown());
    }
}
