package io.headgate.testbed.scenario;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Tests whether two settings differ significantly in one measure, over seeds: means, their
 * difference, and Student's t-test. Runs of one seed have the same arrivals in both settings, so a
 * paired test removes the variation between seeds; if the seeds are not the same it is Welch's
 * test.
 *
 * @param base mean of the setting that the other one is compared with
 * @param half half of the width of the 95 % interval around the difference; NaN without a test
 * @param p probability of a difference at least this large by seeds alone; NaN without a test
 * @param n number of pairs, or of the runs of the smaller side
 */
public record SeedTest(double base, double mean, double half, double p, int n, Kind kind) {
    /** At which p seeds tell two settings apart. */
    private static final double LEVEL = 0.05;

    private static final String SHIFT = "the same difference with each seed";
    private static final double LEAST_SHOWN = 1e-4;

    /** What differences of equal pairs have of rounding, as a share of the values. */
    private static final double ROUNDING = 1e-12;

    /** The kind of test of the difference. */
    public enum Kind {
        PAIRED("paired t-test"),
        WELCH("Welch's t-test"),
        /** Values without spread cannot be tested. */
        SHIFTED("no test: " + SHIFT),
        /** Fewer than two runs in one of them. */
        NONE("no test: one run");

        private final String said;

        Kind(String said) {
            this.said = said;
        }

        public String said() {
            return said;
        }
    }

    /**
     * Compares the values of two settings.
     *
     * @param base values by seed
     * @param other values by seed
     */
    public static SeedTest of(Map<Long, Double> base, Map<Long, Double> other) {
        Map<Long, Double> a = finite(base);
        Map<Long, Double> b = finite(other);
        TreeSet<Long> both = new TreeSet<>(a.keySet());
        both.retainAll(b.keySet());
        if (both.size() > 1 && both.size() == a.size() && both.size() == b.size()) {
            double[] differences = new double[both.size()];
            int i = 0;
            for (long seed : both) {
                differences[i++] =
                        b.getOrDefault(seed, Double.NaN) - a.getOrDefault(seed, Double.NaN);
            }
            double error = Math.sqrt(variance(differences) / differences.length);
            return tested(values(a), values(b), error, both.size() - 1.0, Kind.PAIRED);
        }
        if (a.size() > 1 && b.size() > 1) {
            double ofA = variance(values(a)) / a.size();
            double ofB = variance(values(b)) / b.size();
            double freedom =
                    (ofA + ofB)
                            * (ofA + ofB)
                            / (ofA * ofA / (a.size() - 1) + ofB * ofB / (b.size() - 1));
            return tested(values(a), values(b), Math.sqrt(ofA + ofB), freedom, Kind.WELCH);
        }
        double none = Double.NaN;
        int n = Math.min(a.size(), b.size());
        return new SeedTest(mean(values(a)), mean(values(b)), none, none, n, Kind.NONE);
    }

    /**
     * Compares runs that differ only in their seeds; if the seeds change nothing, they count as one
     * run.
     */
    public static SeedTest of(List<CellResult> base, List<CellResult> other, String measure) {
        boolean isOneRun = Seeds.areOneRun(base) && Seeds.areOneRun(other);
        return isOneRun
                ? of(bySeed(base.subList(0, 1), measure), bySeed(other.subList(0, 1), measure))
                : of(bySeed(base, measure), bySeed(other, measure));
    }

    private static Map<Long, Double> bySeed(List<CellResult> runs, String measure) {
        Map<Long, Double> values = new TreeMap<>();
        for (CellResult run : runs) {
            long seed = run.cell().seed();
            if (values.put(seed, run.measure(measure)) != null) {
                throw new IllegalArgumentException(
                        "two runs of one setting have seed "
                                + seed
                                + ": they are of different settings");
            }
        }
        return values;
    }

    private static SeedTest tested(
            double[] a, double[] b, double error, double freedom, Kind kind) {
        double base = mean(a);
        double mean = mean(b);
        double scale = Math.max(Math.abs(base), Math.abs(mean));
        int n = Math.min(a.length, b.length);
        if (error <= ROUNDING * scale) {
            double none = Double.NaN;
            return Math.abs(mean - base) <= ROUNDING * scale
                    ? new SeedTest(base, base, 0, 1, n, kind)
                    : new SeedTest(base, mean, none, none, n, Kind.SHIFTED);
        }
        double half = quantile(freedom) * error;
        return new SeedTest(base, mean, half, p((mean - base) / error, freedom), n, kind);
    }

    /**
     * The t of which p is the level, so that an interval leaves 0 out exactly where p is small.
     *
     * @param freedom at least 1, and of Welch's test not a whole number
     */
    private static double quantile(double freedom) {
        double low = 0;
        double high = 16;
        for (int halved = 0; halved < 60; halved++) {
            double t = (low + high) / 2;
            if (p(t, freedom) < LEVEL) {
                high = t;
            } else {
                low = t;
            }
        }
        return high;
    }

    private static Map<Long, Double> finite(Map<Long, Double> values) {
        Map<Long, Double> finite = new TreeMap<>(values);
        finite.values().removeIf(value -> !Double.isFinite(value));
        return finite;
    }

    private static double[] values(Map<Long, Double> bySeed) {
        return bySeed.values().stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).average().orElse(Double.NaN);
    }

    private static double variance(double[] values) {
        double mean = mean(values);
        return Arrays.stream(values).map(x -> (x - mean) * (x - mean)).sum() / (values.length - 1);
    }

    /**
     * The two-sided p-value of Student's distribution: the regularised incomplete beta function.
     */
    static double p(double t, double freedom) {
        return beta(freedom / (freedom + t * t), freedom / 2, 0.5);
    }

    /** By its continued fraction (Press et al., Numerical Recipes, section 6.4). */
    private static double beta(double x, double a, double b) {
        if (x <= 0 || x >= 1) {
            return x <= 0 ? 0 : 1;
        }
        if (x > (a + 1) / (a + b + 2)) {
            return 1 - beta(1 - x, b, a);
        }
        double tiny = 1e-300;
        double c = 1;
        double d = 1 / nonzero(1 - (a + b) * x / (a + 1), tiny);
        double fraction = d;
        for (int m = 1; m <= 300; m++) {
            double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
            d = 1 / nonzero(1 + even * d, tiny);
            c = nonzero(1 + even / c, tiny);
            fraction *= d * c;
            double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
            d = 1 / nonzero(1 + odd * d, tiny);
            c = nonzero(1 + odd / c, tiny);
            fraction *= d * c;
            if (Math.abs(d * c - 1) < 1e-12) {
                break;
            }
        }
        double front = logGamma(a + b) - logGamma(a) - logGamma(b);
        return StrictMath.exp(front + a * StrictMath.log(x) + b * StrictMath.log(1 - x))
                * fraction
                / a;
    }

    private static double nonzero(double value, double tiny) {
        return Math.abs(value) < tiny ? tiny : value;
    }

    /** Of half and whole numbers and what is between them, by Stirling's series far enough up. */
    private static double logGamma(double of) {
        double x = of;
        double below = 0;
        while (x < 12) {
            below += StrictMath.log(x);
            x++;
        }
        double square = x * x;
        double series = (1 / 12.0 - (1 / 360.0 - 1 / (1260 * square)) / square) / x;
        return (x - 0.5) * StrictMath.log(x)
                - x
                + 0.5 * StrictMath.log(2 * Math.PI)
                + series
                - below;
    }

    public double difference() {
        return mean - base;
    }

    /** The difference in % of the base; NaN if that is 0. */
    public double percent() {
        return base == 0 ? Double.NaN : 100 * difference() / Math.abs(base);
    }

    /** Whether both settings have the same value with each seed. */
    public boolean isSame() {
        return difference() == 0 && !(half > 0);
    }

    /** Whether a test was done. */
    public boolean isTested() {
        return !Double.isNaN(p) && !isSame();
    }

    /** Whether the difference is significant over the seeds. */
    public boolean isSignificant() {
        return p < LEVEL;
    }

    /** The difference in %, with its sign; {@code -} if there is none. */
    public String percentText() {
        double percent = percent();
        if (!Double.isFinite(percent)) {
            return "-";
        }
        String digits =
                Math.abs(percent) < 10 ? "%+.2f" : Math.abs(percent) < 1000 ? "%+.1f" : "%+.0f";
        return percent == 0 ? "0" : String.format(Locale.ROOT, digits, percent);
    }

    /** The interval around the difference, {@code -} if there is none. */
    public String intervalText() {
        return Double.isNaN(half) || isSame()
                ? "-"
                : signed(difference() - half) + " to " + signed(difference() + half);
    }

    /** One of the two means, with enough digits to distinguish them. */
    public String number(double one) {
        return Double.isNaN(one) ? "-" : Numbers.shown(one, "", one == base ? mean : base);
    }

    /** A number with its sign. */
    public static String signed(double value) {
        return (value > 0 ? "+" : "") + Numbers.text(value);
    }

    public String pText() {
        return Double.isNaN(p) || isSame()
                ? "-"
                : p < LEAST_SHOWN ? "<0.0001" : String.format(Locale.ROOT, "%.4f", p);
    }

    /** The significance, in a word. */
    public String verdict() {
        if (Double.isNaN(base) || Double.isNaN(mean)) {
            return "not measured";
        }
        if (isSame()) {
            return "the same";
        }
        return switch (kind) {
            case NONE -> "one run";
            case SHIFTED -> SHIFT;
            case PAIRED, WELCH -> isSignificant() ? "yes" : "no";
        };
    }

    /** The kinds of tests, for the heading above them. */
    public static String tests(List<SeedTest> all) {
        List<String> said = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            List<SeedTest> of = all.stream().filter(one -> one.kind == kind).toList();
            if (!of.isEmpty()) {
                int least = of.stream().mapToInt(SeedTest::n).min().getAsInt();
                int most = of.stream().mapToInt(SeedTest::n).max().getAsInt();
                String seeds = least == most ? "" + most : least + " to " + most;
                boolean isTest = kind == Kind.PAIRED || kind == Kind.WELCH;
                said.add(kind.said() + (isTest ? " over " + seeds + " seeds" : ""));
            }
        }
        return String.join("; ", said);
    }

    /**
     * The number of tests, for a text after their kind: of twenty tests, one is significant by
     * chance.
     */
    public static String ofTests(long count) {
        return count > 1 ? "; different if p < " + LEVEL + ", of " + count + " tests" : "";
    }
}
