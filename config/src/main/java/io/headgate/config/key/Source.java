package io.headgate.config.key;

import java.nio.file.Path;

/** A configuration's source. It receives each problem with its place. */
public interface Source {

    /**
     * What stands at a place is not allowed.
     *
     * @param at a JSON pointer (RFC 6901), as in {@code /ports/2/rate}
     * @param found what stands there, in a few words
     * @param allowed what may stand there, with an example
     */
    void refuse(String at, String found, String allowed);

    /** What stands at a place is not what its key says is allowed. */
    void refuse(String at);

    /** A path that stands in it; a relative one starts where it is. */
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
