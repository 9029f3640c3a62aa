package io.headgate.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.schema.CoreSchema;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes a configuration whole, defaults included, so that a report can carry it. {@link
 * SwitchConfigReader} reads what is written back to an equal value.
 */
public final class SwitchConfigs {
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private SwitchConfigs() {}

    /** The configuration as block-style YAML, keys in the schema's order. */
    public static String toYaml(SwitchConfig config) {
        DumpSettings settings =
                DumpSettings.builder()
                        .setSchema(new CoreSchema())
                        .setDefaultFlowStyle(FlowStyle.BLOCK)
                        .setDereferenceAliases(true)
                        .setSplitLines(false)
                        .build();
        return new Dump(settings).dumpToString(toMap(config));
    }

    /** The configuration as JSON, keys in the schema's order. */
    public static String toJson(SwitchConfig config) {
        return JSON.writeValueAsString(toMap(config));
    }

    /** The published JSON schema (draft 2020-12) of a switch configuration. */
    public static String schema() {
        return SwitchConfigReader.SCHEMA.text();
    }

    /** The configuration as maps, lists, texts and numbers, in the shape of a file. */
    public static Map<String, Object> toMap(SwitchConfig config) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", config.name());
        map.put("mode", word(config.mode()));
        if (config.address() != null) {
            map.put("address", Addresses.format(config.address()));
        }
        map.put("seed", config.seed());
        map.put("ports", config.ports().stream().map(SwitchConfigs::port).toList());
        map.put("bridge", bridge(config.bridge()));
        map.put("routed", routed(config.routed()));
        map.put("memory", memory(config.memory()));
        map.put("workers", workers(config.workers()));
        return map;
    }

    private static Map<String, Object> port(PortConfig port) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", port.name());
        map.put("device", device(port.device()));
        map.put("rate", Quantity.RATE.format(port.rateBps()));
        map.put("mtu", port.mtuBytes());
        map.put("vlan", vlan(port.vlan()));
        map.put("queue-limit", Quantity.SIZE.format(port.queueLimitBytes()));
        map.put("account-cap", Quantity.SIZE.format(port.accountCapBytes()));
        map.put("account-cap-slots", port.accountCapSlots());
        if (!port.addresses().isEmpty()) {
            map.put("addresses", port.addresses().stream().map(Addresses::format).toList());
        }
        TrafficMaps.put(map, port);
        return map;
    }

    private static Object vlan(PortConfig.VlanConfig vlan) {
        Integer nativeVlan = vlan.nativeVlan();
        if (vlan.mode() == PortConfig.VlanConfig.Mode.ACCESS) {
            return nativeVlan == null ? 1 : nativeVlan;
        }
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("trunk", vlan.allowed().isEmpty() ? "all" : ranges(vlan.allowed()));
        map.put("native", nativeVlan == null ? "none" : nativeVlan);
        return map;
    }

    /** Ascending numbers with runs written as {@code 20-29}. */
    static List<Object> ranges(List<Integer> vlans) {
        List<Object> ranges = new ArrayList<>();
        int start = 0;
        for (int i = 1; i <= vlans.size(); i++) {
            if (i < vlans.size() && vlans.get(i) == vlans.get(i - 1) + 1) {
                continue;
            }
            int first = vlans.get(start);
            int last = vlans.get(i - 1);
            ranges.add(first == last ? (Object) first : first + "-" + last);
            start = i;
        }
        return ranges;
    }

    private static Map<String, Object> device(DeviceConfig device) {
        Map<String, Object> map = new LinkedHashMap<>();
        switch (device) {
            case DeviceConfig.AfPacket d -> {
                interfaceAndNetns(map, d.interfaceName(), d.netns());
                map.put("ring", d.ringFrames());
                return Map.of("afpacket", map);
            }
            case DeviceConfig.AfXdp d -> {
                interfaceAndNetns(map, d.interfaceName(), d.netns());
                map.put("queue", d.queue());
                map.put("mode", word(d.mode()));
                map.put("ring", d.ringFrames());
                return Map.of("afxdp", map);
            }
            case DeviceConfig.Tap d -> {
                interfaceAndNetns(map, d.interfaceName(), d.netns());
                map.put("create", d.create());
                return Map.of("tap", map);
            }
            case DeviceConfig.PcapLive d -> {
                interfaceAndNetns(map, d.interfaceName(), d.netns());
                return Map.of("pcap", map);
            }
            case DeviceConfig.PcapFile d -> {
                if (d.input() != null) {
                    map.put("input", d.input().toString());
                }
                if (d.output() != null) {
                    map.put("output", d.output().toString());
                }
                map.put("timing", word(d.timing()));
                return Map.of("pcap-file", map);
            }
            case DeviceConfig.Vxlan d -> {
                map.put("local", Addresses.format(d.local()));
                map.put("remote", Addresses.format(d.remote()));
                map.put("vni", d.vni());
                netns(map, d.netns());
                return Map.of("vxlan", map);
            }
            case DeviceConfig.Memory d -> {
                return Map.of("memory", d.pair());
            }
            case DeviceConfig.Virtual d -> {
                return Map.of("virtual", d.link());
            }
        }
    }

    private static void interfaceAndNetns(
            Map<String, Object> map, String interfaceName, @Nullable String netns) {
        map.put("interface", interfaceName);
        netns(map, netns);
    }

    private static void netns(Map<String, Object> map, @Nullable String netns) {
        if (netns != null) {
            map.put("netns", netns);
        }
    }

    private static Map<String, Object> bridge(BridgeConfig bridge) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("ageing", Quantity.DURATION.format(bridge.ageingNs()));
        map.put("fdb-entries", bridge.fdbEntries());
        map.put("flood-limit", Quantity.FREQUENCY.format(bridge.floodFramesPerSec()));
        map.put("move-limit", Quantity.FREQUENCY.format(bridge.moveLimitPerSec()));
        if (!bridge.staticEntries().isEmpty()) {
            map.put("static", bridge.staticEntries().stream().map(SwitchConfigs::entry).toList());
        }
        return map;
    }

    private static Map<String, Object> entry(BridgeConfig.StaticEntry entry) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("mac", Addresses.formatMac(entry.mac()));
        map.put("vlan", entry.vlan());
        map.put("port", entry.port());
        return map;
    }

    private static Map<String, Object> routed(RoutedConfig routed) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("neighbour-timeout", Quantity.DURATION.format(routed.neighbourTimeoutNs()));
        map.put("neighbour-entries", routed.neighbourEntries());
        if (!routed.neighbours().isEmpty()) {
            map.put(
                    "neighbours",
                    routed.neighbours().stream().map(SwitchConfigs::neighbour).toList());
        }
        if (!routed.routes().isEmpty()) {
            map.put("routes", routed.routes().stream().map(SwitchConfigs::route).toList());
        }
        return map;
    }

    private static Map<String, Object> route(RoutedConfig.Route route) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("prefix", Addresses.format(route.prefix()));
        map.put("via", route.nextHops().stream().map(Addresses::format).toList());
        return map;
    }

    private static Map<String, Object> neighbour(RoutedConfig.StaticNeighbour neighbour) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("address", Addresses.format(neighbour.address()));
        map.put("mac", Addresses.formatMac(neighbour.mac()));
        return map;
    }

    private static Map<String, Object> memory(MemoryConfig memory) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("slot", Quantity.SIZE.format(memory.slotBytes()));
        map.put("slots-per-port", memory.slotsPerPort());
        map.put("reuse", word(memory.slotReuse()));
        map.put("payload", word(memory.payload()));
        return map;
    }

    private static Map<String, Object> workers(WorkerConfig workers) {
        Map<String, Object> map = new LinkedHashMap<>();
        boolean isCount = workers.layout() == WorkerConfig.Layout.COUNT;
        map.put("layout", isCount ? (Object) workers.count() : word(workers.layout()));
        map.put("idle", word(workers.idle()));
        map.put("cores", workers.cores());
        map.put("stall-threshold", Quantity.DURATION.format(workers.stallThresholdNs()));
        return map;
    }

    static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
