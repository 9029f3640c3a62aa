package example;

import io.headgate.config.DetourNeeds;
import io.headgate.config.FlowControlConfig.Mode;
import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.detour.DetourMechanism;
import io.headgate.dataplane.detour.PortDetour;
import io.headgate.dataplane.linkcontrol.LinkSetup;
import java.util.List;

/** Flows of one DSCP overtake all others, whatever priority they share with them. */
public final class Overtake implements DetourMechanism<OvertakeConfig> {
    /**
     * It adds nothing to frames; where nothing is ever paused, nothing is sent that must not be.
     */
    @Override
    public DetourNeeds needs(OvertakeConfig configuration) {
        return new DetourNeeds(0, 0, 0, List.of(Mode.NONE), true);
    }

    @Override
    public List<CounterText> senderCounters() {
        return List.of(CounterText.total("overtook", "frames", "frames that left ahead"));
    }

    @Override
    public PortDetour protocol(OvertakeConfig configuration, boolean isOn, LinkSetup setup) {
        int dscp = isOn ? configuration.dscp() : OvertakeDetour.NO_DSCP;
        return new PortDetour(new OvertakeReceiver(), new OvertakeDetour(dscp));
    }
}
