package io.headgate.hostagent.rate.pcn;

import io.headgate.hostagent.rate.NotificationPoint;
import io.headgate.hostagent.rate.RateControl;
import io.headgate.hostagent.rate.RateControlMechanism;

/**
 * The mechanism PCN: a flow's rate follows the rate at which its frames arrive; see {@link PcnRate}
 * and {@link PcnNotification}.
 */
public final class PcnControl implements RateControlMechanism<PcnControlConfig> {
    @Override
    public boolean needsMarks() {
        return true;
    }

    @Override
    public long noticePeriodNs(PcnControlConfig configuration) {
        return configuration.periodNs();
    }

    @Override
    public String atSwitches() {
        return "{pcn: {}}";
    }

    @Override
    public RateControl control(PcnControlConfig configuration) {
        return new PcnRate(configuration);
    }

    @Override
    public NotificationPoint notificationPoint(PcnControlConfig configuration) {
        return new PcnNotification(configuration.periodNs(), configuration.marked());
    }
}
