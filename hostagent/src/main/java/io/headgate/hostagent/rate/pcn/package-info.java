/**
 * PCN at the hosts: the receiver tells at which rate a congested flow arrives, and the sender takes
 * that. It knows no clock, and is found by its name. Owned by the sending and the receiving host.
 */
@NullMarked
package io.headgate.hostagent.rate.pcn;

import org.jspecify.annotations.NullMarked;
