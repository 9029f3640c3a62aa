/** AF_PACKET devices: raw sockets, with memory-mapped rings or whole TCP segments. */
@NullMarked
package io.headgate.dataplane.device.afpacket;

import org.jspecify.annotations.NullMarked;
