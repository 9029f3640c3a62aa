/**
 * The switch's part of ICC (Wang et al., "Congestion Control Using In-Network Telemetry for
 * Lossless Datacenters", Computers, Materials and Continua 75(1), 2023, sections 4.1 and 4.2). Each
 * egress port judges whether it is congested ({@link io.headgate.dataplane.icc.PortJudgement}), and
 * shows the result on its board. An acknowledgement comes in by the port by which the flow's frames
 * leave; the port by which the acknowledgement leaves writes into it what that port shows. So the
 * way back must be the way there. With several switches the record is that of the most congested
 * one.
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
 *   <li>The number of flows, which the formulas need, is counted by the hashes of the frames that
 *       came lately ({@link io.headgate.dataplane.icc.FlowCount}).
 *   <li>The timer ends once a whole period was idle, and a notification has said so.
 * </ul>
 */
@NullMarked
package io.headgate.dataplane.icc;

import org.jspecify.annotations.NullMarked;
