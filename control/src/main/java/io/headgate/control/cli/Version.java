package io.headgate.control.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** What was built: version and commit, from the {@code build.properties} the build writes. */
final class Version implements IVersionProvider {

    private static final String RESOURCE = "/io/headgate/control/build.properties";

    /** Picocli makes it. */
    Version() {}

    @Override
    public String[] getVersion() {
        Properties build = new Properties();
        try (InputStream in = Version.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException("the build left out " + RESOURCE);
            }
            build.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String local = "true".equals(build.getProperty("git.dirty")) ? " with local changes" : "";
        return new String[] {
            "headgate " + build.getProperty("version"),
            "commit " + build.getProperty("git.commit") + local,
            "JVM " + Runtime.version() + " (" + System.getProperty("java.vm.name") + ")"
        };
    }
}
