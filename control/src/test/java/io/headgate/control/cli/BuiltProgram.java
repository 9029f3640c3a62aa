package io.headgate.control.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The jars of the build and the archive of their classes, as the launcher has them: to load and
 * verify the same classes from directories takes a second of processor for each process. A test
 * must not meet old classes: nothing on the class path may be newer than its jar.
 */
final class BuiltProgram {
    private static final Pattern MODULE =
            Pattern.compile(".*/([^/]+)/target/(?:classes|headgate-\\1-[^/]*(?<!-tests)\\.jar)");

    private BuiltProgram() {}

    /** The JVM's options in place of those for a class path; none if the build is older or none. */
    static List<String> options(String classPath) {
        List<Matcher> modules =
                Stream.of(classPath.split(":"))
                        .map(MODULE::matcher)
                        .filter(Matcher::matches)
                        .toList();
        Path root = modules.isEmpty() ? null : Path.of(modules.getFirst().group());
        while (root != null && !Files.isExecutable(root.resolve("headgate"))) {
            root = root.getParent();
        }
        if (root == null) {
            return List.of();
        }
        Path lib = root.resolve("perf/target/lib");
        Path archive = root.resolve("perf/target/headgate.aot");
        try {
            for (Matcher module : modules) {
                if (!isAsNew(jar(lib, module.group(1)), Path.of(module.group()))) {
                    return List.of();
                }
            }
            if (!isAsNew(archive, lib)) {
                return List.of();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return options(lib, archive);
    }

    /** The JVM's options for these jars, with their archive if there is one. */
    static List<String> options(Path lib, Path archive) {
        if (!Files.exists(archive)) {
            return List.of("-cp", lib + "/*");
        }
        return List.of(
                "-XX:AOTCache=" + archive,
                "-Xlog:disable",
                "-Xlog:all=warning,aot*=off,cds*=off:stderr",
                "-cp",
                lib + "/*");
    }

    private static Path jar(Path lib, String module) throws IOException {
        String prefix = lib + "/headgate-" + module + "-";
        if (Files.isDirectory(lib)) {
            try (Stream<Path> jars = Files.list(lib)) {
                for (Path jar : (Iterable<Path>) jars::iterator) {
                    if (jar.toString().startsWith(prefix)) {
                        return jar;
                    }
                }
            }
        }
        return Path.of(prefix + "missing.jar");
    }

    /** Whether a file is as new as all in a directory; a removed file is seen at its parent. */
    private static boolean isAsNew(Path file, Path directory) throws IOException {
        if (!Files.exists(file)) {
            return false;
        }
        FileTime time = Files.getLastModifiedTime(file);
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path one : (Iterable<Path>) all::iterator) {
                if (Files.getLastModifiedTime(one).compareTo(time) > 0) {
                    return false;
                }
            }
        }
        return true;
    }
}
