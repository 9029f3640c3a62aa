package io.headgate.dataplane.congestion;

import io.headgate.dataplane.memory.sync.PortBoard;
import io.headgate.dataplane.policy.QueueFields;
import io.headgate.dataplane.policy.StopView;
import io.headgate.dataplane.random.NamedRandom;

/**
 * What a congestion point receives once, when it is made. A point that will replace another is made
 * by a thread that does not own the two: until the first call of its methods the queues, the
 * notices and the generator are the other's.
 *
 * @param node the switch or card of the port
 * @param port its number
 * @param rateBps the port's line rate in bits per second
 * @param mtuBytes largest payload in bytes of a frame that leaves here
 * @param queues the queues of its port
 * @param stops which of them the far end has stopped
 * @param notices sends notices to sources; {@link Notices#NONE} at a host's card
 * @param board what it shows at its port, and what the mechanism's points show at the other ports
 *     of the switch, for example by {@link io.headgate.dataplane.memory.Frame#ingressPort}: {@link
 *     CongestionMechanism#boardWords}
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
     * What has the port.
     *
     * @param name a switch's, or a host's
     * @param isCard whether it is a host's card: its queues are those of the sender, and no part of
     *     the network
     */
    public record Node(String name, boolean isCard) {}

    /** Whether sources can be notified: not from a host's card. */
    @SuppressWarnings("ReferenceEquality") // there is one of it
    public boolean sendsNotices() {
        return notices != Notices.NONE;
    }
}
