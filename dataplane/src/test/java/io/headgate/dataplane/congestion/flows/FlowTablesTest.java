package io.headgate.dataplane.congestion.flows;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.congestion.flows.FlowTableKind.Layout;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.random.NamedRandom;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whom each flow table tells, of traffic whose flows are known, against exact counts of it. */
class FlowTablesTest {
    private static final int PRIORITY = 3;
    private static final int QUEUE_FRAMES = 100;
    private static final long FRAME_NS = 200;
    private static final int PERIOD_NS = 40_000;
    private static final int PERIODS = 2_000;
    private static final int WARM_UP = 400;
    private static final int MOUSE_FRAMES = 4;
    private static final int FIRST_MOUSE = 1_000;
    private static final int MICE = 50_000;
    private static final Path PAGE = Path.of("..", "testbed", "scenarios.md");
    private static final String BEGIN = "<!-- flow tables: made by FlowTablesTest -->\n";
    private static final String END = "<!-- end of flow tables -->\n";

    private final FrameRegion region = new FrameRegion(QUEUE_FRAMES + 1, 2048);
    private final NamedRandom traffic = NamedRandom.of(1, "test", "traffic");
    private int slot;

    /** The traffic through the queue: a number of elephants, which share what mice leave of it. */
    private enum Mix {
        ELEPHANTS_AND_MICE(3, 0.25),
        EQUAL_FLOWS(20, 0);

        private final int elephants;
        private final double mice;

        Mix(int elephants, double mice) {
            this.elephants = elephants;
            this.mice = mice;
        }
    }

    /** Means over all periods but the first ones. */
    private record Accuracy(double recall, double precision) {}

    private static FlowTable table(FlowTableKind kind, int flows) {
        Layout layout = new Layout(flows, 2 * PERIOD_NS, 10, 3, 1_000);
        return kind.table(layout, NamedRandom.of(1, "p1", "rocc"));
    }

    private static FlowTable table(FlowTableKind kind) {
        boolean isSmall = kind == FlowTableKind.ELEPHANT_TRAP || kind == FlowTableKind.BUBBLE_CACHE;
        return table(kind, isSmall ? 64 : kind == FlowTableKind.AGED ? 400 : 1_024);
    }

    private int nextFlow(Mix mix, long[] mouse) {
        if (traffic.happens(mix.mice)) {
            // Several are under way at a time; each ends after a few frames.
            int which = traffic.nextInt(mouse.length);
            long number = mouse[which]++ / MOUSE_FRAMES;
            return FIRST_MOUSE + (int) ((which + mouse.length * number) % MICE);
        }
        return traffic.nextInt(mix.elephants);
    }

    private static int flowOf(int port) {
        return (port & 0xFFFF) - 1000;
    }

    private static int port(Frame frame) {
        return Wire.u16(FrameRegion.MEMORY, frame.dataOffset + 34);
    }

    /** Bytes 20 and 21 of the quote, as this machine reads its words. */
    private static int quotedPort(FlowTable table, int place) {
        FrameQuotes quotes = Objects.requireNonNull(table.quotes());
        long word = quotes.word(place, FrameQuotes.QUOTE + 2);
        return Integer.reverseBytes((int) (word >>> Integer.SIZE)) >>> Short.SIZE;
    }

    private static Set<Integer> told(FlowTable table) {
        Set<Integer> flows = new HashSet<>();
        for (int place = table.next(0); place != FlowTable.NONE; place = table.next(place + 1)) {
            if (table.queue(place) != FlowTable.NONE) {
                Frame frame = table.frame(place);
                flows.add(flowOf(frame == null ? quotedPort(table, place) : port(frame)));
            }
        }
        assertThat(flows).hasSize(table.flows());
        return flows;
    }

    private Accuracy measure(FlowTableKind kind, Mix mix) {
        FlowTable table = table(kind);
        boolean isOfQueue = kind == FlowTableKind.QUEUED || kind == FlowTableKind.AGED;
        Deque<Frame> queue = new ArrayDeque<>();
        Deque<Integer> flows = new ArrayDeque<>();
        Map<Integer, Integer> waiting = new HashMap<>();
        long[] mouse = new long[40];
        double recall = 0;
        double precision = 0;
        long nowNs = 0;
        for (int period = 0; period < PERIODS; period++) {
            for (int i = 0; i < PERIOD_NS / FRAME_NS; i++) {
                int flow = nextFlow(mix, mouse);
                slot = slot < QUEUE_FRAMES ? slot + 1 : 0;
                int hash = (int) NamedRandom.mix(flow);
                Frame frame = QueuedFlowsTest.datagram(region, slot, flow, PRIORITY, hash);
                frame.lengthBytes = 1_000;
                table.arrived(nowNs += FRAME_NS, frame);
                queue.add(frame);
                flows.add(flow);
                waiting.merge(flow, 1, Integer::sum);
                if (queue.size() > QUEUE_FRAMES) {
                    table.left(queue.remove());
                    waiting.computeIfPresent(
                            flows.remove(), (_, count) -> count == 1 ? null : count - 1);
                }
            }
            table.period(nowNs);
            Set<Integer> told = told(table);
            Set<Integer> exact =
                    isOfQueue
                            ? Set.copyOf(waiting.keySet())
                            : IntStream.range(0, mix.elephants).boxed().collect(Collectors.toSet());
            if (period >= WARM_UP) {
                Set<Integer> right = new HashSet<>(told);
                right.retainAll(exact);
                recall += (double) right.size() / exact.size();
                precision += told.isEmpty() ? 1 : (double) right.size() / told.size();
            }
        }
        return new Accuracy(recall / (PERIODS - WARM_UP), precision / (PERIODS - WARM_UP));
    }

    @Test
    void theirAccuracyIsWhatThePageSays() throws Exception {
        StringBuilder made =
                new StringBuilder("| flow table | of | mice: recall | mice: precision |")
                        .append(" equal: recall | equal: precision |\n")
                        .append("|---|---|---|---|---|---|\n");
        Map<FlowTableKind, Accuracy> mixed = new EnumMap<>(FlowTableKind.class);
        for (FlowTableKind kind : FlowTableKind.values()) {
            Accuracy mice = measure(kind, Mix.ELEPHANTS_AND_MICE);
            Accuracy equal = measure(kind, Mix.EQUAL_FLOWS);
            mixed.put(kind, mice);
            boolean isOfQueue = kind == FlowTableKind.QUEUED || kind == FlowTableKind.AGED;
            made.append(
                    String.format(
                            Locale.ROOT,
                            "| `%s` | %s | %.3f | %.3f | %.3f | %.3f |%n",
                            kind.name().toLowerCase(Locale.ROOT).replace('_', '-'),
                            isOfQueue ? "flows in the queue" : "elephants",
                            mice.recall,
                            mice.precision,
                            equal.recall,
                            equal.precision));
        }
        String text = Files.readString(PAGE);
        int begin = text.indexOf(BEGIN) + BEGIN.length();
        int end = text.indexOf(END);
        assertThat(end).as("the marks around the table in " + PAGE).isGreaterThanOrEqualTo(begin);
        if (Boolean.getBoolean("headgate.rewrite")) {
            Files.writeString(PAGE, text.substring(0, begin) + made + text.substring(end));
        } else {
            assertThat(text.substring(begin, end))
                    .as("rewritten by -Dheadgate.rewrite=true")
                    .isEqualTo(made.toString());
        }
        assertThat(mixed.get(FlowTableKind.QUEUED)).isEqualTo(new Accuracy(1, 1));
        assertThat(mixed.get(FlowTableKind.AGED)).extracting(Accuracy::recall).isEqualTo(1.0);
        for (FlowTableKind kind : FlowTableKind.values()) {
            assertThat(Objects.requireNonNull(mixed.get(kind)).recall())
                    .as(kind.name())
                    .isGreaterThan(0.95);
        }
    }

    @ParameterizedTest
    @EnumSource
    void noneKnowsMoreFlowsThanItHasRoomFor(FlowTableKind kind) {
        FlowTable table = table(kind, 8);
        Deque<Frame> queue = new ArrayDeque<>();
        for (int i = 0; i < 20_000; i++) {
            slot = slot < QUEUE_FRAMES ? slot + 1 : 0;
            int flow = traffic.nextInt(40);
            Frame frame = QueuedFlowsTest.datagram(region, slot, flow, PRIORITY, flow / 3);
            table.arrived(i * FRAME_NS, frame);
            queue.add(frame);
            if (queue.size() > QUEUE_FRAMES) {
                table.left(queue.remove());
            }
            if (i % 100 == 0) {
                table.period(i * FRAME_NS);
                assertThat(table.flows()).isBetween(0, 8).isEqualTo(table.flows(PRIORITY));
                assertThat(told(table).size()).isLessThanOrEqualTo(8);
            }
        }
        assertThat(table.refused(PRIORITY)).isPositive();
        table.clear();
        assertThat(table.flows()).isZero();
        assertThat(told(table)).isEmpty();
    }

    @Test
    void anAgedFlowIsForgottenAndTheOldestGivesWay() {
        FlowTable table = table(FlowTableKind.AGED, 2);
        for (int flow = 0; flow < 2; flow++) {
            table.arrived(flow, QueuedFlowsTest.datagram(region, flow, flow, PRIORITY, flow));
        }
        table.arrived(10, QueuedFlowsTest.datagram(region, 0, 0, PRIORITY, 0));
        table.arrived(11, QueuedFlowsTest.datagram(region, 2, 2, PRIORITY, 2));
        table.period(12);
        assertThat(told(table)).containsExactlyInAnyOrder(0, 2);
        assertThat(table.refused(PRIORITY)).isEqualTo(1);
        table.period(10 + 2 * PERIOD_NS);
        assertThat(told(table)).containsExactlyInAnyOrder(0, 2);
        table.period(11 + 2 * PERIOD_NS);
        assertThat(told(table)).containsExactly(2);
    }

    @Test
    void aSamplerTakesOneFrameOfSoManyOnAverage() {
        FrameSampler sampler = new FrameSampler(NamedRandom.of(1, "test", "sampler"), 10);
        int taken = 0;
        int twice = 0;
        boolean before = false;
        for (int i = 0; i < 1_000_000; i++) {
            boolean takes = sampler.takes();
            taken += takes ? 1 : 0;
            twice += takes && before ? 1 : 0;
            before = takes;
        }
        // Five standard deviations: each frame by itself, whatever became of the one before.
        assertThat(taken).isBetween(98_500, 101_500);
        assertThat(twice).isBetween(9_400, 10_600);
        sampler.set(1);
        for (int i = 0; i < 3; i++) {
            assertThat(sampler.takes()).isTrue();
        }
    }
}
