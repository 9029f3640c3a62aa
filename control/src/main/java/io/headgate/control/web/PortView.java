package io.headgate.control.web;

import io.headgate.control.daemon.Answers.Thresholds;
import java.util.List;

/**
 * A switch's port on the page.
 *
 * @param peer name of the far end, {@code s2:p3} or {@code h1}; empty: not known
 * @param rateBps rate of its link; 0: not known
 * @param limitBytes limit of its queue; 0: not known
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
