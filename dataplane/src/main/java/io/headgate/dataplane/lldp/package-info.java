/**
 * The Link Layer Discovery Protocol (IEEE 802.1AB), by which a switch and its neighbours identify
 * each other, with the DCBX field for priority flow control (IEEE 802.1Qaz). Owned by the local
 * port's worker; any thread can read the last unit received at each port.
 */
@NullMarked
package io.headgate.dataplane.lldp;

import org.jspecify.annotations.NullMarked;
