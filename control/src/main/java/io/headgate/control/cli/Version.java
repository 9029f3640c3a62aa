package io.headgate.control.cli;

import io.headgate.control.report.BuildInfo;
import picocli.CommandLine.IVersionProvider;

/** The text of {@code --version}. */
final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
        return BuildInfo.read().lines().toArray(String[]::new);
    }
}
