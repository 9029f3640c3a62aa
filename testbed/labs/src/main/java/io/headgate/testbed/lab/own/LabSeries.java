package io.headgate.testbed.lab.own;

import io.headgate.config.key.Allowed;
import io.headgate.config.key.Key;
import io.headgate.config.key.Otherwise;
import io.headgate.config.key.Says;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.Unit;
import io.headgate.testbed.scenario.file.Arithmetic;
import io.headgate.testbed.scenario.file.Said;
import io.headgate.testbed.scenario.file.SeriesMeasure;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A quantity over time that a lab's file computes from counters of its switches. */
public record LabSeries(
        @Key(pattern = "^[A-Za-z][A-Za-z0-9 _./,-]{0,63}$")
                @Says("The series' name in figures and measures.")
                @Allowed(
                        "a letter and up to 63 letters, digits, blanks, -, _, ., / or commas, such"
                                + " as fair rate")
                String name,
        @Key(codec = Said.Formula.class)
                @Says(
                        "Arithmetic with counters of switches in square brackets, with their names"
                                + " in scenarios: counters that rise and fall have their value,"
                                + " counters that only grow have their growth per second, over the"
                                + " last tenth of a second.")
                @Allowed(
                        "arithmetic with counters in square brackets, such as '8 * [s1/p1"
                                + " bytes.received] / 1000000'")
                String value,
        @Key(pattern = "^.{0,20}$", example = "Mb/s")
                @Says("The unit of its values.")
                @Otherwise("none")
                String unit,
        @Key(pattern = "^.{0,60}$", example = "Held by buffers")
                @Says(
                        "The title of the figure that shows the series; series with the same title"
                                + " share a figure.")
                @Otherwise("one figure for all series of its unit without a title")
                String figure) {
    /** What senders gave to their sockets, by a host or a name of traffic. */
    public static final String SENT = "sent ";

    /** How many ports wait for one another, each time that an order explains a pause. */
    public static final String CYCLIC_WAIT = "ports in a cyclic wait";

    private static final double NS_PER_US = 1e3;

    /** What a counter came to, in the whole phase or from a time on. */
    private static final Pattern LAST = Pattern.compile("last of (.+?)(?: from ([0-9.]+[a-z]+))?");

    /** The counters that it is made of. */
    public List<String> counters() {
        return Objects.requireNonNull(Arithmetic.measures(value));
    }

    /** Whether a name can be that of a counter at one of these switches. */
    static boolean isCounter(String name, Set<String> switches) {
        int end = name.indexOf(' ');
        return end > 0 && switches.contains(name.substring(0, end).split("/", -1)[0]);
    }

    /**
     * One number from the recordings of a phase, as in {@code mean of fair rate from 2s}.
     *
     * @param phase its place among those of the lab
     * @param of the series, or the counter
     * @param statistic what of a series; null: what the counter came to in the phase, as in {@code
     *     last of s1/p4 rocc.notices.p3}
     * @param fromUs of a counter, the time of the phase from which it is counted; 0: all of it
     */
    public record Of(int phase, String of, @Nullable SeriesMeasure statistic, double fromUs) {
        /** What a name says; null where it says nothing of a series. */
        static @Nullable Of parse(String name, List<String> phases) {
            InPhase in = InPhase.of(name, phases);
            if (in == null) {
                return null;
            }
            Matcher last = LAST.matcher(in.rest());
            if (last.matches()) {
                String from = last.group(2);
                Double fromNs = from == null ? Double.valueOf(0) : Unit.DURATION.parse(from);
                return fromNs == null
                        ? null
                        : new Of(in.phase(), last.group(1), null, fromNs / NS_PER_US);
            }
            SeriesMeasure statistic = SeriesMeasure.parse(in.rest());
            return statistic == null ? null : new Of(in.phase(), statistic.of(), statistic, 0);
        }

        /** Whether it is a counter's. */
        public boolean isOfCounter() {
            return statistic == null;
        }

        /** The number; NaN without samples. */
        public double value(Series series) {
            double[] values = series.values();
            if (values.length == 0) {
                return Double.NaN;
            }
            return statistic == null
                    ? values[values.length - 1] - before(series)
                    : statistic.measure(series).value();
        }

        private double before(Series series) {
            double before = 0;
            for (int i = 0; i < series.timesUs().length && series.timesUs()[i] <= fromUs; i++) {
                before = series.values()[i];
            }
            return fromUs == 0 ? 0 : before;
        }
    }
}
