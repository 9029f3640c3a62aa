package io.headgate.dataplane.congestion;

import io.headgate.dataplane.congestion.flows.FrameQuotes;
import io.headgate.dataplane.memory.Frame;

/**
 * Sends the notices of a congestion point to the sources of frames: ICMP messages to the source's
 * IP address, each with a quote of the frame that it is about, or frames to its MAC address. Their
 * sender is the switch's own address.
 */
public interface Notices {

    /** For a port that sends no notices. */
    Notices NONE = (frame, first, second) -> false;

    /**
     * Sends a notice to the source of a frame that waits in a queue of the port, or starts.
     *
     * @param first kind and value, as {@link io.headgate.dataplane.frame.Notice#first}
     * @param second sender's point and sequence, as {@link
     *     io.headgate.dataplane.frame.Notice#second}
     * @return false if there is no room or the frame has no source that can be notified; it is
     *     counted
     */
    boolean send(Frame frame, long first, long second);

    /**
     * As {@link #send(Frame, long, long)}, with details.
     *
     * @param details words of {@link io.headgate.dataplane.frame.Notice#DETAIL_BYTES}, or none
     */
    default boolean send(Frame frame, long first, long second, long[] details) {
        return send(frame, first, second);
    }

    /** Maximum number of words in a notice to a MAC address. */
    int BODY_WORDS = 16;

    /**
     * Sends a frame of an EtherType to the source MAC address of a frame, which need not be IP (for
     * example the congestion notification message of IEEE 802.1Qau). The notice leaves by the
     * ingress port of that frame, in its VLAN.
     *
     * @param body words behind the header, in network order; at most {@link #BODY_WORDS}
     * @return false if there is no room; it is counted
     */
    default boolean sendToMac(Frame frame, int etherType, long[] body) {
        return false;
    }

    /**
     * Number of notices left out so far because they exceed their share of their outgoing link; it
     * grows a moment after {@link #send}. A caller that notifies many sources should then begin
     * with others.
     */
    default long leftOut() {
        return 0;
    }

    /** As {@link #send(Frame, long, long, long[])}, about a frame that may have left. */
    default boolean send(FrameQuotes quotes, int place, long first, long second, long[] details) {
        return false;
    }
}
