package io.headgate.dataplane.linkcontrol;

/**
 * A mechanism that speaks with the far end of a link: named in the file {@code
 * META-INF/services/io.headgate.config.Mechanism} of its jar, it can be configured below {@code
 * link-control} of any port, in addition to the port's flow control.
 *
 * @param <C> its configuration
 */
public interface LinkMechanism<C extends Record> extends LinkSpeaker<C> {

    @Override
    default Kind kind() {
        return Kind.LINK_PROTOCOL;
    }

    /** Makes one for a port. */
    LinkProtocol protocol(C configuration, LinkSetup setup);

    @Override
    default LinkProtocol protocol(C configuration, boolean isOn, LinkSetup setup) {
        return protocol(configuration, setup);
    }
}
