package io.headgate.testbed.lab.cli;

import io.headgate.config.ConfigException;
import io.headgate.config.Reason;
import io.headgate.config.read.FileKind;
import io.headgate.config.yaml.YamlConfig;
import io.headgate.control.cli.HeadgateCommand;
import io.headgate.testbed.lab.own.OwnLabReader;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.scenario.ScenarioException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code headgate lab}: runs ready-made demonstrations on the real test bed, and users' own labs.
 */
@Command(
        name = "lab",
        showDefaultValues = true,
        description = {
            "Runs real switches between network namespaces: a lab by its name, or with FILE your"
                    + " own network, with its hosts' flows and commands.",
            "testbed/examples/labs has such files, testbed/labs.md every key."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:PASS",
            "1:FAIL, or the lab could not be run",
            "2:wrong options or file",
            LabArguments.INVALID
        },
        subcommands = {
            FourPortCommand.class,
            IncastCommand.class,
            HolCommand.class,
            ControlCommand.class,
            PolicyLabCommand.class,
            DeadlockCommand.class,
            AiFabricCommand.class
        })
public final class LabCommand extends HeadgateCommand implements Callable<Integer> {
    private static final String WHICH =
            "headgate lab needs a lab: four-port, incast, hol, control, policy, deadlock or"
                    + " ai-fabric, or a FILE.yaml.";

    @Mixin private LabArguments arguments;

    @Parameters(arity = "0..1", paramLabel = "FILE", description = "Your own lab, as YAML.")
    private @Nullable Path file;

    @Mixin private HostOptions hosts;

    @Option(names = "--set", paramLabel = "NAME=VALUE", description = "A parameter of the file.")
    private Map<String, String> settings = new LinkedHashMap<>();

    @Override
    public Integer call() {
        Path own = file;
        if (own == null) {
            throw wrong(WHICH);
        }
        if (!Files.exists(own)) {
            throw wrong("there is no lab and no file '" + own + "'. " + WHICH);
        }
        arguments.refuseWhatFilesSay();
        List<OwnLabSpec> runs;
        try {
            runs = OwnLabReader.read(YamlConfig.readText(own), own.toString(), settings);
        } catch (ScenarioException e) {
            throw wrong(Reason.of(e) + ".");
        } catch (ConfigException e) {
            String other = FileKind.LAB.refusal(own);
            System.err.println("headgate: " + (other == null ? e.getMessage() : other));
            return 2;
        }
        return arguments.run(runs, hosts, 1, settings);
    }
}
