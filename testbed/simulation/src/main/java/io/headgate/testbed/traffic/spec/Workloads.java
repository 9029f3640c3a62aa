package io.headgate.testbed.traffic.spec;

import io.headgate.config.key.Text;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Distributions of flow sizes: those of published evaluations by name, shipped with the program,
 * and others read from text, in the same format or in that of simulators.
 *
 * <p>The format: lines that begin with {@code #} are comments, and the first names the origin; a
 * heading {@code size_bytes,cum_prob}, which may be missing; then one point per line, a size and
 * the probability of that size or less, separated by a comma or blanks. If the last probability is
 * 100, all are percent. A comment that says {@code discrete sampling} makes it {@link
 * SizeDistribution.Between#DISCRETE}.
 */
public final class Workloads {
    /** In messages, separates the found text from the allowed one. */
    public static final String ALLOWED = "; allowed: ";

    private static final List<String> NAMES =
            List.of(
                    "alistorage2019_hpcc",
                    "fbhadoop_hpcc",
                    "fbhadoop_rocc",
                    "googlerpc2008_hpcc",
                    "vl2_datamining_rocc",
                    "websearch_hpcc",
                    "websearch_rocc");
    private static final String HEADING = "size_bytes,cum_prob";
    private static final String DISCRETE = "discrete sampling";
    private static final int MAX_POINTS = 100_000;
    private static final double PERCENT = 100;
    private static final Pattern BETWEEN = Pattern.compile("\\s*,\\s*|\\s+");
    private static final String POINT = "a size in bytes and a probability, such as 1000,0.5";
    private static final String ORDER =
            "sizes from 0 to 10^15 that grow, probabilities from 0 to 1 that do not fall, the last 1"
                    + " (or percent, the last 100)";

    private Workloads() {}

    /** Names of the distributions that are shipped. */
    public static List<String> names() {
        return NAMES;
    }

    /**
     * A distribution that is shipped.
     *
     * @throws IllegalArgumentException if no distribution has that name; the message lists the
     *     names
     */
    public static SizeDistribution named(String name) {
        if (!NAMES.contains(name)) {
            throw new IllegalArgumentException(
                    "no workload is named \"" + name + "\"; there are " + String.join(", ", NAMES));
        }
        String resource = "workloads/" + name + ".csv";
        try (InputStream in = Workloads.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("resource " + resource + " is missing");
            }
            return parse(name, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A distribution from a text.
     *
     * @param where the text's file, for messages
     * @throws IllegalArgumentException with file, line and what is allowed, if its format is wrong
     */
    public static SizeDistribution parse(String where, String text) {
        List<Point> points = new ArrayList<>();
        int line = 0;
        SizeDistribution.Between between = SizeDistribution.Between.LINEAR;
        for (String said : (Iterable<String>) text.lines()::iterator) {
            line++;
            String point = said.strip();
            if (point.startsWith("#")) {
                between = point.contains(DISCRETE) ? SizeDistribution.Between.DISCRETE : between;
            } else if (!point.isEmpty() && !(points.isEmpty() && point.equals(HEADING))) {
                if (points.size() == MAX_POINTS) {
                    throw wrong(where, line, "point " + (MAX_POINTS + 1), "at most " + MAX_POINTS);
                }
                String[] words = BETWEEN.split(point, -1);
                if (words.length != 2) {
                    throw notAPoint(where, line, point);
                }
                points.add(
                        new Point(
                                line,
                                number(where, line, point, words[0]),
                                number(where, line, point, words[1])));
            }
        }
        if (points.isEmpty()) {
            throw wrong(where, Math.max(line, 1), "no point", POINT);
        }
        double all = points.getLast().cumulative == PERCENT ? PERCENT : 1;
        double[] sizes = points.stream().mapToDouble(Point::sizeBytes).toArray();
        double[] cumulative = points.stream().mapToDouble(one -> one.cumulative / all).toArray();
        for (int i = 0; i < sizes.length; i++) {
            String problem = SizeDistribution.problem(i, sizes, cumulative);
            if (problem == null && i == sizes.length - 1 && cumulative[i] != 1) {
                problem = "the last probability is " + cumulative[i];
            }
            if (problem != null) {
                throw wrong(where, points.get(i).line, problem, ORDER);
            }
        }
        return SizeDistribution.of(where, between, sizes, cumulative);
    }

    /** A size and the probability of that size or less, and where the text has them. */
    private record Point(int line, double sizeBytes, double cumulative) {}

    private static IllegalArgumentException wrong(
            String where, int line, String found, String allowed) {
        return new IllegalArgumentException(where + ":" + line + ": " + found + ALLOWED + allowed);
    }

    private static IllegalArgumentException notAPoint(String where, int line, String text) {
        return wrong(where, line, Text.quote(text), POINT);
    }

    private static double number(String where, int line, String text, String number) {
        try {
            return Double.parseDouble(number);
        } catch (NumberFormatException e) {
            IllegalArgumentException wrong = notAPoint(where, line, text);
            wrong.initCause(e);
            throw wrong;
        }
    }
}
