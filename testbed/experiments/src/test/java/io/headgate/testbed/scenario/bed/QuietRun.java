package io.headgate.testbed.scenario.bed;

import io.headgate.testbed.scenario.RunContext;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A run that says nothing and goes to its end; it may capture links. */
public record QuietRun(List<String> capturedLinks, @Nullable Path captureFile)
        implements RunContext {
    public QuietRun() {
        this(List.of(), null);
    }

    public QuietRun(String link, Path capture) {
        this(List.of(link), capture);
    }

    @Override
    public boolean isCancelled() {
        return false;
    }
}
