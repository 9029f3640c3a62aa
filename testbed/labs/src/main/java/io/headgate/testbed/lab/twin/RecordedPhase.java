package io.headgate.testbed.lab.twin;

import io.headgate.config.Mechanisms;
import io.headgate.config.SwitchConfig;
import io.headgate.config.Withers;
import io.headgate.testbed.scenario.Series;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A part of a lab: one network, and the traffic that its hosts sent.
 *
 * @param name as the report has it
 * @param network its links
 * @param configs of the switches, by number
 * @param flows what the hosts' applications sent
 * @param seconds for how long they sent
 * @param counters what ports counted, by their name as in {@code s1/p4}
 * @param series over time, in seconds since the traffic began: {@code sent s1/p4} in bit/s, {@code
 *     queue s1/p4} in bytes and {@code stopped h1} in percent; empty where the report has none
 */
@Withers
record RecordedPhase(
        String name,
        RecordedNetwork network,
        List<SwitchConfig> configs,
        List<Flow> flows,
        double seconds,
        Map<String, Map<String, Long>> counters,
        List<Series> series)
        implements RecordedPhaseBuilder.With {
    /**
     * UDP of one application.
     *
     * @param file where the report has it
     * @param bytes of payload that it gave to its socket
     * @param datagramBytes payload of each datagram
     * @param targetBps of payload, that it was asked to send; 0: as fast as it could
     * @param startS after the traffic began
     * @param control by which its host's card let it send; null: none
     */
    record Flow(
            String file,
            int from,
            int to,
            long bytes,
            int datagramBytes,
            long targetBps,
            int dscp,
            double startS,
            Mechanisms.@Nullable Use control) {}

    RecordedPhase {
        configs = List.copyOf(configs);
        flows = List.copyOf(flows);
        counters = Collections.unmodifiableMap(new LinkedHashMap<>(counters)); // in their order
        series = List.copyOf(series);
    }
}
