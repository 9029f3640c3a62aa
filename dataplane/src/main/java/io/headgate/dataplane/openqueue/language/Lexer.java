package io.headgate.dataplane.openqueue.language;

import java.util.ArrayList;
import java.util.List;

/** Splits a text into words; comments go from two slashes to the end of the line. */
final class Lexer {
    private static final List<String> TWO = List.of(":=", "<=", ">=", "==", "!=", "&&", "||");
    private static final String ONE = "()=,.;<>!+-*/%{}";

    private final Source source;
    private final String text;
    private int at;

    private Lexer(Source source) {
        this.source = source;
        this.text = source.text();
    }

    static List<Token> tokens(Source source) throws PolicyException {
        if (source.text().length() > Source.MOST_CHARACTERS) {
            throw source.at(0)
                    .error(
                            "%,d characters; a policy has at most %,d",
                            source.text().length(), Source.MOST_CHARACTERS);
        }
        Lexer lexer = new Lexer(source);
        List<Token> tokens = new ArrayList<>();
        do {
            tokens.add(lexer.next());
        } while (tokens.getLast().kind() != Token.Kind.END);
        return tokens;
    }

    private Token next() throws PolicyException {
        skipBlanks();
        int from = at;
        if (at == text.length()) {
            return token(Token.Kind.END, from);
        }
        char first = text.charAt(at);
        if (isLetter(first)) {
            while (at < text.length() && (isLetter(text.charAt(at)) || isDigit(text.charAt(at)))) {
                at++;
            }
            return token(Token.Kind.NAME, from);
        }
        if (isDigit(first)) {
            return number();
        }
        if (first == '"') {
            return string();
        }
        for (String sign : TWO) {
            if (text.startsWith(sign, at)) {
                at += 2;
                return token(Token.Kind.SIGN, from);
            }
        }
        if (text.startsWith("...", at) || first == '…') {
            throw source.at(at)
                    .error(
                            "\"...\" stands for repetition in the published listings and is not part"
                                    + " of the language; write each one out");
        }
        if (ONE.indexOf(first) < 0) {
            throw source.at(at).error("\"" + first + "\" is not a sign of the language");
        }
        at++;
        return token(Token.Kind.SIGN, from);
    }

    private void skipBlanks() {
        while (at < text.length()) {
            if (text.startsWith("//", at)) {
                int end = text.indexOf('\n', at);
                at = end < 0 ? text.length() : end;
            } else if (Character.isWhitespace(text.charAt(at))) {
                at++;
            } else {
                return;
            }
        }
    }

    private Token number() throws PolicyException {
        int from = at;
        digits();
        if (at + 1 < text.length() && text.charAt(at) == '.' && isDigit(text.charAt(at + 1))) {
            at++;
            digits();
        }
        if (at < text.length() && isLetter(text.charAt(at))) {
            throw source.at(at).error("a number ends here; a name does not begin with a digit");
        }
        if (at - from > 15) {
            throw source.at(from).error("a number of more than 15 digits");
        }
        return token(Token.Kind.NUMBER, from);
    }

    private void digits() {
        while (at < text.length() && isDigit(text.charAt(at))) {
            at++;
        }
    }

    private Token string() throws PolicyException {
        int from = at;
        int end = text.indexOf('"', at + 1);
        int line = text.indexOf('\n', at);
        if (end < 0 || (line >= 0 && line < end)) {
            throw source.at(from).error("this text is not closed: expected \" on the same line");
        }
        at = end + 1;
        return new Token(Token.Kind.STRING, text.substring(from + 1, end), source.at(from));
    }

    private Token token(Token.Kind kind, int from) {
        return new Token(kind, text.substring(from, at), source.at(from));
    }

    private static boolean isLetter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
