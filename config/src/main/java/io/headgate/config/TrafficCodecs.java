package io.headgate.config;

import static io.headgate.config.TrafficConfig.PRIORITIES;
import static io.headgate.config.key.Quantity.RATE;

import io.headgate.config.key.Allowed;
import io.headgate.config.key.Codec;
import io.headgate.config.key.Codecs;
import io.headgate.config.key.Key;
import io.headgate.config.key.Known;
import io.headgate.config.key.Place;
import io.headgate.config.key.Says;
import io.headgate.config.key.Scale;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Codecs of tables with a value for each priority or code point, which a file writes in a shorter
 * form.
 */
final class TrafficCodecs {
    private TrafficCodecs() {}

    /** A weight for each priority: a word for all, or eight. */
    static final class Weights implements Codec<List<Integer>> {
        private static final String STRICT_WORD = "strict";
        private static final List<Integer> STRICT =
                Collections.nCopies(PRIORITIES, TrafficConfig.STRICT);

        @Override
        public Map<String, Object> schema() {
            Map<String, Object> weight = new LinkedHashMap<>();
            weight.put(
                    "anyOf",
                    List.of(Map.of("enum", List.of(STRICT_WORD)), Codecs.wholeNumber(1, 100)));
            weight.put("x-allowed", "strict, or a weight from 1 to 100");
            Map<String, Object> schema = new LinkedHashMap<>();
            schema.put("type", List.of("string", "array"));
            schema.put("pattern", "^(strict|dwrr)$");
            schema.put("minItems", PRIORITIES);
            schema.put("maxItems", PRIORITIES);
            schema.put("items", weight);
            return schema;
        }

        @Override
        public List<Integer> read(Place place, Known known) {
            if (!(place.said() instanceof List)) {
                return "dwrr".equals(place.said()) ? Collections.nCopies(PRIORITIES, 1) : STRICT;
            }
            return IntStream.range(0, PRIORITIES)
                    .mapToObj(priority ->
                            place.item(priority).said() instanceof Number weight
                                    ? weight.intValue()
                                    : TrafficConfig.STRICT)
                    .toList();
        }

        @Override
        public Object write(List<Integer> weights, Known known) {
            if (weights.equals(STRICT)) {
                return STRICT_WORD;
            }
            return weights.stream()
                    .map(weight -> weight == TrafficConfig.STRICT ? STRICT_WORD : (Object) weight)
                    .toList();
        }

        @Override
        public List<Integer> nothing() {
            return STRICT;
        }
    }

    /** A limit for each priority; a file names only the priorities that have one. */
    static final class RateLimits implements Codec<List<Long>> {
        private record Limit(
                @Key(min = "0", max = "7")
                        @Says("The limited priority.")
                        @Allowed(TrafficConfig.PRIORITY_ALLOWED)
                        int priority,
                @Key(quantity = RATE, min = "1Mbps", max = "400Gbps", example = "10Gbps, 100Mbps")
                        @Says(
                                "Maximum rate of the priority; includes preamble and inter-frame"
                                        + " gap, like the line rate.")
                        long rateBps) {}

        private static final List<Long> UNLIMITED =
                Collections.nCopies(PRIORITIES, TrafficConfig.UNLIMITED);

        private final Codec<List<Limit>> rows =
                Codecs.list(
                        Limit.class,
                        PRIORITIES,
                        "a mapping with priority and rate, such as {priority: 3, rate: 1Gbps}");

        @Override
        public Map<String, Object> schema() {
            return rows.schema();
        }

        @Override
        public List<Long> read(Place place, Known known) {
            List<Long> limits = new ArrayList<>(UNLIMITED);
            List<Limit> said = rows.read(place, known);
            for (int i = 0; said != null && i < said.size(); i++) {
                Limit one = said.get(i);
                if (limits.get(one.priority) != TrafficConfig.UNLIMITED) {
                    place.item(i)
                            .child("priority")
                            .refuse(
                                    "priority " + one.priority + " a second time",
                                    "each priority once");
                }
                limits.set(one.priority, one.rateBps);
            }
            return limits;
        }

        @Override
        public @Nullable Object write(List<Long> limits, Known known) {
            List<Limit> said = new ArrayList<>();
            for (int priority = 0; priority < limits.size(); priority++) {
                if (limits.get(priority) != TrafficConfig.UNLIMITED) {
                    said.add(new Limit(priority, limits.get(priority)));
                }
            }
            return rows.write(said, known);
        }

        @Override
        public List<Long> nothing() {
            return UNLIMITED;
        }

        @Override
        public List<Long> scaled(List<Long> limits, int factor) {
            return limits.stream().map(limit -> Scale.DIVIDED.of(limit, factor)).toList();
        }
    }

    /** A priority for each DSCP; a file names only those that differ from the default. */
    static final class DscpTable implements Codec<List<Integer>> {
        /** The class selector: the upper three bits (RFC 2474, section 4.2.2). */
        static final List<Integer> BY_CLASS =
                IntStream.range(0, TrafficConfig.DSCPS).mapToObj(dscp -> dscp >> 3).toList();

        private record CodePoints(
                @Key(codec = Values.class)
                        @Says("The code points of this row.")
                        @Allowed(
                                "a list of DSCPs from 0 to 63 and ranges, such as [26, 46] or [24-31]")
                        List<Integer> values,
                @Key(min = "0", max = "7")
                        @Says("The priority of these code points.")
                        @Allowed(TrafficConfig.PRIORITY_ALLOWED)
                        int priority) {}

        private final Codec<List<CodePoints>> rows =
                Codecs.list(
                        CodePoints.class,
                        TrafficConfig.DSCPS,
                        "a mapping with values and priority, such as {values: [24-31], priority:"
                                + " 3}");

        @Override
        public Map<String, Object> schema() {
            return rows.schema();
        }

        @Override
        public List<Integer> read(Place place, Known known) {
            List<Integer> table = new ArrayList<>(BY_CLASS);
            boolean[] seen = new boolean[TrafficConfig.DSCPS];
            List<CodePoints> said = rows.read(place, known);
            for (int i = 0; said != null && i < said.size(); i++) {
                Place values = place.item(i).child("values");
                for (int j = 0; j < values.items(); j++) {
                    enter(values.item(j), said.get(i).priority, table, seen);
                }
            }
            return table;
        }

        private static void enter(Place at, int priority, List<Integer> table, boolean[] seen) {
            Ranges.Range range = Ranges.read(at);
            if (range == null) {
                return;
            }
            if (range.first() > range.last() || range.last() >= TrafficConfig.DSCPS) {
                at.refuse(
                        range.first() + "-" + range.last(),
                        "DSCPs from 0 to 63, such as 26 or 24-31");
                return;
            }
            for (int dscp = range.first(); dscp <= range.last(); dscp++) {
                if (seen[dscp]) {
                    at.refuse("DSCP " + dscp + " a second time", "each DSCP once");
                    return;
                }
                seen[dscp] = true;
                table.set(dscp, priority);
            }
        }

        @Override
        public @Nullable Object write(List<Integer> table, Known known) {
            List<CodePoints> said = new ArrayList<>();
            for (int priority = 0; priority < PRIORITIES; priority++) {
                List<Integer> values = new ArrayList<>();
                for (int dscp = 0; dscp < TrafficConfig.DSCPS; dscp++) {
                    if (table.get(dscp) == priority && BY_CLASS.get(dscp) != priority) {
                        values.add(dscp);
                    }
                }
                if (!values.isEmpty()) {
                    said.add(new CodePoints(values, priority));
                }
            }
            return rows.write(said, known);
        }

        @Override
        public List<Integer> nothing() {
            return BY_CLASS;
        }
    }

    /** The DSCPs of a row; the table checks them, since no two rows may have the same. */
    static final class Values implements Codec<List<Integer>> {
        @Override
        public Map<String, Object> schema() {
            Map<String, Object> schema = new LinkedHashMap<>();
            schema.put("type", "array");
            schema.put("minItems", 1);
            schema.put("maxItems", TrafficConfig.DSCPS);
            schema.put(
                    "items",
                    Ranges.schema(
                            0,
                            TrafficConfig.DSCPS - 1,
                            "a DSCP from 0 to 63, or a range such as 24-31"));
            return schema;
        }

        @Override
        public List<Integer> read(Place place, Known known) {
            return List.of();
        }

        @Override
        public Object write(List<Integer> values, Known known) {
            return Ranges.write(values);
        }

        @Override
        public List<Integer> nothing() {
            return List.of();
        }
    }
}
