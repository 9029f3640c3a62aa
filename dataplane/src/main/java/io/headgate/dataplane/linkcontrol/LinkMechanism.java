package io.headgate.dataplane.linkcontrol;

import io.headgate.config.Mechanism;
import io.headgate.dataplane.counter.CounterText;
import java.util.List;

/**
 * A mechanism that speaks with the far end of a link: named in the file {@code
 * META-INF/services/io.headgate.config.Mechanism} of its jar, it can stand below {@code
 * link-control} of any port, beside the port's flow control.
 *
 * @param <C> its configuration
 */
public interface LinkMechanism<C extends Record> extends Mechanism<C> {

    @Override
    default Kind kind() {
        return Kind.LINK_PROTOCOL;
    }

    /**
     * What the receiving end of a port counts, as {@link LinkReceiver#counted}; labels are
     * completed by the mechanism's name before: {@code received} becomes {@code token.received}.
     */
    default List<CounterText> receiverCounters() {
        return List.of();
    }

    /** The same of the sending end, as {@link LinkSender#counted}. */
    default List<CounterText> senderCounters() {
        return List.of();
    }

    /** Frames of its own that a port may have on their way at a time: there is a slot for each. */
    default int frames(C configuration) {
        return USUAL_FRAMES;
    }

    /** {@link #frames} that do for what is sent now and then. */
    int USUAL_FRAMES = 4;

    /** Records that may wait from a port to each other one in its {@link LinkRelay}; 0: none. */
    default int relayed(C configuration) {
        return 0;
    }

    /**
     * Whether the sending end of a port hands records to other ports, and not the receiving end.
     */
    default boolean relaysFromSender() {
        return false;
    }

    /** Makes one for a port. */
    LinkProtocol protocol(C configuration, LinkSetup setup);
}
