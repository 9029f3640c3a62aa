package io.headgate.config.yaml;

import io.headgate.config.ConfigException;
import io.headgate.config.ConfigProblem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Collects the problems of one file: one per place, a hundred at most. */
final class Problems {
    private static final int SHOWN = 100;

    private final String file;
    private final List<ConfigProblem> problems = new ArrayList<>();
    private final Set<String> seen = new HashSet<>();
    private int unshown;

    Problems(String file) {
        this.file = file;
    }

    /** The file's name, as it was given. */
    String file() {
        return file;
    }

    boolean isEmpty() {
        return problems.isEmpty();
    }

    /** Adds a problem of the file as a whole. */
    void add(String found, String allowed) {
        add(0, 0, "", found, allowed);
    }

    void add(int line, int column, String path, String found, String allowed) {
        if (!seen.add(line + ":" + column + ":" + path)) {
            return;
        }
        if (problems.size() == SHOWN) {
            unshown++;
            return;
        }
        problems.add(new ConfigProblem(file, line, column, path, found, allowed));
    }

    /** Adds a problem at a pointer, or at the nearest place above it that the file has. */
    void addAt(YamlNode root, String pointer, String found, String allowed) {
        YamlNode node = Pointer.find(root, pointer);
        String place = pointer;
        while (node == null) {
            place = Pointer.parent(place);
            node = Pointer.find(root, place);
        }
        add(node.line(), node.column(), Pointer.render(root, pointer), found, allowed);
    }

    ConfigException toException() {
        problems.sort(
                Comparator.comparingInt(ConfigProblem::line)
                        .thenComparingInt(ConfigProblem::column));
        if (unshown > 0) {
            problems.add(
                    new ConfigProblem(
                            file,
                            0,
                            0,
                            "",
                            unshown + " more problems",
                            "correct the first " + SHOWN));
        }
        return new ConfigException(problems);
    }

    void throwIfAny() {
        if (!isEmpty()) {
            throw toException();
        }
    }
}
