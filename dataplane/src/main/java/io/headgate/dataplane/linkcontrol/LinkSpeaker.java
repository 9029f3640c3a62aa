package io.headgate.dataplane.linkcontrol;

import io.headgate.config.Mechanism;
import io.headgate.config.Mechanisms;
import io.headgate.dataplane.counter.CounterText;
import java.util.List;

/**
 * A mechanism of any kind whose ports have a protocol with the far ends of their links: what it
 * counts, and what it needs room for.
 *
 * @param <C> its configuration
 */
public interface LinkSpeaker<C extends Record> extends Mechanism<C> {

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

    /** Whether it is there while it is off, too, and can be turned on. */
    default boolean isThereWhileOff() {
        return false;
    }

    /** Makes one for a port. */
    LinkProtocol protocol(C configuration, boolean isOn, LinkSetup setup);

    /** The same of a use of this mechanism. */
    default LinkProtocol protocolOf(Mechanisms.Use use, LinkSetup setup) {
        return protocol(of(use), use.isEnabled(), setup);
    }

    /**
     * Words that each port shows the others on its {@link
     * io.headgate.dataplane.memory.sync.PortBoard}, of which the latest count; 0: none. One end
     * shows them, one end looks.
     */
    default int boardWords() {
        return 0;
    }
}
