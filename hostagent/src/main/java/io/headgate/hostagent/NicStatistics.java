package io.headgate.hostagent;

import io.headgate.dataplane.engine.counter.CounterDirectory.Entry;
import io.headgate.dataplane.engine.counter.CounterDirectory.Scope;
import io.headgate.dataplane.engine.counter.EgressCounter;
import io.headgate.dataplane.engine.counter.HostCounter;
import io.headgate.dataplane.engine.counter.IngressCounter;
import io.headgate.dataplane.memory.DropReason;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * What a card counts, under the names that {@code ethtool -S} shows for the cards of data centres
 * (the mlx5 driver's, Documentation/networking/device_drivers/ethernet/mellanox/mlx5/counters.rst):
 * {@code rx} is towards the host, {@code _phy} is at the wire. Durations are in microseconds, as
 * there.
 */
public final class NicStatistics {
    private static final int PRIORITIES = 8;
    private static final String DROP = "drop.";
    private static final long NS_PER_US = 1_000;

    private final List<Entry> entries;
    private final ToLongFunction<Entry> values;
    private final String app;
    private final String wire;
    private final Map<String, Long> statistics = new LinkedHashMap<>();

    private NicStatistics(String host, List<Entry> entries, ToLongFunction<Entry> values) {
        this.entries = entries;
        this.values = values;
        this.app = host + ".app";
        this.wire = host + ".wire";
    }

    /**
     * All statistics of a host's card, in the order in which to show them.
     *
     * @param host its name
     * @param entries the card's counters
     */
    public static Map<String, Long> of(
            String host, List<Entry> entries, ToLongFunction<Entry> values) {
        NicStatistics made = new NicStatistics(host, entries, values);
        made.totals();
        made.drops();
        for (int priority = 0; priority < PRIORITIES; priority++) {
            made.priority(priority);
        }
        made.senders();
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
        String suffix = ".p" + priority;
        String rx = "rx_prio" + priority;
        String tx = "tx_prio" + priority;
        if (!has(Scope.EGRESS, wire, "frames.started" + suffix)) {
            return;
        }
        put(tx + "_packets", Scope.EGRESS, wire, "frames.started" + suffix);
        statistics.put(
                rx + "_pause",
                value(Scope.INGRESS, wire, "pfc.xoff.received" + suffix)
                        + value(Scope.INGRESS, wire, "pfc.refresh.received" + suffix)
                        + value(Scope.INGRESS, wire, "pfc.xon.received" + suffix));
        statistics.put(
                rx + "_pause_duration",
                value(Scope.EGRESS, wire, "stopped.ns" + suffix) / NS_PER_US);
        put(rx + "_pause_transition", Scope.EGRESS, wire, "stopped" + suffix);
        statistics.put(
                tx + "_pause",
                value(Scope.EGRESS, wire, "pfc.xoff.sent" + suffix)
                        + value(Scope.EGRESS, wire, "pfc.refresh.sent" + suffix)
                        + value(Scope.EGRESS, wire, "pfc.xon.sent" + suffix));
        put(rx + "_buf_bytes", Scope.INGRESS, wire, "buffer.bytes" + suffix);
        put(rx + "_buf_max_bytes", Scope.INGRESS, wire, "buffer.max.bytes" + suffix);
        put(tx + "_storm", Scope.EGRESS, wire, "watchdog.storms" + suffix);
    }

    private void senders() {
        String name = wire.substring(0, wire.lastIndexOf('.'));
        put("tx_backlog_dropped", Scope.SWITCH, name, HostCounter.BACKLOG_DROPPED.label());
        put("tx_backlog_bytes", Scope.SWITCH, name, HostCounter.BACKLOG_BYTES.label());
        put("tx_senders_held", Scope.SWITCH, name, HostCounter.HOLDS.label());
        statistics.put(
                "tx_senders_held_duration",
                value(Scope.SWITCH, name, HostCounter.HELD_NS.label()) / NS_PER_US);
    }

    private void put(String name, Scope scope, String owner, String label) {
        statistics.put(name, value(scope, owner, label));
    }

    private boolean has(Scope scope, String owner, String label) {
        return entries.stream().anyMatch(entry -> is(entry, scope, owner, label));
    }

    private static boolean is(Entry entry, Scope scope, String owner, String label) {
        return entry.scope() == scope && entry.owner().equals(owner) && entry.label().equals(label);
    }

    private long value(Scope scope, String owner, String label) {
        for (Entry entry : entries) {
            if (is(entry, scope, owner, label)) {
                return values.applyAsLong(entry);
            }
        }
        return 0;
    }

    private long sum(Scope scope, String owner, String prefix) {
        long sum = 0;
        for (Entry entry : entries) {
            if (entry.scope() == scope
                    && entry.owner().equals(owner)
                    && entry.label().startsWith(prefix)) {
                sum += values.applyAsLong(entry);
            }
        }
        return sum;
    }
}
