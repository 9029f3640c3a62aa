package io.headgate.testbed.scenario.trace;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The header of a recording.
 *
 * @param links name of each direction of each link, such as {@code h1->s1/p1}, by number
 * @param details other information for people: scenario, seed, parameters, commit
 */
public record TraceHeader(List<String> links, Map<String, String> details) {
    public TraceHeader {
        links = List.copyOf(links);
        details = new LinkedHashMap<>(details);
    }
}
