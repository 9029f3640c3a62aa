package io.headgate.control.show;

import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.telemetry.SwitchNumbers;
import io.headgate.hostagent.rate.FlowRates;
import io.headgate.hostagent.telemetry.FlowPaths;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The source of a table's data: one switch, or one host's card, at one moment. */
public interface ShowRequest {
    /**
     * The counters now, or their increase over the requested time; only those of the requested
     * ports. The same at each call.
     */
    CounterSnapshot counters() throws DaemonException, InterruptedException;

    /** The time over which the counters counted; 0: since the switch started. */
    double seconds() throws DaemonException, InterruptedException;

    /** The requested ports; empty: all. */
    List<String> ports();

    /** Whether SONiC's names are shown next to ours, if a table has them. */
    default boolean namesOfSonic() {
        return false;
    }

    /** Whether the source is a host's card, which has only counters. */
    boolean isHost();

    /**
     * The switch's own answer to a request of its control socket.
     *
     * @throws DaemonException if it refuses, or this user may not ask
     */
    JsonNode ask(String what) throws DaemonException;

    /** The rates of the host's flows; null if nothing controls them. */
    @Nullable List<FlowRates.Row> rates() throws DaemonException;

    /** The ports by which frames came to the host; null if no frame reports them. */
    FlowPaths.@Nullable View paths() throws DaemonException;

    /** The switches and ports behind the numbers in telemetry. */
    SwitchNumbers numbers();
}
