package io.headgate.control.show;

import io.headgate.control.report.BuildInfo;

/** The version of Headgate; no switch is asked. */
public final class VersionTable implements ShowTable {
    @Override
    public Heading heading() {
        return Heading.of("version", "which Headgate this is");
    }

    @Override
    public String text(ShowRequest request) {
        return String.join("\n", BuildInfo.read().lines()) + "\n";
    }

    @Override
    public Object json(ShowRequest request) {
        return BuildInfo.read();
    }
}
