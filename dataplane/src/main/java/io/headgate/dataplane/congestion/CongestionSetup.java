package io.headgate.dataplane.congestion;

import io.headgate.dataplane.memory.sync.PortBoard;
import io.headgate.dataplane.policy.QueueFields;
import io.headgate.dataplane.policy.StopView;
import io.headgate.dataplane.random.NamedRandom;

/**
 * The parts that a congestion point receives once, when it is made. A point that will replace
 * another is made by a thread that owns neither: until the first call of its methods the old point
 * uses the queues, the notices and the generator.
 *
 * @param node the switch or card of the port
 * @param port its number
 * @param rateBps the port's line rate in bits per second
 * @param mtuBytes largest payload in bytes of a frame that leaves here
 * @param queues the queues of its port
 * @param stops which of them the far end has stopped
 * @param notices sends notices to sources; {@link Notices#NONE} at a host's card
 * @param board words that it shows at its port, and those that the mechanism's points show at the
 *     other ports of the switch, for example at {@link
 *     io.headgate.dataplane.memory.Frame#ingressPort}; see {@link CongestionMechanism#boardWords}
 * @param random its own generator, named after port and mechanism
 */
public record CongestionSetup(
        Node node,
        int port,
        long rateBps,
        int mtuBytes,
        QueueFields queues,
        StopView stops,
        Notices notices,
        PortBoard board,
        NamedRandom random) {

    /**
     * The node that has the port.
     *
     * @param name name of the switch or the host
     * @param isCard whether it is a host's card: its queues belong to the sender, not to the
     *     network
     */
    public record Node(String name, boolean isCard) {}

    /** Whether sources can be notified: not from a host's card. */
    @SuppressWarnings("ReferenceEquality") // there is one of it
    public boolean sendsNotices() {
        return notices != Notices.NONE;
    }
}
