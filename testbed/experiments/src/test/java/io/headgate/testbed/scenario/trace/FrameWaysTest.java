package io.headgate.testbed.scenario.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.RunThreads;
import io.headgate.testbed.scenario.campaign.Campaign;
import io.headgate.testbed.scenario.campaign.Sweep;
import io.headgate.testbed.scenario.shipped.Scenarios;
import java.io.OutputStream;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A ring that comes to a deadlock, with the recording of every frame of the same run. */
class FrameWaysTest {
    private static final long END_PS = 4_000_000_000L;

    @TempDir private static Path directory;
    private static final List<TraceRecord> records = new ArrayList<>();
    private static final List<JsonNode> events = new ArrayList<>();
    private static final Map<String, String> threads = new HashMap<>();
    private static final Map<Integer, String> nodes = new HashMap<>();

    @BeforeAll
    static void run() throws Exception {
        Path file = directory.resolve("events.json");
        PrintStream nowhere =
                new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        Sweep sweep =
                Sweep.of(
                        Scenarios.named("escape-ring"),
                        List.of("tokens=none", "duration=4ms"),
                        "1",
                        Set.of(BedKind.VIRTUAL),
                        0);
        Campaign.Options options =
                new Campaign.Options(
                        1,
                        RunThreads.ONE,
                        false,
                        directory,
                        nowhere,
                        false,
                        List.of(),
                        null,
                        null,
                        file);
        assertThat(new Campaign(sweep, sweep.cells(), options).run().getFirst().failure()).isNull();
        try (TraceReader reader =
                new TraceReader(directory.resolve(Campaign.traceName(sweep.cells().getFirst())))) {
            for (TraceRecord one = reader.next(); one != null; one = reader.next()) {
                records.add(one);
            }
        }
        for (JsonNode event : TraceEventForm.check(file)) {
            events.add(event);
            if (event.get("name").asString().equals("thread_name")) {
                threads.put(thread(event), event.get("args").get("name").asString());
            } else if (event.get("name").asString().equals("process_name")) {
                nodes.put(event.get("pid").asInt(), event.get("args").get("name").asString());
            }
        }
    }

    private static String thread(JsonNode event) {
        return event.get("pid").asInt() + " " + event.get("tid").asInt();
    }

    private static long ps(JsonNode event, String key) {
        return new BigDecimal(event.get(key).toString()).movePointRight(6).longValueExact();
    }

    private static List<JsonNode> of(String phase, String category) {
        return events.stream()
                .filter(event ->
                        event.get("ph").asString().equals(phase)
                                && event.path("cat").asString("").equals(category))
                .toList();
    }

    @Test
    void whatLinksCarriedAndWhoWaitedHasTheRunsTimes() {
        List<JsonNode> frames = of("X", "link");
        assertThat(frames).hasSameSizeAs(records).hasSizeGreaterThan(1_000);
        for (int i = 0; i < records.size(); i++) {
            TraceRecord record = records.get(i);
            JsonNode frame = frames.get(i);
            assertThat(frame.get("tid").asInt() - 1).isEqualTo(record.link());
            assertThat(ps(frame, "ts")).isEqualTo(record.startPs());
            assertThat(frame.get("args").get("bytes").asInt()).isEqualTo(record.lengthBytes());
        }
        Set<Long> starts = new HashSet<>();
        Set<Long> arrivals = new HashSet<>();
        records.forEach(one -> {
            starts.add(one.startPs());
            arrivals.add(one.arrivePs());
        });
        List<JsonNode> begins = of("b", "queue");
        List<JsonNode> ends = of("e", "queue");
        assertThat(begins).hasSameSizeAs(ends).hasSizeGreaterThan(500);
        for (int i = 0; i < begins.size(); i++) {
            assertThat(begins.get(i).get("id")).isEqualTo(ends.get(i).get("id"));
            assertThat(begins.get(i).get("pid")).isEqualTo(ends.get(i).get("pid"));
            assertThat(nodes.get(begins.get(i).get("pid").asInt())).startsWith("s");
            assertThat(ps(begins.get(i), "ts")).isLessThanOrEqualTo(ps(ends.get(i), "ts"));
            assertThat(arrivals.contains(ps(begins.get(i), "ts"))).isTrue();
            assertThat(starts.contains(ps(ends.get(i), "ts"))).isTrue();
        }
        assertThat(of("b", "host")).hasSameSizeAs(of("e", "host")).isNotEmpty();
    }

    @Test
    void intervalsOfALineDoNotOverlapAndArrowsGoFromFrameToFrameInTime() {
        Map<String, List<JsonNode>> lines = new HashMap<>();
        for (JsonNode event : events) {
            if (event.get("ph").asString().equals("X")) {
                assertThat(threads.containsKey(thread(event))).isTrue();
                lines.computeIfAbsent(thread(event), _ -> new ArrayList<>()).add(event);
            }
        }
        Set<String> begun = new HashSet<>();
        lines.forEach((line, intervals) -> {
            intervals.sort(Comparator.comparingLong(one -> ps(one, "ts")));
            long freePs = 0;
            for (JsonNode one : intervals) {
                assertThat(ps(one, "ts")).isGreaterThanOrEqualTo(freePs);
                freePs = ps(one, "ts") + ps(one, "dur");
                begun.add(line + " " + ps(one, "ts"));
            }
        });
        Map<Long, Long> reached = new HashMap<>();
        int arrows = 0;
        for (JsonNode event : events) {
            String phase = event.get("ph").asString();
            if (!"stf".contains(phase)) {
                continue;
            }
            assertThat(begun.contains(thread(event) + " " + ps(event, "ts"))).isTrue();
            Long before = reached.put(event.get("id").asLong(), ps(event, "ts"));
            assertThat(before == null).isEqualTo(phase.equals("s"));
            assertThat(before == null ? -1 : before).isLessThan(ps(event, "ts"));
            arrows++;
        }
        assertThat(arrows).isGreaterThan(1_000);
    }

    @Test
    void aPauseLastsFromItsArrivalAndInADeadlockToTheEnd() {
        List<JsonNode> pauses = of("X", "pause");
        assertThat(pauses)
                .anySatisfy(pause -> {
                    assertThat(pause.get("name").asString()).isEqualTo("s2 stops p2, priority 3");
                    assertThat(nodes.get(pause.get("pid").asInt())).isEqualTo("s1");
                    assertThat(threads.get(thread(pause))).isEqualTo("pauses of p2, priority 3");
                    assertThat(ps(pause, "ts") + ps(pause, "dur")).isEqualTo(END_PS);
                });
        Set<Long> arrivals = new HashSet<>();
        records.forEach(one -> arrivals.add(one.arrivePs()));
        assertThat(pauses).allSatisfy(pause -> assertThat(ps(pause, "ts")).isIn(arrivals));
    }
}
