package io.headgate.testbed.netns;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Finds the programs that a test bed calls on this machine, or installs them. */
public final class Tools {
    private static final long INSTALL_TIMEOUT_S = 300;

    private Tools() {}

    /** A program, and the Debian package that it comes in. */
    public enum Tool {
        IP("ip", "iproute2"),
        PING("ping", "iputils-ping"),
        SETPRIV("setpriv", "util-linux"),
        IPERF3("iperf3", "iperf3"),
        TSHARK("tshark", "tshark");

        private final String program;
        private final String debianPackage;

        Tool(String program, String debianPackage) {
            this.program = program;
            this.debianPackage = debianPackage;
        }

        public String program() {
            return program;
        }
    }

    /** Where a tool is. */
    public static Optional<Path> find(Tool tool) {
        List<String> directories = new ArrayList<>();
        String path = System.getenv("PATH");
        if (path != null) {
            directories.addAll(Arrays.asList(path.split(":")));
        }
        directories.addAll(List.of("/usr/sbin", "/sbin", "/usr/bin", "/bin"));
        return directories.stream()
                .filter(directory -> !directory.isEmpty())
                .map(directory -> Path.of(directory, tool.program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * Sees to it that tools are there: as root on a Debian they are installed.
     *
     * @param say told what is being installed, in a sentence
     * @return those that are still missing
     */
    public static Set<Tool> provide(Collection<Tool> tools, Consumer<String> say) {
        Set<Tool> missing = missing(tools);
        if (!missing.isEmpty() && Privilege.of() == Privilege.ROOT && install(missing, say)) {
            missing = missing(tools);
        }
        return missing;
    }

    /** A sentence that names missing tools and the command that brings them. */
    public static String sentence(Set<Tool> missing) {
        List<String> programs = missing.stream().map(Tool::program).toList();
        return String.join(", ", programs)
                + (programs.size() == 1 ? " is" : " are")
                + " not installed; on Debian 'apt-get install "
                + String.join(" ", packages(missing))
                + "' as root brings "
                + (programs.size() == 1 ? "it" : "them");
    }

    private static Set<Tool> missing(Collection<Tool> tools) {
        Set<Tool> missing = EnumSet.noneOf(Tool.class);
        for (Tool tool : tools) {
            if (find(tool).isEmpty()) {
                missing.add(tool);
            }
        }
        return missing;
    }

    private static List<String> packages(Set<Tool> tools) {
        return tools.stream().map(tool -> tool.debianPackage).distinct().toList();
    }

    private static boolean install(Set<Tool> missing, Consumer<String> say) {
        Path aptGet = Path.of("/usr/bin/apt-get");
        if (!Files.isExecutable(aptGet)) {
            return false;
        }
        List<String> packages = packages(missing);
        say.accept("Installing " + String.join(", ", packages) + " with apt-get…");
        List<String> command =
                new ArrayList<>(
                        List.of(aptGet.toString(), "install", "-y", "--no-install-recommends"));
        command.addAll(packages);
        return quietly(List.of(aptGet.toString(), "update")) && quietly(command);
    }

    private static boolean quietly(List<String> command) {
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        builder.environment().put("DEBIAN_FRONTEND", "noninteractive");
        try {
            Process process = builder.start();
            return process.waitFor(INSTALL_TIMEOUT_S, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
