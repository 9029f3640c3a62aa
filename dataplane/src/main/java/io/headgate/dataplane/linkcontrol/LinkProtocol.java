package io.headgate.dataplane.linkcontrol;

/**
 * A protocol at one port: what makes both its ends and the words between them. A port has a few, in
 * an order; each end is asked for once.
 */
public interface LinkProtocol {

    /** What the ingress half has of it. */
    LinkReceiver receiver();

    /** What the egress half has of it. */
    LinkSender sender();

    /** A protocol made of two existing ends. */
    static LinkProtocol of(LinkReceiver receiver, LinkSender sender) {
        record Ends(LinkReceiver receiver, LinkSender sender) implements LinkProtocol {}
        return new Ends(receiver, sender);
    }
}
