package io.headgate.testbed.lab.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A ready lab's sheet for a class: questions, experiments, and answers. Where an answer has {@code
 * {{name|name}}}, the report's headlines that begin with one of these names are put there.
 */
final class LabSheet {
    private static final String ANSWERS = "\n## Answers\n";
    private static final Pattern FIGURE = Pattern.compile("\\{\\{([^{}]+)}}");
    private static final String NONE = "(not in this run)";

    private final String text;

    private LabSheet(String text) {
        this.text = text;
    }

    /** The sheet of a lab; null for labs that have none. */
    static @Nullable LabSheet of(String lab) {
        try (InputStream in = LabSheet.class.getResourceAsStream("sheet/" + lab + ".md")) {
            return in == null
                    ? null
                    : new LabSheet(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a class gets: all but the answers. */
    String questions() {
        return text.substring(0, text.indexOf(ANSWERS));
    }

    /**
     * All of it, with the figures of a run.
     *
     * @param caution above the answers, of a run that did not end well; empty: it did
     */
    String with(Map<String, String> headlines, String caution) {
        String cautious =
                caution.isEmpty()
                        ? text
                        : text.replace(ANSWERS, ANSWERS + "\n**This run: " + caution + "**\n");
        return FIGURE.matcher(cautious)
                .replaceAll(found ->
                        Matcher.quoteReplacement(figures(found.group(1).split("\\|"), headlines)));
    }

    private static String figures(String[] names, Map<String, String> headlines) {
        String figures =
                headlines.entrySet().stream()
                        .filter(one -> Stream.of(names).anyMatch(one.getKey()::startsWith))
                        .map(one -> "**" + one.getKey() + ": " + one.getValue() + "**")
                        .collect(Collectors.joining("; "));
        return figures.isEmpty() ? NONE : figures;
    }
}
