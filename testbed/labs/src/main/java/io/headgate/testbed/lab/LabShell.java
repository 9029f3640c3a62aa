package io.headgate.testbed.lab;

import io.headgate.config.Reason;
import io.headgate.config.SwitchConfig;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.HostNames;
import io.headgate.testbed.netns.NetnsNetwork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A person's shell in a running lab. The lab's thread waits for it; any thread may end it. */
final class LabShell implements AutoCloseable {
    private static final Optional<Path> LAUNCHER =
            Optional.ofNullable(System.getenv("HEADGATE_LAUNCHER")).map(Path::of);

    private final Progress progress;
    private @Nullable Process process;
    private boolean closed;

    LabShell(Progress progress) {
        this.progress = progress;
    }

    /**
     * Opens the shell and waits until it has ended.
     *
     * @throws BedException if it cannot be started
     */
    void run(NetnsNetwork network, HostNames names) throws BedException {
        progress.plain("");
        progress.plain("The network runs. Each host is a namespace, and knows the others by name:");
        String first = network.hostNetns(0);
        String second = network.plan().hosts().getLast().name();
        progress.plain("  ip netns exec " + first + " ping " + second);
        progress.plain("  ip netns exec " + first + " bash");
        List<String> switches = network.plan().switches().stream().map(SwitchConfig::name).toList();
        String which = switches.size() > 1 ? " --switch " + switches.getFirst() : "";
        progress.plain(
                "  headgate show ports"
                        + which
                        + ", headgate top"
                        + which
                        + ", headgate capture all"
                        + which);
        if (!isOnPath()) {
            progress.plain(
                    "In another terminal: "
                            + LAUNCHER.map(Path::toString).orElse("headgate")
                            + " show ports"
                            + which);
        }
        progress.plain(
                "'exit' ends the shell, the network, and all programs that still run in its"
                        + " hosts.");
        Process opened = open(names);
        try {
            opened.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether a person's shell finds the command by its name. */
    private static boolean isOnPath() {
        String path = System.getenv().getOrDefault("PATH", "");
        return Arrays.stream(path.split(":"))
                .filter(directory -> !directory.isEmpty())
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, "headgate")));
    }

    private synchronized Process open(HostNames names) throws BedException {
        if (closed) {
            throw new BedException("the lab is being closed");
        }
        String program = System.getenv().getOrDefault("SHELL", "/bin/sh");
        try {
            ProcessBuilder builder = new ProcessBuilder("setpriv", "--pdeathsig", "HUP", "--");
            builder.command().addAll(names.seenBy(List.of(program)));
            if (!isOnPath()) {
                LAUNCHER.map(Path::getParent)
                        .ifPresent(directory ->
                                builder.environment()
                                        .merge("PATH", ":" + directory, String::concat));
            }
            Process opened = builder.inheritIO().start();
            process = opened;
            return opened;
        } catch (IOException e) {
            throw new BedException("cannot open the shell " + program + ": " + Reason.of(e), e);
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (process != null) {
            // Not SIGTERM, which interactive shells ignore.
            process.destroyForcibly();
        }
    }
}
