/**
 * The switch as its neighbours see it, and they as it sees them: the Link Layer Discovery Protocol
 * (IEEE 802.1AB), with what DCBX says in it of priority flow control (IEEE 802.1Qaz). Owned by the
 * local port's worker; what was heard last at each port is read by any thread.
 */
@NullMarked
package io.headgate.dataplane.lldp;

import org.jspecify.annotations.NullMarked;
