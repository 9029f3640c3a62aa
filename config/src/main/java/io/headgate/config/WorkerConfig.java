package io.headgate.config;

import java.util.List;

/**
 * Which threads run the halves.
 *
 * @param count workers, 1 to 128, where the layout is {@code COUNT}; 0 otherwise
 * @param cores cores that workers are pinned to, in turn; empty: not pinned
 * @param stallThresholdNs a duty cycle longer than this is counted as over the threshold
 */
public record WorkerConfig(
        Layout layout, int count, Idle idle, List<Integer> cores, long stallThresholdNs) {

    public WorkerConfig {
        cores = List.copyOf(cores);
    }

    /**
     * {@code COUNT}: as many workers as {@link WorkerConfig#count} says, halves spread over them.
     */
    public enum Layout {
        SINGLE,
        AUTO,
        PER_HALF,
        COUNT
    }

    /** What a worker without work does: spin, yield, then sleep; or spin for ever. */
    public enum Idle {
        BACKOFF,
        BUSY_SPIN
    }
}
