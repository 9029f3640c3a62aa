/** AF_PACKET: memory-mapped rings of raw sockets. */
@NullMarked
package io.headgate.dataplane.device.afpacket;

import org.jspecify.annotations.NullMarked;
