package io.headgate.dataplane.service;

import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.service.Services.FailureListener;
import io.headgate.dataplane.service.Services.Joined;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Runs one service of a switch, and restarts it when it throws: the service is discarded, reported,
 * and made again after a pause that grows each time, so that the rest of the switch is not
 * affected. Further failures are only counted, not reported, until the service has run for as long
 * as it was away.
 */
final class ServiceHost {
    static final long FIRST_PAUSE_NS = 1_000_000_000L;
    static final long LONGEST_PAUSE_NS = 64_000_000_000L;

    /** The beginning of time. */
    private static final long AT_ONCE = 0;

    private final FailureListener failures;
    private Joined<?> joined;
    private ServiceSetup setup;

    /** Null while it has failed. Other threads read the values that it publishes. */
    private volatile @Nullable LocalService service;

    private long deadlineNs;

    /** Failure of a service that should have taken over; the next call handles it. */
    private @Nullable Throwable takingOver;

    /**
     * The time since which the service has been away or running, and the length of its present or
     * last pause.
     */
    private long sinceNs;

    private long pauseNs;

    ServiceHost(Joined<?> joined, ServiceSetup setup, FailureListener failures) {
        this.joined = joined;
        this.setup = setup;
        this.failures = failures;
        LocalService made = joined.service(setup);
        this.service = made;
        this.deadlineNs = made.deadlineNs();
    }

    @Nullable LocalService service() {
        return service;
    }

    long deadlineNs() {
        return deadlineNs;
    }

    void heard(long nowNs, int port, MemorySegment segment, long frame, int bytes) {
        LocalService now = service;
        if (now == null || takingOver != null) {
            return;
        }
        try {
            now.heard(nowNs, port, segment, frame, bytes);
            deadlineNs = now.deadlineNs();
        } catch (RuntimeException | Error failure) {
            failed(nowNs, failure);
        }
    }

    int doWork(long nowNs) {
        Throwable found = takingOver;
        if (found != null) {
            takingOver = null;
            failed(nowNs, found);
            return 1;
        }
        if (deadlineNs - nowNs > 0) {
            return 0;
        }
        try {
            LocalService now = service;
            if (now == null) {
                now = joined.service(setup);
                service = now;
                sinceNs = nowNs;
            }
            int work = now.doWork(nowNs);
            deadlineNs = now.deadlineNs();
            return work;
        } catch (RuntimeException | Error failure) {
            failed(nowNs, failure);
            return 1;
        }
    }

    private void failed(long nowNs, Throwable failure) {
        boolean wasWell = service != null && nowNs - sinceNs >= pauseNs;
        pauseNs = wasWell ? FIRST_PAUSE_NS : Math.min(2 * pauseNs, LONGEST_PAUSE_NS);
        service = null;
        sinceNs = nowNs;
        deadlineNs = nowNs + pauseNs;
        setup.counters().countFailure();
        if (wasWell) {
            failures.failed(joined.mechanism().name(), failure);
        }
    }

    private void goOn(LocalService made, LocalService before) {
        try {
            made.goOnFrom(before);
            deadlineNs = made.deadlineNs();
            service = made;
            takingOver = null;
        } catch (RuntimeException | Error failure) {
            takingOver = failure;
            deadlineNs = AT_ONCE;
        }
    }

    /** Any thread: makes a service for another configuration; the owner lets it take over. */
    Runnable prepare(Joined<?> next, SwitchConfig config) {
        ServiceSetup nextSetup =
                new ServiceSetup(
                        config, setup.addresses(), setup.isUp(), setup.sender(), setup.counters());
        LocalService made = next.service(nextSetup);
        return () -> {
            joined = next;
            setup = nextSetup;
            LocalService before = service;
            // One that has failed is made again at its time, as the new configuration says.
            if (before != null) {
                goOn(made, before);
            }
        };
    }
}
