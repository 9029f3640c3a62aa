package example;

import io.headgate.hostagent.rate.HopEcho;
import io.headgate.hostagent.rate.RateControl;
import io.headgate.hostagent.rate.RateControlMechanism;

/** A flow's window follows the queues on its way, there and back. */
public final class FarWindow implements RateControlMechanism<FarWindowConfig> {
    @Override
    public int ackEvery(FarWindowConfig configuration) {
        return 1;
    }

    @Override
    public HopEcho hopEcho(FarWindowConfig configuration) {
        return HopEcho.WHOLE;
    }

    @Override
    public String atSwitches() {
        return "{stamps: {hops: 5}}";
    }

    @Override
    public RateControl control(FarWindowConfig configuration) {
        return new FarWindowFlow(configuration.limitBytes());
    }
}
