package io.headgate.hostagent;

import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.counter.CounterDirectory.Entry;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.CounterLookup;
import io.headgate.dataplane.counter.DropCounters;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.dataplane.counter.HostCounter;
import io.headgate.dataplane.counter.IngressCounter;
import io.headgate.dataplane.counter.PriorityCounter;
import io.headgate.dataplane.counter.PriorityCounter.Egress;
import io.headgate.dataplane.counter.PriorityCounter.Ingress;
import io.headgate.dataplane.counter.RdmaCounter;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.hostagent.card.CardSetup;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * A card's counters, under the names that {@code ethtool -S} shows for the cards of data centres
 * (the mlx5 driver's, Documentation/networking/device_drivers/ethernet/mellanox/mlx5/counters.rst):
 * {@code rx} is towards the host, {@code _phy} is at the wire. Durations are in microseconds, as
 * there.
 */
public final class NicStatistics {
    private static final String DROP = DropCounters.LABEL_PREFIX;
    private static final long NS_PER_US = 1_000;

    private final List<Entry> entries;
    private final ToLongFunction<Entry> values;
    private final String app;
    private final String wire;
    private final boolean hasFlowControl;
    private final boolean hasCredits;
    private final Map<String, Long> statistics = new LinkedHashMap<>();

    private NicStatistics(String host, List<Entry> entries, ToLongFunction<Entry> values) {
        this.entries = entries;
        this.values = values;
        this.app = CardSetup.application(host);
        this.wire = host + ".wire";
        this.hasFlowControl = has(PriorityCounter::isLabel);
        this.hasCredits = has(PriorityCounter::isLabelOfCredits);
    }

    /**
     * All statistics of a host's card, in the order in which they are shown.
     *
     * @throws IllegalArgumentException if {@code entries} lacks a counter that is shown
     */
    public static Map<String, Long> of(
            String host, List<Entry> entries, ToLongFunction<Entry> values) {
        NicStatistics made = new NicStatistics(host, entries, values);
        made.totals();
        made.drops();
        for (int priority = 0; priority < TrafficConfig.PRIORITIES; priority++) {
            made.priority(priority);
        }
        if (made.has(RdmaCounter.PACKETS_TAKEN)) {
            made.endpoints();
        } else {
            made.senders();
        }
        return made.statistics;
    }

    private void totals() {
        String received = IngressCounter.FRAMES_RECEIVED.label();
        String receivedBytes = IngressCounter.BYTES_RECEIVED.label();
        String sent = EgressCounter.FRAMES_TRANSMITTED.label();
        String sentBytes = EgressCounter.BYTES_TRANSMITTED.label();
        put("rx_packets", Scope.EGRESS, app, sent);
        put("rx_bytes", Scope.EGRESS, app, sentBytes);
        put("tx_packets", Scope.INGRESS, app, received);
        put("tx_bytes", Scope.INGRESS, app, receivedBytes);
        put("rx_packets_phy", Scope.INGRESS, wire, received);
        put("rx_bytes_phy", Scope.INGRESS, wire, receivedBytes);
        put("tx_packets_phy", Scope.EGRESS, wire, sent);
        put("tx_bytes_phy", Scope.EGRESS, wire, sentBytes);
        put("rx_pause_ctrl_phy", Scope.INGRESS, wire, IngressCounter.LINK_CONTROL_RECEIVED.label());
        put(
                "tx_pause_ctrl_phy",
                Scope.EGRESS,
                wire,
                EgressCounter.LINK_CONTROL_TRANSMITTED.label());
    }

    private void drops() {
        statistics.put("rx_discards_phy", sum(Scope.INGRESS, wire, DROP));
        statistics.put("tx_discards_phy", sum(Scope.EGRESS, wire, DROP));
        statistics.put("rx_dropped", sum(Scope.EGRESS, app, DROP));
        statistics.put("tx_dropped", sum(Scope.INGRESS, app, DROP));
        put("rx_out_of_buffer", Scope.INGRESS, wire, DROP + DropReason.HEADROOM_EXHAUSTED.name());
        put("tx_tap_ring_full", Scope.INGRESS, app, DROP + DropReason.TAP_RING_FULL.name());
    }

    private void priority(int priority) {
        if (!hasFlowControl) {
            return;
        }
        String rx = "rx_prio" + priority;
        String tx = "tx_prio" + priority;
        put(tx + "_packets", Scope.EGRESS, wire, Egress.FRAMES_STARTED.label(priority));
        statistics.put(
                rx + "_pause",
                received(Ingress.XOFF_RECEIVED, priority)
                        + received(Ingress.REFRESH_RECEIVED, priority)
                        + received(Ingress.XON_RECEIVED, priority));
        statistics.put(
                rx + "_pause_duration",
                value(Scope.EGRESS, wire, Egress.STOPPED_NS.label(priority)) / NS_PER_US);
        put(rx + "_pause_transition", Scope.EGRESS, wire, Egress.STOPS.label(priority));
        statistics.put(
                tx + "_pause",
                sent(Egress.XOFF_SENT, priority)
                        + sent(Egress.REFRESH_SENT, priority)
                        + sent(Egress.XON_SENT, priority));
        put(rx + "_buf_bytes", Scope.INGRESS, wire, Ingress.OCCUPANCY_BYTES.label(priority));
        put(
                rx + "_buf_max_bytes",
                Scope.INGRESS,
                wire,
                Ingress.OCCUPANCY_MAX_BYTES.label(priority));
        put(tx + "_storm", Scope.EGRESS, wire, Egress.STORMS.label(priority));
    }

    /** Pauses, received or sent; 0 for a card with credits. */
    private long received(Ingress id, int priority) {
        return id.exists(hasCredits) ? value(Scope.INGRESS, wire, id.label(priority)) : 0;
    }

    private long sent(Egress id, int priority) {
        return id.exists(hasCredits) ? value(Scope.EGRESS, wire, id.label(priority)) : 0;
    }

    private void senders() {
        String name = wire.substring(0, wire.lastIndexOf('.'));
        put("tx_backlog_dropped", Scope.SWITCH, name, HostCounter.BACKLOG_DROPPED.label());
        put("rx_sockets_dropped", Scope.SWITCH, name, HostCounter.SOCKETS_DROPPED.label());
        put("tx_backlog_bytes", Scope.SWITCH, name, HostCounter.BACKLOG_BYTES.label());
        put("tx_senders_throttled", Scope.SWITCH, name, HostCounter.THROTTLES.label());
        statistics.put(
                "tx_senders_throttled_duration",
                value(Scope.SWITCH, name, HostCounter.THROTTLED_NS.label()) / NS_PER_US);
    }

    /**
     * Adds counters of a card whose host speaks RoCEv2 itself, with the names of that driver's
     * hw_counters.
     */
    private void endpoints() {
        String name = wire.substring(0, wire.lastIndexOf('.'));
        put("rx_write_and_send_packets", Scope.SWITCH, name, RdmaCounter.PACKETS_TAKEN.label());
        put("tx_write_and_send_packets", Scope.SWITCH, name, RdmaCounter.PACKETS_SENT.label());
        put("tx_packets_repeated", Scope.SWITCH, name, RdmaCounter.PACKETS_REPEATED.label());
        put("out_of_sequence", Scope.SWITCH, name, RdmaCounter.PACKETS_EARLY.label());
        put("duplicate_request", Scope.SWITCH, name, RdmaCounter.PACKETS_DUPLICATE.label());
        put("packet_seq_err", Scope.SWITCH, name, RdmaCounter.NAKS_RECEIVED.label());
        put("local_ack_timeout_err", Scope.SWITCH, name, RdmaCounter.TIMEOUTS.label());
        put("rx_icrc_encapsulated", Scope.SWITCH, name, RdmaCounter.ICRC_WRONG.label());
    }

    private boolean has(RdmaCounter counter) {
        return entries.stream()
                .anyMatch(entry ->
                        entry.scope() == Scope.SWITCH && entry.label().equals(counter.label()));
    }

    private void put(String name, Scope scope, String owner, String label) {
        statistics.put(name, value(scope, owner, label));
    }

    private boolean has(Predicate<String> label) {
        return entries.stream()
                .anyMatch(entry ->
                        entry.scope() == Scope.INGRESS
                                && entry.owner().equals(wire)
                                && label.test(entry.label()));
    }

    private long value(Scope scope, String owner, String label) {
        return values.applyAsLong(CounterLookup.find(entries, scope, owner, label));
    }

    private long sum(Scope scope, String owner, String prefix) {
        return CounterLookup.sum(
                entries,
                values,
                prefix + "* of " + scope + " " + owner,
                entry ->
                        entry.scope() == scope
                                && entry.owner().equals(owner)
                                && entry.label().startsWith(prefix));
    }
}
