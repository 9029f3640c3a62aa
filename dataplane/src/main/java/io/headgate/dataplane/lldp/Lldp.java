package io.headgate.dataplane.lldp;

import io.headgate.config.Mechanisms;
import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.forwarding.Listening;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.MacAddress;
import io.headgate.dataplane.service.LocalService;
import io.headgate.dataplane.service.ServiceMechanism;
import io.headgate.dataplane.service.ServiceSetup;
import java.util.List;

/** The Link Layer Discovery Protocol (IEEE 802.1AB); see {@link LldpAgent}. */
public final class Lldp implements ServiceMechanism<LldpConfig> {
    static final int RECEIVED = 0;
    static final int DISCARDED = 1;

    @Override
    public boolean takesSegmentsWhole(Mechanisms.Use use) {
        return true;
    }

    @Override
    public List<Listening> listensTo(LldpConfig configuration) {
        return List.of(new Listening(EtherType.LLDP, MacAddress.NEAREST_BRIDGE));
    }

    @Override
    public List<CounterText> counters() {
        return List.of(
                CounterText.total("received", "frames", "LLDP frames received from neighbours"),
                CounterText.total(
                        "discarded",
                        "frames",
                        "malformed LLDP frames: the known data of the neighbour stays"));
    }

    /** Also if the scheduling of priorities changes, because LLDP announces it. */
    @Override
    public boolean isConcerned(SwitchConfig from, SwitchConfig to) {
        for (int port = 0; port < to.ports().size(); port++) {
            List<Integer> weights = to.ports().get(port).traffic().weights();
            if (!weights.equals(from.ports().get(port).traffic().weights())) {
                return true;
            }
        }
        return false;
    }

    @Override
    public LocalService service(LldpConfig configuration, ServiceSetup setup) {
        return new LldpAgent(configuration, setup);
    }
}
