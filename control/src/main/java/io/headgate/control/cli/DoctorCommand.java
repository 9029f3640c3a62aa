package io.headgate.control.cli;

import io.headgate.config.ConfigException;
import io.headgate.config.read.HostConfigReader;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.control.daemon.RunDirectory;
import io.headgate.control.doctor.Doctor;
import io.headgate.control.doctor.Finding;
import io.headgate.dataplane.device.DeviceException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code headgate doctor}: finds faults that show no error message; {@code --fix} also repairs
 * them.
 */
@Command(
        name = "doctor",
        description =
                "Finds problems that make a user-space switch fail silently: offloads, MTUs,"
                        + " missing rights and tools, IPv6 noise, remains of killed processes.")
public final class DoctorCommand extends HeadgateCommand implements Callable<Integer> {
    @Mixin private final JsonOption json = new JsonOption();

    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description = "Checks the interfaces of this configuration (of a switch or of hosts).")
    private @Nullable Path file;

    @Option(
            names = "--netns",
            paramLabel = "NAME",
            description = "Checks the veth interfaces of this network namespace; may be repeated.")
    private List<String> namespaces = List.of();

    @Option(names = "--fix", description = "Runs the commands that fix the problems.")
    private boolean fix;

    @Override
    public Integer call() throws DeviceException, CommandFailure {
        PrintWriter out = out();
        Path chosen = file;
        List<Doctor.Interface> interfaces = chosen == null ? List.of() : interfaces(chosen);
        List<Finding> findings = look(interfaces);
        if (json.isGiven() && !fix) {
            print(json.answer(problems(findings), () -> ""));
            return findings.isEmpty() ? 0 : 1;
        }
        if (findings.isEmpty()) {
            out.println(
                    chosen == null && namespaces.isEmpty()
                            ? "no problem found; 'headgate doctor -c FILE' also checks the"
                                    + " interfaces of a switch's or hosts' configuration"
                            : "no problem found");
            return 0;
        }
        if (!fix) {
            findings.forEach(out::println);
            long mendable = findings.stream().filter(one -> !one.remedy().isEmpty()).count();
            out.println(
                    findings.size()
                            + (findings.size() == 1 ? " problem" : " problems")
                            + " found; "
                            + (mendable == 0
                                    ? "none of them can be fixed by a command"
                                    : "run again with --fix to run the commands"
                                            + (mendable == findings.size()
                                                    ? ""
                                                    : " that correct " + mendable + " of them")));
            return 1;
        }
        if (json.isGiven()) {
            throw CommandFailure.badInput(
                    "--fix describes its actions as text and cannot be used with --json");
        }
        for (Finding finding : findings) {
            if (finding.remedy().isEmpty()) {
                out.println(finding);
                continue;
            }
            String failure = Doctor.mend(finding);
            out.println(
                    failure.isEmpty()
                            ? finding.where() + ": corrected by " + finding.mend()
                            : finding + "\n  which failed: " + failure);
            out.flush();
        }
        int left = look(interfaces).size();
        out.println(left == 0 ? "no problem left" : left + " of the problems remain");
        return left == 0 ? 0 : 1;
    }

    private static Object problems(List<Finding> findings) {
        record Problem(String where, String what, List<String> command, String advice) {}
        return Map.of(
                "problems",
                findings.stream()
                        .map(one ->
                                new Problem(one.where(), one.what(), one.remedy(), one.advice()))
                        .toList());
    }

    /** The interfaces of a switch, or of hosts if the file describes those. */
    private static List<Doctor.Interface> interfaces(Path file) {
        try {
            return Doctor.interfaces(SwitchConfigReader.read(file));
        } catch (ConfigException notOfASwitch) {
            try {
                return Doctor.interfaces(HostConfigReader.read(file));
            } catch (ConfigException e) {
                // The one that understands more of it says what is wrong.
                throw e.problems().size() < notOfASwitch.problems().size() ? e : notOfASwitch;
            }
        }
    }

    private List<Finding> look(List<Doctor.Interface> interfaces) throws DeviceException {
        List<Finding> findings = new ArrayList<>(Doctor.machine(RunDirectory.base()));
        interfaces.forEach(one -> findings.addAll(Doctor.of(one)));
        for (String netns : namespaces) {
            findings.addAll(Doctor.namespace(netns));
        }
        // Two ports may be the two ends of one veth.
        return findings.stream().distinct().toList();
    }
}
