/**
 * The switch itself, as the device of its local port: answers ARP, neighbour solicitations and ping
 * for its own addresses; in a router also finds neighbours, holds the first frames for them, and
 * sends ICMP errors. Frames that it sends enter the engine like any received frame.
 *
 * <p>One owner: the local port's worker. Bounded by its buffers, allocated at start; a frame for
 * which none is free is dropped and counted. Sources: RFC 826, 792, 4443, 4861, 1812.
 */
@NullMarked
package io.headgate.dataplane.local;

import org.jspecify.annotations.NullMarked;
