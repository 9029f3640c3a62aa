package io.headgate.dataplane.linkcontrol;

import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.queue.Gate;
import java.lang.foreign.MemorySegment;

/**
 * The receiving end of a link protocol at a port: receives its frames, and publishes to the sending
 * end the far end's requests and the requests for the far end. Owned by the ingress half.
 *
 * <p>At most one protocol of a port counts blocks of data, as credits do: only that one is notified
 * of frames that arrive, are charged to an account and released.
 */
public non-sealed interface LinkReceiver extends LinkEnd {

    /**
     * The EtherType of its frames, one of {@link
     * io.headgate.dataplane.frame.EtherType#isLinkControl}.
     */
    default int etherType() {
        return EtherType.MAC_CONTROL;
    }

    /**
     * Whether a frame of that type belongs to this protocol.
     *
     * @param opcode the two bytes behind the type
     */
    boolean takes(int opcode);

    /**
     * Handles a frame with any content. Frames come in the order of their arrival, also relative to
     * data.
     *
     * @param receivedNs time at which it was received, no earlier than its arrival
     * @param frame offset of the frame in the segment
     * @param availableBytes number of its bytes that are stored
     * @return whether the egress half of the port must be rung
     */
    boolean receive(long receivedNs, MemorySegment segment, long frame, int availableBytes);

    /**
     * Publishes the request for the far end, if it changed. Called after a batch, when all its
     * frames have been charged.
     *
     * @return whether the egress half of the port must be rung
     */
    default boolean publish(long nowNs, AccountsView accounts) {
        return false;
    }

    /** Whether slots that have come home may have changed what {@link #publish} publishes. */
    default boolean awaitsReturns(AccountsView accounts) {
        return false;
    }

    /** Number of frames, or parts of one, without effect: malformed, damaged, repeated or late. */
    default long ignored() {
        return 0;
    }

    /** Number of frames which show that the far end is configured differently. */
    default long mismatches() {
        return 0;
    }

    // ---- the one that counts blocks

    /** The length of a block, as {@link Gate#blockShift}. */
    default int blockShift() {
        return Gate.WHOLE_FRAMES;
    }

    /** Notes that blocks of a priority have come, even if they are dropped. */
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
