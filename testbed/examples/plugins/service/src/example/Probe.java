package example;

import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.forwarding.Listening;
import io.headgate.dataplane.frame.MacAddress;
import io.headgate.dataplane.service.LocalService;
import io.headgate.dataplane.service.ServiceMechanism;
import io.headgate.dataplane.service.ServiceSetup;
import java.util.List;

/** Asks at each port, by a frame that no bridge forwards, and answers what neighbours ask. */
public final class Probe implements ServiceMechanism<ProbeConfig> {
    static final int ETHER_TYPE = 0x9000;
    static final int ASKED = 0;
    static final int ANSWERED = 1;
    static final int HEARD = 2;

    @Override
    public List<Listening> listensTo(ProbeConfig configuration) {
        return List.of(new Listening(ETHER_TYPE, MacAddress.NEAREST_BRIDGE));
    }

    @Override
    public List<CounterText> counters() {
        return List.of(
                CounterText.total("asked", "frames", "questions sent"),
                CounterText.total("answered", "frames", "answers sent"),
                CounterText.total("heard", "frames", "answers that came"));
    }

    @Override
    public LocalService service(ProbeConfig configuration, ServiceSetup setup) {
        return new Prober(configuration.everyNs(), setup);
    }
}
