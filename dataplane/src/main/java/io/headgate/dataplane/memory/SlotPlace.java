package io.headgate.dataplane.memory;

/**
 * The place of a slot: exactly one of these at every moment, recorded in {@link Frame#place}
 * together with the half that holds it. Both are in one word, so that a half that searches a closed
 * device's rings for its slots never reads a partly written record of another half.
 */
public final class SlotPlace {
    /** At home, free. */
    public static final int FREE = 0;

    /** Held by the ingress half that processes it. */
    public static final int INGRESS = 1;

    /** In the receive side of its home's device (AF_XDP fill or receive ring). */
    public static final int DEVICE_RECEIVE = 2;

    /** In a ring between halves, or handed to the local port. */
    public static final int RING = 3;

    /** In an egress queue. */
    public static final int QUEUE = 4;

    /** In the transmit side of a device (AF_XDP transmit or completion ring). */
    public static final int DEVICE_TRANSMIT = 5;

    /** On its way home. */
    public static final int RETURN = 6;

    /** In the list of a flow whose rate is limited, before its host's card. */
    public static final int LIMITED = 7;

    private static final String[] NAMES = {
        "free",
        "ingress",
        "device receive",
        "ring",
        "egress queue",
        "device transmit",
        "return ring",
        "flow limiter"
    };

    /** The number of places. */
    public static final int COUNT = NAMES.length;

    private SlotPlace() {}

    /** A place, held by a half. */
    public static int heldBy(int kind, int half) {
        return (half << 8) | kind;
    }

    /** The kind of place, without its holder. */
    public static int kind(int place) {
        return place & 0xFF;
    }

    /** The half that holds it; the last bit tells which of a port's two halves it is. */
    public static int half(int place) {
        return place >>> 8;
    }

    public static String name(int place) {
        return NAMES[kind(place)];
    }
}
