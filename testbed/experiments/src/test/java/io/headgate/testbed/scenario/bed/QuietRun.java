package io.headgate.testbed.scenario.bed;

import io.headgate.testbed.scenario.RunContext;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Discards progress and lines; captures nothing, or one link. */
public final class QuietRun implements RunContext {
    private final @Nullable Path capture;
    private final String link;

    public QuietRun() {
        this("", null);
    }

    public QuietRun(String link, @Nullable Path capture) {
        this.link = link;
        this.capture = capture;
    }

    @Override
    public List<String> capturedLinks() {
        return List.of(link);
    }

    @Override
    public @Nullable Path captureFile() {
        return capture;
    }

    @Override
    public void progress(double fraction) {}

    @Override
    public boolean isCancelled() {
        return false;
    }

    @Override
    public void say(String line) {}

    @Override
    public @Nullable Path traceFile() {
        return null;
    }

    @Override
    public boolean checking() {
        return false;
    }
}
