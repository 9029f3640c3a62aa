package io.headgate.dataplane.congestion;

import io.headgate.dataplane.congestion.flows.FrameQuotes;
import io.headgate.dataplane.memory.Frame;

/**
 * Notices to the sources of frames, from a congestion point: ICMP messages to the source's IP
 * address, each of which quotes the frame that it is about, or frames to its MAC address. They
 * leave by the switch's own address.
 */
public interface Notices {

    /** For a port that sends no notices. */
    Notices NONE = (frame, first, second) -> false;

    /**
     * Has a notice sent to the source of a frame that waits in a queue of the port, or starts.
     *
     * @param first kind and value, as {@link io.headgate.dataplane.frame.Notice#first}
     * @param second sender's point and sequence, as {@link
     *     io.headgate.dataplane.frame.Notice#second}
     * @return false if there is no room or the frame has no source that can be notified; it is
     *     counted
     */
    boolean send(Frame frame, long first, long second);

    /**
     * As {@link #send(Frame, long, long)}, with more to say.
     *
     * @param details words of {@link io.headgate.dataplane.frame.Notice#DETAIL_BYTES}, or none
     */
    default boolean send(Frame frame, long first, long second, long[] details) {
        return send(frame, first, second);
    }

    /** Most words that a notice to a MAC address has. */
    int BODY_WORDS = 16;

    /**
     * Has a frame of an EtherType sent to the MAC address from which a frame came, which need not
     * be of IP (such as the congestion notification message of IEEE 802.1Qau). It leaves by the
     * port by which that came, in its VLAN.
     *
     * @param body what it has behind its header, in network order; at most {@link #BODY_WORDS}
     * @return false if there is no room; it is counted
     */
    default boolean sendToMac(Frame frame, int etherType, long[] body) {
        return false;
    }

    /**
     * Number of notices left out so far because they exceed their share of the link that they leave
     * by; it grows a moment after {@link #send}. A caller that notifies many sources should then
     * begin with others.
     */
    default long leftOut() {
        return 0;
    }

    /** As {@link #send(Frame, long, long, long[])}, about a frame that may have gone. */
    default boolean send(FrameQuotes quotes, int place, long first, long second, long[] details) {
        return false;
    }
}
