package io.headgate.control.link;

import io.headgate.config.DeviceConfig;
import io.headgate.config.key.Section;
import io.headgate.config.key.Text;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A change of a link, in a person's words: {@code down}, {@code up}, or keys with values such as
 * {@code delay=5ms} and {@code loss=1%}.
 */
public final class LinkChange {
    /** The words for a link as a whole. */
    public static final String DOWN = "down";

    public static final String UP = "up";

    private static final List<String> KEYS =
            Section.of(DeviceConfig.OneWay.class).schema().get("properties")
                            instanceof Map<?, ?> keys
                    ? keys.keySet().stream().map(String::valueOf).toList()
                    : List.of();

    /** Keys for the mean times of a link that flaps; they belong to one end. */
    private static final List<String> FLAPS = List.of(UP, DOWN);

    private static final String ALLOWED =
            "up, down, or keys with values: "
                    + String.join(", ", KEYS)
                    + ", or up and down together, with mean times";

    /** A port at an end of the link. */
    public record Port(String switchName, String port, LinkEnd end) {}

    private final boolean isState;
    private final String state;
    private final Map<String, String> settings;

    private LinkChange(String state, Map<String, String> settings) {
        this.isState = !state.isEmpty();
        this.state = state;
        this.settings = settings;
    }

    /** A change that takes the link down, or up again. */
    public static LinkChange ofState(boolean isUp) {
        return new LinkChange(isUp ? UP : DOWN, Map.of());
    }

    /**
     * Reads a person's words.
     *
     * @throws IllegalArgumentException in one sentence without its full stop
     */
    public static LinkChange of(List<String> words) {
        if (words.size() == 1 && FLAPS.contains(words.getFirst())) {
            return ofState(words.getFirst().equals(UP));
        }
        Map<String, String> settings = new LinkedHashMap<>();
        for (String word : words) {
            int equals = word.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException(
                        Text.quote(word) + " is not a word for a link; allowed: " + ALLOWED);
            }
            settings.put(word.substring(0, equals), word.substring(equals + 1));
        }
        return of(settings);
    }

    /** A change from keys with values. */
    public static LinkChange of(Map<String, String> settings) {
        Map<String, String> read = new LinkedHashMap<>();
        settings.forEach((key, value) -> {
            if (!KEYS.contains(key) && !FLAPS.contains(key)) {
                throw new IllegalArgumentException(
                        Text.quote(key) + " is not a key of a link; allowed: " + ALLOWED);
            }
            read.put(key, value);
        });
        return new LinkChange("", read);
    }

    /**
     * The settings for each switch.
     *
     * @param ends both ends of the link, as far as they are at switches
     * @param towards the end towards which the affected frames go; null: both
     * @return assignments by switch, as {@code headgate set} takes them
     * @throws IllegalArgumentException in one sentence without its full stop
     */
    public Map<String, List<String>> assignments(List<Port> ends, @Nullable String towards) {
        Map<String, List<String>> all = new LinkedHashMap<>();
        if (isState) {
            if (towards != null) {
                throw new IllegalArgumentException(
                        "a link is down in both directions; leave --towards out");
            }
            ends.forEach(end -> add(all, end, "link=" + state));
            return all;
        }
        if (towards != null
                && ends.stream()
                        .noneMatch(one ->
                                towards.equals(one.end.near()) || towards.equals(one.end.far()))) {
            LinkEnd end = ends.getFirst().end;
            throw new IllegalArgumentException(
                    "%s is not an end of link %s; allowed: %s, %s"
                            .formatted(towards, end.link(), end.near(), end.far()));
        }
        for (Port one : ends) {
            settings.forEach((key, value) -> {
                if (FLAPS.contains(key)) {
                    if (one.end.isFirst() && towards == null) {
                        add(all, one, key + "=" + value);
                    }
                    return;
                }
                if (towards == null || towards.equals(one.end.near())) {
                    add(all, one, key + "=" + value);
                }
                if (one.end.isFarHost() && (towards == null || towards.equals(one.end.far()))) {
                    add(all, one, "transmit." + key + "=" + value);
                }
            });
        }
        return all;
    }

    private static void add(Map<String, List<String>> all, Port port, String assignment) {
        all.computeIfAbsent(port.switchName, _ -> new ArrayList<>())
                .add(port.port + ".device.faults." + assignment);
    }
}
