package io.headgate.dataplane.forwarding;

import io.headgate.dataplane.Interleavings;
import io.headgate.dataplane.Interleavings.Scenario;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/**
 * The order in which keys and entries are written and read, with addresses that want the same place
 * of the table. For the memory model see {@link ForwardingDatabaseStress}.
 */
final class ForwardingDatabaseOrderTest {
    /** Three addresses whose place in the smallest table is the same. */
    static final long[] KEYS = sameSlot(3);

    private static long[] sameSlot(int count) {
        long[] keys = new long[count];
        int found = 0;
        for (long key = ForwardingDatabase.key(1, 1); found < count; key++) {
            if (ForwardingDatabase.slotOf(key, 31) == ForwardingDatabase.slotOf(1, 31)) {
                keys[found++] = key;
            }
        }
        return keys;
    }

    public static final class Table {
        private final ForwardingDatabase table = new ForwardingDatabase(16);

        @Operation(nonParallelGroup = "owner")
        public boolean put(
                @Param(gen = IntGen.class, conf = "0:2") int address,
                @Param(gen = IntGen.class, conf = "1:4") int port) {
            return table.put(KEYS[address], port, false, port);
        }

        @Operation(nonParallelGroup = "owner")
        public void remove(@Param(gen = IntGen.class, conf = "0:2") int address) {
            table.remove(KEYS[address]);
        }

        /** Answers the port, or -1. */
        @Operation(nonParallelGroup = "reader")
        public int lookup(@Param(gen = IntGen.class, conf = "0:2") int address) {
            long entry = table.lookup(KEYS[address]);
            return entry == ForwardingDatabase.NONE ? -1 : ForwardingDatabase.port(entry);
        }
    }

    public static final class Ports {
        private final Map<Integer, Integer> ports = new TreeMap<>();

        public boolean put(int address, int port) {
            ports.put(address, port);
            return true;
        }

        public void remove(int address) {
            ports.remove(address);
        }

        public int lookup(int address) {
            return ports.getOrDefault(address, -1);
        }
    }

    @Test
    void aReaderSeesTheEntryBeforeOrAfterAChangeAndNeverThatOfAnotherAddress() {
        Interleavings.check(
                Table.class,
                Ports.class,
                // The reader's own goes and comes back, and another had its place in between.
                new Scenario(
                        List.of("put 0 1"),
                        List.of("lookup 0"),
                        List.of("remove 0", "put 1 2", "remove 1", "put 0 3")),
                // One that lies on the way to the reader's goes and comes back.
                new Scenario(
                        List.of("put 0 1", "put 1 2"),
                        List.of("lookup 1"),
                        List.of("remove 0", "put 0 3")));
    }
}
