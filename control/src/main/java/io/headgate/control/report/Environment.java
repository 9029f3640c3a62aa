package io.headgate.control.report;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The environment of a run: build, machine and JVM.
 *
 * @param commit commit of Headgate's source; {@code unknown} if it was not built from a checkout
 * @param localChanges whether the source differed from that commit
 * @param jvmOptions as given on the command line of the JVM
 */
public record Environment(
        String version,
        String commit,
        boolean localChanges,
        String jvm,
        List<String> jvmOptions,
        String kernel,
        String cpu,
        int cores) {

    private static final Pattern MODEL = Pattern.compile("(?m)^model name\\s*:\\s*(.+)$");

    public static Environment here() {
        BuildInfo build = BuildInfo.read();
        return new Environment(
                build.version(),
                build.commit(),
                build.localChanges(),
                System.getProperty("java.vm.name") + " " + Runtime.version(),
                ManagementFactory.getRuntimeMXBean().getInputArguments(),
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                cpuModel(),
                Runtime.getRuntime().availableProcessors());
    }

    /** Lines for the head of a report. */
    public String toText() {
        return String.format(
                "  Headgate %s, commit %s%s%n  %s%n  %s, %s, %d cores%n",
                version,
                commit,
                localChanges ? " with local changes" : "",
                jvm,
                kernel,
                cpu,
                cores);
    }

    private static String cpuModel() {
        try {
            Matcher model = MODEL.matcher(Files.readString(Path.of("/proc/cpuinfo")));
            return model.find() ? model.group(1).strip() : System.getProperty("os.arch");
        } catch (IOException notLinux) {
            return System.getProperty("os.arch");
        }
    }
}
