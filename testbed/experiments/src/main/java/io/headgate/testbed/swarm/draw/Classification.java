package io.headgate.testbed.swarm.draw;

import io.headgate.config.TrafficConfig.Trust;
import java.util.List;
import java.util.Map;

/**
 * How the ports of a case classify frames into priorities. Both ends of a link classify alike; two
 * links of a switch may differ.
 *
 * @param trust trust of all links except those in {@code trustOfLinks}
 * @param defaultPriority priority of frames without a trusted one
 * @param priorityOfPcp priority for each priority code point of a tag
 * @param trustOfLinks trust of links that differ, by name
 */
record Classification(
        Trust trust,
        int defaultPriority,
        List<Integer> priorityOfPcp,
        Map<String, Trust> trustOfLinks) {

    /** The code point in the tag of switches' notices to senders: that of network control. */
    private static final int NOTICE_CODE_POINT = 6;

    Classification {
        priorityOfPcp = List.copyOf(priorityOfPcp);
        trustOfLinks = Map.copyOf(trustOfLinks);
    }

    Trust trustOf(String link) {
        return trustOfLinks.getOrDefault(link, trust);
    }

    boolean looksAtTags() {
        return trust == Trust.PCP || trustOfLinks.containsValue(Trust.PCP);
    }

    String describe() {
        return "trust %s, else priority %d%s"
                .formatted(
                        trust,
                        defaultPriority,
                        looksAtTags() ? ", of code points 0 to 7 " + priorityOfPcp : "");
    }

    /** Whether switches' notices to senders may have a priority at some port. */
    boolean isOfNotices(int priority) {
        return priority == NOTICE_CODE_POINT
                || priority == defaultPriority
                || priority == priorityOfPcp.get(NOTICE_CODE_POINT);
    }
}
