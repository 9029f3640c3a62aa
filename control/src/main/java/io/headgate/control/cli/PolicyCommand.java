package io.headgate.control.cli;

import io.headgate.config.Reason;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.daemon.RunDirectory;
import io.headgate.control.daemon.SwitchClient;
import io.headgate.control.policy.LoadedPolicy;
import io.headgate.control.policy.PolicyExplanation;
import io.headgate.control.policy.PolicyFile;
import io.headgate.control.report.Json;
import io.headgate.dataplane.openqueue.Binding;
import io.headgate.dataplane.openqueue.FabricLayout;
import io.headgate.dataplane.openqueue.PolicyPlan;
import io.headgate.dataplane.openqueue.language.Policy;
import io.headgate.dataplane.openqueue.language.PolicyException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code headgate policy}: OpenQueue policies, checked, explained and loaded. */
@Command(
        name = "policy",
        description = "Checks, explains, loads and shows OpenQueue policies (config/policies).")
public final class PolicyCommand extends HeadgateCommand {
    private static final String PORTS =
            "Number of ports of the switch, if the policy fits several numbers.";

    @Command(
            name = "check",
            mixinStandardHelpOptions = true,
            description = "Checks a policy, and shows where and why it is wrong.")
    int check(
            @Parameters(paramLabel = "FILE", description = "The policy.") Path file,
            @Option(names = "--ports", paramLabel = "N", description = PORTS) int ports,
            @Mixin JsonOption json)
            throws CommandFailure {
        Policy policy = read(file).policy();
        List<String> notes =
                policy.ports().size() > 1
                        ? ofFabric(policy, ports)
                        : policy.notices().stream()
                                .map(notice -> "no port can run it: " + notice)
                                .toList();
        record Checked(String file, int queues, int buffers, int ports, List<String> notes) {}
        StringBuilder text = new StringBuilder();
        text.append(file).append(": a policy of ").append(count(policy.queues(), "queue"));
        text.append(", ").append(count(policy.buffers(), "buffer"));
        text.append(", ").append(count(policy.ports(), "port")).append('\n');
        notes.forEach(note -> text.append(note).append('\n'));
        print(
                json.answer(
                        new Checked(
                                file.toString(),
                                policy.queues().size(),
                                policy.buffers().size(),
                                policy.ports().size(),
                                notes),
                        text::toString));
        return 0;
    }

    /** The switches that a policy of several ports lays out, or why there are none. */
    private static List<String> ofFabric(Policy policy, int ports) {
        List<String> lines = new ArrayList<>();
        try {
            FabricLayout layout = layout(policy, ports);
            layout.plan(Binding.standard(1, false));
            lines.add(
                    ("describes a switch with %d ports; use it with domain: {fabric: {file: …}}")
                            .formatted(layout.switchPorts()));
            for (FabricLayout other : FabricLayout.fitting(policy)) {
                if (other.switchPorts() != layout.switchPorts()) {
                    lines.add(
                            "also fits a switch with %1$d ports: see --ports %1$d"
                                    .formatted(other.switchPorts()));
                }
            }
        } catch (IllegalArgumentException e) {
            lines.add("no switch can run it: " + e.getMessage());
        }
        return lines;
    }

    private static FabricLayout layout(Policy policy, int ports) {
        return ports == 0 ? FabricLayout.of(policy) : FabricLayout.of(policy, ports);
    }

    private static String count(List<?> things, String word) {
        return things.size() + " " + word + (things.size() == 1 ? "" : "s");
    }

    @Command(
            name = "explain",
            mixinStandardHelpOptions = true,
            description =
                    "Describes in words how a policy handles packets, and the data structures"
                            + " that it uses.")
    int explain(
            @Parameters(paramLabel = "FILE", description = "The policy.") Path file,
            @Option(names = "--packets", description = "Sizes are in packets, not in bytes.")
                    boolean packets,
            @Option(names = "--ports", paramLabel = "N", description = PORTS) int ports,
            @Mixin JsonOption json)
            throws CommandFailure {
        List<String> said = explained(file, read(file).policy(), packets, ports);
        print(json.answer(said, () -> String.join("\n", said) + "\n"));
        return 0;
    }

    private static List<String> explained(Path file, Policy policy, boolean packets, int ports)
            throws CommandFailure {
        if (policy.ports().size() > 1) {
            try {
                FabricLayout layout = layout(policy, ports);
                Binding binding = Binding.standard(1, false).countingPackets(packets);
                return PolicyExplanation.of(layout, layout.plan(binding));
            } catch (IllegalArgumentException e) {
                throw CommandFailure.badInput(file + ": no switch can run it: " + e.getMessage());
            }
        }
        if (policy.queues().isEmpty() || !policy.notices().isEmpty()) {
            throw CommandFailure.badInput(
                    "%s: no port can run it: %s"
                            .formatted(
                                    file,
                                    policy.notices().isEmpty()
                                            ? "it has no queues"
                                            : policy.notices().getFirst()));
        }
        boolean selects = policy.ports().getFirst().selection() != null;
        Binding binding =
                Binding.standard(policy.queues().size(), selects).countingPackets(packets);
        return PolicyExplanation.of(PolicyPlan.of(policy, binding));
    }

    @Command(
            name = "load",
            mixinStandardHelpOptions = true,
            description = {
                "Replaces the policy of a port of a running switch: waiting frames are moved to the"
                        + " new queues in order of arrival; an unsuitable policy is refused.",
                "The port must have queues: {policy: …} in the switch's configuration."
            })
    int load(
            @Parameters(paramLabel = "FILE", description = "The policy.") Path file,
            @Option(
                            names = "--port",
                            paramLabel = "PORT",
                            required = true,
                            description = "The port, such as p4.")
                    String port,
            @Option(
                            names = "--switch",
                            paramLabel = "SWITCH",
                            description = "The switch; optional if only one runs.")
                    @Nullable String name,
            @Mixin JsonOption json)
            throws CommandFailure, DaemonException {
        read(file);
        String key = port + ".queues.policy.file=" + file.toAbsolutePath().normalize();
        JsonNode changes =
                SwitchClient.choose(RunDirectory.bases(), name)
                        .ask("set", Map.of("assignments", List.of(key)));
        print(SetCommand.text(changes, json.isGiven()));
        return 0;
    }

    @Command(
            name = "show",
            mixinStandardHelpOptions = true,
            description = "Describes the policies of the ports of a running switch, in words.")
    int show(
            @Option(
                            names = "--port",
                            paramLabel = "PORT",
                            description = "Only the policy of this port.")
                    @Nullable String port,
            @Mixin JsonOption json,
            @Mixin SwitchChoice choice)
            throws CommandFailure, DaemonException {
        List<LoadedPolicy> loaded = loaded(choice, port);
        print(json.answer(loaded, () -> PolicyTables.shown(loaded)));
        return 0;
    }

    @Command(
            name = "stats",
            mixinStandardHelpOptions = true,
            description = {
                "Shows the length and the counters of each policy queue of a running switch, since"
                        + " its policy was loaded.",
                "A port updates its counters five times a second."
            })
    int stats(
            @Option(
                            names = "--port",
                            paramLabel = "PORT",
                            description = "Only the policy of this port.")
                    @Nullable String port,
            @Mixin JsonOption json,
            @Mixin SwitchChoice choice)
            throws CommandFailure, DaemonException {
        List<LoadedPolicy> loaded = loaded(choice, port);
        CounterSnapshot counters = CounterSnapshot.of(choice.counters());
        List<PolicyTables.Row> rows = PolicyTables.rows(loaded, counters);
        print(json.answer(rows, () -> PolicyTables.table(rows)));
        return 0;
    }

    /** The policies of the named port; without a name, of all ports that have one. */
    private static List<LoadedPolicy> loaded(SwitchChoice choice, @Nullable String port)
            throws CommandFailure, DaemonException {
        List<LoadedPolicy> loaded = new ArrayList<>();
        List<String> known = new ArrayList<>();
        for (LoadedPolicy each : Json.list(choice.ask("policies"), LoadedPolicy[].class)) {
            known.add(each.port());
            if (port == null || port.equals(each.port())) {
                loaded.add(each);
            }
        }
        if (port != null && loaded.isEmpty()) {
            throw CommandFailure.badInput(
                    choice.describe()
                            + " has no policy at port '"
                            + port
                            + "'; ports with one: "
                            + (known.isEmpty() ? "none" : String.join(", ", known)));
        }
        return loaded;
    }

    private static PolicyFile read(Path file) throws CommandFailure {
        try {
            return PolicyFile.read(file);
        } catch (IOException e) {
            throw CommandFailure.badInput(Reason.of(e));
        } catch (PolicyException e) {
            throw CommandFailure.badInput(Reason.of(e));
        }
    }
}
