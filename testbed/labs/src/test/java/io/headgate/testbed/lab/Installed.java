package io.headgate.testbed.lab;

import io.headgate.control.cli.OwnProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The launcher and what it runs where every user may read them, and the command that starts it as a
 * user without an entry in passwd: without a home, with an unreadable /root, and with nothing that
 * may be written but the results' directory (and /run in namespaces of one's own).
 */
final class Installed {
    /** Its first argument is the directory of results; /dev/net/tun is as distributions have it. */
    private static final String ENCLOSE =
            """
            mount --bind "$1" "$1"
            mount -t tmpfs -o mode=700 tmpfs /root
            mknod /root/tun c 10 200
            chmod 666 /root/tun
            mount --bind /root/tun /dev/net/tun
            mount -o remount,bind,ro /
            cd "$1"
            shift
            exec "$@"
            """;

    private final Path root;

    /** With files as old as they are; an archive is for jars of the same time. */
    private final boolean asOld;

    /**
     * @param directory where it is put, among others with whatever this process may read
     */
    Installed(Path directory) throws IOException {
        this(directory, false);
    }

    private Installed(Path directory, boolean asOld) throws IOException {
        root = directory.resolve("headgate");
        this.asOld = asOld;
        Path from = Path.of("..").toAbsolutePath().normalize();
        copy(from.resolve("headgate"));
        copy(from.resolve("dataplane/compile-commands"));
        try (Stream<Path> jars = Files.list(from.resolve("perf/target/lib"))) {
            for (Path jar : jars.toList()) {
                copy(jar);
            }
        }
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** With the archive of classes that the build has, if it has one: each start is shorter. */
    static Installed withArchive(Path directory) throws IOException {
        Installed made = new Installed(directory, true);
        if (Files.exists(archive())) {
            made.copy(archive());
        }
        return made;
    }

    private static Path archive() {
        return Path.of("../perf/target/headgate.aot").toAbsolutePath().normalize();
    }

    /**
     * An archive of the original's classes, as a copied checkout has it: newer than the jars that
     * are here, and not of them.
     */
    void addArchive() throws IOException {
        if (Files.exists(archive())) {
            copy(archive());
            return;
        }
        Path lib = Path.of("../perf/target/lib").toAbsolutePath().normalize();
        Process making =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                "-XX:+UseSerialGC",
                                "-XX:+UseCompactObjectHeaders",
                                "-XX:TieredStopAtLevel=1",
                                "-XX:AOTCacheOutput=" + root.resolve("perf/target/headgate.aot"),
                                "-cp",
                                lib + "/*",
                                "io.headgate.control.cli.Headgate",
                                "--version")
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        if (making.onExit().join().exitValue() != 0) {
            throw new IOException("no archive was made");
        }
    }

    private void copy(Path file) throws IOException {
        Path top = Path.of("..").toAbsolutePath().normalize();
        Path to = root.resolve(top.relativize(file).toString());
        Files.createDirectories(Objects.requireNonNull(to.getParent()));
        Files.copy(file, to);
        if (asOld) {
            Files.setLastModifiedTime(to, Files.getLastModifiedTime(file));
        }
        boolean runs = Files.isExecutable(file);
        Files.setPosixFilePermissions(
                to, PosixFilePermissions.fromString(runs ? "rwxr-xr-x" : "r--r--r--"));
    }

    /** The command of the JVM alone, which the launcher would start in namespaces. */
    List<String> withoutLauncher(String... words) {
        Path built = root.resolve("perf/target");
        return OwnProgram.command(
                List.of(),
                OwnProgram.classes(built.resolve("lib"), built.resolve("headgate.aot")),
                words);
    }

    /** Starts it as root. */
    ProcessBuilder asRoot(String... words) {
        List<String> command = new ArrayList<>(List.of(launcher()));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("HEADGATE_NO_BUILD", "1");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("SHELL", "/bin/sh");
        return builder;
    }

    /**
     * Starts it as another user.
     *
     * @param results existing, for this user alone; nothing else can be written
     */
    ProcessBuilder as(int uid, Path results, String... words) throws IOException {
        Files.setAttribute(results, "unix:uid", uid);
        List<String> command =
                new ArrayList<>(
                        List.of("unshare", "--mount", "sh", "-ec", ENCLOSE, "sh", results + ""));
        command.addAll(List.of("setpriv", "--reuid", uid + "", "--regid", uid + ""));
        command.addAll(List.of("--clear-groups", "--inh-caps=-all", "--"));
        command.add(launcher());
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.directory(results.toFile());
        builder.environment().clear();
        builder.environment().put("PATH", System.getenv("PATH"));
        builder.environment().put("HOME", "/nonexistent");
        builder.environment().put("HEADGATE_NO_BUILD", "1");
        builder.environment()
                .put(
                        "HEADGATE_JAVA_OPTS",
                        "-XX:TieredStopAtLevel=1 -XX:C1MaxInlineSize=12 -XX:-AlwaysPreTouch");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return builder;
    }

    private String launcher() {
        return root.resolve("headgate").toString();
    }
}
