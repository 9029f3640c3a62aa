package io.headgate.testbed.lab.policy;

import io.headgate.control.counters.CounterSnapshot;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.IngressCounter;
import io.headgate.testbed.netns.Iperf3;

/**
 * The progress of one flow's datagrams through the network: each number counts those that were left
 * at that point. The host's card and the switch count all frames; frames of the host that are not
 * of the flow, such as those of iperf3's own connection, are subtracted.
 *
 * @param host the host that sent them
 * @param sent datagrams given to its sender's socket
 * @param inCard taken in by its card, from the TAP
 * @param inSwitch taken in by the switch's port at the host, and handed on to another port
 * @param received given out by the receiver's socket
 */
public record Passage(String host, long sent, long inCard, long inSwitch, long received) {
    /**
     * From what was counted while a flow, its host's only one, ran.
     *
     * @param host its name
     * @param port the name of the switch's port at it
     * @param sentPackets by the host's kernel, the flow's and others
     */
    public static Passage of(
            Iperf3.Outcome flow,
            String host,
            String port,
            CounterSnapshot card,
            CounterSnapshot counters,
            long sentPackets) {
        long others = sentPackets - flow.datagrams();
        // Its name has the lab's prefix.
        String app =
                card.owners(Scope.INGRESS).stream()
                        .filter(side -> side.endsWith(".app"))
                        .findFirst()
                        .orElseThrow();
        long inCard = card.value(Scope.INGRESS, app, IngressCounter.FRAMES_RECEIVED);
        // Flooding makes copies, which are not frames that the host sent.
        long inSwitch =
                counters.value(Scope.INGRESS, port, IngressCounter.FRAMES_FORWARDED)
                        - counters.value(Scope.INGRESS, port, IngressCounter.FRAMES_COPIED);
        return new Passage(
                host,
                flow.datagrams(),
                inCard - others,
                inSwitch - others,
                flow.receivedDatagrams());
    }

    /** Lost anywhere. */
    public long lost() {
        return sent - received;
    }

    /** Lost in the host's kernel: its sockets, routing, queueing discipline, TAP. */
    public long lostInHost() {
        return sent - inCard;
    }

    /** Lost in the host's card, on the link, or where the switch takes frames in. */
    public long lostOnTheWay() {
        return inCard - inSwitch;
    }

    /** Lost in the queues of the port to the receiver, or behind them. */
    public long lostInQueues() {
        return inSwitch - received;
    }

    /** The part (0 to 1) that was lost in queues, of what came to them; 1 if nothing came. */
    public double partLostInQueues() {
        return inSwitch <= 0 ? 1 : (double) lostInQueues() / inSwitch;
    }
}
