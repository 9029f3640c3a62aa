package io.headgate.control.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.lang.reflect.AnnotatedElement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Checks the help of all commands that a module's tests have on their class path. */
public final class HelpForTests {
    private HelpForTests() {}

    /**
     * Checks that each line of help can be formatted and fits the terminal. If picocli cannot
     * format one, it prints a warning in front of the help, and the line as it is.
     *
     * @return the names of the checked commands
     */
    public static List<String> check() {
        CommandLine headgate = Headgate.commandLine(ServiceLoader.load(CommandProvider.class));
        List<CommandLine> all = new ArrayList<>(List.of(headgate));
        for (int at = 0; at < all.size(); at++) {
            all.addAll(all.get(at).getSubcommands().values());
        }
        for (CommandLine one : all) {
            CommandSpec spec = one.getCommandSpec();
            int width = spec.usageMessage().width();
            assertThat(spec.usageMessage().footer())
                    .as(spec.qualifiedName())
                    .allMatch(line -> line.length() <= width);
            assertThat(formatted(spec))
                    .as(spec.qualifiedName())
                    .isNotEmpty()
                    .allSatisfy(text ->
                            assertThatCode(() -> String.format(Locale.ROOT, text))
                                    .doesNotThrowAnyException());
            assertThat(one.getUsageMessage().lines())
                    .as(spec.qualifiedName())
                    .allMatch(line -> line.length() <= width);
        }
        return all.stream().map(one -> one.getCommandSpec().qualifiedName()).toList();
    }

    /** All that picocli formats. */
    private static List<String> formatted(CommandSpec spec) {
        UsageMessageSpec usage = spec.usageMessage();
        List<String> all = new ArrayList<>();
        Stream.of(usage.header(), usage.description(), usage.footer())
                .flatMap(Stream::of)
                .forEach(all::add);
        all.add(usage.exitCodeListHeading());
        all.addAll(usage.exitCodeList().values());
        spec.args().forEach(arg -> all.addAll(List.of(description(arg))));
        return all;
    }

    /** As it is in the source: the one of picocli's model is formatted already. */
    private static String[] description(ArgSpec arg) {
        if (arg.userObject() instanceof AnnotatedElement element) {
            Option option = element.getAnnotation(Option.class);
            if (option != null) {
                return option.description();
            }
            Parameters parameters = element.getAnnotation(Parameters.class);
            if (parameters != null) {
                return parameters.description();
            }
        }
        return arg.description();
    }
}
