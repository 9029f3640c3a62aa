package io.headgate.dataplane.linkcontrol;

import io.headgate.dataplane.memory.sync.PortBoard;

/**
 * What a link protocol is given, once.
 *
 * @param port its number
 * @param rateBps the port's line rate in bits per second
 * @param mtuBytes most bytes of payload of a frame
 * @param lossless mask of the lossless priorities
 * @param digest of the port's classification: equal at both ends of a link that classify alike
 * @param time what must be timed by when it happens asks it
 * @param relay to the mechanism at the other ports of the switch
 * @param board of what that shows and the other ports show: {@link LinkMechanism#boardWords}
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

    /** The same, with what leads to other ports. */
    public LinkSetup with(LinkRelay otherRelay, PortBoard otherBoard) {
        return new LinkSetup(
                port, rateBps, mtuBytes, lossless, digest, time, otherRelay, otherBoard);
    }
}
