package io.headgate.control.policy;

import io.headgate.config.Reason;
import io.headgate.config.key.Codec;
import io.headgate.config.key.Codecs;
import io.headgate.config.key.Known;
import io.headgate.config.key.Place;
import io.headgate.dataplane.openqueue.language.Policy;
import io.headgate.dataplane.openqueue.language.PolicyException;
import io.headgate.dataplane.openqueue.language.Source;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A policy's file, or the shipped policy of that name, read and checked together with the
 * configuration. Later changes of the file have no effect before the policy is loaded again.
 */
public record PolicyFile(Path path, Policy policy) {
    private static final long MOST_BYTES = 1 << 18;

    private static final String SHIPPED = "/policies/";

    private static final ReadPolicies READ = new ReadPolicies();

    /**
     * Reads a file and the libraries that it imports, each from the directory of the file that
     * imports it. If there is no such file, the shipped policy or library of that name is used.
     *
     * @throws IOException if a file cannot be read, with a sentence as its message
     */
    public static PolicyFile read(Path path) throws IOException, PolicyException {
        return read(path, path);
    }

    /**
     * @param said the path as it was written
     */
    private static PolicyFile read(Path said, Path file) throws IOException, PolicyException {
        boolean isName = said.getNameCount() == 1 && !said.isAbsolute();
        Source shipped = isName && !Files.exists(file) ? shipped(said.toString()) : null;
        return shipped == null
                ? new PolicyFile(file, READ.of(source(file), PolicyFile::library))
                : new PolicyFile(said, READ.of(shipped, PolicyFile::library));
    }

    private static @Nullable Source shipped(String name) throws IOException {
        if (!name.matches("[A-Za-z0-9-]+\\.oq")) {
            return null;
        }
        try (InputStream in = PolicyFile.class.getResourceAsStream(SHIPPED + name)) {
            return in == null
                    ? null
                    : new Source(
                            "policies/" + name,
                            new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    private static @Nullable Source library(Source importer, String name) {
        try {
            Path file = Path.of(importer.name()).resolveSibling(name).normalize();
            return Files.isRegularFile(file) ? source(file) : shipped(name);
        } catch (IOException | InvalidPathException e) {
            return null;
        }
    }

    private static Source source(Path path) throws IOException {
        try {
            if (!Files.isRegularFile(path)) {
                throw new IOException(path + ": there is no such file");
            }
            if (Files.size(path) > MOST_BYTES) {
                throw new IOException(path + ": larger than " + MOST_BYTES + " bytes");
            }
            return new Source(path.normalize().toString(), Files.readString(path));
        } catch (CharacterCodingException e) {
            throw new IOException(path + ": this is not text in UTF-8", e);
        } catch (NoSuchFileException e) {
            throw new IOException(path + ": there is no such file", e);
        }
    }

    /** As a path in a configuration; a relative one starts where the configuration is. */
    static final class PathOfPolicy implements Codec<PolicyFile> {
        private static final int MOST_CHARACTERS = 4096;

        @Override
        public Map<String, Object> schema() {
            return Codecs.ordered("type", "string", "minLength", 1, "maxLength", MOST_CHARACTERS);
        }

        @Override
        public @Nullable PolicyFile read(Place place, Known known) {
            try {
                Path said = Path.of(String.valueOf(place.said()));
                return PolicyFile.read(said, place.resolve(said));
            } catch (InvalidPathException e) {
                place.refuse();
            } catch (IOException e) {
                place.refuse(Reason.of(e), "the path of a policy file");
            } catch (PolicyException e) {
                place.refuse(
                        "a policy that is wrong at line %d, column %d: %s"
                                .formatted(e.line(), e.column(), e.sentence()),
                        "what 'headgate policy check FILE' accepts");
            }
            return null;
        }

        @Override
        public Object write(PolicyFile file, Known known) {
            return file.path.toString();
        }

        @Override
        public PolicyFile nothing() {
            return new PolicyFile(Path.of(""), new Policy(List.of(), List.of(), List.of()));
        }
    }
}
