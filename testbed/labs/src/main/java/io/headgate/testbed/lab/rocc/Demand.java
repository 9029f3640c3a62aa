package io.headgate.testbed.lab.rocc;

import java.util.List;
import java.util.Locale;

/** What flows towards the one receiver ask for, as shares of the line. */
public enum Demand {
    /** A flow from each of three hosts, all as much as there is. */
    UNIFORM(new Sender(1, 1), new Sender(2, 1), new Sender(3, 1)),

    /** As in figures 3.10 and 3.11: 10, 3 and 1 Gb/s on links of 10 Gb/s. */
    MIXED(new Sender(1, 1), new Sender(2, 0.3), new Sender(3, 0.1)),

    /** Three flows of one host, each limited by itself, together with those of two others. */
    ONE_HOST(
            new Sender(1, 1),
            new Sender(1, 1),
            new Sender(1, 1),
            new Sender(2, 1),
            new Sender(3, 1));

    /**
     * A flow.
     *
     * @param host number of the host that sends, from 1
     * @param share of the line rate that it asks for; 1: all that there is
     */
    public record Sender(int host, double share) {
        /** Whether it asks for more than it can get. */
        public boolean isGreedy() {
            return share == 1;
        }
    }

    /** Hosts that send; the receiver comes after them. */
    public static final int HOSTS = 3;

    @SuppressWarnings("ImmutableEnumChecker") // a list of records that List.of made
    private final List<Sender> senders;

    Demand(Sender... senders) {
        this.senders = List.of(senders);
    }

    /** As the command line writes it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** A flow each. */
    public List<Sender> senders() {
        return senders;
    }
}
