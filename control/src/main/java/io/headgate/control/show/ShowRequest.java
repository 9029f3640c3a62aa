package io.headgate.control.show;

import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.telemetry.SwitchNumbers;
import io.headgate.hostagent.rate.FlowRates;
import io.headgate.hostagent.telemetry.FlowPaths;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What a table is made from: one switch, or one host's card, at one moment. */
public interface ShowRequest {
    /**
     * Counters as they are now, or what they counted in the time that was asked for; only those of
     * the ports that were asked for. The same at each call.
     */
    CounterSnapshot counters() throws DaemonException, InterruptedException;

    /** Over which the counters came together; 0: since the switch started. */
    double seconds() throws DaemonException, InterruptedException;

    /** The ports asked for; empty: all. */
    List<String> ports();

    /** Whether SONiC's names are shown next to ours, where a table has them. */
    default boolean namesOfSonic() {
        return false;
    }

    /** Whether a host's card is meant, which has counters and nothing else. */
    boolean isHost();

    /**
     * The switch's own answer to a request of its control socket.
     *
     * @throws DaemonException if it refuses, or this user may not ask
     */
    JsonNode ask(String what) throws DaemonException;

    /** The rates of the host's flows; null if nothing controls them. */
    @Nullable List<FlowRates.Row> rates() throws DaemonException;

    /** By which ports frames came to the host; null if none can say it. */
    FlowPaths.@Nullable View paths() throws DaemonException;

    /** The switches and ports behind the numbers in telemetry. */
    SwitchNumbers numbers();
}
