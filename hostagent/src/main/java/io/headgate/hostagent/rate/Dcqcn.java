package io.headgate.hostagent.rate;

/** The mechanism DCQCN: notifications of marks reduce a flow's rate; see {@link DcqcnReaction}. */
public final class Dcqcn implements RateControlMechanism<DcqcnConfig> {
    @Override
    public boolean needsMarks() {
        return true;
    }

    @Override
    public long noticePeriodNs(DcqcnConfig configuration) {
        return configuration.cnpIntervalNs();
    }

    @Override
    public RateControl control(DcqcnConfig configuration) {
        return new DcqcnReaction(configuration);
    }

    @Override
    public NotificationPoint notificationPoint(DcqcnConfig configuration) {
        return new DcqcnNotification(configuration.cnp(), configuration.cnpIntervalNs());
    }
}
