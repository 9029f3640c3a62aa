package io.headgate.config.key;

/**
 * What becomes of a value in a run that is slower by a factor: rates are divided, times multiplied
 * by it, bytes stay.
 */
public enum Scale {
    /** A rate is divided, a time multiplied, all else stays. */
    BY_QUANTITY,
    MULTIPLIED,
    DIVIDED,

    /** Divided, and whole kilobits a second, at least one: a rate that frames tell in them. */
    DIVIDED_IN_KBPS,
    STAYS;

    private static final long BPS_PER_KBPS = 1_000;

    /** The value in the slower run; a rate is at least one. */
    public long of(long value, int factor) {
        return switch (this) {
            case MULTIPLIED -> Math.multiplyExact(value, factor);
            case DIVIDED -> value == 0 ? 0 : Math.max(1, value / factor);
            case DIVIDED_IN_KBPS -> Math.max(1, value / factor / BPS_PER_KBPS) * BPS_PER_KBPS;
            case BY_QUANTITY, STAYS -> value;
        };
    }
}
