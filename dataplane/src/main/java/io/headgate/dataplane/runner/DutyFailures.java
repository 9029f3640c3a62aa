package io.headgate.dataplane.runner;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reports failed duties, and has the port of a failed half closed. Called by workers. */
public final class DutyFailures implements RealTimeEngine.DutyFailureListener {
    private final Consumer<String> log;
    private final ErrorRecord errors;
    private final List<String> early = new ArrayList<>();
    private @Nullable PortSupervisor supervisor;

    /**
     * @param log receives lines for a person, without line ends
     * @param errors records each failure
     */
    public DutyFailures(Consumer<String> log, ErrorRecord errors) {
        this.log = log;
        this.errors = errors;
    }

    @Override
    public synchronized void failed(String duty, Throwable failure) {
        String then =
                PortSupervisor.isHalf(duty)
                        ? " failed, and is stopped until its port is opened again: "
                        : " failed, and is called again: ";
        say(ErrorRecord.Kind.DUTY_FAILED, duty + then + reason(failure));
        if (supervisor == null) {
            early.add(duty);
        } else {
            supervisor.dutyFailed(duty);
        }
    }

    @Override
    public synchronized void serviceFailed(String service, Throwable failure) {
        say(
                ErrorRecord.Kind.SERVICE_FAILED,
                "service %s failed, and is tried again a while later: %s"
                        .formatted(service, reason(failure)));
    }

    private void say(ErrorRecord.Kind kind, String what) {
        errors.add(kind, what);
        log.accept(what);
    }

    private static String reason(Throwable failure) {
        Throwable first = failure;
        while (first.getCause() != null) {
            first = first.getCause();
        }
        StackTraceElement[] trace = first.getStackTrace();
        return failure + (trace.length == 0 ? "" : " at " + trace[0]);
    }

    /** Sets the supervisor to notify; failures so far are replayed at once. */
    public synchronized void tell(PortSupervisor listener) {
        supervisor = listener;
        early.forEach(listener::dutyFailed);
    }
}
