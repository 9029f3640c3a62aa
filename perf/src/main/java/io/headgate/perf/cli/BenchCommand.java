package io.headgate.perf.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code headgate bench}. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        description = "Measures the switch, and virtual time.",
        subcommands = {
            EngineCommand.class,
            DetectorsCommand.class,
            RateCommand.class,
            EscapeCommand.class,
            PoliciesCommand.class,
            ForwardingCommand.class,
            DatacenterCommand.class,
            VirtualCommand.class,
            AllocationCommand.class
        })
final class BenchCommand implements Runnable {
    @Spec private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "headgate bench needs a command: engine, detectors, rate, escape, "
                        + "policies, forwarding, datacenter, virtual or allocation.");
    }
}
