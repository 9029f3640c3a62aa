package io.headgate.dataplane.congestion;

import io.headgate.dataplane.memory.sync.PortBoard;
import io.headgate.dataplane.policy.QueueFields;
import io.headgate.dataplane.policy.StopView;
import io.headgate.dataplane.random.NamedRandom;

/**
 * What a congestion point is given, once. A point that is to take the place of another is made by
 * another thread than the one that owns both: until the first call of its methods the queues, the
 * notices and the generator are the other's.
 *
 * @param node what the port is a part of
 * @param port its number
 * @param rateBps the port's line rate in bits per second
 * @param mtuBytes most bytes of payload of a frame that leaves here
 * @param queues those of its port
 * @param stops which of them the far end has stopped
 * @param notices by which it tells sources; {@link Notices#NONE} at a host's card
 * @param board of what it shows at its port, and what the mechanism's points show at the other
 *     ports of the switch, by {@link io.headgate.dataplane.memory.Frame#ingressPort} for one:
 *     {@link CongestionMechanism#boardWords}
 * @param random its own generator, named by port and mechanism
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

    /** Whether there is a source that can be told: not at a host's card. */
    @SuppressWarnings("ReferenceEquality") // there is one of it
    public boolean sendsNotices() {
        return notices != Notices.NONE;
    }
}
