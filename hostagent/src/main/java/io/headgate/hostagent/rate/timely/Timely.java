package io.headgate.hostagent.rate.timely;

import io.headgate.hostagent.rate.RateControl;
import io.headgate.hostagent.rate.RateControlMechanism;

/** The mechanism TIMELY: a rate that follows round trip times; see {@link TimelyRate}. */
public final class Timely implements RateControlMechanism<TimelyConfig> {
    @Override
    public boolean needsEcho() {
        return true;
    }

    @Override
    public boolean needsMarks() {
        return false;
    }

    /**
     * The step is published for links of 10 Gb/s; this is the same share of the line's rate. The
     * paper has no least rate: flows that begin together at the line's rate can fall to any rate,
     * and from a tenth of the line's they recover within a lab's time.
     */
    @Override
    public String keysWhereSlowed() {
        return "{delta: 40Mbps, least-rate: 4Gbps}";
    }

    @Override
    public RateControl control(TimelyConfig configuration) {
        return new TimelyRate(configuration);
    }
}
