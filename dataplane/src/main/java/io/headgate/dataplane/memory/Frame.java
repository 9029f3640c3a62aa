package io.headgate.dataplane.memory;

import org.jspecify.annotations.Nullable;

/**
 * A frame, and the slot of the {@link FrameRegion} that it is bound to for good. One owner at a
 * time (a half, a ring or a device) reads and writes its fields; the rings between halves publish
 * them. Frames are made at the start and reused: none is created while traffic flows.
 */
public final class Frame {
    /** Value of {@link #etherTypeOffset} and friends where the header is absent. */
    public static final int ABSENT = -1;

    /** The region that the slot is in. */
    public final FrameRegion region;

    /** Number of this slot in the region. */
    public final int slot;

    /**
     * Address of the slot's first byte. Changed only by a device that hands memory on instead of
     * copying it, and then gives the slot other memory of its size (virtual links).
     */
    public long slotOffset;

    /** Half that the slot is at home in. Set once, when the half is built. */
    public int home = -1;

    /** One of {@link SlotPlace}, with the half that holds the slot there. */
    public int place = SlotPlace.FREE;

    /** Address of the frame's first byte (destination MAC). */
    public long dataOffset;

    /**
     * Length of the frame without FCS, in bytes; more than it has stored if it stands for several
     * segments ({@link #segmentBytes}).
     */
    public int lengthBytes;

    /**
     * Bytes of it that are stored, each written by who made the frame: the slot's memory may have
     * been another's. The rest is zero by definition ({@code payload: elided}).
     */
    public int storedBytes;

    /**
     * Not 0 of a frame that stands for several TCP segments: payload of each, the last one's apart.
     * {@link #lengthBytes} is then what they have on a wire, less what a wire adds to the first;
     * {@link #storedBytes} is the one frame with all their payload. Written by a device for each
     * frame, where it takes such frames; elsewhere never.
     */
    public int segmentBytes;

    /** Account at home that the frame is charged to, and what it was charged; 0 at home. */
    public int account;

    public int chargedBytes;

    /** Priority 0 to 7. */
    public int priority;

    /** VLAN the frame is in inside the switch; whether a tag is in the bytes. */
    public int vlan;

    public boolean tagged;

    /** Bytes from the frame's start to its first EtherType that is not a tag, and that type. */
    public int etherTypeOffset;

    public int etherType;

    /** Bytes from the frame's start to the IP and transport headers; {@link #ABSENT} if none. */
    public int ipOffset;

    public int transportOffset;

    /** Hash of the flow, at an egress port whose congestion points ask for it; else meaningless. */
    public int flowHash;

    /**
     * What a detour notes of the frame, the detour's alone: as it comes, what the header said that
     * it came with, and 0 of an ordinary one; 0 again once it has left. Written only where ports
     * have a detour.
     */
    public int detour;

    /** Number of its flow in the flow table of its egress port, from joining the queue on. */
    public int flow;

    /** Port the frame came in by (set once, with its home), and the port it leaves by. */
    public int ingressPort;

    public int egressPort;

    /** Number that a frame keeps from ingress to egress, for captures; 0: none given. */
    public long packetId;

    /**
     * Number of the queue that holds it, as its queues number them; meaningful only where they are
     * not one per priority.
     */
    public int queue;

    /**
     * Number that a frame was given when it came to its egress, in the order in which frames came
     * there; meaningful only where the queues ask for it.
     */
    public long arrival;

    /** What it knows of its way; null where no card takes that off ({@link HopRecords}). */
    public @Nullable HopRecords hops;

    /**
     * Where in memory a record for the port that it leaves by waits to be written; 0: nowhere.
     * Headers before it may move, but it does not. Means something to its owner alone.
     */
    public long recordAt;

    /** The object that made that room, and may write there. */
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
