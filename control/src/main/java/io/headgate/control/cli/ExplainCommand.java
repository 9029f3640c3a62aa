package io.headgate.control.cli;

import io.headgate.control.daemon.Answers;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.daemon.PausedNetwork;
import io.headgate.control.daemon.RunDirectory;
import io.headgate.control.daemon.SwitchClient;
import io.headgate.control.pauses.PauseTrace;
import io.headgate.control.report.Json;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code headgate explain}: why a running network does what it does. */
@Command(
        name = "explain",
        description = "Explains what a running network does.",
        subcommands = ExplainCommand.Pause.class)
public final class ExplainCommand extends HeadgateCommand implements Runnable {
    @Override
    public void run() {
        throw wrong("headgate explain needs to know what: pause.");
    }

    /** {@code headgate explain pause}. */
    @Command(
            name = "pause",
            description = {
                "Follows a pause from switch to switch to its root, and says who suffers and why.",
                "Switches know each other's ports by LLDP (services: {lldp: {}} at both ends), or"
                        + " by the lab that made them, and are asked by their control sockets on this"
                        + " machine."
            })
    static final class Pause extends HeadgateCommand implements Callable<Integer> {
        @Parameters(
                index = "0",
                paramLabel = "SWITCH:PORT",
                description = "Whose frames wait, such as s1:p2.")
        private String queue;

        @Parameters(index = "1", paramLabel = "PRIO", description = "The priority, 0 to 7.")
        private int priority;

        @Option(names = "--json", description = "For programs: one line of JSON.")
        private boolean json;

        @Override
        public Integer call() throws DaemonException, CommandFailure {
            int colon = queue.lastIndexOf(':');
            if (colon < 1 || colon == queue.length() - 1) {
                throw CommandFailure.badInput(
                        "'" + queue + "' names no queue; allowed is SWITCH:PORT, such as s1:p2");
            }
            if (priority < 0 || priority > 7) {
                throw CommandFailure.badInput(
                        "priority " + priority + " cannot be; allowed are 0 to 7");
            }
            String name = queue.substring(0, colon);
            String port = queue.substring(colon + 1);
            checkPort(name, port);
            PauseTrace trace =
                    PauseTrace.follow(
                            new PausedNetwork(RunDirectory.bases()), name, port, priority);
            print(json ? Json.COMPACT.writeValueAsString(trace) + "\n" : trace.toText());
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
