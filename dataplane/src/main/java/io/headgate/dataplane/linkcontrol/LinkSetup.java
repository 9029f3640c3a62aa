package io.headgate.dataplane.linkcontrol;

import io.headgate.dataplane.memory.sync.PortBoard;

/**
 * The parts that a link protocol receives once.
 *
 * @param port number of the port
 * @param rateBps the port's line rate in bits per second
 * @param mtuBytes maximum payload of a frame in bytes
 * @param lossless mask of the lossless priorities
 * @param digest digest of the port's classification: equal at both ends of a link that classify
 *     alike
 * @param time present time, for events that need their exact time
 * @param relay relay to the mechanism at the other ports of the switch
 * @param board words that this port and the other ports show: {@link LinkMechanism#boardWords}
 */
public record LinkSetup(
        int port,
        long rateBps,
        int mtuBytes,
        int lossless,
        long digest,
        PresentTime time,
        LinkRelay relay,
        PortBoard board) {

    /** The same setup with another relay and board. */
    public LinkSetup with(LinkRelay otherRelay, PortBoard otherBoard) {
        return new LinkSetup(
                port, rateBps, mtuBytes, lossless, digest, time, otherRelay, otherBoard);
    }
}
