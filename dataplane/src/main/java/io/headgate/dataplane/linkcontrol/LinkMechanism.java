package io.headgate.dataplane.linkcontrol;

/**
 * A mechanism that exchanges frames with the far end of a link. If the file {@code
 * META-INF/services/io.headgate.config.Mechanism} of its jar names it, it can be configured below
 * {@code link-control} of any port, in addition to the port's flow control.
 *
 * @param <C> its configuration
 */
public interface LinkMechanism<C extends Record> extends LinkSpeaker<C> {

    @Override
    default Kind kind() {
        return Kind.LINK_PROTOCOL;
    }

    /** Makes the protocol for a port. */
    LinkProtocol protocol(C configuration, LinkSetup setup);

    @Override
    default LinkProtocol protocol(C configuration, boolean isOn, LinkSetup setup) {
        return protocol(configuration, setup);
    }
}
