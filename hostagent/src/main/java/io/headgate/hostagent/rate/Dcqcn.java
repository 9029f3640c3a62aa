package io.headgate.hostagent.rate;

/** A rate that notifications of marks cut; see {@link DcqcnReaction}. */
public final class Dcqcn implements RateControlMechanism<DcqcnConfig> {
    @Override
    public String name() {
        return "dcqcn";
    }

    @Override
    public String says() {
        return "Each flow's rate is cut when its receiver tells of marks, and grows while it tells"
                + " of none (DCQCN, Zhu et al., SIGCOMM 2015): ports mark with congestion: {red:"
                + " {}}.";
    }

    @Override
    public Class<DcqcnConfig> configuration() {
        return DcqcnConfig.class;
    }

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
