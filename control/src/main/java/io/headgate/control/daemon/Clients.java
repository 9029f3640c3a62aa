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

    /** None yet. */
    public Clients(int most, int mostPerPeer) {
        this.most = most;
        this.mostPerPeer = mostPerPeer;
    }

    /**
     * Takes a connection in. Where that makes too many, another one ends: of the same peer if that
     * has too many, else of the peer that has most.
     *
     * @return false if all of these must stay, so that this one has no place
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

    /** A whole request of a client has come. */
    public void asked(Channel channel) {
        Client client = clients.get(channel);
        if (client != null) {
            client.hasAsked = true;
            client.lastUse = ++uses;
        }
    }

    /** Says whether a client's connection must stay: it waits for an answer, or has work going. */
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
