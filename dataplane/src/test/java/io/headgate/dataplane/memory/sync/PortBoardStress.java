package io.headgate.dataplane.memory.sync;

import static io.headgate.dataplane.MemoryModelTest.TRIES;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.J_Result;

/** {@link PortBoard} under compilers and processors that reorder. */
public final class PortBoardStress {
    private PortBoardStress() {}

    /** Words of a port that shows others again and again. */
    @JCStressTest
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "each look was whole, or said that it was none")
    @Outcome(expect = FORBIDDEN, desc = "words of two times, or older ones than before")
    @State
    public static class Shown {
        private final PortBoard[] boards = PortBoard.between(2, 2);

        @Actor
        public void shows() {
            for (int time = 1; time <= TRIES; time++) {
                boards[0].put(0, time);
                boards[0].put(1, -time);
                boards[0].show();
            }
        }

        @Actor
        public void looks(J_Result answers) {
            PortBoard by = boards[1];
            long last = 0;
            for (int tries = 0; tries < TRIES; tries++) {
                if (by.look(0)) {
                    answers.r1 += by.get(0) == -by.get(1) && by.get(0) >= last ? 0 : 1;
                    last = by.get(0);
                }
            }
        }
    }
}
