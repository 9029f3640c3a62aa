package io.headgate.hostagent.rate.infiniband;

import io.headgate.hostagent.rate.NotificationPoint;
import io.headgate.hostagent.rate.RateControl;
import io.headgate.hostagent.rate.RateControlMechanism;

/**
 * The mechanism of InfiniBand's congestion control: BECN sets a delay between packets; see {@link
 * IbCcRate}.
 */
public final class IbCc implements RateControlMechanism<IbCcConfig> {
    /** A receiver may report each marked packet: two of them may come as close as packets do. */
    private static final long SHORTEST_NOTICE_PERIOD_NS = 1;

    @Override
    public boolean needsEcho() {
        return true;
    }

    @Override
    public boolean readsFecn() {
        return true;
    }

    /** Credits distinguish the roots of congestion from its victims. */
    @Override
    public boolean needsCredits() {
        return true;
    }

    @Override
    public String atSwitches() {
        return "{fecn: {}}";
    }

    /** The only published table. */
    @Override
    public String keysWhereSlowed() {
        return "{table: psm}";
    }

    /** Each marked packet has its own BECN. */
    @Override
    public int ackEvery(IbCcConfig configuration) {
        return configuration.becn() == IbCcConfig.Becn.ACKNOWLEDGEMENT ? 1 : USUAL_ACK_EVERY;
    }

    @Override
    public long noticePeriodNs(IbCcConfig configuration) {
        return configuration.becn() == IbCcConfig.Becn.PACKET ? SHORTEST_NOTICE_PERIOD_NS : 0;
    }

    @Override
    public RateControl control(IbCcConfig configuration) {
        return new IbCcRate(configuration);
    }

    @Override
    public NotificationPoint notificationPoint(IbCcConfig configuration) {
        return configuration.becn() == IbCcConfig.Becn.PACKET
                ? new PacketEcho()
                : NotificationPoint.ECHO;
    }

    /** Reports each mark by a separate packet (CNP), as for unreliable services. */
    private static final class PacketEcho implements NotificationPoint {
        @Override
        public int arrived(long nowNs, int marks, int wireBytes) {
            return marks;
        }

        @Override
        public boolean sendsPackets() {
            return true;
        }
    }
}
