package io.headgate.control.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.report.Json;
import io.headgate.dataplane.counter.CounterDirectory.Entry;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.CounterId.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

final class StateLinesTest {
    private static final List<PortView> PORTS =
            List.of(
                    new PortView("s1", "p1", "h1", 1_000_000_000, 100_000, List.of()),
                    new PortView("s1", "p2", "", 0, 0, List.of()));

    private final long[] values = new long[5];
    private final List<Entry> entries =
            List.of(
                    entry(Scope.EGRESS, "p1", "bytes.transmitted", Kind.TOTAL, 0),
                    entry(Scope.INGRESS, "p1", "drop.QUEUE_FULL", Kind.TOTAL, 1),
                    entry(Scope.EGRESS, "p2", "stopped.now.ns.p3", Kind.GAUGE, 2),
                    entry(Scope.EGRESS, "p2", "rocc.rate.p3", Kind.GAUGE, 3),
                    // Left out: a maximum says nothing of a moment.
                    entry(Scope.EGRESS, "p2", "queue.max.bytes", Kind.MAXIMUM, 4));
    private final StateLines lines =
            new StateLines(
                    "test",
                    true,
                    PORTS,
                    List.of(
                            new StateLines.Counted(
                                    "s1", entries, entry -> values[entry.valueIndex()])));

    private static Entry entry(Scope scope, String port, String label, Kind kind, int index) {
        return new Entry(scope, 0, port, label, "", kind, "", index);
    }

    /** What a viewer makes of lines. */
    private static final class Viewer {
        private final List<String> names = new ArrayList<>();
        private final Map<String, Long> values = new HashMap<>();

        void take(String line) {
            JsonNode json = Json.COMPACT.readTree(line);
            if (json.has("network")) {
                names.clear();
            }
            for (JsonNode name : json.path("names")) {
                String port = PORTS.get(name.get(0).asInt()).name();
                names.add(port + " " + name.get(1).asString());
            }
            JsonNode changes = json.get("changes");
            for (int i = 0; i < changes.size(); i += 2) {
                values.put(names.get(changes.get(i).asInt()), changes.get(i + 1).asLong());
            }
        }
    }

    @Test
    void whoHasAWholeLineAndAllAfterItHasEveryValue() {
        Random random = new Random(5);
        Viewer first = new Viewer();
        List<Viewer> viewers = new ArrayList<>();
        lines.next(0);
        first.take(lines.whole());
        viewers.add(first);
        for (int at = 1; at <= 200; at++) {
            int changed = random.nextInt(values.length);
            values[changed] = random.nextInt(3) * 1_000L;
            String line = lines.next(at);
            viewers.forEach(viewer -> viewer.take(line));
            Viewer late = new Viewer();
            late.take(lines.whole());
            viewers.add(late);
        }
        Map<String, Long> all =
                Map.of(
                        "p1 out bytes.transmitted", values[0],
                        "p1 in drop.QUEUE_FULL", values[1],
                        "p2 out stopped.now.ns.p3", values[2],
                        "p2 out rocc.rate.p3", values[3]);
        assertThat(viewers).hasSize(201).allSatisfy(one -> assertThat(one.values).isEqualTo(all));
    }

    @Test
    void countersThatStayZeroAndValuesThatStayAreInNoLine() {
        values[0] = 7;
        assertThat(lines.next(0.5))
                .isEqualTo(
                        "{\"t\":0.5,\"names\":[[0,\"out bytes.transmitted\",\"t\"]],"
                                + "\"changes\":[0,7]}");
        assertThat(lines.next(0.6)).isEqualTo("{\"t\":0.6,\"changes\":[]}");
        values[0] = 9;
        assertThat(lines.next(0.7)).isEqualTo("{\"t\":0.7,\"changes\":[0,9]}");
    }

    @Test
    void aDeadlockIsSaidOnceAndWhenItIsOver() {
        lines.deadlock("{\"says\":\"it is one\"}");
        assertThat(lines.next(1)).contains("\"deadlock\":{\"says\":\"it is one\"}");
        lines.deadlock("{\"says\":\"it is one\"}");
        assertThat(lines.next(2)).doesNotContain("deadlock");
        assertThat(lines.whole()).contains("\"deadlock\":{\"says\":\"it is one\"}");
        lines.deadlock("null");
        assertThat(lines.next(3)).contains("\"deadlock\":null");
    }
}
