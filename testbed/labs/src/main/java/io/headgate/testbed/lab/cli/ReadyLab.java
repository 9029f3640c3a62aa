package io.headgate.testbed.lab.cli;

import io.headgate.config.Reason;
import io.headgate.testbed.lab.own.OwnLabReader;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.scenario.ScenarioException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import picocli.CommandLine.Option;

/** A ready lab that is a file. */
final class ReadyLab {
    @Option(
            names = "--print",
            description = "Print the lab's file, to copy and change; run nothing.")
    private boolean printing;

    /** The file of a lab. */
    static String text(String lab) {
        try (InputStream in = ReadyLab.class.getResourceAsStream("ready/" + lab + ".yaml")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Prints the file, or runs it.
     *
     * @param settings of its parameters
     * @return the exit code
     */
    int run(String lab, Map<String, String> settings, LabArguments arguments) {
        return run(lab, settings, new HostOptions(), arguments);
    }

    /** The same of a lab whose hosts may be connected in other ways. */
    int run(String lab, Map<String, String> settings, HostOptions hosts, LabArguments arguments) {
        if (printing) {
            System.out.print(text(lab));
            return 0;
        }
        OwnLabSpec spec;
        try {
            spec = OwnLabReader.read(text(lab), lab + ".yaml", settings);
        } catch (ScenarioException e) {
            throw arguments.wrong(Reason.of(e));
        }
        return settings.isEmpty() ? arguments.run(spec, hosts) : arguments.runReady(spec, hosts);
    }
}
