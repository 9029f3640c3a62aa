package io.headgate.control.cli;

import io.headgate.config.Reason;
import io.headgate.control.daemon.Answers;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.daemon.RunDirectory;
import io.headgate.control.daemon.SwitchClient;
import io.headgate.control.report.Json;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code headgate set}: changes the configuration of a switch while it runs. */
@Command(
        name = "set",
        description = {
            "Changes the configuration of a switch while it runs: all given values, or none.",
            "Example: headgate set s1 p4.rate=2Gbps p4.queue-limit=200kB",
            "A key inside a section needs this section in the file:",
            "p4.congestion.red.pmax=0.3 needs congestion: {red: {}} at port p4."
        })
public final class SetCommand extends HeadgateCommand implements Callable<Integer> {
    @Mixin private final JsonOption json = new JsonOption();

    private static final int MOST_FILE_BYTES = 60_000;

    @Parameters(
            arity = "0..*",
            paramLabel = "[NAME] KEY=VALUE",
            description =
                    "The switch (optional if only one runs); then keys with new values. A key"
                            + " without a value (p4.watchdog=) is removed from the configuration.")
    private List<String> words = new ArrayList<>();

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            description = "New values from a YAML file, such as {p4: {rate: 2Gbps}}.")
    private @Nullable Path file;

    @Override
    public Integer call() throws DaemonException, CommandFailure {
        boolean named = !words.isEmpty() && !words.getFirst().contains("=");
        List<String> assignments = words.subList(named ? 1 : 0, words.size());
        Path from = file;
        if (assignments.isEmpty() == (from == null)) {
            throw CommandFailure.badInput(
                    "set takes either keys with values, such as p4.rate=2Gbps, or a file: -f FILE");
        }
        Map<String, Object> request =
                from == null
                        ? Map.of("assignments", assignments)
                        : Map.of("yaml", read(from), "name", from.toString());
        SwitchClient.Running chosen =
                SwitchClient.choose(RunDirectory.bases(), named ? words.getFirst() : null);
        print(text(chosen.ask("set", request), json.isGiven()));
        return 0;
    }

    /** A switch's answer about its changes, as text. */
    public static String text(JsonNode changes, boolean json) {
        if (json) {
            return changes + "\n";
        }
        return changes.isEmpty()
                ? "nothing to change: the values are already set\n"
                : Json.list(changes, Answers.Change[].class).stream()
                        .map(change -> change.text() + "\n")
                        .collect(Collectors.joining());
    }

    private static String read(Path file) throws CommandFailure {
        try {
            long bytes = Files.size(file);
            if (bytes == 0 || bytes > MOST_FILE_BYTES) {
                throw CommandFailure.badInput(
                        file + ": " + bytes + " bytes; allowed: 1 to " + MOST_FILE_BYTES);
            }
            return Files.readString(file);
        } catch (CharacterCodingException e) {
            throw CommandFailure.badInput(file + ": this is not text in UTF-8");
        } catch (IOException e) {
            throw CommandFailure.badInput(file + " cannot be read: " + Reason.of(e));
        }
    }
}
