package io.headgate.testbed.virtual.time;

/** The clock of a run. Only the run sets it. */
public final class VirtualClock {
    private static final long PS_PER_NS = 1000;

    private long ps;
    private long ns;

    public VirtualClock() {}

    /** Picoseconds since the run's start. */
    public long ps() {
        return ps;
    }

    /** Whole nanoseconds since the run's start: what duties see. */
    public long ns() {
        return ns;
    }

    /** Called only by the run. It runs nodes one after another, so time may also go back. */
    public void set(long timePs) {
        ps = timePs;
        ns = timePs / PS_PER_NS;
    }
}
