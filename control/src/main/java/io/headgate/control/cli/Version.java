package io.headgate.control.cli;

import picocli.CommandLine.IVersionProvider;

/** What {@code --version} shows. */
final class Version implements IVersionProvider {

    /** Picocli makes it. */
    Version() {}

    @Override
    public String[] getVersion() {
        BuildInfo build = BuildInfo.read();
        return new String[] {
            "headgate " + build.version(),
            "commit " + build.commit() + (build.localChanges() ? " with local changes" : ""),
            "JVM " + Runtime.version() + " (" + System.getProperty("java.vm.name") + ")"
        };
    }
}
