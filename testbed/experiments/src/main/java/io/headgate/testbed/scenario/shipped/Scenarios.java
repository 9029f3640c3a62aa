package io.headgate.testbed.scenario.shipped;

import io.headgate.config.ConfigException;
import io.headgate.config.Reason;
import io.headgate.config.key.Text;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Words;
import io.headgate.testbed.scenario.file.ScenarioReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/**
 * All scenarios on the class path: those that come with Headgate, and those of any other jar. A jar
 * lists them in {@code META-INF/headgate/scenarios}, one in a line: the path of a scenario file in
 * the jar, or the name of a scenario in Java. Those in Java are also named in {@code
 * META-INF/services/io.headgate.testbed.scenario.Scenario}.
 */
public final class Scenarios {
    private static final String LIST = "META-INF/headgate/scenarios";
    private static final String ENDING = ".yaml";
    private static final String FORM = "[a-z0-9]+(-[a-z0-9]+)*";

    private Scenarios() {}

    /**
     * All scenarios, in the order in which their jars list them.
     *
     * @throws ScenarioException if a jar names one that cannot be used
     */
    public static List<Scenario> all() throws ScenarioException {
        Map<String, Scenario> inJava = inJava();
        List<Scenario> all = new ArrayList<>();
        for (Map.Entry<String, String> entry : listed(inJava).entrySet()) {
            Scenario one = inJava.get(entry.getKey());
            all.add(one == null ? read(entry.getValue()) : one);
        }
        return all;
    }

    /**
     * The names of all scenarios.
     *
     * @throws ScenarioException if a jar names one that cannot be used
     */
    public static List<String> names() throws ScenarioException {
        return List.copyOf(listed(inJava()).keySet());
    }

    /**
     * A scenario by its name.
     *
     * @throws ScenarioException if there is none, with the one that was meant
     */
    public static Scenario named(String name) throws ScenarioException {
        Map<String, Scenario> inJava = inJava();
        Scenario known = inJava.get(name);
        return known == null ? read(path(name, inJava)) : known;
    }

    /**
     * The scenario file of a name.
     *
     * @throws ScenarioException if there is none, or the scenario is in Java
     */
    public static String text(String name) throws ScenarioException {
        Map<String, Scenario> inJava = inJava();
        if (inJava.containsKey(name)) {
            throw new ScenarioException(
                    "scenario "
                            + name
                            + " has no file: it is computed in Java, "
                            + inJava.get(name).getClass().getName());
        }
        return resource(path(name, inJava));
    }

    private static String path(String name, Map<String, Scenario> inJava) throws ScenarioException {
        Map<String, String> listed = listed(inJava);
        String path = listed.get(name);
        if (path != null) {
            return path;
        }
        String near = Text.nearest(name, List.copyOf(listed.keySet()));
        throw new ScenarioException(
                "no scenario is named '"
                        + Words.shown(name)
                        + "'"
                        + (near == null ? "" : " (" + near + "?)")
                        + ": allowed is "
                        + String.join(", ", listed.keySet())
                        + ", or the path of a scenario file");
    }

    private static Map<String, Scenario> inJava() throws ScenarioException {
        Map<String, Scenario> all = new LinkedHashMap<>();
        try {
            for (Scenario scenario : ServiceLoader.load(Scenario.class)) {
                String name = scenario.about().name();
                String where = scenario.getClass().getName() + ", scenario \"" + name + "\": ";
                requireNew(name, where, all);
                all.put(name, scenario);
            }
        } catch (ServiceConfigurationError e) {
            throw new ScenarioException("a scenario in a jar cannot be used: " + e.getMessage(), e);
        }
        return all;
    }

    private static void requireNew(String name, String where, Map<String, ?> known)
            throws ScenarioException {
        if (!name.matches(FORM)) {
            throw new ScenarioException(
                    where + "a name is lower case with hyphens, such as my-incast");
        }
        if (known.containsKey(name)) {
            throw new ScenarioException(where + "another scenario has this name");
        }
    }

    /** Paths of files by the names of scenarios; those in Java have an empty one. */
    private static Map<String, String> listed(Map<String, Scenario> inJava)
            throws ScenarioException {
        Map<String, String> listed = new LinkedHashMap<>();
        try {
            List<URL> lists = Collections.list(loader().getResources(LIST));
            for (URL list : lists) {
                try (InputStream in = list.openStream()) {
                    for (String line : text(in).lines().map(String::strip).toList()) {
                        add(line, list, inJava, listed);
                    }
                }
            }
        } catch (IOException e) {
            throw new ScenarioException(
                    "a list of scenarios in a jar cannot be read: " + Reason.of(e), e);
        }
        inJava.keySet().forEach(name -> listed.putIfAbsent(name, ""));
        return listed;
    }

    private static void add(
            String line, URL list, Map<String, Scenario> inJava, Map<String, String> listed)
            throws ScenarioException {
        boolean isFile = line.endsWith(ENDING);
        String name =
                isFile
                        ? line.substring(line.lastIndexOf('/') + 1, line.length() - ENDING.length())
                        : line;
        if (line.isEmpty() || (!isFile && !inJava.containsKey(name))) {
            return;
        }
        String where = list + ", scenario \"" + name + "\": ";
        requireNew(name, where, listed);
        if (isFile && inJava.containsKey(name)) {
            throw new ScenarioException(where + "another scenario has this name");
        }
        listed.put(name, isFile ? line : "");
    }

    /** As {@link ServiceLoader} has it. */
    private static ClassLoader loader() {
        ClassLoader ofThread = Thread.currentThread().getContextClassLoader();
        return ofThread == null ? Scenarios.class.getClassLoader() : ofThread;
    }

    private static Scenario read(String path) throws ScenarioException {
        try {
            return ScenarioReader.read(resource(path), path);
        } catch (ConfigException e) {
            throw new ScenarioException("a scenario in a jar cannot be used: " + e.getMessage(), e);
        }
    }

    private static String resource(String path) throws ScenarioException {
        try (InputStream in = loader().getResourceAsStream(path)) {
            if (in == null) {
                throw new ScenarioException("a scenario in a jar is missing: " + path);
            }
            return text(in);
        } catch (IOException e) {
            throw new ScenarioException("a scenario in a jar cannot be read: " + path, e);
        }
    }

    private static String text(InputStream in) throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
}
