package io.headgate.control.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Properties;

/**
 * Version and commit of this build, from the {@code build.properties} that the build writes.
 *
 * @param commit {@code unknown} if the source was not a checkout
 * @param localChanges whether the source differed from the commit
 */
public record BuildInfo(String version, String commit, boolean localChanges) {
    private static final String RESOURCE = "/io/headgate/control/build.properties";

    public static BuildInfo read() {
        Properties build = new Properties();
        try (InputStream in = BuildInfo.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException("the build left out " + RESOURCE);
            }
            build.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new BuildInfo(
                build.getProperty("version"),
                build.getProperty("git.commit"),
                "true".equals(build.getProperty("git.dirty")));
    }

    /** For a person, with the Java that runs it. */
    public List<String> lines() {
        return List.of(
                "headgate " + version,
                "commit " + commit + (localChanges ? " with local changes" : ""),
                "JVM " + Runtime.version() + " (" + System.getProperty("java.vm.name") + ")");
    }
}
