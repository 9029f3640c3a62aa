package io.headgate.config;

import io.headgate.config.key.Codec;
import io.headgate.config.key.Codecs;
import io.headgate.config.key.Known;
import io.headgate.config.key.Place;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Addresses as text and back, also in a file. Names are never resolved. */
public final class Addresses {
    static final String PREFIXED_ALLOWED =
            "an IPv4 or IPv6 address with its prefix length, such as 10.0.0.1/24 or"
                    + " 2001:db8::1/64";
    static final String PLAIN_ALLOWED =
            "an IPv4 or IPv6 address, such as 10.0.1.2 or 2001:db8:1::2";
    static final String ENDPOINT_ALLOWED =
            "an IPv4 or IPv6 address, with a UDP port or without, such as 192.0.2.1,"
                    + " 192.0.2.1:4789 or [2001:db8::1]:4789";
    static final String MAC_ALLOWED = "six bytes in hexadecimal, such as \"02:00:00:00:00:01\"";

    /** UDP port of VXLAN (RFC 7348, section 8). */
    static final int VXLAN_PORT = 4789;

    private static final Pattern IPV4 =
            Pattern.compile("(0|[1-9][0-9]{0,2})(\\.(0|[1-9][0-9]{0,2})){3}");
    private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f:.]{2,45}");

    private Addresses() {}

    /** The address; null if the text is not one. IPv4 in dotted form only, IPv6 without scope. */
    public static @Nullable InetAddress address(String text) {
        boolean isIpv6 = text.indexOf(':') >= 0;
        if (!(isIpv6 ? IPV6 : IPV4).matcher(text).matches()) {
            return null;
        }
        try {
            InetAddress address = InetAddress.ofLiteral(text);
            // An IPv4-mapped IPv6 address would silently change family.
            return address instanceof Inet6Address == isIpv6 ? address : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /**
     * The address of 4 or 16 bytes.
     *
     * @throws IllegalArgumentException if there are more or fewer
     */
    public static InetAddress address(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(bytes.length + " bytes are not an address", e);
        }
    }

    static @Nullable InterfaceAddress withPrefix(String text) {
        int slash = text.indexOf('/');
        if (slash < 0 || text.length() - slash > 4 || text.length() - slash < 2) {
            return null;
        }
        InetAddress address = address(text.substring(0, slash));
        int length = digits(text.substring(slash + 1));
        if (address == null || length < 0 || length > bits(address)) {
            return null;
        }
        return new InterfaceAddress(address, length);
    }

    static @Nullable InetSocketAddress endpoint(String text) {
        String host = text;
        int port = VXLAN_PORT;
        boolean bracketed = text.startsWith("[");
        int colon = text.lastIndexOf(':');
        if (bracketed || (colon >= 0 && text.indexOf(':') == colon)) {
            int hostEnd = bracketed ? text.indexOf(']') : colon;
            if (hostEnd < 0) {
                return null;
            }
            host = text.substring(bracketed ? 1 : 0, hostEnd);
            String rest = text.substring(bracketed ? hostEnd + 1 : hostEnd);
            if (!rest.isEmpty()) {
                port = rest.startsWith(":") ? digits(rest.substring(1)) : -1;
            }
            if (bracketed && host.indexOf(':') < 0) {
                return null;
            }
        }
        InetAddress address = address(host);
        return address == null || port < 1 || port > 65535
                ? null
                : new InetSocketAddress(address, port);
    }

    private static int digits(String text) {
        if (text.isEmpty()
                || text.length() > 5
                || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return -1;
        }
        return Integer.parseInt(text);
    }

    /** Bits of an address of this family: 32 or 128. */
    public static int bits(InetAddress address) {
        return address.getAddress().length * 8;
    }

    public static boolean contains(InterfaceAddress network, InetAddress address) {
        return bits(network.address()) == bits(address)
                && Arrays.equals(
                        masked(network.address(), network.prefixLength()),
                        masked(address, network.prefixLength()));
    }

    public static boolean overlap(InterfaceAddress a, InterfaceAddress b) {
        return a.prefixLength() <= b.prefixLength()
                ? contains(a, b.address())
                : contains(b, a.address());
    }

    /** The network of an address: all bits behind the prefix are zero. */
    public static InterfaceAddress network(InterfaceAddress address) {
        try {
            return new InterfaceAddress(
                    InetAddress.getByAddress(masked(address.address(), address.prefixLength())),
                    address.prefixLength());
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of a wrong length", e);
        }
    }

    private static byte[] masked(InetAddress address, int prefixLength) {
        byte[] bytes = address.getAddress();
        for (int bit = prefixLength; bit < bytes.length * 8; bit++) {
            bytes[bit >> 3] &= (byte) ~(0x80 >> (bit & 7));
        }
        return bytes;
    }

    public static String format(InterfaceAddress address) {
        return format(address.address()) + "/" + address.prefixLength();
    }

    /** The address's text, with the UDP port unless it is VXLAN's. */
    public static String format(InetSocketAddress endpoint) {
        String host = format(endpoint.getAddress());
        if (endpoint.getPort() == VXLAN_PORT) {
            return host;
        }
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + endpoint.getPort();
    }

    /** The address's text; IPv6 in the form of RFC 5952, section 4. */
    public static String format(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (bytes.length == 4) {
            return address.getHostAddress();
        }
        int[] groups = new int[8];
        for (int i = 0; i < 8; i++) {
            groups[i] = ((bytes[2 * i] & 0xff) << 8) | (bytes[2 * i + 1] & 0xff);
        }
        int runStart = -1;
        int runLength = 1;
        for (int i = 0; i < 8; i++) {
            int end = i;
            while (end < 8 && groups[end] == 0) {
                end++;
            }
            if (end - i > runLength) {
                runStart = i;
                runLength = end - i;
            }
        }
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < 8; i++) {
            if (i == runStart) {
                out.append("::");
                i += runLength - 1;
            } else {
                boolean separated = out.isEmpty() || out.charAt(out.length() - 1) == ':';
                out.append(separated ? "" : ":").append(Integer.toHexString(groups[i]));
            }
        }
        return out.toString();
    }

    static long mac(String text) {
        return HexFormat.fromHexDigitsToLong(text.replace(":", ""));
    }

    /** The text of the low 48 bits. */
    public static String formatMac(long mac) {
        StringBuilder out = new StringBuilder();
        for (int shift = 40; shift >= 0; shift -= 8) {
            out.append(out.isEmpty() ? "" : ":")
                    .append(HexFormat.of().toHexDigits((byte) (mac >> shift)));
        }
        return out.toString();
    }

    // ---- in a file

    private static final InetAddress ANY = Objects.requireNonNull(address("0.0.0.0"));

    /** Base of the address codecs: checks a text by a pattern and then by a parser. */
    static class TextCodec<T> implements Codec<T> {
        private final String pattern;
        private final T nothing;
        private final Function<String, @Nullable T> parse;
        private final Function<T, String> format;

        TextCodec(
                String pattern,
                T nothing,
                Function<String, @Nullable T> parse,
                Function<T, String> format) {
            this.pattern = pattern;
            this.nothing = nothing;
            this.parse = parse;
            this.format = format;
        }

        @Override
        public final Map<String, Object> schema() {
            return Codecs.ordered("type", "string", "pattern", pattern);
        }

        @Override
        public final @Nullable T read(Place place, Known known) {
            T value = place.said() instanceof String text ? parse.apply(text) : null;
            if (value == null) {
                place.refuse();
            }
            return value;
        }

        @Override
        public final Object write(T value, Known known) {
            return format.apply(value);
        }

        @Override
        public final T nothing() {
            return nothing;
        }
    }

    /** An address with its prefix length. */
    static final class Prefixed extends TextCodec<InterfaceAddress> {
        Prefixed() {
            super(
                    "^[0-9A-Fa-f.:]+/[0-9]{1,3}$",
                    new InterfaceAddress(ANY, 0),
                    Addresses::withPrefix,
                    Addresses::format);
        }
    }

    /** An address. */
    static final class Plain extends TextCodec<InetAddress> {
        Plain() {
            super("^[0-9A-Fa-f.:]+$", ANY, Addresses::address, Addresses::format);
        }
    }

    /** An address with a UDP port, or without. */
    static final class Endpoint extends TextCodec<InetSocketAddress> {
        Endpoint() {
            super(
                    "^([0-9.]+(:[0-9]{1,5})?|[0-9A-Fa-f:.]+|\\[[0-9A-Fa-f:.]+\\](:[0-9]{1,5})?)$",
                    new InetSocketAddress(ANY, VXLAN_PORT),
                    Addresses::endpoint,
                    Addresses::format);
        }
    }

    /** A MAC address in the low 48 bits; -1 if the text is not one or it cannot be used. */
    static final class Mac extends TextCodec<Long> {
        Mac() {
            super(
                    "^[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){5}$",
                    -1L, Addresses::mac, Addresses::formatMac);
        }
    }
}
