package io.headgate.dataplane.lldp;

import io.headgate.config.Addresses;
import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.frame.MacAddress;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An LLDP data unit: the part of a frame after its EtherType 0x88CC. A sequence of fields, each
 * with seven bits of type and nine of length before it: first chassis, port and time to live, in
 * this order, and at the end two zero bytes (IEEE 802.1AB-2016, clause 8). Only two of the fields
 * in between are read: the system's name and the PFC field of DCBX (IEEE 802.1Qaz, D.2.10).
 *
 * @param chassis a MAC address, or any text that names the far end
 * @param port port of the far end, usually an interface's name
 * @param timeToLiveSeconds time for which it is valid; 0: the far end goes away
 * @param systemName empty if the unit has none
 * @param pfcPriorities bits of the priorities with priority flow control; {@link #NOT_SAID}
 */
public record LldpUnit(
        String chassis, String port, int timeToLiveSeconds, String systemName, int pfcPriorities) {
    /** The far end does not send a PFC field. */
    public static final int NOT_SAID = -1;

    /** Maximum length of a unit that is read. */
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

    /**
     * The port could have PFC on all eight priorities, and is not willing to take the peer's
     * setting.
     */
    private static final int PFC_CAPABILITY = 8;

    /** IEEE 802.1, 00-80-C2, and its subtype for the configuration of ETS. */
    private static final int ETS_FIELD = 0x0080_C209;

    private static final int ETS_BYTES = 25;

    /** Priority i is traffic class i: four bits each, the first highest. */
    private static final int ETS_ASSIGNMENT = 0x0123_4567;

    private static final int ETS_STRICT = 0;
    private static final int ETS_SHARED = 2;
    private static final int PERCENT = 100;

    /** In network order. */
    private static final ValueLayout.OfShort FIELD_HEAD =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private static final int FIELD_HEAD_BYTES = 2;
    private static final int LENGTH_BITS = 9;
    private static final int LENGTH_MASK = (1 << LENGTH_BITS) - 1;

    /**
     * Writes a unit, with the port identified by its interface name and the switch by its address.
     */
    static byte[] write(
            long chassisMac,
            String port,
            int timeToLiveSeconds,
            String system,
            int pfcPriorities,
            List<Integer> weights) {
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
        if (weights.stream().anyMatch(weight -> weight != TrafficConfig.STRICT)) {
            ets(out, weights);
        }
        field(out, END, 0);
        return Arrays.copyOf(out.array(), out.position());
    }

    /**
     * How the priorities are served (IEEE 802.1Qaz, D.2.8): not willing to take the peer's setting.
     */
    private static void ets(ByteBuffer out, List<Integer> weights) {
        field(out, ORGANISATION, ETS_BYTES);
        // Eight traffic classes are written as 0.
        out.putInt(ETS_FIELD).put((byte) 0).putInt(ETS_ASSIGNMENT);
        for (int percent : percents(weights)) {
            out.put((byte) percent);
        }
        for (int weight : weights) {
            out.put((byte) (weight == TrafficConfig.STRICT ? ETS_STRICT : ETS_SHARED));
        }
    }

    /** Weights as whole percents, 100 in all, and at least 1 for each weight. */
    static int[] percents(List<Integer> weights) {
        double all = weights.stream().mapToInt(Integer::intValue).sum();
        int[] percents = new int[weights.size()];
        int left = PERCENT;
        for (int i = 0; i < percents.length; i++) {
            int floor = (int) (weights.get(i) * PERCENT / all);
            percents[i] = weights.get(i) == TrafficConfig.STRICT ? 0 : Math.max(1, floor);
            left -= percents[i];
        }
        // What rounding left or took: at each step where it is nearest to the exact share.
        for (int step = Integer.signum(left); left != 0; left -= step) {
            int best = -1;
            double most = Double.NEGATIVE_INFINITY;
            for (int i = 0; i < percents.length; i++) {
                double missing = step * (weights.get(i) * PERCENT / all - percents[i]);
                if (percents[i] + step > 0 && percents[i] > 0 && missing > most) {
                    most = missing;
                    best = i;
                }
            }
            percents[best] += step;
        }
        return percents;
    }

    private static void field(ByteBuffer out, int type, int bytes) {
        out.putShort((short) ((type << LENGTH_BITS) | bytes));
    }

    /**
     * Whether a unit is valid: the three mandatory fields come first, in their order and only once,
     * and no field goes beyond the end. Nothing is allocated.
     */
    static boolean isValid(MemorySegment segment, long at, int bytes) {
        long next = at;
        long end = at + bytes;
        int count = 0;
        for (; end - next >= FIELD_HEAD_BYTES; count++) {
            int head = segment.get(FIELD_HEAD, next);
            int type = (head & 0xFFFF) >>> LENGTH_BITS;
            int length = head & LENGTH_MASK;
            next += FIELD_HEAD_BYTES + length;
            boolean isFirst = count < TIME_TO_LIVE;
            boolean isInPlace = isFirst ? type == count + 1 : type == END || type > TIME_TO_LIVE;
            if (next > end || !isInPlace || (isFirst && length < 2)) {
                return false;
            }
            if (type == END) {
                return length == 0;
            }
        }
        // An end is not always said (IEEE 802.1AB-2016, 8.5.1): then it is the frame's.
        return next == end && count >= TIME_TO_LIVE;
    }

    /** Reads a unit; null if it is invalid. Unknown fields are skipped. */
    public static @Nullable LldpUnit parse(byte[] unit) {
        if (!isValid(MemorySegment.ofArray(unit), 0, unit.length)) {
            return null;
        }
        ByteBuffer in = ByteBuffer.wrap(unit);
        byte[] chassis = next(in);
        byte[] port = next(in);
        int seconds = ByteBuffer.wrap(next(in)).getShort() & 0xFFFF;
        String systemName = "";
        int pfcPriorities = NOT_SAID;
        while (in.remaining() >= FIELD_HEAD_BYTES) {
            int type = (in.getShort(in.position()) & 0xFFFF) >>> LENGTH_BITS;
            byte[] value = next(in);
            if (type == END) {
                break;
            }
            if (type == SYSTEM_NAME) {
                systemName = text(value, 0);
            } else if (type == ORGANISATION && isPfc(value)) {
                pfcPriorities = value[PFC_BYTES - 1] & 0xFF;
            }
        }
        return new LldpUnit(
                id(chassis, CHASSIS_MAC, CHASSIS_NETWORK_ADDRESS),
                id(port, PORT_MAC, PORT_NETWORK_ADDRESS),
                seconds,
                systemName,
                pfcPriorities);
    }

    private static byte[] next(ByteBuffer in) {
        byte[] value = new byte[in.getShort() & LENGTH_MASK];
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

    /**
     * A name for the user: UTF-8 without trailing zeros. It is shown in terminals, so characters
     * that move the cursor, break the line or are invisible are written as their numbers. Bytes
     * that are not text are shown in hexadecimal.
     */
    private static String text(byte[] value, int from) {
        int end = value.length;
        while (end > from && value[end - 1] == 0) {
            end--;
        }
        if (end == from) {
            return HexFormat.of().formatHex(value, from, value.length);
        }
        try {
            String said =
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(value, from, end - from))
                            .toString();
            StringBuilder shown = new StringBuilder();
            said.codePoints()
                    .forEach(point -> {
                        if (isVisible(point)) {
                            shown.appendCodePoint(point);
                        } else {
                            shown.append("\\u{").append(Integer.toHexString(point)).append('}');
                        }
                    });
            return shown.toString();
        } catch (CharacterCodingException notText) {
            return HexFormat.of().formatHex(value, from, value.length);
        }
    }

    private static boolean isVisible(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED ->
                    false;
            default -> true;
        };
    }
}
