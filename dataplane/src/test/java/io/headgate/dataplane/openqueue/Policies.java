package io.headgate.dataplane.openqueue;

import io.headgate.dataplane.openqueue.language.Policy;
import io.headgate.dataplane.openqueue.language.PolicyException;
import io.headgate.dataplane.openqueue.language.Source;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The policies that are shipped. */
final class Policies {
    static final Path FOLDER = Path.of("..", "config", "policies");

    /** Files in the same directory as others, by their names. */
    static final Policy.Library LIBRARY =
            (importer, name) -> {
                if (!name.matches("[A-Za-z0-9._/-]+")) {
                    return null;
                }
                Path file = Path.of(importer.name()).resolveSibling(name);
                return Files.isRegularFile(file) ? source(file) : null;
            };

    private Policies() {}

    static Source source(Path file) {
        try {
            return new Source(file.normalize().toString(), Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".oq")).sorted().toList();
        }
    }

    static Policy of(String text) throws PolicyException {
        return Policy.of(new Source(FOLDER.resolve("test.oq").toString(), text), LIBRARY);
    }
}
