package io.headgate.control.sonic;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Collects the settings that have no equivalent here, or another place, and why: one sentence each,
 * with the ports concerned.
 */
final class LeftOut {
    private static final int NAMED = 3;

    private final Map<String, Set<String>> ports = new LinkedHashMap<>();

    /** Adds a sentence about the switch as a whole. */
    void add(String sentence) {
        ports.computeIfAbsent(sentence, any -> new LinkedHashSet<>());
    }

    /** Adds a sentence about a port. */
    void add(String port, String sentence) {
        ports.computeIfAbsent(sentence, any -> new LinkedHashSet<>()).add(port);
    }

    List<String> sentences() {
        List<String> sentences = new ArrayList<>();
        ports.forEach((sentence, of) ->
                sentences.add(printable(of.isEmpty() ? sentence : names(of) + ": " + sentence)));
        return sentences;
    }

    /** A name from the file in printable form, on one line. */
    static String printable(String text) {
        return text.replaceAll("\\p{C}", "?");
    }

    private static String names(Set<String> ports) {
        List<String> all = List.copyOf(ports);
        return all.size() <= NAMED
                ? String.join(", ", all)
                : String.join(", ", all.subList(0, NAMED - 1))
                        + " and "
                        + (all.size() - NAMED + 1)
                        + " more";
    }
}
