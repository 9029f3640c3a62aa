package io.headgate.control.daemon;

import io.netty.channel.Channel;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The connections to one server, bounded in total and per peer. A new connection replaces the one
 * whose last request is oldest, so connections that are held open without requests cannot keep
 * others out. Used only by the thread that serves them.
 */
public final class Clients {
    // First those that never asked, then by their last request.
    private static final Comparator<Client> LEAST_USED =
            Comparator.<Client, Boolean>comparing(client -> client.hasAsked)
                    .thenComparingLong(client -> client.lastUse);

    private final int most;
    private final int mostPerPeer;
    private final Map<Channel, Client> clients = new LinkedHashMap<>();
    private long uses;

    private static final class Client {
        private final Channel channel;
        private final Object peer;
        private boolean hasAsked;
        private long lastUse;
        private boolean isKept;

        Client(Channel channel, Object peer) {
            this.channel = channel;
            this.peer = peer;
        }
    }

    /** Starts without connections. */
    public Clients(int most, int mostPerPeer) {
        this.most = most;
        this.mostPerPeer = mostPerPeer;
    }

    /**
     * Admits a connection. If there are then too many, another one ends: one of the same peer if
     * that peer has too many, otherwise one of the peer that has most.
     *
     * @return false if all of these must stay, so that there is no place for this one
     */
    public boolean admit(Channel channel, Object peer) {
        Map<Object, Long> perPeer =
                clients.values().stream()
                        .collect(Collectors.groupingBy(one -> one.peer, Collectors.counting()));
        boolean isPeerFull = perPeer.getOrDefault(peer, 0L) >= mostPerPeer;
        if (isPeerFull || clients.size() >= most) {
            Object crowd =
                    isPeerFull
                            ? peer
                            : Collections.max(perPeer.entrySet(), Map.Entry.comparingByValue())
                                    .getKey();
            Optional<Client> leaving =
                    clients.values().stream()
                            .filter(one -> one.peer.equals(crowd) && !one.isKept)
                            .min(LEAST_USED);
            if (leaving.isEmpty()) {
                return false;
            }
            gone(leaving.get().channel);
            var _ = leaving.get().channel.close();
        }
        Client client = new Client(channel, peer);
        client.lastUse = ++uses;
        clients.put(channel, client);
        return true;
    }

    /** Notes that a whole request of a client has arrived. */
    public void asked(Channel channel) {
        Client client = clients.get(channel);
        if (client != null) {
            client.hasAsked = true;
            client.lastUse = ++uses;
        }
    }

    /**
     * Sets whether a client's connection must stay, because it waits for an answer or has work in
     * progress.
     */
    public void keep(Channel channel, boolean keep) {
        Client client = clients.get(channel);
        if (client != null) {
            client.isKept = keep;
        }
    }

    public void gone(Channel channel) {
        clients.remove(channel);
    }
}
