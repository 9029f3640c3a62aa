package io.headgate.testbed.lab;

import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.NetnsNetwork;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A person's shell in a running lab: waited for by the lab's thread, ended by any. */
final class LabShell implements AutoCloseable {
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
    void run(NetnsNetwork network) throws BedException {
        progress.plain("");
        progress.plain("The switch runs. Each host is a namespace with address 10.99.0.N, e.g.");
        progress.plain("  ip netns exec " + network.hostNetns(0) + " ping " + network.address(1));
        progress.plain("  ip netns exec " + network.hostNetns(0) + " bash");
        progress.plain(
                "From another terminal: headgate show ports, headgate top, headgate capture");
        progress.plain("'exit' ends the shell, the switch and the namespaces.");
        Process opened = open();
        try {
            opened.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized Process open() throws BedException {
        if (closed) {
            throw new BedException("the lab is being closed");
        }
        String program = System.getenv().getOrDefault("SHELL", "/bin/sh");
        try {
            Process opened =
                    new ProcessBuilder("setpriv", "--pdeathsig", "HUP", "--", program)
                            .inheritIO()
                            .start();
            process = opened;
            return opened;
        } catch (IOException e) {
            throw new BedException("cannot open the shell " + program + ": " + e, e);
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
