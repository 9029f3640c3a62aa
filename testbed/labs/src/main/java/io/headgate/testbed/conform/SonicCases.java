package io.headgate.testbed.conform;

import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.control.sonic.SonicImport;
import io.headgate.testbed.scenario.ScenarioException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * Makes the cases for a SONiC switch's {@code config_db.json}: the imported configuration of a port
 * runs in virtual time, and the file determines what must be seen. Each is a scenario file with
 * places for the port's keys and numbers; ports that are alike are judged once.
 */
public final class SonicCases {
    /** Those that there are, in their order. */
    static final List<String> NUMBERS = List.of("c09", "c14", "c15", "c22", "c38");

    private SonicCases() {}

    /**
     * The cases that are made from a file.
     *
     * @param notJudged sentences on what no case can judge, and why
     */
    public record Made(List<ConformanceCase> cases, List<String> notJudged) {
        public Made {
            cases = List.copyOf(cases);
            notJudged = List.copyOf(notJudged);
        }
    }

    /**
     * The cases of a file.
     *
     * @param text a {@code config_db.json}
     * @param name what to call it in messages
     * @param wanted numbers such as {@code C14}; empty: all
     * @throws ScenarioException if there is no such case
     * @throws io.headgate.config.ConfigException if the text cannot be imported
     */
    public static Made of(String text, String name, List<String> wanted) throws ScenarioException {
        List<String> numbers = wanted.stream().map(one -> one.toLowerCase(Locale.ROOT)).toList();
        for (String number : numbers) {
            if (!NUMBERS.contains(number)) {
                throw new ScenarioException(
                        "no case for a config_db.json is named '"
                                + number
                                + "': allowed is "
                                + String.join(", ", NUMBERS).toUpperCase(Locale.ROOT));
            }
        }
        Map<Map<String, Object>, Set<String>> alike = new LinkedHashMap<>();
        Map<String, String> ofPorts = new HashMap<>();
        SwitchConfig all = SwitchConfigReader.read(imported(text, name, List.of()), name);
        for (PortConfig port : all.ports()) {
            String alone = imported(text, name, List.of(port.name()));
            ofPorts.put(port.name(), alone);
            alike.computeIfAbsent(keys(alone), any -> new LinkedHashSet<>()).add(port.name());
        }
        List<ConformanceCase> cases = new ArrayList<>();
        List<String> notJudged = new ArrayList<>();
        alike.forEach((keys, ports) -> {
            String first = ports.iterator().next();
            String alone = Objects.requireNonNull(ofPorts.get(first));
            SwitchConfig made = SwitchConfigReader.read(alone, name);
            SonicPortCase port =
                    new SonicPortCase(made.ports().getFirst(), made.memory().sharedBytes());
            String called =
                    ports.size() == 1 ? first : first + " and " + (ports.size() - 1) + " more";
            Map<String, String> values = port.values(keys);
            values.put("port", called);
            values.put("file", name);
            for (String number : numbers.isEmpty() ? NUMBERS : numbers) {
                String lacks = port.lacks(number);
                if (lacks.isEmpty()) {
                    cases.add(filled(number, values));
                } else {
                    notJudged.add(called + ": " + number.toUpperCase(Locale.ROOT) + " " + lacks);
                }
            }
        });
        return new Made(cases, notJudged);
    }

    private static String imported(String text, String name, List<String> ports) {
        return SonicImport.make(
                        text, name, new SonicImport.Wanted(ports, List.of(), "afpacket", ""))
                .yaml();
    }

    /** What the configuration of a switch with one port says of it. */
    private static Map<String, Object> keys(String yaml) {
        Object all = new Load(LoadSettings.builder().build()).loadFromString(yaml);
        Map<String, Object> keys = new LinkedHashMap<>();
        if (all instanceof Map<?, ?> made
                && made.get("ports") instanceof List<?> ports
                && ports.getFirst() instanceof Map<?, ?> port) {
            port.forEach((key, value) -> keys.put(String.valueOf(key), value));
        }
        keys.remove("name");
        keys.remove("device");
        return keys;
    }

    private static ConformanceCase filled(String number, Map<String, String> values) {
        String text = ConformanceCase.resource("sonic/" + number + ".yaml");
        for (Map.Entry<String, String> value : values.entrySet()) {
            text = text.replace("<" + value.getKey() + ">", value.getValue());
        }
        return new ConformanceCase(number, number + "-" + values.get("port"), text);
    }
}
