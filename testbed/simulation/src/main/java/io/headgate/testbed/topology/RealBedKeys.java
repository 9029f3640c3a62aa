package io.headgate.testbed.topology;

import io.headgate.config.PortTraffic;
import io.headgate.config.key.Quantity;
import io.headgate.config.yaml.YamlConfig;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks which keys of a file the real bed supports. The keyword {@code x-beds} in a key's schema
 * says {@code done} for every bed; or, separately for the bed {@code real} and for {@code lab} if
 * labs from files differ, {@code refused} or {@code warned}, with the reason.
 */
public final class RealBedKeys {
    /** The keyword of schemas. */
    public static final String KEYWORD = "x-beds";

    /** The real bed in a keyword's mapping. */
    public static final String REAL = "real";

    /**
     * Labs from files in a keyword's mapping, if they support more than the real bed of scenarios.
     */
    public static final String LAB = "lab";

    public static final String REFUSED = "refused: ";
    public static final String WARNED = "warned: ";

    /** Comes before the shortest time that is kept; a shorter one, except 0, gives a warning. */
    public static final String DONE_FROM = "done from ";

    /** Maximum number of hosts and switches of one network on real frames. */
    public static final int MAX_NODES = 128;

    /** Maximum number of places that a warning names. */
    private static final int NAMED = 3;

    private RealBedKeys() {}

    /**
     * Rejects each key that the real bed does not support, with its line and column.
     *
     * @param topologyAt place of the topology in the file, as a JSON pointer
     * @param isLab whether the file is a lab, not a scenario
     * @return a sentence for each kind of key that has no effect on real frames, with line and
     *     column
     */
    public static List<String> check(
            YamlConfig yaml, Topology topology, String topologyAt, boolean isLab) {
        Map<String, List<String>> ignored = new LinkedHashMap<>();
        yaml.forEachAsked(
                KEYWORD,
                (at, beds) -> {
                    String word = word(beds, isLab);
                    if (word.startsWith(REFUSED)) {
                        String why = word.substring(REFUSED.length());
                        yaml.refuse(at, yaml.described(at), "nothing on real frames: " + why);
                    } else if (word.startsWith(WARNED)) {
                        String why = word.substring(WARNED.length());
                        ignored.computeIfAbsent(why, _ -> new ArrayList<>()).add(at);
                    } else if (word.startsWith(DONE_FROM)) {
                        int colon = word.indexOf(": ");
                        Long least =
                                Quantity.DELAY.parse(word.substring(DONE_FROM.length(), colon));
                        long asked = yaml.quantity(at, Quantity.DELAY, 0);
                        if (least != null && asked > 0 && asked < least) {
                            String why = word.substring(colon + 2);
                            ignored.computeIfAbsent(why, _ -> new ArrayList<>()).add(at);
                        }
                    }
                });
        for (Topology.Link link : topology.links()) {
            String refusal = RealLinks.refusal(link.spec());
            if (refusal != null && yaml.isSound()) {
                yaml.refuse(
                        topologyAt,
                        "a link between %s and %s with %s".formatted(link.a(), link.b(), refusal),
                        "less on real frames");
            }
        }
        int nodes = topology.hosts().size() + topology.switches().size();
        if (nodes > MAX_NODES) {
            yaml.refuse(
                    topologyAt,
                    nodes + " hosts and switches",
                    "at most " + MAX_NODES + " on real frames");
        }
        if (topology.switches().isEmpty() && !topology.ports().equals(PortTraffic.NONE)) {
            yaml.refuse(
                    topologyAt + "/ports",
                    "flow control between two hosts",
                    "a switch between them, on real frames");
        }
        List<String> warnings = new ArrayList<>();
        ignored.forEach((why, places) -> warnings.add(sentence(yaml, why, places)));
        return warnings;
    }

    private static String word(Object beds, boolean isLab) {
        if (!(beds instanceof Map<?, ?> each)) {
            return "";
        }
        return isLab && each.get(LAB) instanceof String own
                ? own
                : each.get(REAL) instanceof String real ? real : "";
    }

    private static String sentence(YamlConfig yaml, String why, List<String> places) {
        List<String> named = places.stream().limit(NAMED).map(yaml::where).toList();
        int more = places.size() - named.size();
        return String.join(", ", named)
                + (more > 0 ? " and " + more + " more" : "")
                + ": has no effect on real frames: "
                + why;
    }
}
