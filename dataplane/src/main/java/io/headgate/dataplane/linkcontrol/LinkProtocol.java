package io.headgate.dataplane.linkcontrol;

/**
 * A link protocol at one port: supplies its two ends, which share words. A port has a few
 * protocols, in a fixed order; each end is requested once.
 */
public interface LinkProtocol {

    /** The receiving end, for the ingress half. */
    LinkReceiver receiver();

    /** The sending end, for the egress half. */
    LinkSender sender();

    /** A protocol made of two existing ends. */
    static LinkProtocol of(LinkReceiver receiver, LinkSender sender) {
        record Ends(LinkReceiver receiver, LinkSender sender) implements LinkProtocol {}
        return new Ends(receiver, sender);
    }
}
