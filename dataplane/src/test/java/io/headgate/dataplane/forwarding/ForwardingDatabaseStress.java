package io.headgate.dataplane.forwarding;

import static io.headgate.dataplane.MemoryModelTest.TRIES;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** {@link ForwardingDatabase} under compilers and processors that reorder. */
public final class ForwardingDatabaseStress {
    private static final long A = ForwardingDatabaseOrderTest.KEYS[0];
    private static final long B = ForwardingDatabaseOrderTest.KEYS[1];

    private ForwardingDatabaseStress() {}

    private static int lookup(ForwardingDatabase table, long key) {
        long entry = table.lookup(key);
        return entry == ForwardingDatabase.NONE ? -1 : ForwardingDatabase.port(entry);
    }

    /** A reader that sees a key sees its entry. */
    @JCStressTest
    @Outcome(
            id = {"-1", "7"},
            expect = ACCEPTABLE,
            desc = "not yet, or its port")
    @Outcome(expect = FORBIDDEN, desc = "the key without its entry")
    @State
    public static class Added {
        private final ForwardingDatabase table = new ForwardingDatabase(16);

        @Actor
        public void owner() {
            table.put(A, 7, false, 0);
        }

        @Actor
        public void reader(I_Result port) {
            port.r1 = -1;
            for (int i = 0; i < TRIES && port.r1 == -1; i++) {
                port.r1 = lookup(table, A);
            }
        }
    }

    /** A reader that sees another key's entry sees that the place no longer has the first key. */
    @JCStressTest
    @Outcome(
            id = {"-1", "7"},
            expect = ACCEPTABLE,
            desc = "its port, or gone")
    @Outcome(expect = FORBIDDEN, desc = "the port of the address that has its place now")
    @State
    public static class Replaced {
        private final ForwardingDatabase table = new ForwardingDatabase(16);

        public Replaced() {
            table.put(A, 7, false, 0);
        }

        @Actor
        public void owner() {
            table.remove(A);
            table.put(B, 8, false, 0);
        }

        @Actor
        public void reader(I_Result port) {
            port.r1 = 7;
            for (int i = 0; i < TRIES && port.r1 == 7; i++) {
                port.r1 = lookup(table, A);
            }
        }
    }
}
