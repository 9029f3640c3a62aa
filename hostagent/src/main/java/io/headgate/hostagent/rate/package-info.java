/**
 * How fast flows may send: a {@link RateControl} for each flow that is limited, what a receiver
 * reports to it ({@link NotificationPoint}), and the {@link PacingWheel} that knows which flow is
 * due when. The same objects pace synthetic flows in virtual time and the flows of unmodified
 * applications.
 *
 * <p>Nothing here has a clock, a thread or a socket, or logs: time is an argument, as in the
 * engine, and architecture tests keep it so. Each object is owned by the thread that drives it;
 * bounded by the number of flows, for each of which memory is taken when it begins.
 */
@NullMarked
package io.headgate.hostagent.rate;

import org.jspecify.annotations.NullMarked;
