/**
 * PCN at the hosts: the receiver reports the rate at which a congested flow arrives, and the sender
 * adopts it. It knows no clock, and is found by its name. Owned by the sending and the receiving
 * host.
 */
@NullMarked
package io.headgate.hostagent.rate.pcn;

import org.jspecify.annotations.NullMarked;
