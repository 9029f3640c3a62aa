package io.headgate.dataplane.credit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What one half of a port reads of what the other writes. */
@Tag("threads")
final class CreditRegisterTest {
    private static final int SESSIONS = 200_000;

    /** The limit and the scale of each session follow from its number. */
    private static int limit(int session) {
        return (session * 7) & 0xFFF;
    }

    private static int scale(int session) {
        return session & 7;
    }

    @Test
    void stateScaleAndSessionAreOneWord() {
        CreditRegister register = new CreditRegister();
        int session = 0;
        for (int state : new int[] {CreditRegister.DOWN, CreditRegister.INIT, CreditRegister.UP}) {
            for (int scale = 0; scale <= 7; scale++) {
                session = CreditRegister.sessionAfter(session + 100_003);
                register.storeStateRelease(state, scale, session);
                int word = register.loadStateAcquire();
                assertThat(CreditRegister.state(word)).isEqualTo(state);
                assertThat(CreditRegister.scale(word)).isEqualTo(scale);
                assertThat(CreditRegister.session(word)).isEqualTo(session);
            }
        }
    }

    @Test
    void aLimitCountsOnlyInItsSession() {
        CreditRegister register = new CreditRegister();
        int session = CreditRegister.sessionAfter(0);
        assertThat(register.loadLimitOpaque(3, session)).isEqualTo(CreditRegister.NO_LIMIT);
        for (int i = 0; i < 1 << 21; i += 4_099) {
            register.storeLimitOpaque(3, session, 0xFFF);
            assertThat(register.loadLimitOpaque(3, session)).isEqualTo(0xFFF);
            session = CreditRegister.sessionAfter(session);
            assertThat(register.loadLimitOpaque(3, session)).isEqualTo(CreditRegister.NO_LIMIT);
            session = (session + i) & 0xFFFFF;
        }
    }

    @Test
    void aReaderNeverTakesTheLimitsOrTheGrantsOfAnotherSession() throws InterruptedException {
        CreditRegister register = new CreditRegister();
        AtomicBoolean over = new AtomicBoolean();
        Thread writer =
                Thread.ofPlatform()
                        .start(() -> {
                            for (int session = 1; session < SESSIONS; session++) {
                                register.storeGrantOpaque(3, session, limit(session));
                                register.storeStateRelease(
                                        CreditRegister.UP, scale(session), session);
                                register.storeLimitOpaque(3, session, limit(session));
                                register.storeVersionRelease();
                            }
                            over.set(true);
                        });
        int taken = 0;
        boolean last = false;
        while (!last) {
            last = over.get();
            int word = register.loadStateAcquire();
            int session = CreditRegister.session(word);
            int limit = register.loadLimitOpaque(3, session);
            int grant = register.loadGrantOpaque(3, session);
            if (CreditRegister.state(word) == CreditRegister.UP) {
                assertThat(CreditRegister.scale(word)).isEqualTo(scale(session));
            }
            if (grant != CreditRegister.NO_LIMIT) {
                assertThat(grant).isEqualTo(limit(session));
            }
            if (limit != CreditRegister.NO_LIMIT) {
                assertThat(limit).isEqualTo(limit(session));
                taken++;
            }
        }
        writer.join();
        assertThat(taken).isPositive();
    }
}
