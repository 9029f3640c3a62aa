/**
 * The switch's part of ICC (Wang et al., "Congestion Control Using In-Network Telemetry for
 * Lossless Datacenters", Computers, Materials and Continua 75(1), 2023, sections 4.1 and 4.2). Each
 * egress port judges whether it is congested ({@link io.headgate.dataplane.icc.PortJudgement}), and
 * shows the result on its board. An acknowledgement comes in by the port by which the flow's frames
 * leave. The port by which the acknowledgement leaves writes the state that this ingress port shows
 * into it. So both directions must use the same path. With several switches the record is that of
 * the most congested one.
 *
 * <p>Owner: the egress half of the port; those of the other ports read its board. Bounded by one
 * record of {@link io.headgate.dataplane.icc.IccRecord#BYTES} in an acknowledgement.
 *
 * <p>Our text of the paper has lost its relation signs and figure 7. Where it gives no rule:
 *
 * <ul>
 *   <li>Rates and the queue's length are compared with 0 and with 70 % as the surrounding sentences
 *       say; a load equal to the threshold is not above it.
 *   <li>The first rate is over the last microsecond or more; two looks at the same time count as
 *       one.
 *   <li>The load is that of the last 15 us, the timer's period.
 *   <li>The number of flows, which the formulas need, is counted by the hashes of recent frames
 *       ({@link io.headgate.dataplane.icc.FlowCount}).
 *   <li>The timer ends once a whole period was idle, and senders have been notified of that.
 * </ul>
 */
@NullMarked
package io.headgate.dataplane.icc;

import org.jspecify.annotations.NullMarked;
