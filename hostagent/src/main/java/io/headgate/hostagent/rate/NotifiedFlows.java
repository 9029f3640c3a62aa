package io.headgate.hostagent.rate;

import io.headgate.dataplane.counter.NoticeCounter;

/** The flows of a host that notices can be about. */
@FunctionalInterface
public interface NotifiedFlows {

    /**
     * Finds the flow of which a packet is that this host has sent, and gives it a notice, by a
     * {@link NoticeLimit}.
     *
     * @param etherType IPv4 or IPv6
     * @param packet where a copy of its beginning is, in the memory of frames
     * @param bytes of it that are there: an IP header that holds together, and eight more
     * @param kind what the notice says, as {@link RateControl#notified}
     * @param origin who says so
     * @param value and how much
     * @return what is to be counted
     */
    NoticeCounter notified(
            long nowNs, int etherType, long packet, int bytes, int kind, long origin, long value);

    /**
     * Finds the flow of which a congestion notification packet is, and gives it what the packet
     * says, by a {@link NoticeLimit} and with {@link io.headgate.dataplane.frame.Cnp#KIND}.
     *
     * @param etherType IPv4 or IPv6
     * @param packet where its IP header is, in the memory of frames: from the flow's receiver, to
     *     this host
     * @param queuePair of this host, which sent what was marked
     * @param origin who says so
     * @param value as {@link NotificationPoint#value}
     * @return what is to be counted
     */
    default NoticeCounter congested(
            long nowNs, int etherType, long packet, int queuePair, long origin, long value) {
        return NoticeCounter.UNKNOWN_FLOW;
    }
}
