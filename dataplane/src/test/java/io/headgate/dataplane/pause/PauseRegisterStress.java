package io.headgate.dataplane.pause;

import static io.headgate.dataplane.MemoryModelTest.TRIES;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IJJ_Result;

/** {@link PauseRegister} under compilers and processors that reorder. */
public final class PauseRegisterStress {
    private PauseRegisterStress() {}

    /** A reader that sees the version sees what was stored before it; nothing more follows. */
    @JCStressTest
    @Outcome(id = "1, 7, 8", expect = ACCEPTABLE, desc = "all of it")
    @Outcome(id = "0, .*, .*", expect = ACCEPTABLE, desc = "the version will come")
    @Outcome(expect = FORBIDDEN, desc = "the version without what it stands for")
    @State
    public static class Version {
        private final PauseRegister register = new PauseRegister();

        @Actor
        public void ingressHalf() {
            register.storeUntilOpaque(3, 7, 8);
            register.storeVersionRelease();
        }

        @Actor
        public void egressHalf(IJJ_Result seen) {
            for (int i = 0; i < TRIES && seen.r1 == 0; i++) {
                seen.r1 = register.loadVersionAcquire();
            }
            seen.r2 = register.loadUntilOpaque(3);
            seen.r3 = register.loadPausesReceivedOpaque(3);
        }
    }
}
