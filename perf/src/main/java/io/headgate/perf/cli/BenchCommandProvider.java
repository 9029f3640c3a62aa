package io.headgate.perf.cli;

import io.headgate.control.cli.CommandProvider;

/** Contributes {@code headgate bench}. */
public final class BenchCommandProvider implements CommandProvider {
    @Override
    public Object command() {
        return new BenchCommand();
    }
}
