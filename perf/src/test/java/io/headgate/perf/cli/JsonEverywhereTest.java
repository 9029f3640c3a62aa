package io.headgate.perf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.cli.CommandProvider;
import io.headgate.control.cli.Headgate;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Programs can read what every command says, or there is a reason here why not. */
class JsonEverywhereTest {
    private static final Map<String, String> REASONS =
            Map.ofEntries(
                    Map.entry("completion", "a script for the shell"),
                    Map.entry("extcap", "speaks Wireshark's own protocol"),
                    Map.entry("help", "a page for people; --json is on each command"),
                    Map.entry("man", "a page for people"),
                    Map.entry("schema", "prints JSON as it is"),
                    Map.entry("top", "a screen; show --json has its numbers"),
                    Map.entry("trace", "its file is JSON"),
                    Map.entry("verify", "Headgate's own tests: its exit code says it"),
                    Map.entry("host run", "runs until it is ended; show --json asks it"),
                    Map.entry("switch run", "runs until it is ended; show --json asks it"),
                    Map.entry("web", "runs until it is ended; a page for browsers"));

    private static void collect(CommandLine at, Map<String, Boolean> all) {
        at.getSubcommands().values().forEach(one -> collect(one, all));
        boolean isGroup =
                !at.getSubcommands().isEmpty()
                        && !(at.getCommandSpec().userObject() instanceof Callable<?>);
        if (!isGroup) {
            all.put(
                    at.getCommandSpec().qualifiedName(),
                    at.getCommandSpec().optionsMap().containsKey("--json"));
        }
    }

    /** Two modules have some; a command that finds none above it is left out without a word. */
    @Test
    void benchmarksOfBothModulesAreBelowBench() {
        CommandLine all = Headgate.commandLine(ServiceLoader.load(CommandProvider.class));
        assertThat(Objects.requireNonNull(all.getSubcommands().get("bench")).getSubcommands())
                .containsKeys("datacenter", "virtual");
    }

    @Test
    void everyCommandSpeaksJsonOrHasAReason() {
        Map<String, Boolean> all = new TreeMap<>();
        for (CommandProvider provider : ServiceLoader.load(CommandProvider.class)) {
            collect(new CommandLine(provider.command()), all);
        }
        TreeSet<String> without = new TreeSet<>();
        all.forEach((name, has) -> {
            if (!has) {
                without.add(name);
            }
        });
        assertThat(all).hasSizeGreaterThan(50);
        assertThat(without).isEqualTo(new TreeSet<>(REASONS.keySet()));
    }
}
