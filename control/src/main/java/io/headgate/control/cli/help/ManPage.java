package io.headgate.control.cli.help;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The manual page of a command, in the language of man(7). */
final class ManPage {
    private final CommandLine command;
    private final StringBuilder text = new StringBuilder();

    ManPage(CommandLine command) {
        this.command = command;
    }

    /** As in {@code headgate-lab-hol}. */
    static String name(CommandLine command) {
        return command.getCommandSpec().qualifiedName("-");
    }

    String write() {
        CommandSpec spec = command.getCommandSpec();
        String name = name(command);
        List<String> description = List.of(spec.usageMessage().description());
        text.append(".TH ").append(escaped(name.toUpperCase(Locale.ROOT))).append(" 1\n");
        section("NAME");
        line(name + " - " + (description.isEmpty() ? name : plain(description.getFirst())));
        section("SYNOPSIS");
        Help help = command.getHelp();
        line(help.synopsis(0).replaceAll("\\s+", " ").strip());
        section("DESCRIPTION");
        description.forEach(one -> {
            line(plain(one));
            text.append(".PP\n");
        });
        if (!spec.positionalParameters().isEmpty()) {
            section("ARGUMENTS");
            for (PositionalParamSpec one : spec.positionalParameters()) {
                if (!one.hidden()) {
                    item(one.paramLabel(), one);
                }
            }
        }
        section("OPTIONS");
        List<OptionSpec> options = new ArrayList<>(spec.options());
        Comparator<OptionSpec> order = help.createDefaultOptionSort();
        if (order != null) { // null: as they are declared
            options.sort(order);
        }
        for (OptionSpec option : options) {
            if (!option.hidden()) {
                String names = String.join(", ", option.names());
                item(option.arity().max() == 0 ? names : names + " " + option.paramLabel(), option);
            }
        }
        if (!command.getSubcommands().isEmpty()) {
            section("COMMANDS");
            command.getSubcommands().values().stream()
                    .distinct()
                    .forEach(one -> tagged(name(one) + "(1)", summary(one)));
        }
        if (!spec.usageMessage().exitCodeList().isEmpty()) {
            section("EXIT STATUS");
            spec.usageMessage()
                    .exitCodeList()
                    .forEach((code, meaning) -> tagged(code, plain(meaning)));
        }
        notes(List.of(spec.usageMessage().footer()));
        return text.toString();
    }

    private static String summary(CommandLine one) {
        String[] lines = one.getCommandSpec().usageMessage().description();
        return lines.length == 0 ? "" : plain(lines[0]);
    }

    private void notes(List<String> footer) {
        if (footer.stream().allMatch(String::isBlank)) {
            return;
        }
        section("NOTES");
        text.append(".nf\n");
        footer.stream().filter(one -> !one.isBlank()).forEach(one -> line(plain(one)));
        text.append(".fi\n");
    }

    private void item(String label, ArgSpec argument) {
        StringBuilder words = new StringBuilder();
        for (String line : argument.description()) {
            words.append(words.isEmpty() ? "" : " ").append(candidates(plain(line), argument));
        }
        String initial = argument.defaultValue();
        if (initial != null && !initial.isEmpty()) {
            words.append(" (").append(initial).append(')');
        }
        tagged(label, words.toString());
    }

    private static String candidates(String line, ArgSpec argument) {
        if (argument.completionCandidates() == null) {
            return line;
        }
        return line.replace(
                "${COMPLETION-CANDIDATES}", String.join(", ", argument.completionCandidates()));
    }

    private static String plain(String markup) {
        return Ansi.OFF.string(markup).replace("%n", " ").replace("%%", "%");
    }

    private void section(String title) {
        text.append(".SH ").append(title).append('\n');
    }

    private void tagged(String label, String words) {
        text.append(".TP\n.B ");
        line(label);
        line(words);
    }

    private void line(String words) {
        text.append(escaped(words)).append('\n');
    }

    /** Escapes a point or an apostrophe at the beginning of a line, which would be a request. */
    private static String escaped(String words) {
        String safe = words.replace("\\", "\\e").replace("-", "\\-");
        return safe.startsWith(".") || safe.startsWith("'") ? "\\&" + safe : safe;
    }
}
