package io.headgate.dataplane.runner;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Says that a duty failed, and has its port closed. Called by workers. */
public final class DutyFailures implements RealTimeEngine.DutyFailureListener {
    private final Consumer<String> log;
    private final ErrorRecord errors;
    private final List<String> early = new ArrayList<>();
    private @Nullable PortSupervisor supervisor;

    /**
     * @param log takes lines for a person, without their ends
     * @param errors where each is recorded
     */
    public DutyFailures(Consumer<String> log, ErrorRecord errors) {
        this.log = log;
        this.errors = errors;
    }

    @Override
    public synchronized void failed(String duty, Throwable failure) {
        Throwable first = failure;
        while (first.getCause() != null) {
            first = first.getCause();
        }
        StackTraceElement[] trace = first.getStackTrace();
        String where = trace.length == 0 ? "" : " at " + trace[0];
        String what = duty + " failed and was stopped: " + failure + where;
        errors.add(ErrorRecord.Kind.DUTY_FAILED, what);
        log.accept(what);
        if (supervisor == null) {
            early.add(duty);
        } else {
            supervisor.dutyFailed(duty);
        }
    }

    /** Sets the supervisor to be told; failures so far are told at once. */
    public synchronized void tell(PortSupervisor listener) {
        supervisor = listener;
        early.forEach(listener::dutyFailed);
    }
}
