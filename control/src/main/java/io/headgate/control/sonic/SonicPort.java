package io.headgate.control.sonic;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Translates one SONiC port into our keys. A traffic class there is a priority here, which has one
 * number from ingress to egress, for its buffer, its queue and its pauses.
 */
final class SonicPort {
    /** Number of code points of DSCP, and of tags. */
    private static final int DSCPS = 64;

    private static final int MOST_QUEUE = 63;
    private static final long MBPS = 1_000_000;

    /** The highest rate of a port here; SONiC has ports of 800 Gb/s and more. */
    private static final long MOST_MBPS = 400_000;

    private static final int DEFAULT_MTU = 9100;

    /** Exponents of dynamic thresholds, from 1/128 to 8 times what is left, as powers of two. */
    private static final int LEAST_ALPHA = -7;

    private static final int MOST_ALPHA = 3;

    /** Delay of light in glass, and of electricity in copper: five nanoseconds per metre. */
    private static final double NS_PER_M = 5;

    private static final long MOST_BYTES = 1L << 40;

    private final ConfigDb db;
    private final String port;
    private final LeftOut leftOut;
    private final Map<String, String> fields;
    private final Map<String, String> qos;
    private final int[] queueOf = new int[PRIORITIES];
    private final int[] groupOf = new int[PRIORITIES];
    private final Map<String, Object> keys = new LinkedHashMap<>();

    SonicPort(ConfigDb db, String port, LeftOut leftOut) {
        this.db = db;
        this.port = port;
        this.leftOut = leftOut;
        this.fields = db.entry("PORT", port);
        this.qos = db.entry("PORT_QOS_MAP", port);
    }

    /**
     * The port's keys except its name and device.
     *
     * @param rate rate instead of the port's speed; empty: the speed
     * @param mostMtu largest MTU of the port's device here
     * @throws io.headgate.config.ConfigException if a field cannot be read
     */
    Map<String, Object> keys(String rate, int mostMtu) {
        rate(rate);
        mtu(mostMtu);
        vlan();
        classes();
        List<Integer> lossless = lossless();
        scheduler();
        keys.put("flow-control", lossless.isEmpty() ? "none" : "pfc");
        if (!lossless.isEmpty()) {
            keys.put("lossless", lossless);
            cable();
            buffers(lossless, rate.isEmpty());
            watchdog(lossless);
        }
        marks();
        return keys;
    }

    private String place(String table, String key, String field) {
        return table + "|" + key + "|" + field;
    }

    // ---- the link

    private void rate(String instead) {
        String speed = fields.get("speed");
        if (!instead.isEmpty()) {
            keys.put("rate", instead);
        } else if (speed == null) {
            throw db.wrong(place("PORT", port, "speed"), "is missing", "megabits a second");
        } else {
            long mbps = db.number(place("PORT", port, "speed"), speed, 1, 10_000_000);
            if (mbps > MOST_MBPS) {
                left("speed " + mbps + ": the maximum here is 400 Gb/s");
            }
            keys.put("rate", words(Math.min(mbps, MOST_MBPS) * MBPS));
        }
        if (fields.getOrDefault("admin_status", "up").equals("down")) {
            left("admin_status down: here every configured port comes up");
        }
        if (fields.getOrDefault("pfc_asym", "off").equals("on")) {
            left("pfc_asym: here a port obeys and sends pauses for the same priorities");
        }
        if (qos.containsKey("scheduler")) {
            left("the scheduler of PORT_QOS_MAP: here the key rate is the rate of the whole port");
        }
    }

    private long number(
            Map<String, String> from,
            String place,
            String field,
            long none,
            long least,
            long most) {
        String said = from.get(field);
        return said == null ? none : db.number(place + "|" + field, said, least, most);
    }

    private void left(String sentence) {
        leftOut.add(port, sentence);
    }

    private static String words(long bps) {
        return bps % 1_000_000_000 == 0 ? bps / 1_000_000_000 + "Gbps" : bps / MBPS + "Mbps";
    }

    private void mtu(int most) {
        long mtu = number(fields, "PORT|" + port, "mtu", DEFAULT_MTU, 68, 65_535);
        if (mtu > most) {
            left("mtu " + mtu + ": the largest MTU of such devices here is " + most);
        }
        keys.put("mtu", Math.min(mtu, most));
    }

    private void vlan() {
        List<Object> tagged = new ArrayList<>();
        Integer untagged = null;
        for (Map.Entry<String, Map<String, String>> member : db.table("VLAN_MEMBER").entrySet()) {
            String key = member.getKey();
            if (key.startsWith("Vlan") && key.endsWith("|" + port)) {
                int vlan =
                        (int)
                                db.number(
                                        "VLAN_MEMBER|" + key,
                                        key.substring(4, key.indexOf('|')),
                                        1,
                                        4094);
                if (member.getValue().getOrDefault("tagging_mode", "untagged").equals("tagged")) {
                    tagged.add(vlan);
                } else {
                    untagged = vlan;
                }
            }
        }
        if (!tagged.isEmpty()) {
            Map<String, Object> trunk = new LinkedHashMap<>();
            trunk.put("trunk", tagged);
            trunk.put("native", untagged == null ? "none" : untagged);
            keys.put("vlan", trunk);
        } else if (untagged != null) {
            keys.put("vlan", untagged);
        }
    }

    private void cable() {
        for (Map<String, String> lengths : db.table("CABLE_LENGTH").values()) {
            String length = lengths.get(port);
            if (length != null) {
                long metres =
                        db.number(
                                "CABLE_LENGTH|" + port,
                                length.endsWith("m")
                                        ? length.substring(0, length.length() - 1)
                                        : length,
                                0,
                                1_000_000);
                keys.put("link", Map.of("delay", Math.round(metres * NS_PER_M) + "ns"));
            }
        }
    }

    // ---- traffic classes

    private void classes() {
        Map<String, String> dscp = map("dscp_to_tc_map", "DSCP_TO_TC_MAP");
        Map<String, String> pcp = map("dot1p_to_tc_map", "DOT1P_TO_TC_MAP");
        Map<String, Object> classify = new LinkedHashMap<>();
        if (!dscp.isEmpty()) {
            classify.put("trust", "dscp");
            classify.put("dscp", rows(numbers(dscp, "DSCP_TO_TC_MAP", DSCPS)));
            if (!pcp.isEmpty()) {
                left("dot1p_to_tc_map and dscp_to_tc_map: the DSCP is used");
            }
        } else if (!pcp.isEmpty()) {
            classify.put("trust", "pcp");
            List<Integer> priorities = new ArrayList<>();
            for (int priority : numbers(pcp, "DOT1P_TO_TC_MAP", PRIORITIES)) {
                priorities.add(priority);
            }
            classify.put("pcp", priorities);
        } else {
            classify.put("trust", "port");
            left("no map to traffic classes: all frames have priority 0");
        }
        keys.put("classify", classify);
        identities(queueOf, map("tc_to_queue_map", "TC_TO_QUEUE_MAP"), "TC_TO_QUEUE_MAP");
        identities(
                groupOf,
                map("tc_to_pg_map", "TC_TO_PRIORITY_GROUP_MAP"),
                "TC_TO_PRIORITY_GROUP_MAP");
        for (int priority = 0; priority < PRIORITIES; priority++) {
            if (queueOf[priority] != priority) {
                left(
                        ("traffic class %d goes to queue %d: here it is priority %d with its own"
                                        + " queue, which has that queue's scheduler and marks")
                                .formatted(priority, queueOf[priority], priority));
            }
        }
    }

    private Map<String, String> map(String field, String table) {
        return db.named(place("PORT_QOS_MAP", port, field), qos.get(field), table);
    }

    /** The target number of each code point; one that the map leaves out goes to 0. */
    private int[] numbers(Map<String, String> map, String table, int size) {
        int[] to = new int[size];
        map.forEach((from, said) ->
                to[(int) db.number(table, from, 0, size - 1)] =
                        (int) db.number(table + "|" + from, said, 0, PRIORITIES - 1));
        return to;
    }

    private void identities(int[] into, Map<String, String> map, String table) {
        for (int priority = 0; priority < PRIORITIES; priority++) {
            into[priority] = priority;
        }
        map.forEach((from, said) ->
                into[(int) db.number(table, from, 0, PRIORITIES - 1)] =
                        (int) db.number(table + "|" + from, said, 0, MOST_QUEUE));
    }

    private static List<Object> rows(int[] priorities) {
        Map<Integer, List<Object>> values = new TreeMap<>();
        for (int from = 0; from < priorities.length; ) {
            int to = from;
            while (to + 1 < priorities.length && priorities[to + 1] == priorities[from]) {
                to++;
            }
            values.computeIfAbsent(priorities[from], any -> new ArrayList<>())
                    .add(to == from ? (Object) from : from + "-" + to);
            from = to + 1;
        }
        List<Object> rows = new ArrayList<>();
        values.forEach((priority, of) -> {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("values", of);
            row.put("priority", priority);
            rows.add(row);
        });
        return rows;
    }

    private List<Integer> lossless() {
        String said = qos.getOrDefault("pfc_enable", "");
        List<Integer> priorities =
                db.numbers(place("PORT_QOS_MAP", port, "pfc_enable"), said, PRIORITIES - 1);
        Map<String, String> queues = map("pfc_to_queue_map", "MAP_PFC_PRIORITY_TO_QUEUE");
        Map<String, String> groups = map("pfc_to_pg_map", "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP");
        for (int priority : priorities) {
            String own = Integer.toString(priority);
            if (!queues.getOrDefault(own, own).equals(Integer.toString(queueOf[priority]))
                    || !groups.getOrDefault(own, own).equals(Integer.toString(groupOf[priority]))) {
                left(
                        ("pauses of priority %d stop another queue or group than that of traffic"
                                        + " class %d: here they stop the queue of this traffic"
                                        + " class")
                                .formatted(priority, priority));
            }
        }
        return priorities;
    }

    // ---- buffers

    private void buffers(List<Integer> lossless, boolean withHeadroom) {
        Map<String, String> profile = Map.of();
        String first = null;
        for (int priority : lossless) {
            String name = profileOf(priority);
            if (first == null) {
                first = name;
                profile = profile(name);
            } else if (!first.equals(name)) {
                left(
                        ("priority %d has buffer profile %s: here all lossless priorities of a port"
                                        + " have the same profile, %s")
                                .formatted(priority, name, first));
            }
        }
        Map<String, Object> buffers = new LinkedHashMap<>();
        long headroom = bytes(profile, first, "xoff");
        long size = bytes(profile, first, "size");
        // Of some chips the size has the headroom in it, of others it has not.
        long reserved = size > headroom ? size - headroom : size;
        String dynamic = profile.get("dynamic_th");
        if (dynamic != null) {
            threshold(buffers, dynamic, reserved, profile, first);
        } else if (profile.containsKey("static_th")) {
            long xoff = reserved + bytes(profile, first, "static_th");
            long xon = bytes(profile, first, "xon");
            long offset = bytes(profile, first, "xon_offset");
            buffers.put("xoff", xoff + "B");
            buffers.put("xon", Math.max(xon, offset == 0 ? 0 : xoff - offset) + "B");
        } else {
            left("no lossless buffer profile with a threshold: the default thresholds apply");
        }
        if (headroom > 0 && withHeadroom) {
            buffers.put("headroom", headroom + "B");
        } else if (headroom > 0) {
            left(
                    ("headroom of %d B is for the speed in the file: here it is computed for the"
                                    + " given rate")
                            .formatted(headroom));
        }
        if (!buffers.isEmpty()) {
            keys.put("buffers", buffers);
        }
        lossyThresholds(lossless, dynamic);
    }

    private void threshold(
            Map<String, Object> buffers,
            String dynamic,
            long reserved,
            Map<String, String> profile,
            @Nullable String name) {
        int power = (int) db.number("BUFFER_PROFILE|" + name + "|dynamic_th", dynamic, -128, 127);
        int taken = Math.clamp(power, LEAST_ALPHA, MOST_ALPHA);
        if (taken != power) {
            left("dynamic_th %d is replaced by %d: alpha is 1/128 to 8".formatted(power, taken));
        }
        buffers.put("alpha", taken < 0 ? "1/" + (1 << -taken) : (Object) (1 << taken));
        if (reserved > 0) {
            buffers.put("reserved", reserved + "B");
        }
        long offset = bytes(profile, name, "xon_offset");
        if (offset > 0) {
            buffers.put("xon", offset + "B");
        }
        if (bytes(profile, name, "xon") > 0) {
            left(
                    ("xon %s: here, with a dynamic threshold, only xon_offset determines the end of"
                                    + " a pause")
                            .formatted(profile.get("xon")));
        }
    }

    /** Notes that frames of lossy priorities have the threshold of lossless ones here. */
    private void lossyThresholds(List<Integer> lossless, @Nullable String dynamic) {
        for (int priority = 0; dynamic != null && priority < PRIORITIES; priority++) {
            if (!lossless.contains(priority)) {
                String name = profileOf(priority);
                String other = name.isEmpty() ? null : profile(name).get("dynamic_th");
                if (other != null && !other.equals(dynamic)) {
                    left(
                            ("buffer profile %s of lossy priorities has dynamic_th %s: here all"
                                            + " priorities of a port have the same alpha")
                                    .formatted(name, other));
                    return;
                }
            }
        }
    }

    private String profileOf(int priority) {
        return named("BUFFER_PG", groupOf[priority], "profile");
    }

    /** The entry that a queue or group of the port names; empty: none. */
    private String named(String table, int number, String field) {
        String key = db.covering(table, port, number);
        return key == null ? "" : ConfigDb.plain(db.entry(table, key).getOrDefault(field, ""));
    }

    /**
     * The profile of a group; with "NULL" the switch computes it from the port's speed and cable.
     */
    private Map<String, String> profile(String name) {
        if (name.equals("NULL")) {
            left("a buffer profile that the switch computes: here the headroom is also computed");
            for (Map<String, String> defaults :
                    db.table("DEFAULT_LOSSLESS_BUFFER_PARAMETER").values()) {
                String alpha = defaults.get("default_dynamic_th");
                if (alpha != null) {
                    return Map.of("dynamic_th", alpha);
                }
            }
            return Map.of();
        }
        return name.isEmpty() ? Map.of() : db.named("BUFFER_PG|" + port, name, "BUFFER_PROFILE");
    }

    private long bytes(Map<String, String> profile, @Nullable String name, String field) {
        return number(profile, "BUFFER_PROFILE|" + name, field, 0, 0, MOST_BYTES);
    }

    // ---- pauses without end

    private void watchdog(List<Integer> lossless) {
        Map<String, String> watchdog = db.entry("PFC_WD", port);
        if (watchdog.isEmpty()) {
            return;
        }
        Map<String, Object> ours = new LinkedHashMap<>();
        ours.put("action", watchdog.getOrDefault("action", "drop"));
        long detection = millis(watchdog, "detection_time");
        long restoration = millis(watchdog, "restoration_time");
        ours.put("detection", detection + "ms");
        ours.put("restoration", restoration + "ms");
        String poll = db.entry("PFC_WD", "GLOBAL").get("POLL_INTERVAL");
        if (poll != null) {
            long every = db.number("PFC_WD|GLOBAL|POLL_INTERVAL", poll, 1, 60_000);
            ours.put("poll", Math.min(every, Math.min(detection, restoration)) + "ms");
        }
        keys.put("watchdog", ours);
        String watched = qos.get("pfcwd_sw_enable");
        if (watched != null
                && !db.numbers(
                                place("PORT_QOS_MAP", port, "pfcwd_sw_enable"),
                                watched,
                                PRIORITIES - 1)
                        .equals(lossless)) {
            left(
                    "pfcwd_sw_enable %s: here the watchdog watches all lossless priorities"
                            .formatted(watched));
        }
    }

    private long millis(Map<String, String> watchdog, String field) {
        return number(watchdog, "PFC_WD|" + port, field, 200, 1, 60_000);
    }

    // ---- queues

    private @Nullable String queueKey(int priority) {
        return db.covering("QUEUE", port, queueOf[priority]);
    }

    private Map<String, String> ofQueue(int priority, String field, String table) {
        String key = queueKey(priority);
        String name = key == null ? null : db.entry("QUEUE", key).get(field);
        return db.named("QUEUE|" + key + "|" + field, name, table);
    }

    private void scheduler() {
        List<Object> all = new ArrayList<>();
        List<Object> limits = new ArrayList<>();
        boolean isSaid = false;
        for (int priority = 0; priority < PRIORITIES; priority++) {
            Map<String, String> scheduler = ofQueue(priority, "scheduler", "SCHEDULER");
            isSaid |= !scheduler.isEmpty();
            String type = scheduler.getOrDefault("type", "DWRR");
            if (type.equals("WRR")) {
                left("WRR counts packets: here bytes are counted, as in DWRR");
            }
            all.add(
                    type.equals("STRICT")
                            ? "strict"
                            : (Object) number(scheduler, "SCHEDULER", "weight", 1, 1, 100));
            limit(priority, scheduler, limits);
        }
        if (isSaid) {
            keys.put("scheduler", all.stream().allMatch("strict"::equals) ? "strict" : all);
        }
        if (!limits.isEmpty()) {
            keys.put("priority-rates", limits);
        }
    }

    private void limit(int priority, Map<String, String> scheduler, List<Object> limits) {
        String most = scheduler.get("pir");
        if (most == null) {
            return;
        }
        if (scheduler.getOrDefault("meter_type", "bytes").equals("packets")) {
            left("a scheduler's pir in packets: here limits are in bits per second");
            return;
        }
        long bps = 8 * db.number("SCHEDULER|pir", most, 0, 1L << 50);
        if (bps >= MBPS) {
            Map<String, Object> limit = new LinkedHashMap<>();
            limit.put("priority", priority);
            limit.put("rate", Math.min(bps / MBPS, MOST_MBPS) + "Mbps");
            limits.add(limit);
        } else {
            left("a scheduler's pir below 1 Mb/s: the minimum limit here is 1 Mb/s");
        }
    }

    // ---- marks

    private void marks() {
        Map<String, Object> red = new LinkedHashMap<>();
        List<Integer> marked = new ArrayList<>();
        String first = null;
        for (int priority = 0; priority < PRIORITIES; priority++) {
            Map<String, String> wred = ofQueue(priority, "wred_profile", "WRED_PROFILE");
            String ecn = wred.getOrDefault("ecn", "ecn_none");
            String name = wred.isEmpty() ? "" : named("QUEUE", queueOf[priority], "wred_profile");
            if (!wred.isEmpty() && ecn.equals("ecn_none")) {
                left(
                        ("WRED profile %s drops early: here frames are only dropped when a queue is"
                                        + " full")
                                .formatted(name));
            } else if (!wred.isEmpty() && first == null) {
                first = name;
                marked.add(priority);
                red(red, wred, name);
            } else if (!wred.isEmpty() && name.equals(first)) {
                marked.add(priority);
            } else if (!wred.isEmpty()) {
                left(
                        ("WRED profile %s of priority %d: here a port has one pair of marking"
                                        + " thresholds, those of %s")
                                .formatted(name, priority, first));
            }
        }
        if (!marked.isEmpty()) {
            red.put("priorities", marked);
            keys.put("congestion", Map.of("red", red));
            leftOut.add(
                    "WRED drops frames that cannot be marked (Not-ECT) early: here they are dropped"
                            + " when a queue is full");
        }
    }

    private void red(Map<String, Object> red, Map<String, String> wred, String name) {
        String colour = wred.containsKey("green_min_threshold") ? "green" : "yellow";
        long least = threshold(wred, name, colour + "_min_threshold", 1_000);
        long most = Math.max(least, threshold(wred, name, colour + "_max_threshold", 4 * least));
        long percent =
                number(wred, "WRED_PROFILE|" + name, colour + "_drop_probability", 100, 0, 100);
        red.put("kmin", least + "B");
        red.put("kmax", most + "B");
        red.put("pmax", percent / 100.0);
    }

    private long threshold(Map<String, String> wred, String name, String field, long otherwise) {
        return number(wred, "WRED_PROFILE|" + name, field, otherwise, 1_000, 1_000_000_000);
    }
}
