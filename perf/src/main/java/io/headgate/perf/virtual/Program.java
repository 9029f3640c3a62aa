package io.headgate.perf.virtual;

import io.headgate.control.cli.bench.BenchException;
import io.headgate.perf.forwarding.Commands;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A program that measures, and prints its results as lines {@code name=value}. */
final class Program {
    private static final long TIMEOUT_SECONDS = 1_800;

    private Program() {}

    /** Runs it on some cores to its end. */
    static Map<String, String> run(List<Integer> cores, List<String> command, Path log)
            throws BenchException {
        List<String> words = new ArrayList<>(List.of("taskset", "-c"));
        words.add(String.join(",", cores.stream().map(String::valueOf).toList()));
        words.addAll(command);
        Map<String, String> found = new LinkedHashMap<>();
        for (String line : Commands.run(words, log, TIMEOUT_SECONDS).lines().toList()) {
            int equals = line.indexOf('=');
            if (equals > 0 && line.indexOf(' ') < 0) {
                found.put(line.substring(0, equals), line.substring(equals + 1));
            }
        }
        return found;
    }
}
