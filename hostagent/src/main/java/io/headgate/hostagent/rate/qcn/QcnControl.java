package io.headgate.hostagent.rate.qcn;

import io.headgate.hostagent.rate.RateControl;
import io.headgate.hostagent.rate.RateControlMechanism;

/** The mechanism QCN: the feedback of bridges reduces a flow's rate; see {@link QcnReaction}. */
public final class QcnControl implements RateControlMechanism<QcnControlConfig> {
    /**
     * Bridges sample more often at higher rates: two notices of one point may come close together.
     */
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
