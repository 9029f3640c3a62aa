package io.headgate.testbed.lab.series;

import io.headgate.testbed.scenario.RunContext;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Of a run of virtual time in the middle of something else: it takes a moment. */
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
