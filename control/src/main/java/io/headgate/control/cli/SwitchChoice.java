package io.headgate.control.cli;

import io.headgate.config.Reason;
import io.headgate.control.counters.CounterFile;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.daemon.HostDaemon;
import io.headgate.control.daemon.RunDirectory;
import io.headgate.control.daemon.SwitchClient;
import io.headgate.dataplane.counter.CounterReader;
import io.headgate.hostagent.rate.FlowRates;
import io.headgate.hostagent.telemetry.FlowPaths;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** The option that selects a running switch. */
public final class SwitchChoice {
    @Option(
            names = "--switch",
            paramLabel = "NAME",
            description = "The switch; optional if only one runs.")
    private @Nullable String name;

    @Option(
            names = "--host",
            paramLabel = "NAME",
            description = "The card of this host, which an agent here serves, instead of a switch.")
    private @Nullable String host;

    private final List<Path> bases = RunDirectory.bases();

    String name() throws DaemonException {
        return host == null ? SwitchClient.choose(bases, name).name() : host;
    }

    /** Refuses a switch that has ended meanwhile. */
    void requireRunning(String known) throws DaemonException {
        if (host != null) {
            countersOfHost(known);
        } else {
            SwitchClient.choose(bases, known);
        }
    }

    /** Whether the only running switch is selected, without its name. */
    boolean isUnnamed() {
        return host == null && name == null;
    }

    String describe() {
        return host != null ? "host " + host : name == null ? "the switch" : "switch " + name;
    }

    JsonNode ask(String what) throws DaemonException {
        try (SwitchClient client = connect()) {
            return client.ask(what, Map.of());
        }
    }

    /**
     * Connects to the selected switch.
     *
     * @throws DaemonException in a sentence, if no single switch answers this user
     */
    public SwitchClient connect() throws DaemonException {
        if (host != null) {
            throw new DaemonException(
                    "the card of a host can only show counters; leave --host out");
        }
        return SwitchClient.choose(bases, name).connect();
    }

    /** Whether a host's card is selected, which has only counters. */
    boolean isHost() {
        return host != null;
    }

    /**
     * Whether a running switch can be asked, and this user may: not a host, nor another user's
     * switch.
     */
    boolean mayAsk() throws DaemonException {
        return host == null && SwitchClient.choose(bases, name).mayAsk();
    }

    /** Its counters, mapped: anybody may read them. */
    CounterReader counters() throws DaemonException {
        if (host != null) {
            return countersOfHost(host);
        }
        SwitchClient.Running running = SwitchClient.choose(bases, name);
        return counters(running.base(), running.name(), "switch");
    }

    /** The rates of the host's flows; null if nothing controls them. */
    @Nullable List<FlowRates.Row> rates() throws DaemonException {
        if (host == null) {
            throw new DaemonException(
                    "hosts control the rates of flows: choose a host with --host NAME");
        }
        return ofHost(host, "rates", HostDaemon::rates, FlowRates::read);
    }

    /** The ports by which frames came to the host; null if no frame reports them. */
    FlowPaths.@Nullable View paths() throws DaemonException {
        if (host == null) {
            throw new DaemonException(
                    "telemetry ends at hosts: choose a host with --host NAME; 'headgate show"
                            + " congestion' shows the telemetry counters of a switch's ports");
        }
        return pathsOfHost(host);
    }

    /** The ports by which frames came to a host; null if no frame reports them. */
    static FlowPaths.@Nullable View pathsOfHost(String name) throws DaemonException {
        return ofHost(name, "telemetry", HostDaemon::paths, FlowPaths::read);
    }

    /** Reads a file of a host; null if there is no such file. */
    private static <T> @Nullable T ofHost(
            String name,
            String what,
            BiFunction<Path, String, Path> file,
            Function<MemorySegment, T> read)
            throws DaemonException {
        countersOfHost(name);
        for (Path base : RunDirectory.bases()) {
            try {
                return read.apply(CounterFile.map(file.apply(base, name)));
            } catch (NoSuchFileException e) {
                // It is that of another base, or of none.
            } catch (IOException | IllegalArgumentException e) {
                throw new DaemonException(
                        "the %s of host %s cannot be read: %s".formatted(what, name, Reason.of(e)));
            }
        }
        return null;
    }

    static CounterReader countersOfHost(String name) throws DaemonException {
        List<String> known = new ArrayList<>();
        for (Path base : RunDirectory.bases()) {
            List<String> names = RunDirectory.names(HostDaemon.hosts(base));
            if (names.contains(name)) {
                return counters(HostDaemon.hosts(base), name, "host");
            }
            known.addAll(names);
        }
        throw new DaemonException(
                "no host named "
                        + name
                        + " runs here"
                        + (known.isEmpty() ? "" : "; there are: " + String.join(", ", known)));
    }

    private static CounterReader counters(Path base, String name, String what)
            throws DaemonException {
        try {
            return CounterFile.open(RunDirectory.counters(base, name));
        } catch (AccessDeniedException e) {
            throw new DaemonException(
                    ("cannot read the counters of %s %s: it belongs to another user, or it is just"
                                    + " starting")
                            .formatted(what, name));
        } catch (IOException | IllegalArgumentException e) {
            throw new DaemonException(
                    "the counters of " + what + " " + name + " cannot be read: " + Reason.of(e));
        }
    }
}
