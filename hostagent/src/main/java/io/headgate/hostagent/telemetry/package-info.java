/**
 * By which ports the frames of a host's flows came, as in-band telemetry says: a bounded table in
 * memory that other processes may read.
 *
 * <p>Nothing here has a clock, a thread or a socket. Owned by the card's worker; the table is all
 * the memory that is ever taken, whatever frames say.
 */
@NullMarked
package io.headgate.hostagent.telemetry;

import org.jspecify.annotations.NullMarked;
