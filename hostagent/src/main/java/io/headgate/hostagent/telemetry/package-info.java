/**
 * The ports by which the frames of a host's flows came, according to in-band telemetry: a bounded
 * table in memory that other processes may read.
 *
 * <p>Nothing here has a clock, a thread or a socket. Owned by the card's worker; the table is all
 * the memory that is ever used, whatever frames contain.
 */
@NullMarked
package io.headgate.hostagent.telemetry;

import org.jspecify.annotations.NullMarked;
