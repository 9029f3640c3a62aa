package io.headgate.dataplane.forwarding;

import io.headgate.dataplane.Interleavings;
import io.headgate.dataplane.Interleavings.Scenario;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * The order in which a slot's words and its sequence number are written and read. A reader that
 * races any change on its way may find no entry, so the checks are that it never finds another
 * neighbour's address nor an older one than it saw, and that it finds the right one at rest. For
 * the memory model see {@link NeighbourTableStress}.
 */
final class NeighbourTableOrderTest {
    private static final int NEIGHBOURS = 3;
    private static final int PORT = 1;
    private static final long HIGH = 5;

    /** The other halves of three addresses whose place in a small table is the same. */
    static final long[] LOWS = samePlace();

    private static long[] samePlace() {
        NeighbourTable table = new NeighbourTable(4);
        long[] lows = new long[NEIGHBOURS];
        int found = 0;
        for (long low = 1; found < NEIGHBOURS; low++) {
            int slot = table.add(PORT, HIGH, low);
            table.remove(slot);
            if (slot == 0) {
                lows[found++] = low;
            }
        }
        return lows;
    }

    public static final class Table {
        private final NeighbourTable table = new NeighbourTable(4);
        private final long[] seen = new long[NEIGHBOURS];
        private long version;
        private boolean torn;

        /** Sets a neighbour's address to one that says whose it is and how new. */
        @Operation(nonParallelGroup = "owner")
        public void set(@Param(gen = IntGen.class, conf = "0:2") int neighbour) {
            int slot = find(neighbour);
            if (slot < 0) {
                slot = table.add(PORT, HIGH, LOWS[neighbour]);
            }
            table.setMac(slot, ++version << 8 | neighbour);
        }

        @Operation(nonParallelGroup = "owner")
        public void remove(@Param(gen = IntGen.class, conf = "0:2") int neighbour) {
            int slot = find(neighbour);
            if (slot >= 0) {
                table.remove(slot);
            }
        }

        @Operation(nonParallelGroup = "reader")
        public boolean lookup(@Param(gen = IntGen.class, conf = "0:2") int neighbour) {
            long mac = table.lookup(PORT, HIGH, LOWS[neighbour]);
            if (mac == NeighbourTable.NONE) {
                return true;
            }
            boolean sound = (mac & 0xFF) == neighbour && mac >= seen[neighbour];
            seen[neighbour] = mac;
            return sound;
        }

        /** As a person is shown them. */
        @Operation(nonParallelGroup = "reader")
        public boolean show() {
            torn = false;
            table.forEach(this::shown);
            return !torn;
        }

        private void shown(int port, long high, long low, long mac) {
            torn |= port != PORT || high != HIGH || (mac != 0 && low != LOWS[(int) mac & 0xFF]);
        }

        @Validate
        public void atRestAllIsFound() {
            for (int neighbour = 0; neighbour < NEIGHBOURS; neighbour++) {
                int slot = find(neighbour);
                long mac = slot < 0 ? NeighbourTable.NONE : table.mac(slot);
                if (table.lookup(PORT, HIGH, LOWS[neighbour]) != mac) {
                    throw new IllegalStateException("neighbour " + neighbour + " is not " + mac);
                }
            }
        }

        private int find(int neighbour) {
            return table.find(PORT, HIGH, LOWS[neighbour]);
        }
    }

    public static final class Sound {
        public void set(int neighbour) {}

        public void remove(int neighbour) {}

        public boolean lookup(int neighbour) {
            return true;
        }

        public boolean show() {
            return true;
        }
    }

    @Test
    void aReaderIsNeverToldAnotherNeighboursAddressNorAnOlderOne() {
        Interleavings.check(
                Table.class,
                Sound.class,
                new Scenario(
                        List.of("set 0"),
                        List.of("lookup 0", "lookup 1"),
                        List.of("remove 0", "set 1")),
                new Scenario(List.of("set 0"), List.of("show"), List.of("remove 0", "set 1")));
    }
}
