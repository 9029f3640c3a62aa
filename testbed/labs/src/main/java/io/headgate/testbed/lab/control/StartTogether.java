package io.headgate.testbed.lab.control;

import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;

/** Lets none of several senders begin before all can. */
public final class StartTogether {
    private final CountDownLatch missing;

    public StartTogether(int senders) {
        missing = new CountDownLatch(senders);
    }

    /**
     * One for each sender, which asks when it can begin, and again until it may. Its own thread may
     * ask.
     */
    public BooleanSupplier place() {
        return new BooleanSupplier() {
            private boolean asked;

            @Override
            public boolean getAsBoolean() {
                if (!asked) {
                    asked = true;
                    missing.countDown();
                }
                return missing.getCount() == 0;
            }
        };
    }
}
