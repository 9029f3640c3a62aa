package io.headgate.testbed.lab.cli;

import io.headgate.config.Reason;
import io.headgate.testbed.lab.own.OwnLabReader;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.scenario.ScenarioException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import picocli.CommandLine.Option;

/** A ready lab that is a file. */
public final class ReadyLab {
    @Option(
            names = "--print",
            description = "Prints the lab's file, to copy and change; runs nothing.")
    private boolean printing;

    /**
     * Reads the file of a lab.
     *
     * @param settings of its parameters
     * @return its runs
     * @throws ScenarioException if a setting is not allowed
     */
    public static List<OwnLabSpec> read(String lab, Map<String, String> settings)
            throws ScenarioException {
        return OwnLabReader.read(text(lab), lab + ".yaml", settings);
    }

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
        return run(lab, settings, new HostOptions(), 1, arguments);
    }

    /**
     * The same of a lab whose hosts may be connected in other ways.
     *
     * @param times how often each of its runs is made
     */
    int run(
            String lab,
            Map<String, String> settings,
            HostOptions hosts,
            int times,
            LabArguments arguments) {
        if (printing) {
            System.out.print(text(lab));
            return 0;
        }
        return arguments.run(specs(lab, settings, arguments), hosts, times, settings);
    }

    private List<OwnLabSpec> specs(
            String lab, Map<String, String> settings, LabArguments arguments) {
        try {
            return read(lab, settings);
        } catch (ScenarioException e) {
            // Parameters have the names of the options that set them.
            throw arguments.wrong(Reason.of(e).replaceFirst("^parameter (?=[a-z])", "--"));
        }
    }
}
