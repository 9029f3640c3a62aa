package io.headgate.dataplane.device.linux;

/**
 * Timer slack of the calling thread: how late the kernel may wake it from a timed sleep, to save
 * power (prctl(2), PR_SET_TIMERSLACK). The default is 50 µs, which is too much for a pacer.
 */
public final class TimerSlack {
    private TimerSlack() {}

    /**
     * Sets the calling thread's slack. If the kernel refuses, it stays as it was.
     *
     * @param slackNs in ns, at least 1
     * @return whether it was set
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
