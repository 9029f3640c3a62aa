package io.headgate.control.capture;

import io.headgate.control.capture.FilterTerm.Name;
import io.headgate.control.capture.FilterTerm.Side;
import io.headgate.dataplane.frame.MacAddress;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads capture filters, see {@link CaptureFilter}. */
final class FilterReader {
    private static final String ALLOWED =
            "allowed are '[src|dst] host ADDRESS', '[src|dst] net ADDRESS/LENGTH', '[src|dst] port"
                    + " NUMBER', 'portrange FIRST-LAST', 'ether host MAC', ip, ip6, arp, udp, tcp,"
                    + " icmp, pause, pfc, 'vlan NUMBER', 'less BYTES', 'greater BYTES', joined by"
                    + " 'and', 'or', 'not' and parentheses";
    private static final int MOST_PORT = 65_535;
    private static final int MOST_VLAN = 4094;
    private static final int MOST_BYTES = 1 << 20;

    private static final Set<String> BEGINNINGS =
            Set.of(
                    "src",
                    "dst",
                    "host",
                    "net",
                    "port",
                    "portrange",
                    "ether",
                    "proto",
                    "vlan",
                    "less",
                    "greater",
                    "not");

    private final String text;
    private final List<String> words;
    private int at;

    private FilterReader(String text) {
        this.text = text;
        String apart =
                text.replaceAll("([()!])", " $1 ").replace("&&", " and ").replace("||", " or ");
        this.words = new ArrayList<>(Arrays.asList(apart.strip().split("\\s+", -1)));
    }

    static boolean isWord(String word) {
        String small = word.toLowerCase(Locale.ROOT);
        return small.startsWith("(")
                || small.startsWith("!")
                || BEGINNINGS.contains(small)
                || protocol(small) != null;
    }

    /** The filter; null for one without words, which keeps everything. */
    static @Nullable FilterTerm read(String text) throws CaptureException {
        FilterReader reader = new FilterReader(text);
        if (reader.words.size() == 1 && reader.words.getFirst().isEmpty()) {
            return null;
        }
        FilterTerm all = reader.terms();
        if (reader.at < reader.words.size()) {
            throw reader.bad(
                    "'" + reader.words.get(reader.at) + "' is where 'and' or 'or' is expected");
        }
        return all;
    }

    /**
     * A sequence of terms; {@code and} and {@code or} have the same rank, from left to right, as in
     * pcap-filter(7).
     */
    private FilterTerm terms() throws CaptureException {
        FilterTerm left = factor();
        while (true) {
            String joint = peek();
            if (!joint.equals("and") && !joint.equals("or")) {
                return left;
            }
            at++;
            if (at == words.size()) {
                throw bad("nothing follows the last '" + joint + "'");
            }
            FilterTerm right = factor();
            boolean isBoth = joint.equals("and");
            left = isBoth ? new FilterTerm.Both(left, right) : new FilterTerm.Either(left, right);
        }
    }

    private FilterTerm factor() throws CaptureException {
        return switch (peek()) {
            case "not", "!" -> {
                at++;
                yield new FilterTerm.Not(factor());
            }
            case "(" -> {
                at++;
                FilterTerm inner = terms();
                if (!peek().equals(")")) {
                    throw bad("a parenthesis is not closed");
                }
                at++;
                yield inner;
            }
            default -> primitive();
        };
    }

    private FilterTerm primitive() throws CaptureException {
        String word = next("a word");
        if (word.equals("proto")) {
            String name = next("'proto'");
            Name protocol = protocol(name);
            if (protocol == null) {
                throw bad("'" + name + "' is not a known protocol");
            }
            return new FilterTerm.Protocol(protocol);
        }
        Name protocol = protocol(word);
        if (protocol != null) {
            FilterTerm alone = new FilterTerm.Protocol(protocol);
            boolean qualifies =
                    switch (peek()) {
                        case "src", "dst", "host", "net", "port", "portrange" -> true;
                        default -> false;
                    };
            return qualifies ? new FilterTerm.Both(alone, primitive()) : alone;
        }
        if (word.equals("ether")) {
            Side side = side(peek());
            at += side == Side.EITHER ? 0 : 1;
            if (!peek().equals("host")) {
                throw bad("'ether' must be followed by 'host MAC'");
            }
            at++;
            return new FilterTerm.Mac(side, mac(next("'ether host'")));
        }
        Side side = side(word);
        return side == Side.EITHER ? unsided(word) : sided(side, next("'src' or 'dst'"));
    }

    private FilterTerm unsided(String word) throws CaptureException {
        return switch (word) {
            case "host", "net", "port", "portrange" -> sided(Side.EITHER, word);
            case "vlan" -> new FilterTerm.Vlan(vlan());
            case "less" -> new FilterTerm.Length(0, number(next("'less'"), MOST_BYTES));
            case "greater" ->
                    new FilterTerm.Length(number(next("'greater'"), MOST_BYTES), Integer.MAX_VALUE);
            default -> throw bad("'" + word + "' is not a known word");
        };
    }

    /** Reads the number behind {@code vlan}; any VLAN, if the next word continues the filter. */
    private int vlan() throws CaptureException {
        return switch (peek()) {
            case "", "and", "or", ")" -> -1;
            default -> number(next(""), MOST_VLAN);
        };
    }

    private FilterTerm sided(Side side, String word) throws CaptureException {
        return switch (word) {
            case "host" -> net(side, next("'host'"), false);
            case "net" -> net(side, next("'net'"), true);
            case "port" -> ports(side, next("'port'"));
            case "portrange" -> range(side, next("'portrange'"));
            default -> net(side, word, false);
        };
    }

    private FilterTerm net(Side side, String value, boolean isNet) throws CaptureException {
        int slash = value.indexOf('/');
        if (isNet && slash < 0) {
            throw bad("'" + value + "' is not a network, such as 10.0.0.0/8");
        }
        byte[] address;
        try {
            address = InetAddress.ofLiteral(isNet ? value.substring(0, slash) : value).getAddress();
        } catch (IllegalArgumentException e) {
            throw bad("'" + value + "' is not an IPv4 or IPv6 address");
        }
        int bits = address.length * Byte.SIZE;
        int length = isNet ? number(value.substring(slash + 1), bits) : bits;
        ByteBuffer bytes = ByteBuffer.wrap(address);
        if (bits == Integer.SIZE) {
            int mask = length == 0 ? 0 : -1 << (Integer.SIZE - length);
            return new FilterTerm.Net4(side, bytes.getInt(), mask);
        }
        return new FilterTerm.Net6(
                side,
                bytes.getLong(0),
                bytes.getLong(Long.BYTES),
                mask(Math.min(length, Long.SIZE)),
                mask(Math.max(0, length - Long.SIZE)));
    }

    private static long mask(int length) {
        return length == 0 ? 0 : -1L << (Long.SIZE - length);
    }

    private FilterTerm ports(Side side, String value) throws CaptureException {
        int port = number(value, MOST_PORT);
        return new FilterTerm.Ports(side, port, port);
    }

    private FilterTerm range(Side side, String value) throws CaptureException {
        int dash = value.indexOf('-');
        if (dash < 0) {
            throw bad("'" + value + "' is not a range, such as 5201-5210");
        }
        int first = number(value.substring(0, dash), MOST_PORT);
        return new FilterTerm.Ports(side, first, number(value.substring(dash + 1), MOST_PORT));
    }

    private long mac(String value) throws CaptureException {
        if (!value.matches("[0-9a-f]{2}([:-][0-9a-f]{2}){5}")) {
            throw bad("'" + value + "' is not a MAC address, such as 02:00:00:00:00:01");
        }
        return MacAddress.parse(value.replace('-', ':'));
    }

    private static Side side(String word) {
        return switch (word) {
            case "src" -> Side.SOURCE;
            case "dst" -> Side.DESTINATION;
            default -> Side.EITHER;
        };
    }

    private static @Nullable Name protocol(String word) {
        if (word.equals("icmp6")) {
            return Name.ICMP;
        }
        return Arrays.stream(Name.values())
                .filter(name -> name.name().toLowerCase(Locale.ROOT).equals(word))
                .findFirst()
                .orElse(null);
    }

    /** The next word in small letters; empty behind the last. */
    private String peek() {
        return at < words.size() ? words.get(at).toLowerCase(Locale.ROOT) : "";
    }

    private String next(String before) throws CaptureException {
        String word = peek();
        if (word.isEmpty() || word.equals(")")) {
            throw bad(before + " needs a value behind it");
        }
        at++;
        return word;
    }

    private int number(String value, int most) throws CaptureException {
        try {
            int number = Integer.parseInt(value);
            if (number >= 0 && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Said below, in the words of this filter.
        }
        throw bad("'" + value + "' is not a number from 0 to " + most);
    }

    private CaptureException bad(String what) {
        return new CaptureException("capture filter '" + text + "': " + what + "; " + ALLOWED);
    }
}
