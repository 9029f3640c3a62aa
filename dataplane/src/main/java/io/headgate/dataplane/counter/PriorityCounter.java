package io.headgate.dataplane.counter;

import static io.headgate.config.TrafficConfig.PRIORITIES;
import static io.headgate.dataplane.counter.CounterText.gauge;
import static io.headgate.dataplane.counter.CounterText.maximum;
import static io.headgate.dataplane.counter.CounterText.total;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Counters of a port with flow control for one priority. A half has a block of these for all eight,
 * priority 0 first. Counters that only another kind of flow control has are left out.
 */
public final class PriorityCounter {
    private PriorityCounter() {}

    /** A half's counters for each priority. */
    public sealed interface Each {
        CounterText text();

        /** Label of the counter of a priority. */
        default String label(int priority) {
            return text().label() + PRIORITY + priority;
        }

        /** Whether ports with this kind of flow control have the counter. */
        default boolean exists(boolean credits) {
            return isOf(text().label(), credits);
        }
    }

    /** An ingress half's counters for each priority. */
    public enum Ingress implements Each {
        XOFF_RECEIVED(total("pfc.xoff.received", "frames", "pauses received that began one")),
        REFRESH_RECEIVED(total("pfc.refresh.received", "frames", "pauses received during one")),
        XON_RECEIVED(total("pfc.xon.received", "frames", "resumptions received")),
        OCCUPANCY_BYTES(
                gauge("buffer.bytes", "bytes", "bytes received here that have not come home")),
        OCCUPANCY_SLOTS(
                gauge("buffer.slots", "slots", "slots received here that have not come home")),
        OCCUPANCY_MAX_BYTES(
                maximum("buffer.max.bytes", "bytes", "maximum number of bytes that were held")),
        OCCUPANCY_MAX_SLOTS(
                maximum("buffer.max.slots", "slots", "maximum number of slots that were held")),
        CREDIT_BLOCKS_LOST(
                total(
                        "credits.lost",
                        "blocks",
                        "blocks lost on the link, whose credits were returned")),
        FULL_NOW_NS(
                gauge(
                        "credits.full.now.ns",
                        "ns",
                        "time for which there has been no room for a frame and no frame has left,"
                                + " or 0"));

        @SuppressWarnings("ImmutableEnumChecker") // of strings and an enum
        private final CounterText text;

        Ingress(CounterText text) {
            this.text = text.named(name());
        }

        @Override
        public CounterText text() {
            return text;
        }
    }

    /** An egress half's counters for each priority. */
    public enum Egress implements Each {
        XOFF_SENT(total("pfc.xoff.sent", "frames", "pauses sent that began one")),
        REFRESH_SENT(total("pfc.refresh.sent", "frames", "pauses sent during one")),
        XON_SENT(total("pfc.xon.sent", "frames", "resumptions sent")),
        LAPSES(total("pfc.lapses", "pauses", "pauses that ran out before the next was sent")),
        STOPS(total("stopped", "times", "times paused, or without credits for a frame")),
        STOPPED_NS(total("ns", "time paused, or without credits for a frame")),
        STOPPED_MAX_NS(maximum("ns", "the longest such time")),
        STOPPED_NOW_NS(
                gauge(
                        "ns",
                        "time for which it has been paused or without credits until now, or 0")),
        STOPPING_NOW_NS(
                gauge(
                        "pfc.stopping.now.ns",
                        "ns",
                        "time for which this port has been pausing the far end until now, or 0")),
        FRAMES_STARTED(total("frames", "frames whose transmission began")),
        STORMS(total("watchdog.storms", "storms", "pause storms that the watchdog found")),
        RESTORED(total("watchdog.restored", "storms", "pause storms that are over"));

        @SuppressWarnings("ImmutableEnumChecker") // of strings and an enum
        private final CounterText text;

        Egress(CounterText text) {
            this.text = text.named(name());
        }

        @Override
        public CounterText text() {
            return text;
        }
    }

    // Stands before the priority's digit at the end of a label.
    private static final String PRIORITY = ".p";

    // Without the priority.
    private static final List<String> LABELS =
            Stream.<Each[]>of(Ingress.values(), Egress.values())
                    .flatMap(Arrays::stream)
                    .map(each -> each.text().label())
                    .toList();

    // What the labels of counters begin with that one kind of flow control alone has.
    private static final String PAUSES = "pfc.";
    private static final String CREDITS = "credits.";

    // One for all ports: they have two hundred of these each.
    private static final List<CounterId> INGRESS_PAUSES = of(Ingress.values(), false);
    private static final List<CounterId> INGRESS_CREDITS = of(Ingress.values(), true);
    private static final List<CounterId> EGRESS_PAUSES = of(Egress.values(), false);
    private static final List<CounterId> EGRESS_CREDITS = of(Egress.values(), true);

    private static List<CounterId> of(Each[] all, boolean credits) {
        Stream<CounterText> texts =
                IntStream.range(0, PRIORITIES)
                        .boxed()
                        .flatMap(priority -> ofPriority(all, priority));
        return CounterId.numbered(texts).stream().filter(id -> isOf(id.label(), credits)).toList();
    }

    private static Stream<CounterText> ofPriority(Each[] all, int priority) {
        return Arrays.stream(all).map(each -> each.text().atPriority(priority));
    }

    private static boolean isOf(String label, boolean credits) {
        return !label.startsWith(credits ? PAUSES : CREDITS);
    }

    /** The kind of each counter. */
    public static CounterId.Kind[] kinds(Each[] all) {
        return Arrays.stream(all).map(each -> each.text().kind()).toArray(CounterId.Kind[]::new);
    }

    /** Whether a label belongs to such a counter, which only ports with flow control have. */
    public static boolean isLabel(String label) {
        int at = label.length() - PRIORITY.length() - 1;
        return at > 0 && label.startsWith(PRIORITY, at) && LABELS.contains(label.substring(0, at));
    }

    /** Whether a label belongs to a counter that only ports with credits have. */
    public static boolean isLabelOfCredits(String label) {
        return isLabel(label) && label.startsWith(CREDITS);
    }

    /** The counters of an ingress half whose port has credits, otherwise pauses. */
    public static List<CounterId> ingress(boolean credits) {
        return credits ? INGRESS_CREDITS : INGRESS_PAUSES;
    }

    /** The counters of an egress half whose port has credits, otherwise pauses. */
    public static List<CounterId> egress(boolean credits) {
        return credits ? EGRESS_CREDITS : EGRESS_PAUSES;
    }
}
