package io.headgate.testbed.scenario;

import io.headgate.testbed.topology.picture.LinkLoad;
import java.util.List;
import java.util.Map;

/**
 * What one run of a scenario left, times and rates scaled back to those described.
 *
 * @param digest of every frame on every link in virtual time, as 16 hexadecimal digits; empty where
 *     the bed has none
 * @param measures single numbers; names and units are the same in all runs of a scenario
 * @param statements sentences on what happened, and on what did not
 * @param configuration everything that decided the run: topology, switches, traffic, as plain maps,
 *     lists, numbers and texts
 * @param links how each link of the configuration's topology was used, in their order; empty where
 *     that is not known
 * @param dropped by which half of a port, and why; empty where that is not known
 */
public record Outcome(
        String digest,
        List<Measure> measures,
        List<Series> series,
        List<String> statements,
        Map<String, Object> configuration,
        List<LinkLoad> links,
        List<DroppedFrames> dropped) {
    public Outcome {
        dropped = List.copyOf(dropped);
        links = List.copyOf(links);
        measures = List.copyOf(measures);
        series = List.copyOf(series);
        statements = List.copyOf(statements);
    }

    /** An outcome without loads of links, that does not say what dropped which frames. */
    public Outcome(
            String digest,
            List<Measure> measures,
            List<Series> series,
            List<String> statements,
            Map<String, Object> configuration) {
        this(digest, measures, series, statements, configuration, List.of(), List.of());
    }

    /** A measured number; NaN where the run has none of that name. */
    public double measure(String name) {
        for (Measure measure : measures) {
            if (measure.name().equals(name)) {
                return measure.value();
            }
        }
        return Double.NaN;
    }

    /**
     * A series.
     *
     * @throws IllegalArgumentException if the run has none of that name
     */
    public Series series(String name) {
        for (Series one : series) {
            if (one.name().equals(name)) {
                return one;
            }
        }
        throw new IllegalArgumentException("the run recorded no series " + name);
    }
}
