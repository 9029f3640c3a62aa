package io.headgate.dataplane.frame;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** MAC addresses as the low 48 bits of a {@code long}, the first byte on the wire highest. */
public final class MacAddress {
    public static final long BROADCAST = 0xFFFF_FFFF_FFFFL;

    /** Destination of MAC control frames, 01-80-C2-00-00-01 (IEEE 802.3 Annex 31B). */
    public static final long MAC_CONTROL = 0x0180_C200_0001L;

    /** Nearest bridge, 01-80-C2-00-00-0E: the destination of LLDP (IEEE 802.1AB). */
    public static final long NEAREST_BRIDGE = 0x0180_C200_000EL;

    /** Nearest non-TPMR bridge, 01-80-C2-00-00-03 (IEEE 802.1AB). */
    public static final long NEAREST_NON_TPMR_BRIDGE = 0x0180_C200_0003L;

    /** Nearest customer bridge, 01-80-C2-00-00-00 (IEEE 802.1AB). */
    public static final long NEAREST_CUSTOMER_BRIDGE = 0x0180_C200_0000L;

    private static final long RESERVED_PREFIX = 0x0180_C200_000L;
    private static final long GROUP_BIT = 1L << 40;
    private static final Pattern TEXT =
            Pattern.compile("\\p{XDigit}{2}([:-])\\p{XDigit}{2}(\\1\\p{XDigit}{2}){4}");

    private MacAddress() {}

    /** Whether it is a multicast or the broadcast address. */
    public static boolean isGroup(long mac) {
        return (mac & GROUP_BIT) != 0;
    }

    /** Whether it is one of 01-80-C2-00-00-0X, which no bridge forwards (IEEE 802.1Q 8.6.3). */
    public static boolean isLinkLocalReserved(long mac) {
        return mac >>> 4 == RESERVED_PREFIX;
    }

    /** Whether it can be a frame's source address: not a group address, and not zero. */
    public static boolean isValidSource(long mac) {
        return (mac & GROUP_BIT) == 0 && mac != 0;
    }

    /** The usual text form: {@code 02:00:00:00:00:2a}. */
    public static String format(long mac) {
        byte[] bytes = ByteBuffer.allocate(Long.BYTES).putLong(mac).array();
        return HexFormat.ofDelimiter(":").formatHex(bytes, 2, bytes.length);
    }

    /**
     * Reads {@code 02:00:00:00:00:2a} or {@code 02-00-00-00-00-2A}.
     *
     * @throws IllegalArgumentException with a sentence for the user, if the text is neither
     */
    public static long parse(String text) {
        if (!TEXT.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "'"
                            + text
                            + "' is not a MAC address; write six bytes in hexadecimal,"
                            + " such as 02:00:00:00:00:2a.");
        }
        return Long.parseLong(text.replaceAll("[:-]", ""), 16);
    }
}
