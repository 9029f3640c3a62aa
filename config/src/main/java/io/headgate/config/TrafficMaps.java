package io.headgate.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The part of a port's maps that is about priorities and flow control. */
final class TrafficMaps {
    private TrafficMaps() {}

    static void put(Map<String, Object> map, PortConfig port) {
        TrafficConfig traffic = port.traffic();
        FlowControlConfig flowControl = port.flowControl();
        map.put("classify", classify(traffic));
        map.put("scheduler", scheduler(traffic.weights()));
        List<Object> rates = rates(traffic.rateLimitsBps());
        if (!rates.isEmpty()) {
            map.put("priority-rates", rates);
        }
        map.put("flow-control", SwitchConfigs.word(flowControl.mode()));
        if (flowControl.mode() == FlowControlConfig.Mode.NONE) {
            return;
        }
        map.put("lossless", traffic.lossless());
        map.put("link", link(flowControl.link()));
        FlowControlConfig.Buffers buffers = flowControl.buffers();
        if (buffers != null) {
            map.put("buffers", buffers(buffers));
        }
        FlowControlConfig.Pause pause = flowControl.pause();
        if (pause != null) {
            Map<String, Object> pauses = new LinkedHashMap<>();
            pauses.put("quanta", pause.quanta());
            pauses.put("refresh", time(pause.refreshNs()));
            map.put("pause", pauses);
        }
        FlowControlConfig.Credits credits = flowControl.credits();
        if (credits != null) {
            map.put("credits", credits(credits));
        }
        FlowControlConfig.Watchdog watchdog = flowControl.watchdog();
        if (watchdog != null) {
            map.put("watchdog", watchdog(watchdog));
        }
    }

    private static Map<String, Object> classify(TrafficConfig traffic) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("trust", SwitchConfigs.word(traffic.trust()));
        map.put("default", traffic.defaultPriority());
        if (!traffic.priorityOfPcp().equals(TrafficConfig.DEFAULT.priorityOfPcp())) {
            map.put("pcp", traffic.priorityOfPcp());
        }
        List<Object> rows = dscpRows(traffic.priorityOfDscp());
        if (!rows.isEmpty()) {
            map.put("dscp", rows);
        }
        return map;
    }

    /** A row for each priority that has DSCPs which are not its own by default. */
    private static List<Object> dscpRows(List<Integer> table) {
        List<Object> rows = new ArrayList<>();
        for (int priority = 0; priority < TrafficConfig.PRIORITIES; priority++) {
            List<Object> dscps = dscpsOf(priority, table);
            if (!dscps.isEmpty()) {
                Map<String, Object> row = new LinkedHashMap<>();
                row.put("values", dscps);
                row.put("priority", priority);
                rows.add(row);
            }
        }
        return rows;
    }

    /** The DSCPs that map to a priority but would not by default, runs written {@code 24-31}. */
    private static List<Object> dscpsOf(int priority, List<Integer> table) {
        List<Integer> dscps = new ArrayList<>();
        for (int dscp = 0; dscp < TrafficConfig.DSCPS; dscp++) {
            boolean isDefault = TrafficConfig.DEFAULT.priorityOfDscp().get(dscp) == priority;
            if (table.get(dscp) == priority && !isDefault) {
                dscps.add(dscp);
            }
        }
        return SwitchConfigs.ranges(dscps);
    }

    private static Object scheduler(List<Integer> weights) {
        List<Object> list = new ArrayList<>();
        boolean allStrict = true;
        for (int weight : weights) {
            allStrict &= weight == TrafficConfig.STRICT;
            list.add(weight == TrafficConfig.STRICT ? "strict" : (Object) weight);
        }
        return allStrict ? "strict" : list;
    }

    private static List<Object> rates(List<Long> limits) {
        List<Object> rows = new ArrayList<>();
        for (int priority = 0; priority < limits.size(); priority++) {
            if (limits.get(priority) != TrafficConfig.UNLIMITED) {
                Map<String, Object> row = new LinkedHashMap<>();
                row.put("priority", priority);
                row.put("rate", Quantity.RATE.format(limits.get(priority)));
                rows.add(row);
            }
        }
        return rows;
    }

    private static Map<String, Object> link(FlowControlConfig.Link link) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("delay", time(link.delayNs()));
        map.put("own-reaction", time(link.ownReactionNs()));
        map.put("peer-reaction", time(link.peerReactionNs()));
        return map;
    }

    private static Map<String, Object> buffers(FlowControlConfig.Buffers buffers) {
        Map<String, Object> map = new LinkedHashMap<>();
        Integer alpha = buffers.alphaExponent();
        if (alpha == null) {
            map.put("xoff", size(buffers.xoffBytes()));
            map.put("xoff-slots", buffers.xoffSlots());
        } else {
            map.put("alpha", alpha < 0 ? "1/" + (1 << -alpha) : (Object) (1 << alpha));
            map.put("reserved", size(buffers.reservedBytes()));
            map.put("reserved-slots", buffers.reservedSlots());
            map.put("shared", size(buffers.sharedBytes()));
            map.put("shared-slots", buffers.sharedSlots());
        }
        map.put("xon", size(buffers.xonBytes()));
        map.put("xon-slots", buffers.xonSlots());
        map.put("headroom", size(buffers.headroomBytes()));
        map.put("headroom-slots", buffers.headroomSlots());
        return map;
    }

    private static Map<String, Object> credits(FlowControlConfig.Credits credits) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("update", SwitchConfigs.word(credits.update()));
        map.put("period", time(credits.periodNs()));
        map.put("min-gap", time(credits.minGapNs()));
        map.put("block-scale", credits.blockScale());
        map.put("buffer", size(credits.bufferBytes()));
        map.put("buffer-slots", credits.bufferSlots());
        return map;
    }

    private static Map<String, Object> watchdog(FlowControlConfig.Watchdog watchdog) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("action", SwitchConfigs.word(watchdog.action()));
        map.put("detection", time(watchdog.detectionNs()));
        map.put("restoration", time(watchdog.restorationNs()));
        map.put("poll", time(watchdog.pollNs()));
        return map;
    }

    private static String time(long ns) {
        return Quantity.DURATION.format(ns);
    }

    private static String size(long bytes) {
        return Quantity.SIZE.format(bytes);
    }
}
