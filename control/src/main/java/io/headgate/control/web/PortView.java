package io.headgate.control.web;

import io.headgate.control.daemon.Answers.Thresholds;
import java.util.List;

/**
 * A switch's port, as the page draws it.
 *
 * @param peer who is at the far end, {@code s2:p3} or {@code h1}; empty: not known
 * @param rateBps of its link; 0: not known
 * @param limitBytes of its queue; 0: not known
 */
public record PortView(
        String node,
        String name,
        String peer,
        long rateBps,
        long limitBytes,
        List<Thresholds> thresholds) {
    public PortView {
        thresholds = List.copyOf(thresholds);
    }
}
