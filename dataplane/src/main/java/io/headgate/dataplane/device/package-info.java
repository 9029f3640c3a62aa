/**
 * Devices: what moves frames between slots and the world. Nothing above a {@link
 * io.headgate.dataplane.device.PortDevice} knows which kind it is. Each device has two sides, the
 * receive side owned by its port's ingress half and the transmit side by its egress half; the two
 * may be on different threads. System calls live in {@code device.linux} alone.
 */
@NullMarked
package io.headgate.dataplane.device;

import org.jspecify.annotations.NullMarked;
