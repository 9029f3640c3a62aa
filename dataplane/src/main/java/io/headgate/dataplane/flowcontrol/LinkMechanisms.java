package io.headgate.dataplane.flowcontrol;

import io.headgate.config.MechanismRegistry;
import io.headgate.config.Mechanisms;
import io.headgate.config.PortConfig;
import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.CounterId;
import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.linkcontrol.LinkEnd;
import io.headgate.dataplane.linkcontrol.LinkProtocol;
import io.headgate.dataplane.linkcontrol.LinkSetup;
import io.headgate.dataplane.linkcontrol.LinkSpeaker;
import io.headgate.dataplane.memory.sync.PortBoard;
import io.headgate.dataplane.memory.sync.PortBoards;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The mechanisms of one port that exchange frames with the far end of its link: first its detour,
 * on or off, then the other enabled ones, in their order.
 */
public final class LinkMechanisms {
    record Joined<C extends Record>(LinkSpeaker<C> mechanism, Mechanisms.Use use) {

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
    }

    private final List<Joined<?>> joined = new ArrayList<>();

    private final Counted received;
    private final Counted sent;

    public LinkMechanisms(PortConfig port) {
        for (Mechanisms.Use use : port.mechanisms().uses()) {
            if (MechanismRegistry.find(use.kind(), use.name()) instanceof LinkSpeaker<?> speaker
                    && (use.isEnabled() || speaker.isThereWhileOff())) {
                joined.add(new Joined<>(speaker, use));
            }
        }
        received = new Counted(true);
        sent = new Counted(false);
    }

    /** Copies the counts of the receiving ends, or of the sending ends, into a counter block. */
    private final class Counted {
        private final boolean receive;

        // By mechanism: how many counters its end has.
        private final int[] each;

        // Totals that ends before these had reached; null until they publish.
        private long @Nullable [] before;

        Counted(boolean receive) {
            this.receive = receive;
            this.each = joined.stream().mapToInt(one -> counters(one, receive).size()).toArray();
        }

        void publish(LinkEnd[] ends, CounterBlock block) {
            if (before == null) {
                before = totals(block);
            }
            int at = 0;
            for (int i = 0; i < each.length; i++) {
                LinkEnd end = ends[ends.length - each.length + i];
                if (end.hasCounted()) {
                    for (int counter = 0; counter < each[i]; counter++) {
                        block.set(at + counter, before[at + counter] + end.counted(counter));
                    }
                }
                at += each[i];
            }
        }

        private long[] totals(CounterBlock block) {
            return counters(receive).stream()
                    .mapToLong(
                            id -> id.kind() == CounterId.Kind.TOTAL ? block.get(id.ordinal()) : 0)
                    .toArray();
        }
    }

    private static List<CounterText> counters(Joined<?> one, boolean receive) {
        return receive ? one.mechanism.receiverCounters() : one.mechanism.senderCounters();
    }

    boolean isEmpty() {
        return joined.isEmpty();
    }

    /**
     * The mechanisms' protocols, which reach the other ports of the switch by {@code relays} and
     * {@code boards}.
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

    /** Number of slots for the frames that they send. */
    public int slots() {
        return joined.stream().mapToInt(Joined::frames).sum();
    }

    List<Joined<?>> joined() {
        return joined;
    }

    /** Counters of their receiving ends, or of their sending ends; there may be none. */
    public List<CounterId> counters(boolean receive) {
        return CounterId.numbered(
                joined.stream()
                        .flatMap(one ->
                                counters(one, receive).stream().map(text -> text.of(one.name()))));
    }

    /**
     * Copies the counts of the receiving ends, or of the sending ends.
     *
     * @param ends ends of all protocols of the port; those of these mechanisms are the last
     */
    void publish(boolean receive, LinkEnd[] ends, CounterBlock block) {
        (receive ? received : sent).publish(ends, block);
    }
}
