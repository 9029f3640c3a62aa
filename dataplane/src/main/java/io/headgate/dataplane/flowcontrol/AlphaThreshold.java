package io.headgate.dataplane.flowcontrol;

import io.headgate.dataplane.policy.Threshold;

/**
 * A dynamic threshold: an account may hold a multiple of the free part of the pool (Choudhury and
 * Hahne, "Dynamic queue length thresholds for shared-memory packet switches", IEEE/ACM ToN 1998).
 * The multiple, alpha, is a power of two, as in switch chips and in SONiC's {@code dynamic_th}.
 */
public record AlphaThreshold(int exponent) implements Threshold {
    /** Alpha is 2<sup>exponent</sup>, exponent −7 to 3. */
    public AlphaThreshold {
        if (exponent < -7 || exponent > 3) {
            throw new IllegalArgumentException("alpha of 2^" + exponent);
        }
    }

    @Override
    public long thresholdBytes(int account, long freeBytes) {
        return share(freeBytes);
    }

    @Override
    public long thresholdSlots(int account, long freeSlots) {
        return share(freeSlots);
    }

    private long share(long free) {
        if (free <= 0) {
            return 0;
        }
        return exponent >= 0 ? free << exponent : free >> -exponent;
    }
}
