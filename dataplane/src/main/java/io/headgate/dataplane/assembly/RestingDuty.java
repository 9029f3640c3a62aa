package io.headgate.dataplane.assembly;

import io.headgate.dataplane.engine.Duty;

/**
 * Wraps a duty that is not a half of a port: after a failure, the duty rests and is then called
 * again. It rests for 0.1 s, and twice as long after each further failure in quick succession, so
 * that a duty that always fails does not fill the log.
 */
public final class RestingDuty implements Duty {
    private static final long FIRST_REST_NS = 100_000_000;
    private static final long MOST_REST_NS = 30_000_000_000L;

    /** A duty that has been called for so long is taken to be sound. */
    private static final long SOUND_NS = 60_000_000_000L;

    private final Duty duty;
    private boolean rests;
    private long restNs;
    private long againNs;
    private Duty failed;

    public RestingDuty(Duty duty) {
        this.duty = duty;
        this.failed = duty;
    }

    @Override
    public String name() {
        return duty.name();
    }

    @Override
    public int doWork(long nowNs) {
        if (rests) {
            if (againNs - nowNs > 0) {
                return 0;
            }
            rests = false;
        }
        try {
            return duty.doWork(nowNs);
        } catch (RuntimeException | Error failure) {
            failed = duty.whatFailed();
            if (failed.equals(duty)) {
                rest(nowNs);
            }
            throw failure;
        }
    }

    private void rest(long nowNs) {
        boolean soonAgain = restNs > 0 && nowNs - againNs < SOUND_NS;
        restNs = soonAgain ? Math.min(2 * restNs, MOST_REST_NS) : FIRST_REST_NS;
        againNs = nowNs + restNs;
        rests = true;
    }

    @Override
    public long deadlineNs() {
        return rests ? againNs : duty.deadlineNs();
    }

    @Override
    public Duty whatFailed() {
        return failed;
    }

    @Override
    public void took(long durationNs, boolean isLong) {
        duty.took(durationNs, isLong);
    }

    @Override
    public void publish() {
        duty.publish();
    }
}
