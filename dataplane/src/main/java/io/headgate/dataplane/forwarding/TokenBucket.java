package io.headgate.dataplane.forwarding;

/**
 * Admits events up to a rate, with a burst of the events of a tenth of a second, at least one.
 * Single owner.
 */
public final class TokenBucket {
    private static final long NS_PER_S = 1_000_000_000;

    private long nsPerToken;
    private long burstNs;
    private long creditNs;
    private long lastNs;

    /**
     * @param ratePerSec 1 to 1e9, more is the same as 1e9; 0: admits nothing
     */
    public TokenBucket(long ratePerSec) {
        rate(ratePerSec);
        creditNs = burstNs;
    }

    /** Changes the rate; the saved-up burst stays available. */
    public void rate(long ratePerSec) {
        nsPerToken = ratePerSec == 0 ? Long.MAX_VALUE : Math.max(1, NS_PER_S / ratePerSec);
        burstNs = ratePerSec == 0 ? 0 : Math.max(NS_PER_S / 10, nsPerToken);
    }

    public boolean take(long nowNs) {
        creditNs = Math.min(burstNs, creditNs + (nowNs - lastNs));
        lastNs = nowNs;
        if (creditNs < nsPerToken) {
            return false;
        }
        creditNs -= nsPerToken;
        return true;
    }
}
