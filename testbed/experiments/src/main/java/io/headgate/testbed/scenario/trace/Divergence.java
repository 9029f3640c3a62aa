package io.headgate.testbed.scenario.trace;

import io.headgate.testbed.scenario.ScenarioException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.agrona.collections.Int2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The first record in which two recordings differ.
 *
 * @param same number of records that both have in common, from the beginning
 * @param first A's record at that place; null if A has ended
 * @param second B's record at that place; null if B has ended
 * @param before the last common records before it, oldest first
 * @param firstOnLink the last common records on the link of {@code first}, oldest first
 * @param secondOnLink the last common records on the link of {@code second}, oldest first
 */
public record Divergence(
        TraceHeader headerA,
        TraceHeader headerB,
        long same,
        @Nullable TraceRecord first,
        @Nullable TraceRecord second,
        List<TraceRecord> before,
        List<TraceRecord> firstOnLink,
        List<TraceRecord> secondOnLink) {
    private static final int SHOWN = 5;
    private static final int SHOWN_ON_LINK = 3;

    public Divergence {
        before = List.copyOf(before);
        firstOnLink = List.copyOf(firstOnLink);
        secondOnLink = List.copyOf(secondOnLink);
    }

    /**
     * Reads both up to where they diverge.
     *
     * @throws ScenarioException if one cannot be read up to there
     */
    public static Divergence of(Path a, Path b) throws ScenarioException {
        try (TraceReader readerA = new TraceReader(a);
                TraceReader readerB = new TraceReader(b)) {
            Deque<TraceRecord> last = new ArrayDeque<>();
            Int2ObjectHashMap<Deque<TraceRecord>> lastOnLink = new Int2ObjectHashMap<>();
            boolean sameLinks = readerA.header().links().equals(readerB.header().links());
            long same = 0;
            while (true) {
                TraceRecord fromA = readerA.next();
                TraceRecord fromB = readerB.next();
                if (fromA == null
                        || fromB == null
                        || !fromA.equals(fromB)
                        || !(sameLinks || sameName(readerA, readerB, fromA.link()))) {
                    return new Divergence(
                            readerA.header(),
                            readerB.header(),
                            same,
                            fromA,
                            fromB,
                            new ArrayList<>(last),
                            onLink(lastOnLink, fromA),
                            onLink(lastOnLink, fromB));
                }
                same++;
                keep(last, fromA, SHOWN);
                keep(
                        lastOnLink.computeIfAbsent(fromA.link(), link -> new ArrayDeque<>()),
                        fromA,
                        SHOWN_ON_LINK);
            }
        }
    }

    private static boolean sameName(TraceReader a, TraceReader b, int link) {
        return Objects.equals(name(a.header(), link), name(b.header(), link));
    }

    private static void keep(Deque<TraceRecord> last, TraceRecord record, int most) {
        if (last.size() == most) {
            last.removeFirst();
        }
        last.addLast(record);
    }

    private static List<TraceRecord> onLink(
            Int2ObjectHashMap<Deque<TraceRecord>> lastOnLink, @Nullable TraceRecord record) {
        Deque<TraceRecord> found = record == null ? null : lastOnLink.get(record.link());
        return found == null ? List.of() : new ArrayList<>(found);
    }

    private static String name(TraceHeader header, int link) {
        return link < header.links().size() ? header.links().get(link) : "link " + link;
    }

    /** Whether they are the same from beginning to end. */
    public boolean isNone() {
        return first == null && second == null;
    }

    /** The divergence as lines for a person. */
    public String describe() {
        if (isNone()) {
            return "No event differs: " + same + " frames in each.\n";
        }
        StringBuilder text = new StringBuilder();
        text.append(
                same == 0
                        ? "They differ from the first event on:\n"
                        : "They differ from event "
                                + (same + 1)
                                + " on; all earlier events are the same:\n");
        text.append("  A  ").append(line(headerA, first)).append('\n');
        text.append("  B  ").append(line(headerB, second)).append('\n');
        text.append(difference());
        if (before.isEmpty()) {
            return text.toString();
        }
        section(text, "Both did before, the last " + before.size() + ":", before);
        if (first != null) {
            section(text, "Both on A's link before:", firstOnLink);
        }
        if (second != null && (first == null || second.link() != first.link())) {
            section(text, "Both on B's link before:", secondOnLink);
        }
        return text.toString();
    }

    private String difference() {
        if (first == null) {
            return "  A has ended, B continues.\n";
        }
        if (second == null) {
            return "  B has ended, A continues.\n";
        }
        List<String> what = new ArrayList<>();
        if (first.startPs() != second.startPs()) {
            what.add("time (B is " + signed(second.startPs() - first.startPs()) + " ps)");
        }
        if (!name(headerA, first.link()).equals(name(headerB, second.link()))) {
            what.add("link");
        }
        boolean sameTransit =
                first.arrivePs() - first.startPs() == second.arrivePs() - second.startPs();
        if (isLost(first) != isLost(second)) {
            what.add("whether it was lost");
        } else if (!isLost(first) && !sameTransit) {
            what.add("time on the link");
        }
        if (first.lengthBytes() != second.lengthBytes()) {
            what.add("length");
        } else if (first.storedHash() != second.storedHash()) {
            what.add("bytes of the frame");
        }
        return "  They differ in " + String.join(", ", what) + ".\n";
    }

    private static boolean isLost(TraceRecord record) {
        return record.arrivePs() == TraceRecord.LOST;
    }

    private static String signed(long difference) {
        return difference > 0 ? "+" + difference : Long.toString(difference);
    }

    private void section(StringBuilder text, String heading, List<TraceRecord> records) {
        text.append(heading).append('\n');
        if (records.isEmpty()) {
            text.append("     nothing\n");
        }
        records.forEach(record -> text.append("     ").append(line(headerA, record)).append('\n'));
    }

    /** A record as a line: start, link, length, arrival, hash. */
    private static String line(TraceHeader header, @Nullable TraceRecord record) {
        if (record == null) {
            return "(nothing more)";
        }
        return String.format(
                "%s µs  %s  %d bytes  %s  %016x",
                micros(record.startPs()),
                name(header, record.link()),
                record.lengthBytes(),
                isLost(record) ? "lost" : "arrives " + micros(record.arrivePs()),
                record.storedHash());
    }

    private static String micros(long ps) {
        return String.format("%d.%06d", ps / 1_000_000, ps % 1_000_000);
    }
}
