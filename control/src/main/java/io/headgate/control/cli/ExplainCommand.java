package io.headgate.control.cli;

import io.headgate.control.daemon.Answers;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.daemon.PausedNetwork;
import io.headgate.control.daemon.RunDirectory;
import io.headgate.control.daemon.SwitchClient;
import io.headgate.control.daemon.TelemetryNetwork;
import io.headgate.control.daemon.WalkedNetwork;
import io.headgate.control.link.PathWalk;
import io.headgate.control.pauses.PauseTrace;
import io.headgate.control.report.Json;
import io.headgate.control.telemetry.PathTrace;
import io.headgate.control.telemetry.SeenFlow;
import io.headgate.control.telemetry.SwitchNumbers;
import io.headgate.hostagent.telemetry.FlowPaths;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code headgate explain}: why a running network does what it does. */
@Command(
        name = "explain",
        description = {
            "Explains what a running network does, or what happened in a run in virtual time.",
            "RUN is a result of 'headgate reproduce'. It runs again with its seed and parameters,"
                    + " and the command shows which flows caused a pause and, with --prove, whether"
                    + " the pause also happens without them."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:explained",
            "1:the change by --prove does not remove it",
            "2:there is no such run or pause"
        },
        subcommands = {ExplainCommand.Pause.class, ExplainCommand.PathBetween.class})
public final class ExplainCommand extends HeadgateCommand implements Callable<Integer> {
    @Mixin private final JsonOption json = new JsonOption();

    /** Explains runs; the test bed provides it. */
    public interface OfRuns {
        /**
         * Prints the explanation.
         *
         * @param question as in {@code pause s1:p2 prio 3 at 1.2ms}; empty: lists the pauses
         */
        int explain(Path run, String question, Asked asked, PrintWriter out) throws CommandFailure;
    }

    /**
     * Options for the explanation of a run.
     *
     * @param number which run of the result; null: its only one
     * @param prove whether to run it once more with something changed
     * @param change the change; null: the suspected flows are left out
     */
    public record Asked(
            @Nullable Integer number, boolean prove, @Nullable String change, boolean json) {}

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "RUN",
            description = "Directory of a result.")
    private @Nullable Path run;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "QUESTION",
            description =
                    "'pause s1:p2 prio 3 at 1.2ms' (h1 for a host's pause) or 'deadlock'; by"
                            + " default, lists the pauses of the run.")
    private @Nullable String question;

    @Option(names = "--run", paramLabel = "N", description = "The run, if the result has several.")
    private @Nullable Integer number;

    @Option(
            names = "--prove",
            description =
                    "Runs again without the suspected flows, and reports what has disappeared.")
    private boolean prove;

    @Option(
            names = "--what-if",
            paramLabel = "CHANGE",
            description =
                    "Uses this change for the proof instead, as in 'headgate reproduce --what-if'.")
    private @Nullable String change;

    @Override
    public Integer call() throws CommandFailure {
        if (run == null) {
            throw wrong("headgate explain needs an argument: pause, path, or the result of a run.");
        }
        OfRuns runs =
                ServiceLoader.load(OfRuns.class)
                        .findFirst()
                        .orElseThrow(() ->
                                CommandFailure.badInput(
                                        "this installation has no test bed and cannot explain runs;"
                                                + " allowed are pause and path"));
        Asked asked = new Asked(number, prove || change != null, change, json.isGiven());
        return runs.explain(run, question == null ? "" : question, asked, out());
    }

    /** {@code headgate explain path}. */
    @Command(
            name = "path",
            description = {
                "Shows the ports on the path from one host to another, and where and how long"
                        + " frames wait there, from the telemetry in the frames (congestion:"
                        + " {telemetry: {}} at ports and hosts).",
                "Also shows the path by the switches' tables, and what is missing: a link that is"
                        + " down, a next hop that does not answer, a route. Without telemetry it"
                        + " shows only this part. The exit code is 1 if there is no path."
            })
    static final class PathBetween extends HeadgateCommand implements Callable<Integer> {
        @Mixin private final JsonOption json = new JsonOption();

        @Parameters(
                index = "0",
                paramLabel = "FROM",
                description = "A host by its name or IP address.")
        private String from;

        @Parameters(index = "1", paramLabel = "TO", description = "A host by its name.")
        private String to;

        /** The output of {@code --json}. */
        private record Explained(
                String from, String to, List<PathTrace.Way> ways, PathWalk tables) {}

        @Override
        public Integer call() throws DaemonException, CommandFailure {
            if (from.equals(to)) {
                throw CommandFailure.badInput(
                        "'%s' is both ends of the path; allowed are two hosts".formatted(from));
            }
            PathWalk walk = PathWalk.of(from, to, new WalkedNetwork(RunDirectory.bases()));
            PathTrace trace = telemetry();
            print(
                    json.answer(
                            new Explained(from, to, trace.ways(), walk),
                            () -> trace.toText() + walk.toText()));
            // Where no switch may be asked, what frames say is all there is.
            boolean seen = !trace.ways().isEmpty() && walk.steps().isEmpty();
            return walk.complete() || seen ? 0 : 1;
        }

        /**
         * The telemetry that ports wrote into frames; empty if none did, or if the host is not
         * served here.
         */
        private PathTrace telemetry() {
            TelemetryNetwork network = new TelemetryNetwork(RunDirectory.bases());
            SwitchNumbers numbers = network.numbers();
            List<SeenFlow> seen = List.of();
            try {
                FlowPaths.View view = SwitchChoice.pathsOfHost(to);
                seen = view == null ? seen : SeenFlow.of(view, numbers, System.nanoTime());
            } catch (DaemonException e) {
                // A plain host: the tables are all there is.
            }
            return PathTrace.of(from, to, seen, addresses(numbers), network::peers);
        }

        /**
         * The address itself, or the addresses at which the host received frames with telemetry.
         */
        private Set<String> addresses(SwitchNumbers numbers) {
            try {
                return Set.of(InetAddress.ofLiteral(from).getHostAddress());
            } catch (IllegalArgumentException e) {
                // A name.
            }
            try {
                FlowPaths.View own = SwitchChoice.pathsOfHost(from);
                return own == null
                        ? Set.of()
                        : SeenFlow.of(own, numbers, 0).stream()
                                .map(SeenFlow::destination)
                                .collect(Collectors.toSet());
            } catch (DaemonException e) {
                // It is not served here: the first switch may know it as its neighbour.
                return Set.of();
            }
        }
    }

    /** {@code headgate explain pause}. */
    @Command(
            name = "pause",
            description = {
                "Follows a pause from switch to switch to its root cause, and shows which senders"
                        + " are affected and why.",
                "Switches know each other's ports from LLDP (services: {lldp: {}} at both ends), or"
                        + " from the lab that created them; the command queries them through their"
                        + " control sockets on this machine."
            })
    static final class Pause extends HeadgateCommand implements Callable<Integer> {
        @Mixin private final JsonOption json = new JsonOption();

        @Parameters(
                index = "0",
                paramLabel = "SWITCH:PORT",
                description = "The port whose frames wait, such as s1:p2.")
        private String queue;

        @Parameters(index = "1", paramLabel = "PRIO", description = "The priority, 0 to 7.")
        private int priority;

        @Override
        public Integer call() throws DaemonException, CommandFailure {
            // Labs and files of scenarios write s1/p2.
            int colon = queue.replace('/', ':').lastIndexOf(':');
            if (colon < 1 || colon == queue.length() - 1) {
                throw CommandFailure.badInput(
                        "'" + queue + "' is not a queue; allowed is SWITCH:PORT, such as s1:p2");
            }
            if (priority < 0 || priority > 7) {
                throw CommandFailure.badInput(
                        "priority " + priority + " is not allowed; allowed are 0 to 7");
            }
            String name = queue.substring(0, colon);
            String port = queue.substring(colon + 1);
            checkPort(name, port);
            PauseTrace trace =
                    PauseTrace.follow(
                            new PausedNetwork(RunDirectory.bases()), name, port, priority);
            print(json.answer(trace, trace::toText));
            return 0;
        }

        private void checkPort(String name, String port) throws DaemonException, CommandFailure {
            List<String> ports =
                    Json.list(
                                    SwitchClient.choose(RunDirectory.bases(), name)
                                            .ask("ports", Map.of()),
                                    Answers.Port[].class)
                            .stream()
                            .map(Answers.Port::name)
                            .toList();
            if (!ports.contains(port)) {
                throw CommandFailure.badInput(
                        "switch %s has no port '%s'; its ports are %s"
                                .formatted(name, port, String.join(", ", ports)));
            }
        }
    }
}
