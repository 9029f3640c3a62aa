package io.headgate.dataplane.memory;

/** Where a slot is: exactly one of these at every moment, recorded in {@link Frame#place}. */
public final class SlotPlace {
    /** At home, free. */
    public static final byte FREE = 0;

    /** In the hands of the ingress half that is processing it. */
    public static final byte INGRESS = 1;

    /** In the receive side of its home's device (AF_XDP fill or receive ring). */
    public static final byte DEVICE_RECEIVE = 2;

    /** In a ring between halves, or handed to the local port. */
    public static final byte RING = 3;

    /** In an egress queue. */
    public static final byte QUEUE = 4;

    /** In the transmit side of a device (AF_XDP transmit or completion ring). */
    public static final byte DEVICE_TRANSMIT = 5;

    /** On its way home. */
    public static final byte RETURN = 6;

    private static final String[] NAMES = {
        "free",
        "ingress",
        "device receive",
        "ring",
        "egress queue",
        "device transmit",
        "return ring"
    };

    /** The number of places. */
    public static final int COUNT = NAMES.length;

    private SlotPlace() {}

    public static String name(byte place) {
        return NAMES[place];
    }
}
