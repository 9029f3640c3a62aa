package io.headgate.control.sonic;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What has no place here, or another one, and why: a sentence each, with the ports it is about. */
final class LeftOut {
    private static final int NAMED = 3;

    private final Map<String, Set<String>> ports = new LinkedHashMap<>();

    /** For the switch as a whole. */
    void add(String sentence) {
        ports.computeIfAbsent(sentence, any -> new LinkedHashSet<>());
    }

    /** For a port. */
    void add(String port, String sentence) {
        ports.computeIfAbsent(sentence, any -> new LinkedHashSet<>()).add(port);
    }

    List<String> sentences() {
        List<String> sentences = new ArrayList<>();
        ports.forEach((sentence, of) ->
                sentences.add(printable(of.isEmpty() ? sentence : names(of) + ": " + sentence)));
        return sentences;
    }

    /** In one line, whatever is called so in the file. */
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
