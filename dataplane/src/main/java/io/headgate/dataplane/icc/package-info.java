/**
 * The switch's part of ICC (Wang et al., "Congestion Control Using In-Network Telemetry for
 * Lossless Datacenters", Computers, Materials and Continua 75(1), 2023, sections 4.1 and 4.2). Each
 * egress port judges whether it is congested ({@link io.headgate.dataplane.icc.PortJudgement}), and
 * shows what it has found on its board; a port by which an acknowledgement leaves writes into it
 * what the port shows by which it came: that is the one by which the flow's frames leave. So the
 * way back must be the way there. Of several switches the most congested one is told of.
 *
 * <p>Owner: the egress half of the port; what is shown is read by those of the others. Bounded by
 * one record of {@link io.headgate.dataplane.icc.IccRecord#BYTES} in an acknowledgement.
 *
 * <p>The text lost its relation signs, and figure 7 is not in it. Where it is silent:
 *
 * <ul>
 *   <li>Rates and the queue's length are compared with 0 and with 70 % as the sentences around them
 *       say; a load of exactly the threshold is not above it.
 *   <li>The first rate is over the last microsecond or more; two looks at a time are one.
 *   <li>The load is that of the last 15 us, the timer's period.
 *   <li>How many flows there are, which the formulas need, is counted by the hashes of the frames
 *       that came lately ({@link io.headgate.dataplane.icc.FlowCount}).
 *   <li>The timer ends once a whole period was idle, and that has been told.
 * </ul>
 */
@NullMarked
package io.headgate.dataplane.icc;

import org.jspecify.annotations.NullMarked;
