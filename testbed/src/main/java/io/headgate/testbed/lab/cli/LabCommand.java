package io.headgate.testbed.lab.cli;

import io.headgate.control.cli.CommandProvider;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code headgate lab}: ready-made demonstrations on the real test bed. */
@Command(
        name = "lab",
        mixinStandardHelpOptions = true,
        description = "Runs a real switch between network namespaces.",
        subcommands = {
            FourPortCommand.class,
            IncastCommand.class,
            HolCommand.class,
            RoccCommand.class,
            PolicyLabCommand.class
        })
final class LabCommand implements Runnable {
    @Spec private CommandSpec spec;

    /** Picocli fills it in. */
    @SuppressWarnings("NullAway.Init")
    LabCommand() {}

    /** Contributes it to the command line. */
    public static final class Provider implements CommandProvider {
        @Override
        public Object command() {
            return new LabCommand();
        }
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "headgate lab needs to know which: four-port, incast, hol or rocc.");
    }
}
