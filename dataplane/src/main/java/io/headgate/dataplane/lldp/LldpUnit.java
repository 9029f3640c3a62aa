package io.headgate.dataplane.lldp;

import io.headgate.config.Addresses;
import io.headgate.dataplane.frame.MacAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * An LLDP data unit: what a frame has behind its EtherType 0x88CC. A row of fields, each with seven
 * bits of type and nine of length before it: chassis, port and time to live first, in this order,
 * and an end of two zero bytes (IEEE 802.1AB-2016, clause 8). Of the many that may come in between
 * the system's name and the PFC field of DCBX (IEEE 802.1Qaz, D.2.10) are read.
 *
 * @param chassis a MAC address, or whatever text names the far end
 * @param port of the far end, mostly an interface's name
 * @param timeToLiveSeconds for which it is to be believed; 0: the far end goes away
 * @param systemName empty if it is not said
 * @param pfcPriorities bits of those with priority flow control; {@link #NOT_SAID}
 */
public record LldpUnit(
        String chassis, String port, int timeToLiveSeconds, String systemName, int pfcPriorities) {
    /** Of PFC the far end says nothing. */
    public static final int NOT_SAID = -1;

    /** The longest that is read. */
    public static final int MAX_BYTES = 1500;

    private static final int END = 0;
    private static final int CHASSIS = 1;
    private static final int PORT = 2;
    private static final int TIME_TO_LIVE = 3;
    private static final int SYSTEM_NAME = 5;
    private static final int ORGANISATION = 127;

    private static final int CHASSIS_MAC = 4;
    private static final int CHASSIS_NETWORK_ADDRESS = 5;
    private static final int PORT_MAC = 3;
    private static final int PORT_NETWORK_ADDRESS = 4;
    private static final int PORT_INTERFACE_NAME = 5;

    private static final int FAMILY_IPV4 = 1;
    private static final int FAMILY_IPV6 = 2;

    /** IEEE 802.1, 00-80-C2, and its subtype for PFC. */
    private static final int PFC_FIELD = 0x0080_C20B;

    private static final int PFC_BYTES = 6;

    /** That the port could have PFC on all eight priorities; it is not willing to be told. */
    private static final int PFC_CAPABILITY = 8;

    private static final int LENGTH_BITS = 9;
    private static final int LENGTH_MASK = (1 << LENGTH_BITS) - 1;

    /** Writes one, of a port that is named by its interface and a switch named by its address. */
    static byte[] write(
            long chassisMac, String port, int timeToLiveSeconds, String system, int pfcPriorities) {
        byte[] portName = port.getBytes(StandardCharsets.UTF_8);
        byte[] systemName = system.getBytes(StandardCharsets.UTF_8);
        ByteBuffer out = ByteBuffer.allocate(MAX_BYTES);
        field(out, CHASSIS, 7);
        out.put((byte) CHASSIS_MAC).putShort((short) (chassisMac >>> 32)).putInt((int) chassisMac);
        field(out, PORT, 1 + portName.length);
        out.put((byte) PORT_INTERFACE_NAME).put(portName);
        field(out, TIME_TO_LIVE, 2);
        out.putShort((short) timeToLiveSeconds);
        field(out, SYSTEM_NAME, systemName.length);
        out.put(systemName);
        field(out, ORGANISATION, PFC_BYTES);
        out.putInt(PFC_FIELD).put((byte) PFC_CAPABILITY).put((byte) pfcPriorities);
        field(out, END, 0);
        return Arrays.copyOf(out.array(), out.position());
    }

    private static void field(ByteBuffer out, int type, int bytes) {
        out.putShort((short) ((type << LENGTH_BITS) | bytes));
    }

    /** Reads one; null if it is none, or cut short. What is unknown is passed over. */
    public static @Nullable LldpUnit parse(byte[] unit) {
        ByteBuffer in = ByteBuffer.wrap(unit);
        byte[] chassis = next(in, CHASSIS);
        byte[] port = next(in, PORT);
        byte[] live = next(in, TIME_TO_LIVE);
        if (chassis == null
                || port == null
                || live == null
                || chassis.length < 2
                || port.length < 2
                || live.length < 2) {
            return null;
        }
        String systemName = "";
        int pfcPriorities = NOT_SAID;
        while (in.remaining() >= 2) {
            int head = in.getShort() & 0xFFFF;
            int type = head >>> LENGTH_BITS;
            int bytes = head & LENGTH_MASK;
            if (bytes > in.remaining()) {
                return null;
            }
            if (type == END) {
                break;
            }
            byte[] value = new byte[bytes];
            in.get(value);
            if (type == SYSTEM_NAME) {
                systemName = text(value, 0);
            } else if (type == ORGANISATION && isPfc(value)) {
                pfcPriorities = value[PFC_BYTES - 1] & 0xFF;
            }
        }
        int seconds = ByteBuffer.wrap(live).getShort() & 0xFFFF;
        return new LldpUnit(
                id(chassis, CHASSIS_MAC, CHASSIS_NETWORK_ADDRESS),
                id(port, PORT_MAC, PORT_NETWORK_ADDRESS),
                seconds,
                systemName,
                pfcPriorities);
    }

    private static byte @Nullable [] next(ByteBuffer in, int wanted) {
        if (in.remaining() < 2) {
            return null;
        }
        int head = in.getShort() & 0xFFFF;
        int bytes = head & LENGTH_MASK;
        if (head >>> LENGTH_BITS != wanted || bytes > in.remaining()) {
            return null;
        }
        byte[] value = new byte[bytes];
        in.get(value);
        return value;
    }

    private static boolean isPfc(byte[] value) {
        return value.length >= PFC_BYTES && ByteBuffer.wrap(value).getInt() == PFC_FIELD;
    }

    private static String id(byte[] value, int mac, int networkAddress) {
        int subtype = value[0];
        if (subtype == mac && value.length == 7) {
            long high = ByteBuffer.wrap(value).getShort(1) & 0xFFFF;
            return MacAddress.format(
                    (high << 32) | (ByteBuffer.wrap(value).getInt(3) & 0xFFFF_FFFFL));
        }
        boolean isAddress =
                subtype == networkAddress
                        && ((value[1] == FAMILY_IPV4 && value.length == 6)
                                || (value[1] == FAMILY_IPV6 && value.length == 18));
        if (isAddress) {
            return Addresses.format(Addresses.address(Arrays.copyOfRange(value, 2, value.length)));
        }
        return text(value, 1);
    }

    /** What a neighbour says is shown in terminals: only letters, digits and the like. */
    private static String text(byte[] value, int from) {
        for (int at = from; at < value.length; at++) {
            if (value[at] < ' ' || value[at] > '~') {
                return HexFormat.of().formatHex(value, from, value.length);
            }
        }
        return new String(value, from, value.length - from, StandardCharsets.US_ASCII);
    }
}
