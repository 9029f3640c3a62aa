package io.headgate.dataplane.memory;

import org.jspecify.annotations.Nullable;

/**
 * A frame, bound permanently to a slot of a {@link FrameRegion}. One owner at a time (a half, a
 * ring or a device) reads and writes its fields; the rings between halves publish them. Frames are
 * created at the start and reused: none is created while traffic flows.
 */
public final class Frame {
    /** Value of {@link #etherTypeOffset} and the other offsets if the header is absent. */
    public static final int ABSENT = -1;

    /** The region that the slot is in. */
    public final FrameRegion region;

    /** Number of this slot in the region. */
    public final int slot;

    /**
     * Address of the slot's first byte. Changed only by a device that passes memory on instead of
     * copying it, and gives the slot other memory of the same size (virtual links).
     */
    public long slotOffset;

    /** The slot's home: the half to which it belongs. Set once, when the half is built. */
    public int home = -1;

    /** One of {@link SlotPlace}, with the half that holds the slot there. */
    public int place = SlotPlace.FREE;

    /** Address of the frame's first byte (destination MAC). */
    public long dataOffset;

    /**
     * Length of the frame without FCS, in bytes; longer than the stored bytes if it stands for
     * several segments ({@link #segmentBytes}).
     */
    public int lengthBytes;

    /**
     * Number of stored bytes, all written by the creator of the frame, because the slot's memory
     * may hold another frame's bytes. The rest is zero by definition ({@code payload: elided}).
     */
    public int storedBytes;

    /**
     * For a frame that stands for several TCP segments: payload bytes per segment (the last may
     * have fewer); else 0. {@link #lengthBytes} is then their length on a wire, without the wire's
     * overhead of the first; {@link #storedBytes} is the length of the one frame with all their
     * payload. Written for each frame by a device that takes such frames, and never by other
     * devices.
     */
    public int segmentBytes;

    /** Account of the frame's home to which it is charged, and the charged bytes; 0 at home. */
    public int account;

    public int chargedBytes;

    /** Priority 0 to 7. */
    public int priority;

    /** VLAN of the frame inside the switch, and whether the bytes include a tag. */
    public int vlan;

    public boolean tagged;

    /** Bytes from the frame's start to its first EtherType that is not a tag, and that type. */
    public int etherTypeOffset;

    public int etherType;

    /** Bytes from the frame's start to the IP and transport headers; {@link #ABSENT} if none. */
    public int ipOffset;

    public int transportOffset;

    /** Hash of the flow, set at an egress port whose congestion points use it; else meaningless. */
    public int flowHash;

    /**
     * For the detour mechanism alone: when a frame arrives, the value of its detour header, or 0
     * for an ordinary frame; 0 again once it has left. Written only if ports have a detour.
     */
    public int detour;

    /** Number of its flow in the flow table of its egress port, from joining the queue on. */
    public int flow;

    /** Ingress port of the frame (set once, with its home), and its egress port. */
    public int ingressPort;

    public int egressPort;

    /** Number that a frame keeps from ingress to egress, for captures; 0: no number. */
    public long packetId;

    /**
     * Number of the queue that holds it; meaningful only if the queues are not one per priority.
     */
    public int queue;

    /**
     * Number of the frame in the order of arrival at its egress; meaningful only if the queues use
     * it.
     */
    public long arrival;

    /** Records of the ports on its path; null if no card reads them ({@link HopRecords}). */
    public @Nullable HopRecords hops;

    /**
     * Address of the record that its egress port will write; 0: none. Headers before the record may
     * move, but it does not. Used only by {@link #recordOwner}.
     */
    public long recordAt;

    /** The object that made room for the record, and may write it. */
    public @Nullable Object recordOwner;

    /** Next frame of the queue or list that holds this one. */
    public @Nullable Frame next;

    Frame(FrameRegion region, int slot, long slotOffset) {
        this.region = region;
        this.slot = slot;
        this.slotOffset = slotOffset;
        this.dataOffset = slotOffset + FrameRegion.HEADROOM_BYTES;
    }

    @Override
    public String toString() {
        return "frame[slot %d, home %d, %s, %d B]"
                .formatted(slot, home, SlotPlace.name(place), lengthBytes);
    }
}
