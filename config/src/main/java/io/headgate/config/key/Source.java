package io.headgate.config.key;

import java.nio.file.Path;

/** A configuration's source. It receives each problem with its place. */
public interface Source {

    /**
     * Reports that a value is not allowed at its place.
     *
     * @param at a JSON pointer (RFC 6901), as in {@code /ports/2/rate}
     * @param found what was found there, in a few words
     * @param allowed what is allowed there, with an example
     */
    void refuse(String at, String found, String allowed);

    /** Reports that a key does not allow the value at its place. */
    void refuse(String at);

    /** Resolves a path that it contains; a relative one starts at the place of the source. */
    default Path resolve(Path path) {
        return path;
    }

    /** Ignores what it is given. */
    Source SILENT =
            new Source() {
                @Override
                public void refuse(String at, String found, String allowed) {}

                @Override
                public void refuse(String at) {}
            };
}
