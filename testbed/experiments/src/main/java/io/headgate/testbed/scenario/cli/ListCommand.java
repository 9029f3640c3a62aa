package io.headgate.testbed.scenario.cli;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.headgate.control.cli.CommandFailure;
import io.headgate.control.report.Json;
import io.headgate.control.report.Table;
import io.headgate.testbed.scenario.About;
import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.shipped.Scenarios;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code headgate reproduce list [NAME]}: lists scenarios, or describes one. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description = "Shows all scenarios, or one with its parameters.")
final class ListCommand implements Callable<Integer> {
    @Parameters(
            arity = "0..1",
            paramLabel = "NAME",
            description = "A scenario's name or the path of its file.")
    private @Nullable String name;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Override
    public Integer call() throws CommandFailure {
        List<Scenario> shown;
        try {
            shown = name == null ? Scenarios.all() : List.of(ScenarioFinder.find(name).scenario());
        } catch (ScenarioException e) {
            throw CommandFailure.badInput(e.getMessage() + ".");
        }
        if (json) {
            System.out.println(
                    Json.INDENTED.writeValueAsString(shown.stream().map(Listed::of).toList()));
        } else if (name == null) {
            overview(shown);
        } else {
            details(shown.getFirst());
        }
        return 0;
    }

    private static void overview(List<Scenario> shown) {
        System.out.print(
                Table.of(
                        shown.stream().map(Scenario::about).toList(),
                        Table.column("name", About::name),
                        Table.column("beds", ListCommand::beds),
                        Table.column("what it shows", About::title)));
    }

    private static void details(Scenario scenario) {
        About about = scenario.about();
        System.out.println(about.name() + ": " + about.title());
        System.out.println("  source  " + about.source());
        if (!about.claim().isEmpty()) {
            System.out.println("  claim   " + about.claim());
        }
        System.out.println("  beds    " + beds(about));
        System.out.println();
        System.out.print(
                Table.of(
                                scenario.parameters(),
                                Table.column("parameter", Parameter::name),
                                Table.column("default", Parameter::defaultText),
                                Table.column("allowed", Parameter::range),
                                Table.column("meaning", Parameter::meaning))
                        .indented(2));
    }

    private static String beds(About about) {
        return String.join(", ", words(about));
    }

    private static List<String> words(About about) {
        return about.beds().stream().map(BedKind::word).sorted().toList();
    }

    private record Listed(
            String name,
            String title,
            String source,
            String claim,
            List<String> beds,
            List<Setting> parameters) {
        static Listed of(Scenario scenario) {
            About about = scenario.about();
            return new Listed(
                    about.name(),
                    about.title(),
                    about.source(),
                    about.claim(),
                    words(about),
                    scenario.parameters().stream().map(Setting::of).toList());
        }
    }

    private record Setting(
            String name,
            @JsonProperty("default") String byDefault,
            String allowed,
            String meaning) {
        static Setting of(Parameter of) {
            return new Setting(of.name(), of.defaultText(), of.range(), of.meaning());
        }
    }
}
