package io.headgate.control.counters;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Maps our counters to the names in SONiC's counter database, which are those of the switch
 * abstraction interface (sonic-swss, portsorch and pfcwdorch). If several of our counters
 * correspond to one of SONiC's, each has that name, and their sum is its value.
 */
public final class SonicNames {
    private static final String PRIORITY = ".p";
    private static final String NUMBER = "N";

    /** Names by our label, without a priority; N is the priority. */
    private static final Map<String, String> NAMES = new LinkedHashMap<>();

    static {
        NAMES.put("frames.received", "SAI_PORT_STAT_IF_IN_UCAST_PKTS + IF_IN_NON_UCAST_PKTS");
        NAMES.put("bytes.received", "SAI_PORT_STAT_IF_IN_OCTETS");
        NAMES.put("frames.transmitted", "SAI_PORT_STAT_IF_OUT_UCAST_PKTS + IF_OUT_NON_UCAST_PKTS");
        NAMES.put("bytes.transmitted", "SAI_PORT_STAT_IF_OUT_OCTETS");
        NAMES.put("queue.bytes", "SAI_QUEUE_STAT_CURR_OCCUPANCY_BYTES");
        NAMES.put("queue.max.bytes", "SAI_QUEUE_STAT_SHARED_WATERMARK_BYTES");
        for (String received : new String[] {"xoff", "refresh", "xon"}) {
            NAMES.put("pfc." + received + ".received", "SAI_PORT_STAT_PFC_N_RX_PKTS");
            NAMES.put("pfc." + received + ".sent", "SAI_PORT_STAT_PFC_N_TX_PKTS");
        }
        NAMES.put("stopped", "SAI_PORT_STAT_PFC_N_ON2OFF_RX_PKTS");
        NAMES.put("stopped.ns", "SAI_PORT_STAT_PFC_N_RX_PAUSE_DURATION_US");
        NAMES.put("frames.started", "SAI_QUEUE_STAT_PACKETS");
        NAMES.put("red.marked", "SAI_QUEUE_STAT_WRED_ECN_MARKED_PACKETS");
        NAMES.put("buffer.bytes", "SAI_INGRESS_PRIORITY_GROUP_STAT_CURR_OCCUPANCY_BYTES");
        NAMES.put("buffer.max.bytes", "SAI_INGRESS_PRIORITY_GROUP_STAT_SHARED_WATERMARK_BYTES");
        NAMES.put("watchdog.storms", "PFC_WD_QUEUE_STATS_DEADLOCK_DETECTED");
        NAMES.put("watchdog.restored", "PFC_WD_QUEUE_STATS_DEADLOCK_RESTORED");
    }

    private SonicNames() {}

    /** The name there; empty if there is no similar counter. */
    public static String of(String label, boolean ingress) {
        if (label.startsWith("drop.")) {
            return ingress ? "SAI_PORT_STAT_IF_IN_DISCARDS" : "SAI_PORT_STAT_IF_OUT_DISCARDS";
        }
        int at = label.length() - PRIORITY.length() - 1;
        boolean isOfPriority = at > 0 && label.startsWith(PRIORITY, at);
        String bare = isOfPriority ? label.substring(0, at) : label;
        String name = NAMES.getOrDefault(bare, "");
        return isOfPriority
                ? name.replace("_" + NUMBER + "_", "_" + label.charAt(at + 2) + "_")
                : name;
    }

    /** Our labels that have a name there, without priorities. */
    static Iterable<String> labels() {
        return NAMES.keySet();
    }
}
