package io.headgate.control.doctor;

import io.headgate.config.DeviceConfig;
import io.headgate.config.HostConfig;
import io.headgate.config.Reason;
import io.headgate.config.SwitchConfig;
import io.headgate.control.daemon.RunDirectory;
import io.headgate.control.report.Json;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.net.LinuxInterface;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Runs all checks, and repairs what they find if asked to. */
public final class Doctor {
    private static final long COMMAND_TIMEOUT_SECONDS = 120;
    private static final int START_TIME_FIELD = 19;

    /** A tool, the Debian package that has it, and what fails without it. */
    private record Tool(String program, String packageName, String use) {}

    private static final List<Tool> TOOLS =
            List.of(
                    new Tool("ip", "iproute2", "namespaces and interfaces cannot be created"),
                    new Tool("ethtool", "ethtool", "offloads cannot be switched off"),
                    new Tool("tshark", "tshark", "captures cannot be checked"),
                    new Tool("iperf3", "iperf3", "throughput cannot be measured"));

    private static final List<DeviceChecks> DEVICE_CHECKS =
            ServiceLoader.load(DeviceChecks.class).stream()
                    .map(ServiceLoader.Provider::get)
                    .toList();

    private Doctor() {}

    /** Findings about this machine that do not depend on a switch. */
    public static List<Finding> machine(Path runDirectory) {
        List<Finding> findings = new ArrayList<>();
        Capabilities rights = Capabilities.ours();
        if (!rights.netRaw() || !rights.netAdmin() || !rights.sysAdmin()) {
            findings.add(
                    Finding.advised(
                            "has no permission to open packet sockets, change interfaces or enter"
                                    + " namespaces",
                            "this user",
                            "run as root, or inside 'unshare --user --map-root-user --net --mount'"
                                    + " if the kernel allows it"));
        }
        for (Tool tool : TOOLS) {
            if (find(tool.program) == null) {
                findings.add(
                        Finding.mendable(
                                "is not installed: " + tool.use,
                                tool.program,
                                ("apt-get install -y --no-install-recommends " + tool.packageName)
                                        .split(" ")));
            }
        }
        for (String name : RunDirectory.leftOvers(runDirectory, false)) {
            findings.add(
                    Finding.mendable(
                            "a killed switch left its run directory",
                            name,
                            "rm",
                            "-r",
                            runDirectory.resolve(name).toString()));
        }
        Path runs = runDirectory.toAbsolutePath().getParent();
        if (runs != null) {
            findings.addAll(killedLabs(runs.resolve("labs")));
        }
        return findings;
    }

    /** The device of a switch's port or of a host's card. */
    public record Interface(DeviceConfig device, int mtuBytes) {}

    /** The devices of a switch's ports. */
    public static List<Interface> interfaces(SwitchConfig config) {
        return config.ports().stream()
                .map(port -> new Interface(port.device(), port.linkMtuBytes()))
                .toList();
    }

    /** The devices of hosts' cards towards the switch; the agents make their TAPs themselves. */
    public static List<Interface> interfaces(HostConfig config) {
        return config.nics().stream()
                .map(nic -> new Interface(nic.device(), nic.linkMtuBytes()))
                .toList();
    }

    /** Findings about an interface. */
    public static List<Finding> of(Interface one) {
        List<Finding> findings = new ArrayList<>();
        for (DeviceChecks checks : DEVICE_CHECKS) {
            findings.addAll(checks.of(one.device.kind(), one.mtuBytes));
        }
        return findings;
    }

    /** Why no device of a kind can be used on this machine; empty if they can. */
    public static String whyNot(String kind) {
        return DEVICE_CHECKS.stream()
                .map(checks -> checks.whyNot(kind))
                .filter(why -> !why.isEmpty())
                .findFirst()
                .orElse("");
    }

    /**
     * Findings about the veths of a namespace, as if each were the device of a port.
     *
     * @throws DeviceException if there is no such namespace, or we may not enter it
     */
    public static List<Finding> namespace(String netns) throws DeviceException {
        List<Finding> findings = new ArrayList<>();
        for (LinuxInterface link : LinuxInterface.all(netns)) {
            if (link.kind().equals("veth")) {
                findings.addAll(InterfaceChecks.of(netns, link.name(), 0, false, false));
            }
        }
        return findings;
    }

    private static List<Finding> killedLabs(Path records) {
        List<Finding> findings = new ArrayList<>();
        if (!Files.isDirectory(records)) {
            return findings;
        }
        List<String> existing = NetworkNamespace.names();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(records, "*.json")) {
            for (Path file : files) {
                JsonNode lab = read(file);
                if (lab != null && !isAlive(lab)) {
                    for (JsonNode namespace : lab.path("namespaces")) {
                        String name = namespace.path("name").asString("");
                        if (existing.contains(name)) {
                            findings.add(
                                    Finding.mendable(
                                            "a killed lab left this network namespace",
                                            name,
                                            "ip",
                                            "netns",
                                            "del",
                                            name));
                        }
                    }
                    findings.add(
                            Finding.mendable(
                                    "a killed lab left its record",
                                    file.toString(),
                                    "rm",
                                    file.toString()));
                }
            }
        } catch (IOException mayNotLook) {
            return findings;
        }
        return findings;
    }

    private static @Nullable JsonNode read(Path file) {
        try {
            return Json.COMPACT.readTree(Files.readAllBytes(file));
        } catch (IOException | JacksonException damaged) {
            return null;
        }
    }

    /** Whether a lab's process lives; its id may belong to another process by now. */
    private static boolean isAlive(JsonNode lab) {
        long pid = lab.path("pid").asLong(-1);
        try {
            String stat =
                    Files.readString(
                            Path.of("/proc/" + pid + "/stat"), StandardCharsets.ISO_8859_1);
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return fields.length > START_TIME_FIELD
                    && fields[START_TIME_FIELD].equals(lab.path("processStart").asString(""));
        } catch (IOException gone) {
            return false;
        }
    }

    /** The path of a program, or null. */
    public static @Nullable Path find(String program) {
        String path = Objects.requireNonNullElse(System.getenv("PATH"), "");
        for (String directory : (path + ":/usr/sbin:/sbin").split(":")) {
            Path candidate = Path.of(directory).resolve(program);
            if (!directory.isEmpty() && Files.isExecutable(candidate)) {
                return candidate;
            }
        }
        return null;
    }

    /**
     * Runs a finding's command.
     *
     * @return empty if it succeeded, otherwise its output
     */
    public static String mend(Finding finding) {
        if (finding.remedy().isEmpty()) {
            return "no command corrects it";
        }
        try {
            Process process =
                    new ProcessBuilder(finding.remedy()).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String said =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(COMMAND_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return "it did not end within " + COMMAND_TIMEOUT_SECONDS + " s";
            }
            List<String> lines = said.lines().filter(line -> !line.isBlank()).toList();
            return process.exitValue() == 0
                    ? ""
                    : lines.isEmpty() ? "exit code " + process.exitValue() : lines.getLast();
        } catch (IOException e) {
            return Reason.of(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }
}
