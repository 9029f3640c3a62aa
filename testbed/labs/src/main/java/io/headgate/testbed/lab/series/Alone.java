package io.headgate.testbed.lab.series;

import io.headgate.testbed.scenario.RunContext;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The context of a short run of virtual time inside another program: shows no progress. */
public final class Alone implements RunContext {
    @Override
    public void progress(double fraction) {
        // It takes a moment.
    }

    @Override
    public boolean isCancelled() {
        return Thread.currentThread().isInterrupted();
    }

    @Override
    public void say(String line) {
        // There is nothing to wait for.
    }

    @Override
    public @Nullable Path traceFile() {
        return null;
    }

    @Override
    public boolean checking() {
        return false;
    }
}
