package io.headgate.dataplane.device.linux;

/**
 * How late the kernel may wake the calling thread from a timed sleep, to save power: 50 µs unless
 * told otherwise (prctl(2), PR_SET_TIMERSLACK). A pacer cannot have that.
 */
public final class TimerSlack {
    private TimerSlack() {}

    /**
     * Sets the calling thread's slack. A kernel that refuses leaves it as it was.
     *
     * @param slackNs in ns, at least 1
     * @return whether it is now so
     */
    public static boolean set(long slackNs) {
        if (slackNs < 1) {
            throw new IllegalArgumentException("timer slack of " + slackNs + " ns");
        }
        return Threads.prctl(new Errno(), Threads.PR_SET_TIMERSLACK, slackNs) == 0;
    }

    /** The calling thread's slack, in ns. */
    public static long get() {
        return Threads.prctl(new Errno(), Threads.PR_GET_TIMERSLACK, 0);
    }
}
