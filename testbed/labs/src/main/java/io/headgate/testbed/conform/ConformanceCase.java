package io.headgate.testbed.conform;

import io.headgate.config.ConfigException;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Words;
import io.headgate.testbed.scenario.bed.Beds;
import io.headgate.testbed.scenario.file.ScenarioReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * A conformance case: a scenario file whose claim states what must be seen. Its name begins with
 * its number.
 *
 * @param number as the plans' list has it: {@code c01}
 * @param name {@code c01-storm-on-lossless}
 * @param text the scenario file
 */
public record ConformanceCase(String number, String name, String text) {
    private static final String LIST = "cases";
    private static final String ENDING = ".yaml";

    /** All of them, in the order of their list. */
    public static List<ConformanceCase> all() {
        return resource(LIST)
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .map(name ->
                        new ConformanceCase(
                                name.substring(0, name.indexOf('-')),
                                name,
                                resource(name + ENDING)))
                .toList();
    }

    /**
     * The named cases, in the order of the list; all if no name is given.
     *
     * @param names numbers, as {@code C01}, names, or beginnings of names
     * @throws ScenarioException if a name means none
     */
    public static List<ConformanceCase> named(List<String> names) throws ScenarioException {
        List<ConformanceCase> all = all();
        if (names.isEmpty()) {
            return all;
        }
        Set<Integer> wanted = new TreeSet<>();
        for (String name : names) {
            String small = name.toLowerCase(Locale.ROOT);
            List<Integer> meant = new ArrayList<>();
            for (int i = 0; i < all.size(); i++) {
                if (!small.isEmpty() && (all.get(i).name + "-").startsWith(small + "-")) {
                    meant.add(i);
                }
            }
            if (meant.isEmpty()) {
                throw new ScenarioException(
                        "no case is named '"
                                + Words.shown(name)
                                + "': allowed is "
                                + String.join(
                                        ", ", all.stream().map(ConformanceCase::label).toList()));
            }
            wanted.addAll(meant);
        }
        return wanted.stream().map(all::get).toList();
    }

    @Override
    public String toString() {
        return name;
    }

    /** The number for people: {@code C01}. */
    public String label() {
        return number.toUpperCase(Locale.ROOT);
    }

    /**
     * The scenario that runs it.
     *
     * @throws ConfigException if the file is not sound
     */
    public Scenario scenario() {
        return scenario(Beds::run);
    }

    /**
     * The same, run by something else than the beds.
     *
     * @throws ConfigException if the file is not sound
     */
    Scenario scenario(Beds.Runner runner) {
        return ScenarioReader.read(text, name + ENDING, runner);
    }

    static String resource(String file) {
        try (InputStream in = ConformanceCase.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("no resource " + file);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
