package io.headgate.dataplane.linkcontrol;

import io.headgate.config.Mechanism;
import io.headgate.config.Mechanisms;
import io.headgate.dataplane.counter.CounterText;
import java.util.List;

/**
 * A mechanism of any kind whose ports have a protocol with the far ends of their links: declares
 * its counters and the room that it needs.
 *
 * @param <C> its configuration
 */
public interface LinkSpeaker<C extends Record> extends Mechanism<C> {

    /**
     * Counters of the receiving end of a port, in the order of {@link LinkReceiver#counted}. The
     * mechanism's name is put before the labels: {@code received} becomes {@code token.received}.
     */
    default List<CounterText> receiverCounters() {
        return List.of();
    }

    /** Counters of the sending end, in the order of {@link LinkSender#counted}. */
    default List<CounterText> senderCounters() {
        return List.of();
    }

    /** Maximum number of its own frames that a port has on their way: there is a slot for each. */
    default int frames(C configuration) {
        return USUAL_FRAMES;
    }

    /** Value of {@link #frames} for protocols that send only now and then. */
    int USUAL_FRAMES = 4;

    /**
     * Maximum number of records that wait from a port to each other one in its {@link LinkRelay};
     * 0: none.
     */
    default int relayed(C configuration) {
        return 0;
    }

    /**
     * Whether the sending end of a port passes records to other ports, instead of the receiving
     * end.
     */
    default boolean relaysFromSender() {
        return false;
    }

    /** Whether it also exists while it is off, and can be turned on. */
    default boolean isThereWhileOff() {
        return false;
    }

    /** Makes the protocol for a port. */
    LinkProtocol protocol(C configuration, boolean isOn, LinkSetup setup);

    /** Makes the protocol for a use of this mechanism. */
    default LinkProtocol protocolOf(Mechanisms.Use use, LinkSetup setup) {
        return protocol(of(use), use.isEnabled(), setup);
    }

    /**
     * Number of words that each port shows the others on its {@link
     * io.headgate.dataplane.memory.sync.PortBoard}, where the latest values count; 0: none. One end
     * writes them, one end reads them.
     */
    default int boardWords() {
        return 0;
    }
}
