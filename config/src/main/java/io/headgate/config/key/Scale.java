package io.headgate.config.key;

/**
 * Says how a value changes in a run that is slower by a factor: rates are divided and times
 * multiplied by the factor, bytes stay.
 */
public enum Scale {
    /** A rate is divided, a time multiplied, all else stays. */
    BY_QUANTITY,
    MULTIPLIED,
    DIVIDED,

    /**
     * Divided, in whole kilobits per second, at least one: for rates that frames carry in this
     * unit.
     */
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
