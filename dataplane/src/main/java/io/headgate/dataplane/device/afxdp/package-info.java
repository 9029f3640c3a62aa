/** AF_XDP: sockets on a queue of an interface, and the program that leads frames to them. */
@NullMarked
package io.headgate.dataplane.device.afxdp;

import org.jspecify.annotations.NullMarked;
