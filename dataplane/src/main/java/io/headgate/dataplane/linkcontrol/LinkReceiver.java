package io.headgate.dataplane.linkcontrol;

import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.queue.Gate;
import java.lang.foreign.MemorySegment;

/**
 * The receiving end of a link protocol at a port: takes its frames, and tells the sending end what
 * the far end asks for and what to ask of the far end. Owned by the ingress half.
 *
 * <p>One protocol of a port at most counts blocks of data, as credits do: only that one is notified
 * of frames that come, are charged to an account and released.
 */
public non-sealed interface LinkReceiver extends LinkEnd {

    /**
     * The type of its frames, one of {@link io.headgate.dataplane.frame.EtherType#isLinkControl}.
     */
    default int etherType() {
        return EtherType.MAC_CONTROL;
    }

    /**
     * Whether a frame of that type is this protocol's.
     *
     * @param opcode the two bytes behind the type
     */
    boolean takes(int opcode);

    /**
     * Takes a frame, whatever is in it. Frames are given in the order in which they came, data
     * among them.
     *
     * @param receivedNs when it was taken in, no earlier than it arrived
     * @param frame where it begins in the segment
     * @param availableBytes of it that are there
     * @return whether the egress half of the port must be rung
     */
    boolean receive(long receivedNs, MemorySegment segment, long frame, int availableBytes);

    /**
     * Publishes the request for the far end, if it changed. Called after a batch, not within it:
     * all its frames have then been charged.
     *
     * @return whether the egress half of the port must be rung
     */
    default boolean publish(long nowNs, AccountsView accounts) {
        return false;
    }

    /** Whether slots that have come home may have changed what {@link #publish} says. */
    default boolean awaitsReturns(AccountsView accounts) {
        return false;
    }

    /** Frames, or parts of one, that changed nothing: malformed, damaged, repeated or late. */
    default long ignored() {
        return 0;
    }

    /** Frames that show that the far end is configured otherwise. */
    default long mismatches() {
        return 0;
    }

    // ---- the one that counts blocks

    /** The length of a block, as {@link Gate#blockShift}. */
    default int blockShift() {
        return Gate.WHOLE_FRAMES;
    }

    /** Notes that blocks of a priority have come, whatever becomes of them. */
    default void arrived(int priority, int blocks) {
        // It counts none.
    }

    /** Notes that frames of a priority, with {@code blocks} blocks in all, were charged. */
    default void charged(int priority, int frames, int blocks) {
        // It counts none.
    }

    /** Notes that frames of a priority were released. */
    default void released(int priority, int frames, int blocks) {
        // It counts none.
    }
}
