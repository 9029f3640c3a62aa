package io.headgate.hostagent.rate.infiniband;

import io.headgate.dataplane.frame.Cnp;
import io.headgate.hostagent.rate.RateControl;
import io.headgate.hostagent.rate.Sample;

/**
 * The source's part of InfiniBand's congestion control (InfiniBand architecture specification,
 * volume 1, annex A10.4): each flow has an index CCTI into a congestion control table. A BECN
 * raises it by CCTI_Increase, to at most CCTI_Limit; at each expiry of CCTI_Timer it falls by 1, to
 * at least CCTI_Min. After each packet the flow waits for
 *
 * <pre>  (packet time &gt;&gt; shift) * multiplier,  entry = shift (2 bits), multiplier (14 bits)
 * </pre>
 *
 * <p>so that the rate is the line's over 1 + multiplier / 2^shift.
 *
 * <p>The specification has one timer per service level, which always runs; here each flow has one,
 * which starts when a BECN raises the index above its minimum.
 */
final class IbCcRate implements RateControl {
    static final int SHIFT_BIT = 14;
    static final int MOST_MULTIPLIER = (1 << SHIFT_BIT) - 1;

    /** Number of entries with one multiplier, in the table of PSM. */
    static final int GROUP = 4;

    private final IbCcConfig keys;
    private long lineRateBps;
    private int ccti;
    private long rateBps;
    private long timerNs = Long.MAX_VALUE;

    IbCcRate(IbCcConfig keys) {
        this.keys = keys;
    }

    @Override
    public void begin(long nowNs, long lineBps, int frameBytes) {
        lineRateBps = lineBps;
        set(keys.min());
    }

    int ccti() {
        return ccti;
    }

    private void set(int index) {
        ccti = index;
        int entry = keys.entry(index);
        double delay = Math.scalb((double) (entry & MOST_MULTIPLIER), -(entry >>> SHIFT_BIT));
        rateBps = Math.max(1, (long) (lineRateBps / (1 + delay)));
    }

    @Override
    public void acknowledged(long nowNs, Sample sample) {
        if ((sample.marks() & MARKED_CE) != 0) {
            becn(nowNs);
        }
    }

    @Override
    public boolean notified(long nowNs, int kind, long origin, long value) {
        boolean isBecn = kind == Cnp.KIND && (value & MARKED_CE) != 0;
        if (isBecn) {
            becn(nowNs);
        }
        return isBecn;
    }

    private void becn(long nowNs) {
        set(Math.min(ccti + keys.increase(), keys.limit()));
        if (timerNs == Long.MAX_VALUE && ccti > keys.min()) {
            timerNs = nowNs + keys.timerNs();
        }
    }

    @Override
    public int tick(long nowNs) {
        if (nowNs < timerNs) {
            return 0;
        }
        set(Math.max(ccti - 1, keys.min()));
        timerNs = ccti > keys.min() ? nowNs + keys.timerNs() : Long.MAX_VALUE;
        return 1;
    }

    @Override
    public long deadlineNs() {
        return timerNs;
    }

    @Override
    public long rateBps() {
        return rateBps;
    }
}
