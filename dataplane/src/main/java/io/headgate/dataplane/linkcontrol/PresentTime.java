package io.headgate.dataplane.linkcontrol;

/**
 * The present time, for events that need the time at which they happen instead of the time at which
 * their duty was called. A worker reads its clock once per cycle, before any other work. If another
 * process or a signal then delays it, it continues with a time in the past: a pause counted from
 * there would be shorter than the far end asked for, by the length of the delay.
 *
 * <p>The runner hands it in; the engine knows no clock. It is read when link control is received or
 * made, when a priority stops or may go on, and for each batch while a capture is on: never for a
 * frame of data.
 */
@FunctionalInterface
public interface PresentTime {
    /** For virtual time and time set by hand: a call takes no time. */
    PresentTime OF_THE_CALL = calledNs -> calledNs;

    /**
     * The engine's time, in ns.
     *
     * @param calledNs time with which the duty was called; the result is never earlier
     */
    long presentNs(long calledNs);
}
