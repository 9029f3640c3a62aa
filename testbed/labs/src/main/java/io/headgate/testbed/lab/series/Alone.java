package io.headgate.testbed.lab.series;

import io.headgate.testbed.scenario.RunContext;

/** The context of a short run of virtual time inside another program: shows no progress. */
public final class Alone implements RunContext {
    @Override
    public boolean isCancelled() {
        return Thread.currentThread().isInterrupted();
    }
}
