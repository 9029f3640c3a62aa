package io.headgate.dataplane.credit;

import static io.headgate.dataplane.MemoryModelTest.TRIES;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.headgate.config.FlowControlConfig.Credits;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.IZ_Result;

/** {@link CreditRegister} under compilers and processors that reorder. */
public final class CreditRegisterStress {
    private CreditRegisterStress() {}

    /** A reader that sees the version sees the limit that was stored before it. */
    @JCStressTest
    @Outcome(id = "1, 7", expect = ACCEPTABLE, desc = "the limit")
    @Outcome(
            id = {"0, 7", "0, 0"},
            expect = ACCEPTABLE,
            desc = "the version will come")
    @Outcome(expect = FORBIDDEN, desc = "the version without the limit")
    @State
    public static class Version {
        private final CreditRegister register = new CreditRegister();

        @Actor
        public void ingressHalf() {
            register.storeLimitOpaque(3, 0, 7);
            register.storeVersionRelease();
        }

        @Actor
        public void egressHalf(II_Result seen) {
            for (int i = 0; i < TRIES && seen.r1 == 0; i++) {
                seen.r1 = register.loadVersionAcquire();
            }
            seen.r2 = register.loadLimitOpaque(3, 0);
        }
    }

    /**
     * A reader that sees the state of a new session sees grants of its scale, which are stored
     * first.
     */
    @JCStressTest
    @Outcome(id = "1, true", expect = ACCEPTABLE, desc = "the state and its grant")
    @Outcome(id = "0, .*", expect = ACCEPTABLE, desc = "the state will come")
    @Outcome(expect = FORBIDDEN, desc = "the state without a grant of its scale")
    @State
    public static class StateAndGrants {
        private static final Credits CREDITS = CreditEnd.credits(0, 4096, 64);
        private static final byte[] GREETING = new CreditEnd(CREDITS).call(0);

        private final CreditEnd end = new CreditEnd(CREDITS);

        public StateAndGrants() {
            end.receiver.receive(0, MemorySegment.ofArray(GREETING), 0, GREETING.length);
        }

        @Actor
        public void ingressHalf() {
            end.receiver.publish(0);
        }

        @Actor
        public void egressHalf(IZ_Result seen) {
            for (int i = 0; i < TRIES && seen.r1 == 0; i++) {
                seen.r1 = CreditRegister.state(end.register.loadStateAcquire());
            }
            int session = CreditRegister.sessionAfter(0);
            seen.r2 = end.register.loadGrantOpaque(CreditEnd.LANE, session) > 0;
        }
    }
}
