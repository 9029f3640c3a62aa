package io.headgate.testbed.scenario;

import io.headgate.testbed.topology.picture.LinkLoad;
import java.util.List;
import java.util.Map;

/**
 * The results of one run of a scenario; times and rates are scaled back to those described.
 *
 * @param digest digest of every frame on every link in virtual time, as 16 hexadecimal digits;
 *     empty if the bed has none
 * @param measures single numbers; names and units are the same in all runs of a scenario
 * @param statements sentences about what happened, and what did not
 * @param configuration everything that determined the run: topology, switches, traffic, as plain
 *     maps, lists, numbers and texts
 * @param links use of each link of the configuration's topology, in their order; empty if unknown
 * @param dropped dropped frames by half of a port and reason; empty if unknown
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

    /** An outcome without loads of links and without dropped frames. */
    public Outcome(
            String digest,
            List<Measure> measures,
            List<Series> series,
            List<String> statements,
            Map<String, Object> configuration) {
        this(digest, measures, series, statements, configuration, List.of(), List.of());
    }

    /** A measured number; NaN if the run has none of that name. */
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
