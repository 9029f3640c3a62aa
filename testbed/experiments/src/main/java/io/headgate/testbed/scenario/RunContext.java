package io.headgate.testbed.scenario;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The surroundings of a run: progress and cancellation, and the files that it records into. By
 * default a run records nothing and reports nothing.
 */
public interface RunContext {

    /** Reports the progress of the run, 0 to 1. Cheap; any thread. */
    default void progress(double fraction) {}

    /** Whether the run should end early, without outcome. Cheap; any thread. */
    boolean isCancelled();

    /** Tells a person about a step that takes a while, such as the set-up of a real bed. */
    default void say(String line) {}

    /** File that records every frame on every link; null: no recording. */
    default @Nullable Path traceFile() {
        return null;
    }

    /** Links to capture, as {@code h1-s1}, or {@code all}. */
    default List<String> capturedLinks() {
        return List.of();
    }

    /** File for their frames, as pcapng; null: no capture. */
    default @Nullable Path captureFile() {
        return null;
    }

    /** File that records the counters of ports over time; null: no recording. */
    default @Nullable Path stateFile() {
        return null;
    }

    /** File for the paths of all frames, as trace events; null: they are not written. */
    default @Nullable Path traceEventsFile() {
        return null;
    }

    /** The number of threads that it uses in virtual time. */
    default RunThreads threads() {
        return RunThreads.ONE;
    }

    /** Whether all invariants are checked after every instant of virtual time. */
    default boolean checking() {
        return false;
    }
}
