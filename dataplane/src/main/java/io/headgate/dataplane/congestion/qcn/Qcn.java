package io.headgate.dataplane.congestion.qcn;

import io.headgate.dataplane.congestion.CongestionMechanism;
import io.headgate.dataplane.congestion.CongestionPoint;
import io.headgate.dataplane.congestion.CongestionSetup;
import io.headgate.dataplane.counter.CounterText;
import java.util.List;

/** QCN: sends feedback to the MAC addresses of sources; see {@link QcnPoint}. */
public final class Qcn implements CongestionMechanism<QcnConfig> {
    /**
     * A sample is at least a full frame behind the last one: a ring of this size does not overflow.
     */
    private static final int MOST_NOTICES = 64;

    @Override
    public List<CounterText> counters() {
        return QcnPoint.COUNTERS;
    }

    @Override
    public int notices(QcnConfig configuration) {
        return MOST_NOTICES;
    }

    @Override
    public CongestionPoint point(QcnConfig configuration, CongestionSetup setup) {
        return new QcnPoint(configuration, setup);
    }
}
