package io.headgate.hostagent.rate;

/** A constant rate, at most the line's. */
final class FixedRate implements RateControl {
    private long rateBps;

    FixedRate(long rateBps) {
        this.rateBps = rateBps;
    }

    @Override
    public void begin(long nowNs, long lineRateBps, int frameBytes) {
        rateBps = Math.min(rateBps, lineRateBps);
    }

    @Override
    public long rateBps() {
        return rateBps;
    }
}
