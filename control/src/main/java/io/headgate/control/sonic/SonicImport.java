package io.headgate.control.sonic;

import io.headgate.config.ConfigException;
import io.headgate.config.read.SwitchConfigReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/** Makes the configuration of a switch from a SONiC switch's {@code config_db.json}. */
public final class SonicImport {
    private static final Set<String> READ =
            Set.of(
                    "PORT",
                    "PORT_QOS_MAP",
                    "DSCP_TO_TC_MAP",
                    "DOT1P_TO_TC_MAP",
                    "TC_TO_QUEUE_MAP",
                    "TC_TO_PRIORITY_GROUP_MAP",
                    "MAP_PFC_PRIORITY_TO_QUEUE",
                    "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP",
                    "BUFFER_POOL",
                    "BUFFER_PROFILE",
                    "BUFFER_PG",
                    "DEFAULT_LOSSLESS_BUFFER_PARAMETER",
                    "SCHEDULER",
                    "QUEUE",
                    "WRED_PROFILE",
                    "PFC_WD",
                    "CABLE_LENGTH",
                    "VLAN",
                    "VLAN_MEMBER",
                    "DEVICE_METADATA");

    private static final long MOST_POOL = 16_000_000_000L;

    /** The largest MTUs whose frames fit into slots of 2 and 4 KiB. */
    private static final int SMALL_MTU = 1706;

    private static final int MIDDLE_MTU = 3754;

    private static final int MOST_MTU = 9000;

    private SonicImport() {}

    /**
     * The result of an import.
     *
     * @param yaml the configuration, which {@link SwitchConfigReader} takes
     * @param leftOut settings that have no equivalent in it, or another place, and why
     */
    public record Made(String yaml, List<String> leftOut) {
        /** The settings that were left out, as a comment for the top of the new file. */
        public String comment(Object file) {
            StringBuilder comment = new StringBuilder();
            comment.append("# From ").append(file).append(" of a SONiC switch.\n");
            if (!leftOut.isEmpty()) {
                comment.append("# Left out, or different from SONiC:\n");
            }
            leftOut.forEach(each -> comment.append("# - ").append(each).append('\n'));
            return comment.toString();
        }
    }

    /**
     * The part of the file to take, and the machine that it is for.
     *
     * @param ports the ports to take, in this order; empty: all ports of the file
     * @param interfaces the interface of each port; empty: interfaces with the names of the ports
     * @param rate rate of each port instead of its speed, such as {@code 1Gbps}; empty: its speed
     */
    public record Wanted(List<String> ports, List<String> interfaces, String device, String rate) {}

    /**
     * Makes the configuration.
     *
     * @throws ConfigException if the text is not such a file, if a field of it cannot be read, or
     *     if the result cannot be a switch
     */
    public static Made make(String text, String name, Wanted wanted) {
        ConfigDb db = new ConfigDb(text, name);
        LeftOut leftOut = new LeftOut();
        List<String> names =
                wanted.ports().isEmpty() ? List.copyOf(db.table("PORT").keySet()) : wanted.ports();
        if (!wanted.interfaces().isEmpty() && wanted.interfaces().size() != names.size()) {
            throw db.wrong(
                    "PORT",
                    names.size() + " ports and " + wanted.interfaces().size() + " interfaces",
                    "an interface for each port");
        }
        List<Map<String, Object>> ports = new ArrayList<>();
        long mtu = 0;
        for (int i = 0; i < names.size(); i++) {
            String port = names.get(i);
            if (!db.table("PORT").containsKey(port)) {
                throw db.wrong("PORT", "no " + port, String.join(", ", db.table("PORT").keySet()));
            }
            Map<String, Object> keys = new LinkedHashMap<>();
            keys.put("name", port);
            keys.put(
                    "device",
                    Map.of(
                            wanted.device(),
                            wanted.interfaces().isEmpty() ? port : wanted.interfaces().get(i)));
            int most = wanted.device().equals("afxdp") ? MIDDLE_MTU : MOST_MTU;
            keys.putAll(new SonicPort(db, port, leftOut).keys(wanted.rate(), most));
            mtu = Math.max(mtu, ((Number) Objects.requireNonNull(keys.get("mtu"))).longValue());
            ports.add(keys);
        }
        Map<String, Object> made = new LinkedHashMap<>();
        made.put("name", switchName(db));
        made.put("memory", memory(db, ports, mtu, leftOut));
        Map<String, Object> defaults = common(ports);
        if (!defaults.isEmpty()) {
            made.put("defaults", defaults);
        }
        made.put("ports", ports);
        tables(db, leftOut);
        String yaml = text(made);
        SwitchConfigReader.read(yaml, "what was made of " + name);
        return new Made(yaml, leftOut.sentences());
    }

    private static String switchName(ConfigDb db) {
        String host = db.entry("DEVICE_METADATA", "localhost").getOrDefault("hostname", "");
        return host.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,14}") ? host : "sonic";
    }

    private static Map<String, Object> memory(
            ConfigDb db, List<Map<String, Object>> ports, long mtu, LeftOut leftOut) {
        Map<String, Object> memory = new LinkedHashMap<>();
        memory.put("slot", mtu > MIDDLE_MTU ? "16KiB" : mtu > SMALL_MTU ? "4KiB" : "2KiB");
        Map<String, String> pool = db.entry("BUFFER_POOL", "ingress_lossless_pool");
        boolean isShared =
                ports.stream()
                        .map(port -> port.get("buffers"))
                        .anyMatch(buffers ->
                                buffers instanceof Map<?, ?> of && of.containsKey("alpha"));
        String size = pool.get("size");
        if (isShared && size != null) {
            long bytes =
                    db.number("BUFFER_POOL|ingress_lossless_pool|size", size, 1, Long.MAX_VALUE);
            memory.put("shared", Math.min(bytes, MOST_POOL) + "B");
        } else if (isShared) {
            leftOut.add("the pool's size: the switch computes it, and each port has its own pool");
        }
        if (pool.containsKey("xoff")) {
            leftOut.add(
                    "headroom that all ports share (the xoff of a pool): here each port has its"
                            + " own");
        }
        return memory;
    }

    /** Moves the settings that are equal for all ports out of the ports. */
    private static Map<String, Object> common(List<Map<String, Object>> ports) {
        Map<String, Object> common = new LinkedHashMap<>(ports.getFirst());
        common.keySet().removeAll(Set.of("name", "device"));
        if (ports.size() < 2) {
            return Map.of();
        }
        for (Map<String, Object> port : ports) {
            common.entrySet().removeIf(entry -> !entry.getValue().equals(port.get(entry.getKey())));
        }
        ports.forEach(port -> port.keySet().removeAll(common.keySet()));
        return common;
    }

    private static void tables(ConfigDb db, LeftOut leftOut) {
        List<String> other = new ArrayList<>();
        for (String table : db.tables()) {
            if (!READ.contains(table)) {
                other.add(table);
            }
        }
        if (!other.isEmpty()) {
            leftOut.add(
                    other.stream()
                            .sorted()
                            .collect(Collectors.joining(", ", "not looked at: ", "")));
        }
    }

    private static String text(Map<String, Object> made) {
        DumpSettings settings =
                DumpSettings.builder()
                        .setSchema(new CoreSchema())
                        .setDefaultFlowStyle(FlowStyle.AUTO)
                        .setDereferenceAliases(true)
                        .setSplitLines(false)
                        .build();
        return new Dump(settings).dumpToString(made);
    }
}
