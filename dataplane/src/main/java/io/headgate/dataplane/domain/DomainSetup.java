package io.headgate.dataplane.domain;

import io.headgate.config.PortConfig;
import io.headgate.dataplane.queue.WireFormat;
import java.util.List;

/**
 * The switch whose egress ports a domain is for.
 *
 * @param ports by number; the last stands for the switch itself
 * @param wires what a frame occupies behind each of them
 * @param maxCatchUpNs most lateness that is made up while frames wait, in ns; 0 in virtual time
 */
public record DomainSetup(List<PortConfig> ports, List<WireFormat> wires, long maxCatchUpNs) {
    public DomainSetup {
        ports = List.copyOf(ports);
        wires = List.copyOf(wires);
    }
}
