package io.headgate.testbed.traffic.spec;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Distributions of flow sizes by name: those of published evaluations, shipped with the program,
 * and files of the same form.
 *
 * <p>The form: lines that begin with {@code #} are comments, of which the first names the origin; a
 * heading {@code size_bytes,cum_prob}; then one point a line. A comment that says {@code discrete
 * sampling} makes it {@link SizeDistribution.Between#DISCRETE}.
 */
public final class Workloads {
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
            return read(name, name, new InputStreamReader(in, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A distribution from a file.
     *
     * @throws IOException if it cannot be read
     * @throws IllegalArgumentException with path, line and what is allowed, if its form is wrong
     */
    public static SizeDistribution read(Path file) throws IOException {
        Path last = file.getFileName();
        String name = last == null ? file.toString() : last.toString().replaceFirst("\\.csv$", "");
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            return read(name, file.toString(), reader);
        }
    }

    private static SizeDistribution read(String name, String where, Reader source)
            throws IOException {
        BufferedReader reader = new BufferedReader(source);
        double[] sizes = new double[64];
        double[] cumulative = new double[64];
        int points = 0;
        int line = 0;
        boolean heading = false;
        SizeDistribution.Between between = SizeDistribution.Between.LINEAR;
        for (String text = reader.readLine(); text != null; text = reader.readLine()) {
            line++;
            if (text.startsWith("#")) {
                between = text.contains(DISCRETE) ? SizeDistribution.Between.DISCRETE : between;
            } else if (!heading) {
                heading = requireHeading(where, line, text);
            } else if (!text.isBlank()) {
                if (points == sizes.length) {
                    requireFew(where, line, points);
                    sizes = Arrays.copyOf(sizes, 2 * points);
                    cumulative = Arrays.copyOf(cumulative, 2 * points);
                }
                int comma = text.indexOf(',');
                sizes[points] = number(where, line, text, text.substring(0, Math.max(comma, 0)));
                cumulative[points++] = number(where, line, text, text.substring(comma + 1));
            }
        }
        return checked(
                name,
                where,
                between,
                Arrays.copyOf(sizes, points),
                Arrays.copyOf(cumulative, points));
    }

    private static SizeDistribution checked(
            String name,
            String where,
            SizeDistribution.Between between,
            double[] sizes,
            double[] cumulative) {
        try {
            return SizeDistribution.of(name, between, sizes, cumulative);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(where + ": " + e.getMessage(), e);
        }
    }

    private static boolean requireHeading(String where, int line, String text) {
        if (!text.strip().equals(HEADING)) {
            throw new IllegalArgumentException(
                    where
                            + ":"
                            + line
                            + ": found \""
                            + text
                            + "\"; the first line that is not a comment must be "
                            + HEADING);
        }
        return true;
    }

    private static void requireFew(String where, int line, int points) {
        if (points >= MAX_POINTS) {
            throw new IllegalArgumentException(
                    where + ":" + line + ": more than " + MAX_POINTS + " points");
        }
    }

    private static double number(String where, int line, String text, String number) {
        try {
            return Double.parseDouble(number.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    where
                            + ":"
                            + line
                            + ": found \""
                            + text
                            + "\"; allowed are a size in bytes, a comma and a probability,"
                            + " e.g. 1000,0.5",
                    e);
        }
    }
}
