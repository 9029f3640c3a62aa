package io.headgate.hostagent.rate;

import io.headgate.dataplane.counter.NoticeCounter;

/** The flows of a host to which arriving notices can apply. */
@FunctionalInterface
public interface NotifiedFlows {

    /**
     * Finds the flow of a packet that this host has sent, and gives it a notice, within its {@link
     * NoticeLimit}.
     *
     * @param etherType IPv4 or IPv6
     * @param packet address of a copy of the packet's beginning, in the memory of frames
     * @param bytes length of the copy: a valid IP header and eight more
     * @param kind kind of the notice, as {@link RateControl#notified}
     * @param origin the congestion point that sent it
     * @param value its value
     * @return the counter to increment
     */
    NoticeCounter notified(
            long nowNs, int etherType, long packet, int bytes, int kind, long origin, long value);

    /**
     * Finds the flow of a congestion notification packet, and gives it the packet's content, within
     * its {@link NoticeLimit} and with {@link io.headgate.dataplane.frame.Cnp#KIND}.
     *
     * @param etherType IPv4 or IPv6
     * @param packet address of its IP header, in the memory of frames: from the flow's receiver, to
     *     this host
     * @param queuePair the queue pair of this host that sent the marked packets
     * @param origin the sender of the packet
     * @param value as {@link NotificationPoint#value}
     * @return the counter to increment
     */
    default NoticeCounter congested(
            long nowNs, int etherType, long packet, int queuePair, long origin, long value) {
        return NoticeCounter.UNKNOWN_FLOW;
    }
}
