package io.headgate.hostagent.rate.hpcc;

import io.headgate.hostagent.rate.HopEcho;
import io.headgate.hostagent.rate.RateControl;
import io.headgate.hostagent.rate.RateControlMechanism;

/**
 * The mechanism HPCC: a window that follows the telemetry of each link on the path; see {@link
 * HpccWindow}.
 */
public final class Hpcc implements RateControlMechanism<HpccConfig> {
    /** Each packet is acknowledged, as in the paper. */
    @Override
    public int ackEvery(HpccConfig configuration) {
        return 1;
    }

    @Override
    public HopEcho hopEcho(HpccConfig configuration) {
        return HopEcho.WHOLE;
    }

    @Override
    public String atSwitches() {
        return "{telemetry: {}}";
    }

    /**
     * W_AI as in the dissertation, a part of the first window: with the paper's 80 bytes, a flow
     * whose window has shrunk to a frame takes long to regain its share, and on a slow network,
     * whose frames wait for threads, this happens repeatedly.
     */
    @Override
    public String keysWhereSlowed() {
        return "{parameters: dissertation, base-rtt: 13us}";
    }

    @Override
    public RateControl control(HpccConfig configuration) {
        return new HpccWindow(configuration);
    }
}
