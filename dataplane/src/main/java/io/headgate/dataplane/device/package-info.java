/**
 * Devices: they move frames between slots and network interfaces, wires, tunnels or files. The rest
 * of the switch does not know which kind a {@link io.headgate.dataplane.device.PortDevice} is. Each
 * device has two sides, the receive side owned by its port's ingress half and the transmit side by
 * its egress half; the two may be on different threads. System calls live in {@code device.linux}
 * alone.
 */
@NullMarked
package io.headgate.dataplane.device;

import org.jspecify.annotations.NullMarked;
