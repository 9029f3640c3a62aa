/**
 * Controls the rates of flows: a {@link RateControl} per limited flow, the {@link
 * NotificationPoint} at its receiver, and the {@link PacingWheel} that orders flows by the time of
 * their next frame. The same objects pace synthetic flows in virtual time and the flows of
 * unmodified applications.
 *
 * <p>Nothing here has a clock, a thread or a socket, or logs: time is an argument, as in the
 * engine, and architecture tests keep it so. Each object is owned by the thread that drives it;
 * bounded by the number of flows; memory for a flow is allocated when it begins.
 */
@NullMarked
package io.headgate.hostagent.rate;

import org.jspecify.annotations.NullMarked;
