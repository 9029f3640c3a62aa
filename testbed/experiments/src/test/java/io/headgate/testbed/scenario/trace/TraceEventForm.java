package io.headgate.testbed.scenario.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.report.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/**
 * What the published "Trace Event Format" (Google, linked from Perfetto's and Chromium's pages)
 * asks of a file in the JSON Object Format, for the kinds of events that are written here.
 */
public final class TraceEventForm {
    private static final double PICOSECOND_US = 1e-6;

    private final Set<Long> processes = new HashSet<>();
    private final Set<String> threads = new HashSet<>();
    private final Map<String, Double> open = new HashMap<>();
    private final Map<String, Double> arrows = new HashMap<>();

    /** By thread: where slices begin, and where they end. */
    private final Map<String, NavigableMap<Double, Double>> slices = new HashMap<>();

    /** Checks a file; answers its events. */
    public static JsonNode check(Path file) throws IOException {
        JsonNode root = Json.COMPACT.readTree(Files.readString(file));
        assertThat(root.path("displayTimeUnit").asString("")).isIn("ms", "ns");
        JsonNode events = root.path("traceEvents");
        assertThat(events.isArray()).as("traceEvents is an array").isTrue();
        TraceEventForm form = new TraceEventForm();
        // Events may be in any order, but those of a pair or an arrow are not.
        for (JsonNode event : events) {
            form.checkCommon(event);
            form.collect(event);
        }
        for (JsonNode event : events) {
            form.checkPlace(event);
        }
        assertThat(form.open).as("async events without an end").isEmpty();
        return events;
    }

    private static String thread(JsonNode event) {
        return event.get("pid") + " " + event.get("tid");
    }

    private void checkCommon(JsonNode event) {
        Supplier<String> as = event::toString;
        assertThat(event.path("ph").isString()).as(as).isTrue();
        assertThat(event.path("name").asString("")).as(as).isNotBlank();
        assertThat(event.path("pid").isIntegralNumber()).as(as).isTrue();
        assertThat(event.path("tid").isIntegralNumber()).as(as).isTrue();
        if (!event.get("ph").asString().equals("M")) {
            assertThat(event.path("cat").asString("")).as(as).isNotBlank();
            assertThat(event.path("ts").isNumber()).as(as).isTrue();
            assertThat(event.get("ts").asDouble()).as(as).isNotNegative();
        }
    }

    private void collect(JsonNode event) {
        Supplier<String> as = event::toString;
        String phase = event.get("ph").asString();
        String pair = event.path("cat") + " " + event.path("id") + " " + event.get("name");
        double us = event.path("ts").asDouble(0);
        switch (phase) {
            case "M" -> {
                assertThat(event.get("name").asString()).isIn("process_name", "thread_name");
                assertThat(event.path("args").path("name").asString("")).as(as).isNotBlank();
                if (event.get("name").asString().equals("process_name")) {
                    processes.add(event.get("pid").asLong());
                } else {
                    threads.add(thread(event));
                }
            }
            case "X" -> {
                assertThat(event.path("dur").isNumber()).as(as).isTrue();
                assertThat(event.get("dur").asDouble()).as(as).isNotNegative();
                slices.computeIfAbsent(thread(event), _ -> new TreeMap<>())
                        .put(us, us + event.get("dur").asDouble());
            }
            case "b" -> assertThat(open.put(pair, us)).as(as).isNull();
            case "e" -> assertThat(open.remove(pair)).as(as).isNotNull().isLessThanOrEqualTo(us);
            case "s" -> assertThat(arrows.put(pair, us)).as(as).isNull();
            case "t", "f" -> {
                assertThat(arrows.get(pair)).as(as).isNotNull().isLessThanOrEqualTo(us);
                arrows.put(pair, phase.equals("f") ? Double.POSITIVE_INFINITY : us);
            }
            default -> throw new AssertionError("no rule is known here for " + event);
        }
        if (!"MX".contains(phase)) {
            assertThat(event.has("id")).as(as).isTrue();
        }
    }

    /** Its process has a name; a slice's thread as well; and an arrow is tied to a slice. */
    private void checkPlace(JsonNode event) {
        Supplier<String> as = event::toString;
        assertThat(processes).as(as).contains(event.get("pid").asLong());
        String phase = event.get("ph").asString();
        if (phase.equals("X")) {
            assertThat(threads).as(as).contains(thread(event));
        } else if ("stf".contains(phase)) {
            // Without it an arrow's end is tied to the next slice, not to the one that it is in.
            assertThat(event.path("bp").asString(""))
                    .as(as)
                    .isEqualTo(phase.equals("f") ? "e" : "");
            double us = event.get("ts").asDouble();
            var slice =
                    slices.getOrDefault(thread(event), new TreeMap<>())
                            .floorEntry(us + PICOSECOND_US / 2);
            assertThat(slice == null ? -1 : slice.getValue())
                    .as(as)
                    .isGreaterThan(us - PICOSECOND_US);
        }
    }
}
