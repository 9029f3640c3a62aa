package io.headgate.dataplane.forwarding;

import static io.headgate.dataplane.MemoryModelTest.TRIES;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.J_Result;

/** {@link NeighbourTable}'s sequence lock under compilers and processors that reorder. */
public final class NeighbourTableStress {
    private static final int PORT = 1;
    private static final long HIGH = 5;
    private static final long A = NeighbourTableOrderTest.LOWS[0];
    private static final long B = NeighbourTableOrderTest.LOWS[1];

    private NeighbourTableStress() {}

    /** A place that is emptied is not shown with some words of its neighbour. */
    @JCStressTest
    @Outcome(
            id = {"0", "7"},
            expect = ACCEPTABLE,
            desc = "not there, or whole")
    @Outcome(expect = FORBIDDEN, desc = "half an entry")
    @State
    public static class Shown {
        private final NeighbourTable table = new NeighbourTable(1);
        private final int slot = table.add(PORT, HIGH, A);
        private long shown;

        public Shown() {
            table.setMac(slot, 7);
        }

        @Actor
        public void owner() {
            table.remove(slot);
        }

        @Actor
        public void reader(J_Result mac) {
            mac.r1 = 7;
            for (int i = 0; i < TRIES && mac.r1 == 7; i++) {
                shown = 0;
                table.forEach(this::show);
                mac.r1 = shown;
            }
        }

        private void show(int port, long high, long low, long mac) {
            shown = port == PORT && high == HIGH && low == A ? mac : -1;
        }
    }

    /** A place that another neighbour gets never answers for both. */
    @JCStressTest
    @Outcome(
            id = {"-1", "7"},
            expect = ACCEPTABLE,
            desc = "its address, or gone")
    @Outcome(expect = FORBIDDEN, desc = "the address of the neighbour that has its place now")
    @State
    public static class Replaced {
        private final NeighbourTable table = new NeighbourTable(1);
        private final int slot = table.add(PORT, HIGH, A);

        public Replaced() {
            table.setMac(slot, 7);
        }

        @Actor
        public void owner() {
            table.remove(slot);
            table.setMac(table.add(PORT, HIGH, B), 8);
        }

        @Actor
        public void reader(J_Result mac) {
            mac.r1 = 7;
            for (int i = 0; i < TRIES && mac.r1 == 7; i++) {
                mac.r1 = table.lookup(PORT, HIGH, A);
            }
        }
    }
}
