/**
 * InfiniBand's congestion control at the channel adapters: a delay between packets by an index into
 * a table. It knows no clock, and is found by its name. Owned by the sending and the receiving
 * host.
 */
@NullMarked
package io.headgate.hostagent.rate.infiniband;

import org.jspecify.annotations.NullMarked;
