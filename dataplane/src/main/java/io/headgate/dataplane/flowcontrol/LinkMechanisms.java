package io.headgate.dataplane.flowcontrol;

import io.headgate.config.MechanismRegistry;
import io.headgate.config.Mechanisms;
import io.headgate.config.PortConfig;
import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.CounterId;
import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.linkcontrol.LinkProtocol;
import io.headgate.dataplane.linkcontrol.LinkReceiver;
import io.headgate.dataplane.linkcontrol.LinkSender;
import io.headgate.dataplane.linkcontrol.LinkSetup;
import io.headgate.dataplane.linkcontrol.LinkSpeaker;
import io.headgate.dataplane.memory.sync.PortBoard;
import io.headgate.dataplane.memory.sync.PortBoards;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The mechanisms of one port that speak with the far end of its link: its detour, on or off, then
 * those that have joined and are on, in their order.
 */
public final class LinkMechanisms {
    private record Counter(int ordinal, CounterText text) implements CounterId {}

    /** A mechanism with its configuration. */
    private record Joined<C extends Record>(LinkSpeaker<C> mechanism, Mechanisms.Use use) {

        String name() {
            return mechanism.name();
        }

        LinkProtocol protocol(LinkSetup setup) {
            return mechanism.protocolOf(use, setup);
        }

        int frames() {
            return mechanism.frames(mechanism.of(use));
        }

        int relayed() {
            return mechanism.relayed(mechanism.of(use));
        }

        boolean relaysFromSender() {
            return mechanism.relaysFromSender();
        }
    }

    private final List<Joined<?>> joined = new ArrayList<>();

    // By mechanism: how many counters each end has.
    private final int[] ofReceivers;
    private final int[] ofSenders;

    // Totals that ends before these had reached; null until they publish.
    private long @Nullable [] receiversBefore;
    private long @Nullable [] sendersBefore;

    public LinkMechanisms(PortConfig port) {
        for (Mechanisms.Use use : port.mechanisms().uses()) {
            if (MechanismRegistry.find(use.kind(), use.name()) instanceof LinkSpeaker<?> speaker
                    && (use.isEnabled() || speaker.isThereWhileOff())) {
                joined.add(new Joined<>(speaker, use));
            }
        }
        ofReceivers = joined.stream().mapToInt(one -> counters(one, true).size()).toArray();
        ofSenders = joined.stream().mapToInt(one -> counters(one, false).size()).toArray();
    }

    private static List<CounterText> counters(Joined<?> one, boolean receive) {
        return receive ? one.mechanism.receiverCounters() : one.mechanism.senderCounters();
    }

    /** Whether the port has no link mechanisms. */
    boolean isEmpty() {
        return joined.isEmpty();
    }

    /**
     * Their protocols, which find the other ports of the switch by {@code relays} and {@code
     * boards}.
     */
    public List<LinkProtocol> protocols(LinkSetup setup, LinkRelays relays, PortBoards boards) {
        List<LinkProtocol> protocols = new ArrayList<>();
        int port = setup.port();
        for (Joined<?> one : joined) {
            LinkSpeaker<?> mechanism = one.mechanism;
            PortBoard board = boards.of(mechanism.id(), mechanism.boardWords(), port);
            protocols.add(one.protocol(setup.with(relays.of(one.name(), port), board)));
        }
        return protocols;
    }

    /** Slots for the frames that they send. */
    public int slots() {
        return joined.stream().mapToInt(Joined::frames).sum();
    }

    /** Where what mechanisms relay is shown. */
    interface Relayed {
        /**
         * A mechanism.
         *
         * @param most records that it hands to another port at a time
         */
        void accept(String name, int most, boolean fromSender);
    }

    void showRelayed(Relayed to) {
        joined.forEach(one -> to.accept(one.name(), one.relayed(), one.relaysFromSender()));
    }

    /** What their receiving ends count, or their sending ones; there may be nothing. */
    public List<CounterId> counters(boolean receive) {
        List<CounterId> ids = new ArrayList<>();
        for (Joined<?> one : joined) {
            for (CounterText text : counters(one, receive)) {
                ids.add(new Counter(ids.size(), text.of(one.name())));
            }
        }
        return ids;
    }

    private long[] totals(boolean receive, CounterBlock block) {
        List<CounterId> ids = counters(receive);
        long[] totals = new long[ids.size()];
        for (CounterId id : ids) {
            boolean isTotal = id.text().kind() == CounterId.Kind.TOTAL;
            totals[id.ordinal()] = isTotal ? block.get(id.ordinal()) : 0;
        }
        return totals;
    }

    /**
     * Copies what receiving ends have counted.
     *
     * @param ends of all protocols of the port, these being the last
     */
    public void publish(LinkReceiver[] ends, CounterBlock block) {
        if (receiversBefore == null) {
            receiversBefore = totals(true, block);
        }
        int at = 0;
        for (int i = 0; i < ofReceivers.length; i++) {
            LinkReceiver end = ends[ends.length - ofReceivers.length + i];
            if (end.hasCounted()) {
                for (int counter = 0; counter < ofReceivers[i]; counter++) {
                    block.set(at + counter, receiversBefore[at + counter] + end.counted(counter));
                }
            }
            at += ofReceivers[i];
        }
    }

    /** The same of sending ends. */
    public void publish(LinkSender[] ends, CounterBlock block) {
        if (sendersBefore == null) {
            sendersBefore = totals(false, block);
        }
        int at = 0;
        for (int i = 0; i < ofSenders.length; i++) {
            LinkSender end = ends[ends.length - ofSenders.length + i];
            if (end.hasCounted()) {
                for (int counter = 0; counter < ofSenders[i]; counter++) {
                    block.set(at + counter, sendersBefore[at + counter] + end.counted(counter));
                }
            }
            at += ofSenders[i];
        }
    }
}
