package io.headgate.dataplane.runner;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Says that a duty failed, and has its port closed. Called by workers. */
public final class DutyFailures implements RealTimeEngine.DutyFailureListener {
    private final Consumer<String> log;
    private final List<String> early = new ArrayList<>();
    private @Nullable PortSupervisor supervisor;

    /**
     * @param log takes lines for a person, without their ends
     */
    public DutyFailures(Consumer<String> log) {
        this.log = log;
    }

    @Override
    public synchronized void failed(String duty, Throwable failure) {
        Throwable first = failure;
        while (first.getCause() != null) {
            first = first.getCause();
        }
        StackTraceElement[] trace = first.getStackTrace();
        String where = trace.length == 0 ? "" : " at " + trace[0];
        log.accept(duty + " failed and was stopped: " + failure + where);
        if (supervisor == null) {
            early.add(duty);
        } else {
            supervisor.dutyFailed(duty);
        }
    }

    /** Whom to tell, also of what has failed already. */
    public synchronized void tell(PortSupervisor listener) {
        supervisor = listener;
        early.forEach(listener::dutyFailed);
    }
}
