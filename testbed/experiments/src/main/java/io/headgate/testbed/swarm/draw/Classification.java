package io.headgate.testbed.swarm.draw;

import io.headgate.config.TrafficConfig.Trust;
import java.util.List;
import java.util.Map;

/**
 * By what the ports of a case classify frames: which priority each has. Both ends of a link do so
 * alike, two links of a switch perhaps not.
 *
 * @param trust of all links but those in {@code trustOfLinks}
 * @param defaultPriority of frames that carry none that is trusted
 * @param priorityOfPcp for each priority code point of a tag its priority
 * @param trustOfLinks by name, of links that differ
 */
record Classification(
        Trust trust,
        int defaultPriority,
        List<Integer> priorityOfPcp,
        Map<String, Trust> trustOfLinks) {

    /** The tag of what switches tell senders: as network control has it. */
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

    /** Whether what switches tell senders may have a priority at some port. */
    boolean isOfNotices(int priority) {
        return priority == NOTICE_CODE_POINT
                || priority == defaultPriority
                || priority == priorityOfPcp.get(NOTICE_CODE_POINT);
    }
}
