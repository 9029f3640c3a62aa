package io.headgate.dataplane.linkcontrol;

/**
 * What time it is, for what must be timed by when it happens and not by when its duty was called. A
 * worker reads its clock once per cycle, before it looks at anything. Held up after that, by
 * another process or a signal, it goes on with a time in the past: a pause that counted from there
 * would be shorter than the far end asked for, by as long as the worker was held.
 *
 * <p>The runner hands it in; the engine knows no clock. It is asked where link control is taken in
 * or made, where a priority stops or may go on, and for each batch while a capture is on: never for
 * a frame of data.
 */
@FunctionalInterface
public interface PresentTime {
    /** For virtual time, and time set by hand, in which a call takes no time. */
    PresentTime OF_THE_CALL = calledNs -> calledNs;

    /**
     * The engine's time, in ns.
     *
     * @param calledNs with which the duty was called; the answer is never earlier
     */
    long presentNs(long calledNs);
}
