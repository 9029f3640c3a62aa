package io.headgate.hostagent.rate.qcn;

import io.headgate.hostagent.rate.RateControl;
import io.headgate.hostagent.rate.RateControlMechanism;

/** A rate that bridges' feedback cuts; see {@link QcnReaction}. */
public final class QcnControl implements RateControlMechanism<QcnControlConfig> {
    /** Bridges sample as often as their rate is high: two of one point may come close together. */
    private static final long NOTICE_PERIOD_NS = 1_000;

    @Override
    public long noticePeriodNs(QcnControlConfig configuration) {
        return NOTICE_PERIOD_NS;
    }

    @Override
    public String atSwitches() {
        return "{qcn: {}}";
    }

    @Override
    public RateControl control(QcnControlConfig configuration) {
        return new QcnReaction(configuration);
    }
}
