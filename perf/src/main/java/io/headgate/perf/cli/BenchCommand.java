package io.headgate.perf.cli;

import io.headgate.control.cli.HeadgateCommand;
import picocli.CommandLine.Command;

/** {@code headgate bench}. */
@Command(
        name = "bench",
        description = "Measures the switch, and virtual time.",
        subcommands = {
            EngineCommand.class,
            DetectorsCommand.class,
            RateCommand.class,
            EscapeCommand.class,
            PoliciesCommand.class,
            ForwardingCommand.class,
            VirtualCommand.class,
            AllocationCommand.class
        })
public final class BenchCommand extends HeadgateCommand implements Runnable {
    @Override
    public void run() {
        throw wrong(
                "headgate bench needs a command: engine, detectors, rate, escape, "
                        + "policies, forwarding, datacenter, virtual or allocation.");
    }
}
