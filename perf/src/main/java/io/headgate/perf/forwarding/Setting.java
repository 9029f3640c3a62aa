package io.headgate.perf.forwarding;

import java.nio.file.Path;

/**
 * The environment of a device under test.
 *
 * @param netns its namespace, with the interfaces in it
 * @param generatorCore where generator, sink and probes run
 * @param deviceCore where it forwards
 * @param directory for its files and its log
 */
record Setting(String netns, int generatorCore, int deviceCore, Path directory) {

    /** The cores of the run, for {@code taskset -c}: threads that do not forward may use both. */
    String bothCores() {
        return generatorCore + "," + deviceCore;
    }
}
