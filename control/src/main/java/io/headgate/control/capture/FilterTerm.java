package io.headgate.control.capture;

/** A part of a capture filter. Immutable. */
sealed interface FilterTerm {
    /** A protocol that has a name of its own. */
    enum Name {
        IP,
        IP6,
        ARP,
        UDP,
        TCP,
        ICMP,
        PAUSE,
        PFC
    }

    /** On which side of a frame an address or port is looked for. */
    enum Side {
        EITHER,
        SOURCE,
        DESTINATION;

        boolean source() {
            return this != DESTINATION;
        }

        boolean destination() {
            return this != SOURCE;
        }
    }

    record Both(FilterTerm one, FilterTerm other) implements FilterTerm {}

    record Either(FilterTerm one, FilterTerm other) implements FilterTerm {}

    record Not(FilterTerm one) implements FilterTerm {}

    record Protocol(Name name) implements FilterTerm {}

    /** Addresses whose bits under the mask are these. */
    record Net4(Side side, int address, int mask) implements FilterTerm {
        boolean has(int other) {
            return ((address ^ other) & mask) == 0;
        }
    }

    /** The same, in two halves. */
    record Net6(Side side, long high, long low, long highMask, long lowMask) implements FilterTerm {
        boolean has(long otherHigh, long otherLow) {
            return ((high ^ otherHigh) & highMask) == 0 && ((low ^ otherLow) & lowMask) == 0;
        }
    }

    record Mac(Side side, long address) implements FilterTerm {}

    record Ports(Side side, int first, int last) implements FilterTerm {
        boolean has(int port) {
            return port >= first && port <= last;
        }
    }

    /** A negative number: any. */
    record Vlan(int number) implements FilterTerm {}

    record Length(int least, int most) implements FilterTerm {}
}
