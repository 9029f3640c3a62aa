package io.headgate.dataplane.credit;

import io.headgate.dataplane.Interleavings;
import io.headgate.dataplane.Interleavings.Scenario;
import java.util.List;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/**
 * What a reader may combine of words that it reads one by one, as {@link CreditTransmitter} reads
 * them: a scale and grants of one session, a limit of no other, and never an older state than it
 * saw. For the memory model see {@link CreditRegisterStress}.
 */
final class CreditRegisterOrderTest {
    private static final int LANE = 3;

    public static final class Halves {
        private final CreditRegister register = new CreditRegister();
        private int session;
        private int seenVersion;
        private int seenSession;
        private int seenLimit = CreditRegister.NO_LIMIT;

        /** The far end restarts, with another scale. */
        @Operation(nonParallelGroup = "ingress half")
        public void begin() {
            session = CreditRegister.sessionAfter(session);
            register.storeStateRelease(CreditRegister.DOWN, scale(session), session);
            register.storeVersionRelease();
            register.storeGrantOpaque(LANE, session, limit(session));
            register.storeStateRelease(CreditRegister.UP, scale(session), session);
            register.storeVersionRelease();
        }

        @Operation(nonParallelGroup = "ingress half")
        public void grant() {
            register.storeLimitOpaque(LANE, session, limit(session));
            register.storeVersionRelease();
        }

        /** Answers whether all that was read belongs together, and is the latest at rest. */
        @Operation(nonParallelGroup = "egress half")
        public boolean update() {
            int version = register.loadVersionAcquire();
            if (version == seenVersion) {
                return true;
            }
            seenVersion = version;
            int word = register.loadStateAcquire();
            int read = CreditRegister.session(word);
            seenLimit = register.loadLimitOpaque(LANE, read);
            int grant = register.loadGrantOpaque(LANE, read);
            boolean isGrant =
                    grant == limit(read)
                            // The stored grant may be of the next session, whose state follows.
                            || (grant == CreditRegister.NO_LIMIT
                                    && register.loadVersionAcquire() != version);
            boolean sound =
                    CreditRegister.scale(word) == scale(read)
                            && read >= seenSession
                            && (seenLimit == CreditRegister.NO_LIMIT || seenLimit == limit(read))
                            && (CreditRegister.state(word) != CreditRegister.UP || isGrant);
            seenSession = read;
            return sound;
        }
    }

    private static int scale(int session) {
        return session & 7;
    }

    private static int limit(int session) {
        return session * 7 & 0xFFF;
    }

    public static final class Sound {
        public void begin() {}

        public void grant() {}

        public boolean update() {
            return true;
        }
    }

    @Test
    void whatTheEgressHalfReadsBelongsTogether() {
        Interleavings.check(
                Halves.class,
                Sound.class,
                new Scenario(
                        List.of("begin", "grant"),
                        List.of("update", "update"),
                        List.of("begin", "grant")));
    }
}
