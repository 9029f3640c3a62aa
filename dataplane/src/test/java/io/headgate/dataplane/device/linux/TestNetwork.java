package io.headgate.dataplane.device.linux;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Network namespaces of a test's own, and veth pairs between them, quiet: no offload, no IPv6.
 * Names begin with {@code hgt} and this process's id, so runs side by side do not meet. Closing
 * removes all of it.
 */
public final class TestNetwork implements AutoCloseable {
    /** Debian's own: what comes before it on PATH may be a script that takes longer than ours. */
    public static final String PYTHON = "/usr/bin/python3";

    private static final AtomicInteger COUNTER = new AtomicInteger();
    private static final long COMMAND_SECONDS = 30;

    private final String prefix =
            "hgt" + ProcessHandle.current().pid() + "x" + COUNTER.incrementAndGet();
    private final List<String> namespaces = new ArrayList<>();

    /** Makes a namespace with its loopback up. Answers its full name. */
    public String namespace(String suffix) {
        String name = prefix + suffix;
        run("ip", "netns", "add", name);
        namespaces.add(name);
        inside(
                name,
                () -> {
                    for (String which : List.of("all", "default")) {
                        write(Path.of("/proc/sys/net/ipv6/conf", which, "disable_ipv6"), "1");
                    }
                    return "";
                });
        run("ip", "-n", name, "link", "set", "lo", "up");
        return name;
    }

    /** Makes a veth pair, one end in each namespace, both up, with their offloads off. */
    public void veth(
            String leftNamespace, String left, String rightNamespace, String right, int mtu) {
        vethWithOffloads(leftNamespace, left, rightNamespace, right, mtu);
        offloadsOff(leftNamespace, left);
        offloadsOff(rightNamespace, right);
    }

    /** As {@link #veth}, as the kernel makes them: checksums and segmentation are left undone. */
    public void vethWithOffloads(
            String leftNamespace, String left, String rightNamespace, String right, int mtu) {
        String both = " mtu " + mtu;
        batch(
                List.of("ip", "-n", leftNamespace),
                "link add "
                        + left
                        + both
                        + " type veth peer name "
                        + right
                        + both
                        + " netns "
                        + rightNamespace,
                "link set " + left + " up");
        run("ip", "-n", rightNamespace, "link", "set", right, "up");
    }

    public void offloadsOff(String namespace, String name) {
        inside(
                namespace,
                () ->
                        run(
                                "ethtool", "-K", name, "rx", "off", "tx", "off", "tso", "off",
                                "gso", "off", "gro", "off"));
    }

    private static void inside(String namespace, NetworkNamespace.Work<String> work) {
        try {
            NetworkNamespace.call(namespace, work);
        } catch (DeviceException failure) {
            throw new AssertionError(failure);
        }
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Runs a command inside a namespace; answers what it printed. */
    public String exec(String namespace, String... command) {
        List<String> words = new ArrayList<>(List.of("ip", "netns", "exec", namespace));
        words.addAll(List.of(command));
        return run(words.toArray(String[]::new));
    }

    /** Starts a command inside a namespace, its output kept for the caller to read. */
    public Process start(String namespace, String... command) {
        List<String> words = new ArrayList<>(List.of("ip", "netns", "exec", namespace));
        words.addAll(List.of(command));
        try {
            return new ProcessBuilder(words).redirectErrorStream(true).start();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Runs a command; answers what it printed, or fails the test if the command failed. */
    public static String run(String... command) {
        return run(List.of(command), "");
    }

    /** Runs commands of {@code ip} in one process, which ends at the first one that fails. */
    private static void batch(List<String> ip, String... commands) {
        List<String> words = new ArrayList<>(ip);
        words.addAll(List.of("-batch", "-"));
        run(words, String.join("\n", commands) + "\n");
    }

    private static String run(List<String> command, String input) {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            try (OutputStream in = process.getOutputStream()) {
                in.write(input.getBytes(UTF_8));
            }
            String output = new String(process.getInputStream().readAllBytes(), UTF_8);
            if (!process.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new AssertionError(String.join(" ", command) + ": " + output + input);
            }
            return output;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError(interrupted);
        }
    }

    @Override
    public void close() {
        if (namespaces.isEmpty()) {
            return;
        }
        try {
            // One that cannot be removed must not keep the others.
            batch(
                    List.of("ip", "-force"),
                    namespaces.stream().map(name -> "netns del " + name).toArray(String[]::new));
        } finally {
            namespaces.clear();
        }
    }
}
