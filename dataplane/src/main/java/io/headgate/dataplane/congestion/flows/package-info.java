/**
 * Flow tables: they decide which flows a congestion point notifies. They know frames and bytes; the
 * congestion point decides when a flow is notified, and with which values. The kinds are those of
 * section 3.3.4 of Menikkumbura's dissertation (Purdue, 2022).
 *
 * <p>All of it belongs to the egress half of its port, which alone calls it; it is laid out at the
 * start for a number of flows, allocates nothing afterwards, and draws from one named generator.
 */
@NullMarked
package io.headgate.dataplane.congestion.flows;

import org.jspecify.annotations.NullMarked;
