package io.headgate.testbed.imports;

import io.headgate.testbed.imports.SourceText.Line;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A file format of another program. */
public enum Format {
    HPCC_TOPOLOGY,
    HPCC_FLOWS,
    HTSIM_MATRIX,
    HTSIM_TOPOLOGY,
    GOAL;

    /** As in {@code --as}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Reads a file of this format.
     *
     * @throws IllegalArgumentException with file and line, what is there, what is allowed
     */
    public Imported read(SourceText text) {
        return switch (this) {
            case HPCC_TOPOLOGY -> Hpcc.topology(text);
            case HPCC_FLOWS -> Hpcc.flows(text);
            case HTSIM_MATRIX -> ConnectionMatrix.flows(text);
            case HTSIM_TOPOLOGY -> Htsim.topology(text);
            case GOAL -> Goal.flows(text);
        };
    }

    /**
     * Recognises the format of a file by its first lines.
     *
     * @throws IllegalArgumentException if it looks like no known format; the message lists the
     *     formats' names
     */
    public static Format of(SourceText text) {
        List<Line> lines =
                text.lines().stream()
                        .filter(line ->
                                !line.first().startsWith("#") && !line.first().startsWith("//"))
                        .limit(2)
                        .toList();
        Line first = lines.isEmpty() ? new Line(1, List.of("")) : lines.getFirst();
        boolean isNumbers = first.words().stream().allMatch(word -> word.matches("[0-9]+"));
        if (first.first().equals("num_ranks")) {
            return GOAL;
        }
        if (isNumbers && first.words().size() == 3) {
            return HPCC_TOPOLOGY;
        }
        if (isNumbers && first.words().size() == 1) {
            return HPCC_FLOWS;
        }
        if (first.first().equalsIgnoreCase("Nodes") && lines.size() > 1) {
            String second = lines.get(1).first();
            if (second.equals("Connections") || second.contains("->")) {
                return HTSIM_MATRIX;
            }
            if (List.of("tiers", "podsize").contains(second.toLowerCase(Locale.ROOT))) {
                return HTSIM_TOPOLOGY;
            }
        }
        throw new IllegalArgumentException(
                text.name()
                        + ": its first lines do not show the format; give it with --as: "
                        + Arrays.stream(values())
                                .map(Format::word)
                                .collect(Collectors.joining(", ")));
    }

    /**
     * A format by its word.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Format named(String word) {
        return Arrays.stream(values())
                .filter(one -> one.word().equals(word))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "the unknown format "
                                        + word
                                        + "; allowed: "
                                        + Arrays.stream(values())
                                                .map(Format::word)
                                                .collect(Collectors.joining(", "))));
    }
}
