/**
 * Decides where frames go: VLAN membership and the learned table of a bridge, routes and neighbours
 * of a router. Tables have one writer, the local port's owner duty, and are read by every ingress
 * half without locks (IEEE 802.1Q clause 8).
 */
@NullMarked
package io.headgate.dataplane.forwarding;

import org.jspecify.annotations.NullMarked;
