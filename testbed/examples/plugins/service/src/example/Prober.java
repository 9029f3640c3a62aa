package example;

import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.MacAddress;
import io.headgate.dataplane.service.LocalService;
import io.headgate.dataplane.service.ServiceSetup;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The service at work: questions have a 0 behind their header, answers a 1. */
final class Prober implements LocalService {
    private static final int BYTES = 60;

    private final ServiceSetup setup;
    private final long everyNs;
    private final MemorySegment frame = MemorySegment.ofArray(new byte[BYTES]);
    private long nextNs;

    Prober(long everyNs, ServiceSetup setup) {
        this.everyNs = everyNs;
        this.setup = setup;
        Ethernet.destination(frame, 0, MacAddress.NEAREST_BRIDGE);
        Ethernet.etherType(frame, 0, Probe.ETHER_TYPE);
    }

    @Override
    public void heard(long nowNs, int port, MemorySegment segment, long at, int bytes) {
        if (segment.get(ValueLayout.JAVA_BYTE, at + Ethernet.HEADER_BYTES) != 0) {
            setup.counters().count(Probe.HEARD);
        } else {
            send(port, 1, Probe.ANSWERED);
        }
    }

    private void send(int port, int kind, int counter) {
        Ethernet.source(frame, 0, setup.addresses().mac(port));
        frame.set(ValueLayout.JAVA_BYTE, Ethernet.HEADER_BYTES, (byte) kind);
        if (setup.sender().send(frame, 0, BYTES, port)) {
            setup.counters().count(counter);
        }
    }

    @Override
    public int doWork(long nowNs) {
        if (nextNs - nowNs > 0) {
            return 0;
        }
        int ports = setup.config().ports().size();
        for (int port = 0; port < ports; port++) {
            if (setup.isUp().test(port)) {
                send(port, 0, Probe.ASKED);
            }
        }
        nextNs = nowNs + everyNs;
        return ports;
    }

    @Override
    public long deadlineNs() {
        return nextNs;
    }
}
