package io.headgate.dataplane.domain;

import io.headgate.config.PortConfig;
import io.headgate.dataplane.queue.WireFormat;
import java.util.List;

/**
 * The parts of a switch that a domain needs.
 *
 * @param ports ports by number; the last is the local port of the switch itself
 * @param wires wire format behind each port
 * @param maxCatchUpNs maximum lateness that is made up while frames wait, in ns; 0 in virtual time
 */
public record DomainSetup(List<PortConfig> ports, List<WireFormat> wires, long maxCatchUpNs) {
    public DomainSetup {
        ports = List.copyOf(ports);
        wires = List.copyOf(wires);
    }
}
