package io.headgate.control.show;

import io.headgate.control.daemon.DaemonException;
import io.headgate.control.run.RunningSwitch;
import tools.jackson.databind.JsonNode;

/**
 * An answer that only the running switch can give. The same class works at both ends of the control
 * socket: the switch makes the answer, and {@code show} turns it into text. Its name is a request
 * of the control API.
 */
public interface SwitchAnswer extends ShowTable {
    /**
     * Makes the object that is written as JSON. Called in the switch's process, by the thread that
     * carries out requests.
     *
     * @throws DaemonException if this switch has no such table, with a sentence that says why
     */
    Object answer(RunningSwitch running) throws DaemonException;

    /** The answer for a person: whole lines. */
    String text(JsonNode answer);

    @Override
    default String text(ShowRequest request) throws DaemonException {
        return text(request.ask(name()));
    }

    @Override
    default JsonNode json(ShowRequest request) throws DaemonException {
        return request.ask(name());
    }
}
